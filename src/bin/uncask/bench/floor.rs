//! Lower bound for unpacking: on each thread a bare loop that reads runs of blocks, decodes them and writes files, with
//! reused buffers. It checks no hashes, keeps no order, and leaves partial files after an error.

use super::stages::resize;
use super::subject::Subject;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use uncask::codec::Scratch;
use uncask::error::{Error, Result};
use uncask::game::Container;
use uncask::pipeline::{Batch, BlockPlan, Piece, PiecePlace, Plan};
use uncask::source::Buffer;

/// Number of files per folder.
const FILES_IN_FOLDER: usize = 100;

/// Chunks for one thread: several neighbours, or a large one.
pub(super) struct Group<'a> {
    container: &'a Container,
    plan: Plan,
    /// Number of its first file.
    first: usize,
}

/// Divides the work into groups. This is not part of the measurement.
pub(super) fn groups(subject: &Subject, batch_len: u64) -> Vec<Group<'_>> {
    let (mut groups, mut first) = (Vec::new(), 0);
    for (container, plan) in &subject.plans {
        let mut chunks = plan.chunks.iter().peekable();
        while let Some(chunk) = chunks.next() {
            let (mut len, mut group) = (chunk.len, vec![chunk.clone()]);
            // Small neighbours share a batch, as in the real pipeline, so that reads are as large.
            while let Some(chunk) = chunks.next_if(|chunk| len + chunk.len <= batch_len) {
                len += chunk.len;
                group.push(chunk.clone());
            }
            let number = first;
            first += group.len();
            let plan = Plan { chunks: group, ..Plan::default() };
            groups.push(Group { container, plan, first: number });
        }
    }
    groups
}

/// Unpacks all groups into files below a folder.
pub(super) fn unpack(groups: &[Group<'_>], threads: usize, batch_len: u64, folder: &Path) -> Result<()> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut work = Loop { folder, batch_len, ..Loop::default() };
        // A shared counter is all the scheduling there is: threads take the next group as they finish.
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            work.group(group)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        // A panic in a thread must not look like a fast run.
        let panicked = |_| Err(Error::io("write", folder)(io::Error::other("a thread panicked")));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(panicked))
    })
}

/// Reused state of a thread.
struct Loop<'a> {
    folder: &'a Path,
    batch_len: u64,
    /// One buffer per extent.
    stored: Vec<Buffer>,
    plain: Buffer,
    raw: Buffer,
    scratch: Scratch,
    /// The current file.
    file: Option<(File, PathBuf)>,
}

impl Default for Loop<'_> {
    fn default() -> Self {
        Self {
            folder: Path::new(""),
            batch_len: 0,
            stored: Vec::new(),
            plain: Buffer::default(),
            raw: Buffer::default(),
            scratch: Scratch::default(),
            file: None,
        }
    }
}

impl Loop<'_> {
    fn group(&mut self, group: &Group<'_>) -> Result<()> {
        let mut number = group.first;
        for batch in group.plan.batches(group.container.table(), self.batch_len) {
            self.read(group.container, &batch)?;
            for piece in &batch.pieces {
                self.decode(group.container, &batch, piece)?;
                self.write(piece, number)?;
                number += usize::from(piece.last);
            }
        }
        Ok(())
    }

    fn read(&mut self, container: &Container, batch: &Batch) -> Result<()> {
        let lens = batch.extents.iter().map(|extent| extent.range.end - extent.range.start);
        resize(&mut self.stored, lens.map(|len| usize::try_from(len).unwrap_or(usize::MAX)));
        let source = container.source();
        for (extent, buffer) in batch.extents.iter().zip(&mut self.stored) {
            let start = extent.range.start;
            // The buffer goes into the read and comes back, so nothing is allocated.
            let read = uncask::source::read_blocking(&*source, start, std::mem::take(buffer));
            *buffer = read.map_err(|error| Error::io("read", source.describe(start))(error))?;
        }
        Ok(())
    }

    /// Decodes a piece to the start of the raw buffer, unless it is stored uncompressed.
    fn decode(&mut self, container: &Container, batch: &Batch, piece: &Piece) -> Result<()> {
        // Uncompressed bytes are written straight from the read buffer.
        let PiecePlace::Raw(_) = piece.place else { return Ok(()) };
        self.raw.set_len(piece.len);
        let mut rest: &mut [u8] = &mut self.raw;
        for block in batch.blocks.get(piece.blocks.clone()).unwrap_or_default() {
            let (to, left) = rest.split_at_mut_checked(block.raw_len).unwrap_or_default();
            decode(container, block, &self.stored, &mut self.plain, to, &mut self.scratch)?;
            rest = left;
        }
        Ok(())
    }

    fn write(&mut self, piece: &Piece, number: usize) -> Result<()> {
        if piece.first {
            let folder = self.folder.join((number / FILES_IN_FOLDER).to_string());
            let path = folder.join(number.to_string());
            // Creating the folder only after a failure costs nothing for nearly all files.
            let file = File::create(&path).or_else(|_| {
                std::fs::create_dir_all(&folder)?;
                File::create(&path)
            });
            self.file = Some((file.map_err(Error::io("create", &path))?, path));
        }
        let bytes = match &piece.place {
            PiecePlace::Raw(_) => Some(&*self.raw),
            PiecePlace::Stored { extent, range } => {
                self.stored.get(*extent).and_then(|bytes| bytes.get(range.clone()))
            }
        };
        if let Some((file, path)) = &mut self.file {
            file.write_all(bytes.unwrap_or_default()).map_err(Error::io("write", path))?;
        }
        if piece.last {
            self.file = None;
        }
        Ok(())
    }
}

fn decode(
    container: &Container,
    block: &BlockPlan,
    stored: &[Buffer],
    plain: &mut Buffer,
    to: &mut [u8],
    scratch: &mut Scratch,
) -> Result<()> {
    let (table, path) = (container.table(), || container.path().to_owned());
    let mut bytes =
        stored.get(block.extent).and_then(|bytes| bytes.get(block.stored.clone())).unwrap_or_default();
    if let Some(cipher) = container.cipher().filter(|_| block.is_encrypted) {
        plain.set_len(bytes.len());
        let decrypted = cipher.decrypt_part(table.block_iv(block.chunk, block.index), bytes, plain);
        decrypted.map_err(|source| Error::Decrypt { block: block.index.0, source, path: path() })?;
        bytes = plain;
    }
    // Encrypted blocks are padded to 16 bytes; the decoder wants the exact length.
    let bytes = bytes.get(..block.stored_len).unwrap_or(bytes);
    table.methods().decode(block.method, bytes, to, scratch).map_err(|source| Error::Decode {
        block: block.index.0,
        offset: block.offset,
        source,
        path: path(),
    })
}
