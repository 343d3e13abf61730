//! Files, divided into parts for workers, and the results of the parts.
//!
//! ```text
//! files   a b c d        e (large)                f g
//! parts   [a b c d]   [e 0..1] [e 1..2] [e 2..3]  [f g]
//!             │           │        │        │       │        read, compress, encrypt: on any worker
//!             │           └─ hash ─┴─ hash ─┴─► of e│        where a hash cannot be joined from those of pieces
//!             ▼           ▼        ▼        ▼       ▼
//!          in their order, to whoever writes them
//! ```
//!
//! Generated content can only be read in order: the pieces of a large file are read when their turn to start
//! has come, by the thread that drives the job.

use super::blocks::read_full;
use super::input::Input;
use crate::error::{Error, Result};
use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::job::{self, Context, Lease};
use crate::source::{Buffer, open_file, read_exact_at};
use crate::version::ChunkHashKind;
use futures_util::Stream;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Target size of a part with small files, in bytes.
const FILES_LEN: u64 = 256 << 10;

/// Limit of small files in a part.
const FILES: usize = 64;

/// Converts files to their stored form.
pub(super) trait Maker: Send + Sync + 'static {
    /// File to pack.
    type File: AsRef<Input> + Send + Sync + 'static;
    /// Result of a part.
    type Made: Send + 'static;

    /// Returns the uncompressed length of a block, in bytes: pieces consist of whole blocks.
    fn block_len(&self) -> u64;

    /// Returns the memory that a worker takes in addition to content and result, in bytes.
    fn scratch_len(&self) -> u64;

    /// Returns the kind of hash for large files, if it cannot be joined from hashes of their pieces.
    fn hash_in_order(&self) -> Option<ChunkHashKind>;

    /// Reads small files, and makes their stored form.
    fn make_files(&self, files: &[Self::File], context: &Context) -> Result<Self::Made>;

    /// Makes the stored form of a piece of a large file, with this content.
    fn make_piece(&self, piece: &FilePiece<Self::File>, raw: Buffer, context: &Context)
    -> Result<Self::Made>;

    /// Returns the bytes of a piece that its file's hash covers.
    fn hashed<'m>(&self, made: &'m Self::Made) -> &'m [u8];
}

/// Unit of work for one worker.
pub(super) enum FilePart<F> {
    /// Small files, by their positions.
    Files(Arc<[F]>, Range<usize>),
    /// Piece of a large file.
    Piece(FilePiece<F>),
}

/// Piece of a large file: whole blocks, except at the end.
pub(super) struct FilePiece<F> {
    files: Arc<[F]>,
    at: usize,
    /// Position in the file.
    pub offset: u64,
    pub len: u64,
    pub is_last: bool,
}

/// Part and its result. Its memory counts against the budget until it is dropped.
pub(super) struct MadePart<F, M> {
    pub part: FilePart<F>,
    pub made: M,
    /// Hash of a large file, with its last piece, if it was computed in order.
    pub hash: Option<ChunkHash>,
    _lease: Lease,
}

impl<F: AsRef<Input>> FilePart<F> {
    /// Returns the small files; none for a piece.
    pub(super) fn files(&self) -> &[F] {
        match self {
            Self::Files(files, range) => files.get(range.clone()).unwrap_or_default(),
            Self::Piece(_) => &[],
        }
    }

    /// Returns the length of the content, in bytes.
    fn raw_len(&self) -> u64 {
        match self {
            Self::Files(..) => self.files().iter().map(|file| file.as_ref().len).sum(),
            Self::Piece(piece) => piece.len,
        }
    }

    /// Returns the memory that it takes: its content, its stored form, which is hardly ever longer, and the
    /// encoder.
    fn price(&self, scratch_len: u64) -> u64 {
        2 * self.raw_len() + scratch_len
    }

    fn path(&self) -> &Path {
        let file = match self {
            Self::Files(..) => self.files().first(),
            Self::Piece(piece) => piece.file(),
        };
        file.map_or(Path::new(""), |file| &file.as_ref().source)
    }
}

impl<F> FilePiece<F> {
    /// Returns the file that it is a piece of.
    pub(super) fn file(&self) -> Option<&F> {
        self.files.get(self.at)
    }
}

/// Makes the stored form of files, in their order, as fast as memory and workers allow.
pub(super) fn make<'f, M: Maker>(
    maker: &Arc<M>,
    files: &'f Arc<[M::File]>,
    context: &Context,
) -> impl Stream<Item = Result<MadePart<M::File, M::Made>>> + use<'f, M> {
    let parts = FileParts::new(files, maker.block_len(), context);
    let scratch_len = maker.scratch_len();
    let mut reading = InOrder { files, reader: None };
    let mut turns = HashTurns { kind: maker.hash_in_order(), next: None };
    let (maker, of_job) = (Arc::clone(maker), context.clone());
    let work = move |part: FilePart<M::File>, lease: Lease| {
        // On this thread, which starts parts in their order: content and turns depend on it.
        let raw = reading.content(&part, &of_job);
        let turn = turns.of(&part);
        let (maker, context) = (Arc::clone(&maker), of_job.clone());
        async move {
            let raw = raw.transpose()?;
            let path = part.path().to_owned();
            let (worker, of_worker) = (Arc::clone(&maker), context.clone());
            let work = move || {
                let made = match &part {
                    FilePart::Files(..) => worker.make_files(part.files(), &of_worker)?,
                    FilePart::Piece(piece) => {
                        // Files are read by workers, at any position, so that reading is parallel as well.
                        let raw = raw.map_or_else(|| read_piece(piece, &of_worker), Ok)?;
                        worker.make_piece(piece, raw, &of_worker)?
                    }
                };
                // At once if possible, while the bytes are still in the caches of this core.
                let hashed = turn.map(|turn| turn.hash_now(worker.hashed(&made)));
                Ok((part, made, hashed))
            };
            let (part, made, hashed) = job::on_worker(&context, &path, work).await?;
            let (made, hash) = match hashed {
                None => (made, None),
                Some(Ok(hash)) => (made, hash),
                Some(Err(turn)) => turn.hash(maker, made, &context, &path).await?,
            };
            Ok(MadePart { part, made, hash, _lease: lease })
        }
    };
    // More than there are threads, so that pieces waiting for their turn to be hashed leave work for all.
    let in_flight = context.cpu().threads() * 3 + 2;
    let price = move |part: &FilePart<M::File>| part.price(scratch_len);
    job::start(parts, context, in_flight, price, work)
}

/// Iterator over the parts of files.
struct FileParts<F> {
    files: Arc<[F]>,
    /// Limit for small files, in bytes.
    part_len: u64,
    piece_len: u64,
    /// Next file, and the position of its next piece.
    at: usize,
    offset: u64,
}

impl<F: AsRef<Input>> FileParts<F> {
    fn new(files: &Arc<[F]>, block_len: u64, context: &Context) -> Self {
        // As large as a batch of the reading pipeline, which depends on the memory budget.
        let (part_len, block_len) = (context.batch_len(), block_len.max(1));
        // Whole blocks, and at least one: blocks can only be made from complete content.
        let piece_len = (part_len / block_len).max(1) * block_len;
        Self { files: Arc::clone(files), part_len, piece_len, at: 0, offset: 0 }
    }

    fn piece(&mut self, len: u64) -> FilePiece<F> {
        let (at, offset) = (self.at, self.offset);
        let piece_len = self.piece_len.min(len - offset);
        self.offset += piece_len;
        let is_last = self.offset == len;
        if is_last {
            (self.at, self.offset) = (at + 1, 0);
        }
        FilePiece { files: Arc::clone(&self.files), at, offset, len: piece_len, is_last }
    }
}

impl<F: AsRef<Input>> Iterator for FileParts<F> {
    type Item = FilePart<F>;

    fn next(&mut self) -> Option<FilePart<F>> {
        let len = self.files.get(self.at)?.as_ref().len;
        if len > self.part_len {
            return Some(FilePart::Piece(self.piece(len)));
        }
        let (first, mut total) = (self.at, 0);
        while let Some(file) = self.files.get(self.at).filter(|_| self.at - first < FILES) {
            let len = file.as_ref().len;
            // A file that exceeds the target on its own still gets a part, without company.
            if len > self.part_len || self.at > first && total >= FILES_LEN.min(self.part_len) {
                break;
            }
            total += len;
            self.at += 1;
        }
        Some(FilePart::Files(Arc::clone(&self.files), first..self.at))
    }
}

/// Reader for large content that can only be read in order.
struct InOrder<'f, F> {
    files: &'f [F],
    reader: Option<Box<dyn Read + Send + 'f>>,
}

impl<F: AsRef<Input>> InOrder<'_, F> {
    /// Returns the content of a piece, if it has to be read in order.
    fn content(&mut self, part: &FilePart<F>, context: &Context) -> Option<Result<Buffer>> {
        let FilePart::Piece(piece) = part else { return None };
        let input = self.files.get(piece.at)?.as_ref();
        input.made.is_some().then(|| self.read(input, piece, context))
    }

    fn read(&mut self, input: &Input, piece: &FilePiece<F>, context: &Context) -> Result<Buffer> {
        // The first piece opens the content; all others continue with the same reader.
        if piece.offset == 0 {
            let input = self.files.get(piece.at).map(AsRef::as_ref);
            self.reader = input.map(Input::open).transpose()?;
        }
        let mut raw = context.buffer(usize::try_from(piece.len).unwrap_or(usize::MAX));
        let Some(reader) = &mut self.reader else { return Err(input.changed()) };
        let found = read_full(reader, &mut raw).map_err(Error::io("read", &input.source))?;
        // Content longer than planned would be cut off silently, so one more byte is tried.
        let has_more =
            piece.is_last && read_full(reader, &mut [0]).map_err(Error::io("read", &input.source))? > 0;
        if found as u64 != piece.len || has_more { Err(input.changed()) } else { Ok(raw) }
    }
}

/// Passes a hasher from piece to piece, for hashes that can only be computed in order. No worker waits for
/// its turn: a piece that is made too early keeps its memory, and its worker continues with others.
struct HashTurns {
    kind: Option<ChunkHashKind>,
    /// Source of the hasher for the next piece.
    next: Option<oneshot::Receiver<ChunkHasher>>,
}

/// Turn of a piece.
struct HashTurn {
    before: oneshot::Receiver<ChunkHasher>,
    after: oneshot::Sender<ChunkHasher>,
    is_last: bool,
}

impl HashTurns {
    fn of<F>(&mut self, part: &FilePart<F>) -> Option<HashTurn> {
        let (FilePart::Piece(piece), Some(kind)) = (part, self.kind) else { return None };
        if piece.offset == 0 {
            let (first, receive) = oneshot::channel();
            // The receiver exists, so sending cannot fail.
            let _ = first.send(ChunkHasher::new(kind));
            self.next = Some(receive);
        }
        let (after, next) = oneshot::channel();
        let before = self.next.replace(next)?;
        Some(HashTurn { before, after, is_last: piece.is_last })
    }
}

impl HashTurn {
    /// Hashes a piece at once if its turn has come; else returns the turn.
    fn hash_now(mut self, bytes: &[u8]) -> Result<Option<ChunkHash>, Self> {
        match self.before.try_recv() {
            Ok(hasher) => Ok(self.hash_with(hasher, bytes)),
            Err(_) => Err(self),
        }
    }

    /// Hashes a piece on a worker, as soon as its turn has come.
    async fn hash<M: Maker>(
        mut self,
        maker: Arc<M>,
        made: M::Made,
        context: &Context,
        path: &Path,
    ) -> Result<(M::Made, Option<ChunkHash>)> {
        // If the piece before failed, no hasher arrives. Its error is reported first, so this one is never
        // seen.
        let hasher = (&mut self.before).await.map_err(|_| Error::Cancelled)?;
        let work = move || {
            let hash = self.hash_with(hasher, maker.hashed(&made));
            Ok((made, hash))
        };
        job::on_worker(context, path, work).await
    }

    /// Returns the hash of the file with its last piece; else passes the hasher to the next piece.
    fn hash_with(self, mut hasher: ChunkHasher, bytes: &[u8]) -> Option<ChunkHash> {
        hasher.update(bytes);
        if self.is_last {
            return Some(hasher.finish());
        }
        // After an error, no next piece may be waiting.
        let _ = self.after.send(hasher);
        None
    }
}

/// Makes the stored form of a large file on this thread, piece by piece: for the few that are made twice.
pub(super) fn make_again<M: Maker>(
    maker: &M,
    file: M::File,
    context: &Context,
    mut take: impl FnMut(M::Made) -> Result<()>,
) -> Result<()> {
    let files: Arc<[M::File]> = Arc::new([file]);
    let mut reading = InOrder { files: &files, reader: None };
    // A limit of 0 makes every file large.
    let parts = FileParts { part_len: 0, ..FileParts::new(&files, maker.block_len(), context) };
    for part in parts {
        context.cancel_token().check()?;
        let raw = reading.content(&part, context).transpose()?;
        let FilePart::Piece(piece) = part else { continue };
        let raw = raw.map_or_else(|| read_piece(&piece, context), Ok)?;
        take(maker.make_piece(&piece, raw, context)?)?;
    }
    Ok(())
}

/// Reads a whole small file. A length other than the planned one is an error.
pub(super) fn read_whole(file: &Input, raw: &mut Buffer) -> Result<()> {
    let len = usize::try_from(file.len).unwrap_or(usize::MAX);
    // One more byte than planned shows whether the file has grown.
    raw.set_len(len.saturating_add(1));
    let read = |input: &mut dyn Read, raw: &mut Buffer| {
        let found = read_full(input, raw).map_err(Error::io("read", &file.source))?;
        file.check_len(found as u64)
    };
    match file.made {
        // Almost all inputs are files: reading them directly saves a boxed reader for each.
        None => read(&mut open_file(&file.source).map_err(Error::io("open", &file.source))?, raw)?,
        Some(_) => read(&mut *file.open()?, raw)?,
    }
    raw.set_len(len);
    Ok(())
}

/// Reads a piece of a large file.
fn read_piece<F: AsRef<Input>>(piece: &FilePiece<F>, context: &Context) -> Result<Buffer> {
    let mut raw = context.buffer(usize::try_from(piece.len).unwrap_or(usize::MAX));
    let Some(file) = piece.file().map(AsRef::as_ref) else { return Ok(raw) };
    let source = file.source.as_path();
    let input = open_file(source).map_err(Error::io("open", source))?;
    // Shorter than planned: another program has changed the file meanwhile.
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => file.changed(),
        _ => Error::io("read", source)(error),
    };
    read_exact_at(&input, &mut raw, piece.offset).map_err(failed)?;
    // A byte after the last piece means that the file has grown.
    if piece.is_last && read_exact_at(&input, &mut [0], piece.offset + piece.len).is_ok() {
        return Err(file.changed());
    }
    Ok(raw)
}

#[cfg(test)]
mod tests;
