//! Reads the extents of a batch.

use super::batch::{Batch, BlockPlan};
use crate::error::{Error, Result};
use crate::job::Context;
use crate::source::{Blocking, Buffer, Source};
use futures_util::future::join_all;
use std::io;

/// Stored bytes of a batch: one buffer per extent, and the blocks that could not be read.
#[derive(Default)]
pub(super) struct Stored {
    pub extents: Vec<Buffer>,
    /// Positions of blocks in the batch, with the error of each.
    pub failed: Vec<(usize, Error)>,
}

/// Reads every extent into its buffer. If that fails, its blocks are read one by one, so that one bad sector
/// costs one chunk.
pub(super) async fn read(
    batch: &Batch,
    buffers: Vec<Buffer>,
    source: &dyn Source,
    context: &Context,
) -> Stored {
    let extents = batch.extents.iter().zip(buffers);
    let reads = extents.map(|(extent, buffer)| source.read_at(extent.range.start, buffer));
    let mut stored = Stored { extents: Vec::with_capacity(batch.extents.len()), failed: Vec::new() };
    // All extents at once: over a network, latencies overlap.
    for (at, result) in join_all(reads).await.into_iter().enumerate() {
        let buffer = match result {
            Ok(buffer) => buffer,
            Err(error) if is_of_the_whole(&error) => {
                let lost = blocks_of(batch, at).map(|(block_at, block)| {
                    let again = io::Error::new(error.kind(), error.to_string());
                    (block_at, Error::unreadable(source.describe(block.offset), again))
                });
                stored.failed.extend(lost);
                Buffer::default()
            }
            Err(_) => salvage(batch, at, source, context, &mut stored.failed).await,
        };
        stored.extents.push(buffer);
    }
    stored
}

/// Reads the batch with blocking calls, on the worker itself.
pub(super) fn read_now(batch: &Batch, buffers: Vec<Buffer>, source: &dyn Blocking) -> Stored {
    let mut stored = Stored { extents: Vec::with_capacity(batch.extents.len()), failed: Vec::new() };
    for (at, (extent, mut buffer)) in batch.extents.iter().zip(buffers).enumerate() {
        // The same fallback as above, without a second buffer.
        if source.read_now(extent.range.start, &mut buffer).is_err() {
            for (block_at, block) in blocks_of(batch, at) {
                let place = buffer.get_mut(block.stored.clone()).unwrap_or_default();
                if let Err(error) = source.read_now(block.offset, place) {
                    stored.failed.push((block_at, Error::unreadable(source.describe(block.offset), error)));
                }
            }
        }
        stored.extents.push(buffer);
    }
    stored
}

/// True if a read failed for a reason unrelated to its position: if a file is missing or a server does not
/// answer, smaller reads would fail as well, one by one.
fn is_of_the_whole(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, NotFound, PermissionDenied, TimedOut, Unsupported};
    matches!(error.kind(), ConnectionAborted | NotFound | PermissionDenied | TimedOut | Unsupported)
}

/// Iterates over the blocks of an extent, with their positions in the batch.
fn blocks_of(batch: &Batch, extent: usize) -> impl Iterator<Item = (usize, &BlockPlan)> {
    batch.blocks.iter().enumerate().filter(move |(_, block)| block.extent == extent)
}

/// Reads the blocks of one extent individually.
async fn salvage(
    batch: &Batch,
    extent: usize,
    source: &dyn Source,
    context: &Context,
    failed: &mut Vec<(usize, Error)>,
) -> Buffer {
    let len = batch.extents.get(extent).map_or(0, |extent| extent.range.end - extent.range.start);
    // The blocks keep their place in the extent, so that decoding finds them as usual.
    let mut whole = context.buffer(usize::try_from(len).unwrap_or(usize::MAX));
    for (at, block) in blocks_of(batch, extent) {
        match read_block(block, source, context).await {
            Ok(bytes) => {
                if let Some(place) = whole.get_mut(block.stored.clone()) {
                    place.copy_from_slice(&bytes);
                }
                context.recycle(bytes);
            }
            Err(error) => failed.push((at, error)),
        }
    }
    whole
}

async fn read_block(block: &BlockPlan, source: &dyn Source, context: &Context) -> Result<Buffer> {
    let buffer = context.buffer(block.stored.len());
    let read = source.read_at(block.offset, buffer).await;
    read.map_err(|error| Error::unreadable(source.describe(block.offset), error))
}
