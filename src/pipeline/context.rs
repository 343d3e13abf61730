//! What runs share: threads, memory, and buffers that are used again and again.

use super::batch::Batch;
use super::{Budget, Cpu};
use crate::codec;
use crate::source::Buffer;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Raw bytes in a batch: large enough that its reads and hand-overs cost nothing, small enough for caches.
const BATCH_LEN: u64 = 1 << 20;

/// Of the memory for data in flight, one part of so many is kept when no data is, for what comes next.
const KEPT: u64 = 8;

/// What runs need: memory, threads, and what to do on the way.
#[derive(Clone)]
pub struct Context {
    pub(super) shared: Arc<Shared>,
}

/// The parts of a [`Context`] that workers share.
pub(super) struct Shared {
    pub budget: Budget,
    pub cpu: Cpu,
    pub verify: bool,
    pub batch_len: u64,
    cancelled: AtomicBool,
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

/// The memory of a batch.
#[derive(Default)]
pub(super) struct Buffers {
    /// One for each extent.
    pub stored: Vec<Buffer>,
    pub raw: Buffer,
    /// For a block that is decrypted.
    pub plain: Buffer,
}

impl Context {
    /// A context; `verify` says whether hashes are checked.
    #[must_use]
    pub fn new(cpu: Cpu, budget: Budget, verify: bool) -> Self {
        // Reading, decoding and delivering overlap, so each thread wants a few batches of its own.
        let share = budget.total() / (cpu.threads() as u64 * 6).max(1);
        Self {
            shared: Arc::new(Shared {
                budget,
                cpu,
                verify,
                batch_len: BATCH_LEN.min(share),
                cancelled: AtomicBool::new(false),
                kept: Mutex::default(),
            }),
        }
    }

    /// This context with hash checks switched on or off; threads, budget and buffers are shared.
    #[must_use]
    pub fn with_verify(&self, verify: bool) -> Self {
        let Shared { budget, cpu, .. } = &*self.shared;
        Self::new(cpu.clone(), budget.clone(), verify)
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

    /// Stops all runs: batches that are not yet decoded fail with [`Error::Cancelled`](crate::error::Error::Cancelled).
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled()
    }
}

impl Shared {
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The memory for a batch.
    pub(super) fn buffers(&self, batch: &Batch) -> Buffers {
        let stored = batch.extent_lens().map(|len| self.buffer(len)).collect();
        Buffers { stored, raw: self.buffer(batch.raw_len), plain: self.buffer(batch.plain_len()) }
    }

    /// The memory for a batch with a buffer out of the ordinary, for whoever makes batches to allocate: one thread only. The
    /// system's allocator holds on to what a thread has freed, and each of many would have its own share.
    pub(super) fn large_buffers(&self, batch: &Batch) -> Option<Buffers> {
        let mut lens = batch.extent_lens().chain([batch.raw_len, batch.plain_len()]);
        let large = lens.any(|len| !self.is_ordinary(Buffer::capacity_for(len)));
        large.then(|| self.buffers(batch))
    }

    /// A buffer of this length, used before if possible.
    pub(super) fn buffer(&self, len: usize) -> Buffer {
        let mut kept = self.lock_kept();
        let mut buffer = kept.take(Buffer::capacity_for(len));
        drop(kept);
        buffer.set_len(len);
        buffer
    }

    /// Keeps a buffer for later.
    pub(super) fn recycle(&self, buffer: Buffer) {
        self.recycle_all([buffer]);
    }

    /// Keeps buffers for later. Small ones cost nothing to make again, and large ones belong to a block or gap out of the
    /// ordinary.
    pub(super) fn recycle_all(&self, buffers: impl IntoIterator<Item = Buffer>) {
        let limit = self.budget.total() / KEPT;
        let mut kept = self.lock_kept();
        for buffer in buffers {
            let len = buffer.capacity() as u64;
            if !buffer.is_small() && self.is_ordinary(buffer.capacity()) && kept.buffer_len + len <= limit {
                kept.buffer_len += len;
                kept.buffers.entry(buffer.capacity()).or_default().push(buffer);
            }
        }
    }

    fn is_ordinary(&self, capacity: usize) -> bool {
        capacity as u64 <= 4 * self.batch_len
    }

    fn lock_kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lends what codecs reuse.
    pub(super) fn with_scratch<T>(&self, work: impl FnOnce(&mut codec::Scratch) -> T) -> T {
        let mut scratch = self.lock_kept().scratches.pop().unwrap_or_default();
        let result = work(&mut scratch);
        let most = (self.budget.total() / KEPT).div_ceil(codec::Scratch::MAX_LEN as u64);
        let mut kept = self.lock_kept();
        if (kept.scratches.len() as u64) < most {
            kept.scratches.push(scratch);
        }
        result
    }
}

impl Kept {
    fn take(&mut self, capacity: usize) -> Buffer {
        let found = self.buffers.get_mut(&capacity).and_then(Vec::pop);
        self.buffer_len -= found.as_ref().map_or(0, |buffer| buffer.capacity() as u64);
        found.unwrap_or_default()
    }
}
