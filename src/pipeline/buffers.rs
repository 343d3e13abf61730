//! Memory of a batch.

use super::batch::Batch;
use crate::job::Context;
use crate::source::Buffer;

/// Buffers for reading and decoding a batch.
#[derive(Default)]
pub(super) struct Buffers {
    /// One per extent.
    pub stored: Vec<Buffer>,
    pub raw: Buffer,
    /// Buffer for decrypted blocks.
    pub plain: Buffer,
}

impl Buffers {
    /// Returns buffers for a batch, recycled if possible.
    pub(super) fn of(batch: &Batch, context: &Context) -> Self {
        let stored = batch.extent_lens().map(|len| context.buffer(len)).collect();
        Self { stored, raw: context.buffer(batch.raw_len), plain: context.buffer(batch.plain_len()) }
    }

    /// Returns buffers for a batch that needs an unusually large one. Called by the one thread that makes
    /// batches: the system's allocator keeps freed memory per thread, and with many threads each would keep
    /// its own.
    pub(super) fn of_large(batch: &Batch, context: &Context) -> Option<Self> {
        let mut lens = batch.extent_lens().chain([batch.raw_len, batch.plain_len()]);
        let large = lens.any(|len| !context.is_ordinary(Buffer::capacity_for(len)));
        large.then(|| Self::of(batch, context))
    }
}
