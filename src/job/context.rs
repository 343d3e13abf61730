//! Resources of jobs: threads, memory, a cancel token, an observer, and reusable buffers.

use super::{Budget, CancelToken, Cpu};
use crate::codec;
use crate::report::{Observer, Silent};
use crate::source::Buffer;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Raw bytes per batch: large enough to make the cost of reads and hand-overs negligible, small enough for caches.
const BATCH_LEN: u64 = 1 << 20;

/// Divisor of the memory budget: up to 1/8 of it is kept in unused buffers.
const KEPT: u64 = 8;

/// Resources of jobs: threads, memory, a cancel token, an observer and buffers. Clones are the same context.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    cancel: CancelToken,
    observer: Arc<dyn Observer>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("verify", &self.verifies()).finish_non_exhaustive()
    }
}

struct Shared {
    budget: Budget,
    cpu: Cpu,
    verify: bool,
    batch_len: u64,
    kept: Mutex<Kept>,
}

/// Unused buffers. They are not paid for, so their size is limited.
#[derive(Default)]
struct Kept {
    /// Buffers by capacity.
    buffers: BTreeMap<usize, Vec<Buffer>>,
    buffer_len: u64,
    scratches: Vec<codec::Scratch>,
}

impl Context {
    /// A context with its own token and without an observer; `verify` switches hash checks on.
    #[must_use]
    pub fn new(cpu: Cpu, budget: Budget, verify: bool) -> Self {
        // Reading, decoding and delivering overlap, and each thread needs a few batches: divide by six per thread, so
        // that all fit the budget.
        let share = budget.total() / (cpu.threads() as u64 * 6).max(1);
        let batch_len = BATCH_LEN.min(share);
        let shared = Shared { budget, cpu, verify, batch_len, kept: Mutex::default() };
        Self { shared: Arc::new(shared), cancel: CancelToken::default(), observer: Arc::new(Silent) }
    }

    /// This context with hash checks switched on or off; threads, budget, token and observer are shared.
    #[must_use]
    pub fn with_verify(&self, verify: bool) -> Self {
        // A new `Shared` with its own buffers, but the same budget: both jobs together stay within it.
        let Shared { budget, cpu, .. } = &*self.shared;
        let Self { shared, .. } = Self::new(cpu.clone(), budget.clone(), verify);
        Self { shared, ..self.clone() }
    }

    /// This context with another observer; all else is shared.
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

    /// True if hashes are checked.
    #[must_use]
    pub fn verifies(&self) -> bool {
        self.shared.verify
    }

    /// Raw bytes per batch.
    #[must_use]
    pub fn batch_len(&self) -> u64 {
        self.shared.batch_len
    }

    /// The receiver of events.
    #[must_use]
    pub fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    /// The token that cancels all jobs of this context.
    #[must_use]
    pub const fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// A buffer of this length, reused if possible.
    pub(crate) fn buffer(&self, len: usize) -> Buffer {
        let mut kept = self.lock_kept();
        let mut buffer = kept.take(Buffer::capacity_for(len));
        // A new buffer is allocated outside of the lock.
        drop(kept);
        buffer.set_len(len);
        buffer
    }

    /// Keeps a buffer for reuse.
    pub(crate) fn recycle(&self, buffer: Buffer) {
        self.recycle_all([buffer]);
    }

    /// Keeps buffers for reuse, except small ones, which are cheap to allocate, and very large ones, which will hardly
    /// be needed again.
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

    /// True for buffers of ordinary size, which are worth keeping.
    pub(crate) fn is_ordinary(&self, capacity: usize) -> bool {
        capacity as u64 <= 4 * self.shared.batch_len
    }

    /// Lends a codec's scratch memory to `work`.
    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&mut codec::Scratch) -> T) -> T {
        let mut scratch = self.lock_kept().scratches.pop().unwrap_or_default();
        let result = work(&mut scratch);
        // Never more scratch memory than 1/8 of the budget, at its largest possible size.
        let most = (self.shared.budget.total() / KEPT).div_ceil(codec::max_scratch_len() as u64);
        let mut kept = self.lock_kept();
        // More scratches than that are only in use for short times.
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
        // Only of exactly this capacity: a larger one would take memory that was not paid for.
        let found = self.buffers.get_mut(&capacity).and_then(Vec::pop);
        self.buffer_len -= found.as_ref().map_or(0, |buffer| buffer.capacity() as u64);
        found.unwrap_or_default()
    }
}
