//! The memory of a batch.

use super::batch::Batch;
use crate::job::Context;
use crate::source::Buffer;

/// Buffers that a batch is read into and decoded to.
#[derive(Default)]
pub(super) struct Buffers {
    /// One for each extent.
    pub stored: Vec<Buffer>,
    pub raw: Buffer,
    /// For a block that is decrypted.
    pub plain: Buffer,
}

impl Buffers {
    /// Buffers for a batch, used before if possible.
    pub(super) fn of(batch: &Batch, context: &Context) -> Self {
        let stored = batch.extent_lens().map(|len| context.buffer(len)).collect();
        Self { stored, raw: context.buffer(batch.raw_len), plain: context.buffer(batch.plain_len()) }
    }

    /// Buffers for a batch that needs one out of the ordinary, for whoever makes batches to allocate: one thread only. The
    /// system's allocator holds on to what a thread has freed, and each of many would have its own share.
    pub(super) fn of_large(batch: &Batch, context: &Context) -> Option<Self> {
        let mut lens = batch.extent_lens().chain([batch.raw_len, batch.plain_len()]);
        let large = lens.any(|len| !context.is_ordinary(Buffer::capacity_for(len)));
        large.then(|| Self::of(batch, context))
    }
}
