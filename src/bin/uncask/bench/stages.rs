//! Takes batches through all stages on one thread, and times each stage.

use super::meter::{Measure, Run};
use super::subject::Subject;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use uncask::codec::{self, Method};
use uncask::error::{Error, Result};
use uncask::game::Container;
use uncask::game::{DirectorySink, NullSink, OutputPath, Sink};
use uncask::id::{ChunkHash, hash::ChunkHasher};
use uncask::pipeline::{Batch, BlockPlan, Piece};
use uncask::sink::Staged;
use uncask::source::{Buffer, read_blocking};

/// A step from the data file to the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Read,
    Decrypt,
    /// Decompression, by position of the method in [`Method::ALL`].
    Decompress(usize),
    Hash,
    WriteNull,
    WriteFolder,
}

impl Stage {
    /// Its name, and its method if any.
    pub(super) fn name(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Read => ("read", None),
            Self::Decrypt => ("decrypt", None),
            Self::Decompress(at) => ("decompress", Method::ALL.get(at).map(|method| method.name())),
            Self::Hash => ("hash", None),
            Self::WriteNull => ("write to null", None),
            Self::WriteFolder => ("write to folder", None),
        }
    }
}

/// Bytes and time of a stage.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flow {
    pub(crate) seconds: f64,
    pub(crate) raw: u64,
    pub(crate) stored: u64,
}

/// Result of a stage over all rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct StageResult {
    pub(crate) stage: Stage,
    pub(crate) raw: u64,
    pub(crate) stored: u64,
    pub(crate) measure: Measure,
}

pub(super) type Flows = BTreeMap<Stage, Flow>;

/// Summarizes the stages of several passes, in order.
pub(super) fn summarize(passes: &[Flows]) -> Vec<StageResult> {
    let stages = passes.first().into_iter().flatten();
    let result = |(stage, flow): (&Stage, &Flow)| {
        let seconds = passes.iter().filter_map(|pass| pass.get(stage)).map(|flow| flow.seconds);
        let runs: Vec<Run> = seconds.map(|seconds| Run { seconds, faults: None, peak: None }).collect();
        StageResult { stage: *stage, raw: flow.raw, stored: flow.stored, measure: Measure::of(&runs) }
    };
    stages.map(result).collect()
}

/// Takes every batch through every stage. Files are written below `folder`.
pub(super) fn pass(subject: &Subject, batch_len: u64, folder: &Path) -> Result<Flows> {
    // All buffers are created once, outside of any measurement.
    let mut walk = Walk {
        flows: Flows::new(),
        to_null: Writing::new(Box::new(NullSink)),
        to_folder: Writing::new(Box::new(DirectorySink::open(folder)?)),
        hasher: None,
        scratch: codec::Scratch::default(),
        stored: Vec::new(),
        plain: Vec::new(),
        raw: Buffer::default(),
    };
    for (container, plan) in &subject.plans {
        for batch in plan.batches(container.table(), batch_len) {
            walk.read(container, &batch)?;
            walk.decrypt(container, &batch)?;
            walk.decompress(container, &batch)?;
            walk.deliver(container, &batch)?;
        }
    }
    Ok(walk.flows)
}

/// State reused for all batches.
struct Walk {
    flows: Flows,
    to_null: Writing,
    to_folder: Writing,
    /// Hasher of the current chunk.
    hasher: Option<ChunkHasher>,
    scratch: codec::Scratch,
    /// One buffer per extent.
    stored: Vec<Buffer>,
    /// One buffer per block, for encrypted containers.
    plain: Vec<Buffer>,
    raw: Buffer,
}

impl Walk {
    fn read(&mut self, container: &Container, batch: &Batch) -> Result<()> {
        let lens = batch.extents.iter().map(|extent| extent.range.end - extent.range.start);
        resize(&mut self.stored, lens.map(|len| usize::try_from(len).unwrap_or(usize::MAX)));
        let (stored, source) = (&mut self.stored, container.source());
        let len = stored.iter().map(|buffer| buffer.len() as u64).sum();
        // Only the work itself is timed; buffers are prepared before.
        timed(&mut self.flows, Stage::Read, batch_len(batch), len, || {
            for (extent, buffer) in batch.extents.iter().zip(stored) {
                let start = extent.range.start;
                let read = read_blocking(&*source, start, std::mem::take(buffer));
                *buffer = read.map_err(|error| Error::io("read", source.describe(start))(error))?;
            }
            Ok(())
        })
    }

    fn decrypt(&mut self, container: &Container, batch: &Batch) -> Result<()> {
        let Some(cipher) = container.cipher() else { return Ok(()) };
        resize(&mut self.plain, batch.blocks.iter().map(|block| block.stored.len()));
        let (stored, plain, toc) = (&self.stored, &mut self.plain, container.table());
        let len = plain.iter().map(|buffer| buffer.len() as u64).sum();
        timed(&mut self.flows, Stage::Decrypt, batch_len(batch), len, || {
            for (block, plain) in batch.blocks.iter().zip(plain) {
                let secret = bytes_of(stored, block);
                if !block.is_encrypted {
                    // Plain blocks are copied, so that the next stage finds all blocks in one place.
                    plain.copy_from_slice(secret);
                    continue;
                }
                cipher.decrypt_part(toc.block_iv(block.chunk, block.index), secret, plain).map_err(
                    |source| Error::Decrypt {
                        block: block.index.0,
                        source,
                        path: container.path().to_owned(),
                    },
                )?;
            }
            Ok(())
        })
    }

    fn decompress(&mut self, container: &Container, batch: &Batch) -> Result<()> {
        self.raw.set_len(batch.blocks.iter().map(|block| block.raw_len).sum());
        let (stored, plain, scratch) = (&self.stored, &self.plain, &mut self.scratch);
        let mut rest: &mut [u8] = &mut self.raw;
        for (at, block) in batch.blocks.iter().enumerate() {
            let (to, left) = rest.split_at_mut_checked(block.raw_len).unwrap_or_default();
            let bytes = match container.cipher() {
                Some(_) => plain.get(at).map_or(&[][..], |plain| plain),
                None => bytes_of(stored, block),
            };
            // Encrypted blocks are padded to 16 bytes; the decoder wants the exact length.
            let bytes = bytes.get(..block.stored_len).unwrap_or(bytes);
            // Each method has its own line, so mixed containers can be compared.
            let method = Method::ALL.iter().position(|method| *method == block.method).unwrap_or_default();
            let (raw, stored) = (block.raw_len as u64, block.stored_len as u64);
            timed(&mut self.flows, Stage::Decompress(method), raw, stored, || {
                container.table().methods().decode(block.method, bytes, to, scratch).map_err(|source| {
                    Error::Decode {
                        block: block.index.0,
                        offset: block.offset,
                        source,
                        path: container.path().to_owned(),
                    }
                })
            })?;
            rest = left;
        }
        Ok(())
    }

    /// Hashes and writes all pieces of a batch.
    fn deliver(&mut self, container: &Container, batch: &Batch) -> Result<()> {
        let kind = container.table().chunk_hash_kind();
        let mut rest: &[u8] = &self.raw;
        for piece in &batch.pieces {
            let (bytes, left) = rest.split_at_checked(piece.len).unwrap_or_default();
            rest = left;
            let len = bytes.len() as u64;
            timed(&mut self.flows, Stage::Hash, len, len, || {
                // The usual case: the chunk is hashed in one call.
                if piece.is_whole() {
                    // Keeps the compiler from removing the hash, which nobody uses.
                    black_box(ChunkHash::of(kind, bytes));
                    return;
                }
                let mut hasher = self.hasher.take().unwrap_or_else(|| ChunkHasher::new(kind));
                hasher.update(bytes);
                if piece.last {
                    black_box(hasher.finish());
                } else {
                    self.hasher = Some(hasher);
                }
            });
            timed(&mut self.flows, Stage::WriteNull, len, len, || self.to_null.piece(piece, bytes))?;
            timed(&mut self.flows, Stage::WriteFolder, len, len, || self.to_folder.piece(piece, bytes))?;
        }
        Ok(())
    }
}

/// Output of pieces to files, one after the other.
struct Writing {
    sink: Box<dyn Sink>,
    current: Option<Box<dyn Staged>>,
    number: u64,
}

impl Writing {
    fn new(sink: Box<dyn Sink>) -> Self {
        Self { sink, current: None, number: 0 }
    }

    fn piece(&mut self, piece: &Piece, bytes: &[u8]) -> Result<()> {
        if piece.first {
            let path = format!("{}/{}", self.number / 100, self.number);
            self.number += 1;
            self.current = Some(self.sink.create(&OutputPath::sanitize(&path), piece.len as u64)?);
        }
        let Some(staged) = &self.current else { return Ok(()) };
        staged.write_at(piece.offset, bytes)?;
        if piece.last { staged.commit() } else { Ok(()) }
    }
}

/// Reads the stored bytes of all plans in file order, in pieces of 1 MiB.
pub(super) fn plain_read(subject: &Subject, batch_len: u64) -> Result<u64> {
    const PIECE: usize = 1 << 20;
    let (mut buffer, mut total) = (Buffer::new(PIECE), 0);
    for (container, plan) in &subject.plans {
        let source = container.source();
        // The same ranges as in the read stage.
        let extents = plan.batches(container.table(), batch_len).flat_map(|batch| batch.extents);
        for extent in extents {
            let mut at = extent.range.start;
            while at < extent.range.end {
                let len = usize::try_from(extent.range.end - at).unwrap_or(PIECE).min(PIECE);
                buffer.set_len(len);
                let read = read_blocking(&*source, at, buffer);
                buffer = read.map_err(|error| Error::io("read", source.describe(at))(error))?;
                at += len as u64;
                total += len as u64;
            }
        }
    }
    black_box(&buffer);
    Ok(total)
}

/// Reference: copies bytes from one place in memory to another, in pieces of 1 MiB.
pub(super) struct Copying {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Copying {
    const PIECE: usize = 1 << 20;
    /// Larger than any cache, in bytes.
    const ARENA: usize = 64 << 20;

    pub(super) fn new() -> Self {
        // Not zero: untouched zero pages all share one physical page, which stays in the cache.
        Self { from: vec![1; Self::ARENA], to: vec![2; Self::ARENA] }
    }

    pub(super) fn run(&mut self, total: u64) {
        let mut left = usize::try_from(total).unwrap_or(usize::MAX);
        while left > 0 {
            let pieces = self.from.chunks(Self::PIECE).zip(self.to.chunks_mut(Self::PIECE));
            for (from, to) in pieces {
                // The last piece may be shorter.
                let len = from.len().min(left);
                if let Some((from, to)) = from.get(..len).zip(to.get_mut(..len)) {
                    to.copy_from_slice(from);
                }
                left -= len;
            }
            black_box(&self.to);
        }
    }
}

fn timed<T>(flows: &mut Flows, stage: Stage, raw: u64, stored: u64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    let flow = flows.entry(stage).or_default();
    flow.seconds += seconds;
    flow.raw += raw;
    flow.stored += stored;
    result
}

fn batch_len(batch: &Batch) -> u64 {
    batch.pieces.iter().map(|piece| piece.len as u64).sum()
}

fn bytes_of<'a>(stored: &'a [Buffer], block: &BlockPlan) -> &'a [u8] {
    stored.get(block.extent).and_then(|extent| extent.get(block.stored.clone())).unwrap_or_default()
}

/// Gives each item a buffer of its length. Surplus buffers are kept for later.
pub(super) fn resize(buffers: &mut Vec<Buffer>, lens: impl Iterator<Item = usize>) {
    let mut used = 0;
    for len in lens {
        if used == buffers.len() {
            buffers.push(Buffer::default());
        }
        if let Some(buffer) = buffers.get_mut(used) {
            buffer.set_len(len);
        }
        used += 1;
    }
    for buffer in buffers.iter_mut().skip(used) {
        buffer.set_len(0);
    }
}
