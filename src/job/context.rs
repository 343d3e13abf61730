//! The surroundings of jobs: threads, memory, a token that ends them, an observer, and buffers that are used again and again.

use super::{Budget, CancelToken, Cpu};
use crate::codec;
use crate::report::{Observer, Silent};
use crate::source::Buffer;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Raw bytes in a batch: large enough that its reads and hand-overs cost nothing, small enough for caches.
const BATCH_LEN: u64 = 1 << 20;

/// Of the memory for data in flight, one part of so many is kept when no data is, for what comes next.
const KEPT: u64 = 8;

/// Surroundings of jobs: threads, memory, a token, an observer, buffers. Clones are the same context.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    cancel: CancelToken,
    observer: Arc<dyn Observer>,
}

struct Shared {
    budget: Budget,
    cpu: Cpu,
    verify: bool,
    batch_len: u64,
    kept: Mutex<Kept>,
}

/// What nobody uses at the moment. It is not paid for, so there is a limit to it.
#[derive(Default)]
struct Kept {
    /// By their capacity.
    buffers: BTreeMap<usize, Vec<Buffer>>,
    buffer_len: u64,
    scratches: Vec<codec::Scratch>,
}

impl Context {
    /// A context with a token of its own, and without an observer; `verify` says whether hashes are checked.
    #[must_use]
    pub fn new(cpu: Cpu, budget: Budget, verify: bool) -> Self {
        // Reading, decoding and delivering overlap, so each thread wants a few batches of its own.
        let share = budget.total() / (cpu.threads() as u64 * 6).max(1);
        let batch_len = BATCH_LEN.min(share);
        let shared = Shared { budget, cpu, verify, batch_len, kept: Mutex::default() };
        Self { shared: Arc::new(shared), cancel: CancelToken::default(), observer: Arc::new(Silent) }
    }

    /// This context with hash checks switched on or off; threads, budget, token and observer are shared.
    #[must_use]
    pub fn with_verify(&self, verify: bool) -> Self {
        let Shared { budget, cpu, .. } = &*self.shared;
        let Self { shared, .. } = Self::new(cpu.clone(), budget.clone(), verify);
        Self { shared, ..self.clone() }
    }

    /// This context with an observer that hears of every step; all else is shared.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer, ..self }
    }

    /// This context with another token; all else is shared.
    #[must_use]
    pub fn with_cancel_token(self, cancel: CancelToken) -> Self {
        Self { cancel, ..self }
    }

    /// Worker threads.
    #[must_use]
    pub fn cpu(&self) -> &Cpu {
        &self.shared.cpu
    }

    /// Memory for data in flight.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.shared.budget
    }

    /// Whether hashes are checked.
    #[must_use]
    pub fn verifies(&self) -> bool {
        self.shared.verify
    }

    /// Raw bytes in a batch.
    #[must_use]
    pub fn batch_len(&self) -> u64 {
        self.shared.batch_len
    }

    /// Hears of every step.
    #[must_use]
    pub fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    /// Ends all jobs of this context.
    #[must_use]
    pub const fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Ends all jobs: what has not begun fails with [`Error::Cancelled`](crate::error::Error::Cancelled).
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// A buffer of this length, used before if possible.
    pub(crate) fn buffer(&self, len: usize) -> Buffer {
        let mut kept = self.lock_kept();
        let mut buffer = kept.take(Buffer::capacity_for(len));
        drop(kept);
        buffer.set_len(len);
        buffer
    }

    /// Keeps a buffer for later.
    pub(crate) fn recycle(&self, buffer: Buffer) {
        self.recycle_all([buffer]);
    }

    /// Keeps buffers for later. Small ones cost nothing to make again, and large ones belong to a block or gap out of the
    /// ordinary.
    pub(crate) fn recycle_all(&self, buffers: impl IntoIterator<Item = Buffer>) {
        let limit = self.shared.budget.total() / KEPT;
        let mut kept = self.lock_kept();
        for buffer in buffers {
            let len = buffer.capacity() as u64;
            if !buffer.is_small() && self.is_ordinary(buffer.capacity()) && kept.buffer_len + len <= limit {
                kept.buffer_len += len;
                kept.buffers.entry(buffer.capacity()).or_default().push(buffer);
            }
        }
    }

    /// True for buffers that are worth keeping: those of blocks as most are.
    pub(crate) fn is_ordinary(&self, capacity: usize) -> bool {
        capacity as u64 <= 4 * self.shared.batch_len
    }

    /// Lends what codecs reuse.
    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&mut codec::Scratch) -> T) -> T {
        let mut scratch = self.lock_kept().scratches.pop().unwrap_or_default();
        let result = work(&mut scratch);
        let most = (self.shared.budget.total() / KEPT).div_ceil(codec::max_scratch_len() as u64);
        let mut kept = self.lock_kept();
        if (kept.scratches.len() as u64) < most {
            kept.scratches.push(scratch);
        }
        result
    }

    fn lock_kept(&self) -> MutexGuard<'_, Kept> {
        self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn take(&mut self, capacity: usize) -> Buffer {
        let found = self.buffers.get_mut(&capacity).and_then(Vec::pop);
        self.buffer_len -= found.as_ref().map_or(0, |buffer| buffer.capacity() as u64);
        found.unwrap_or_default()
    }
}
