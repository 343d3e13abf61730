//! What runs share: threads, memory, and buffers that are used again and again.

use super::decode::Scratch;
use super::{Budget, Cpu};
use crate::source::Buffer;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Raw bytes in a batch: large enough that its reads and hand-overs cost nothing, small enough for caches.
const BATCH_LEN: u64 = 1 << 20;

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
    buffers: Mutex<Vec<Buffer>>,
    scratches: Mutex<Vec<Scratch>>,
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
                buffers: Mutex::default(),
                scratches: Mutex::default(),
            }),
        }
    }

    /// The same threads, budget and buffers, with or without checking hashes.
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

    /// A buffer of this length, used before if possible.
    pub(super) fn buffer(&self, len: usize) -> Buffer {
        if len == 0 {
            return Buffer::default();
        }
        let mut buffer = self.lock_buffers().pop().unwrap_or_default();
        buffer.set_len(len);
        buffer
    }

    /// Keeps a buffer for later.
    pub(super) fn recycle(&self, buffer: Buffer) {
        self.recycle_all([buffer]);
    }

    /// Keeps buffers for later. Large ones are let go: they belong to a block or gap out of the ordinary.
    pub(super) fn recycle_all(&self, buffers: impl IntoIterator<Item = Buffer>) {
        let ordinary = |buffer: &Buffer| (1..=4 * self.batch_len).contains(&(buffer.capacity() as u64));
        self.lock_buffers().extend(buffers.into_iter().filter(ordinary));
    }

    fn lock_buffers(&self) -> MutexGuard<'_, Vec<Buffer>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lends what codecs reuse.
    pub(super) fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = pool().pop().unwrap_or_default();
        let result = work(&mut scratch);
        pool().push(scratch);
        result
    }
}
