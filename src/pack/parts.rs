//! Files, cut into what one worker works on at a time, and what is made of them.
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
//! Content that is made while it is written comes in order only: the pieces of a large one are read when their turn to start has
//! come, by whoever drives the job.

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

/// Bytes of small files in a part.
const FILES_LEN: u64 = 256 << 10;

/// Small files in a part.
const FILES: usize = 64;

/// Makes what is stored of files.
pub(super) trait Maker: Send + Sync + 'static {
    /// A file that is packed.
    type File: AsRef<Input> + Send + Sync + 'static;
    /// Result of a part.
    type Made: Send + 'static;

    /// Uncompressed bytes of a block: pieces consist of whole ones.
    fn block_len(&self) -> u64;

    /// Memory that a worker takes beside the content and what is stored of it, in bytes.
    fn scratch_len(&self) -> u64;

    /// Hash of large files, if it cannot be joined from those of their pieces.
    fn hash_in_order(&self) -> Option<ChunkHashKind>;

    /// Reads small files, and makes what is stored of them.
    fn make_files(&self, files: &[Self::File], context: &Context) -> Result<Self::Made>;

    /// Makes what is stored of a piece of a large file with this content.
    fn make_piece(&self, piece: &FilePiece<Self::File>, raw: Buffer, context: &Context)
    -> Result<Self::Made>;

    /// Bytes of a piece that the hash of its file is of.
    fn hashed<'m>(&self, made: &'m Self::Made) -> &'m [u8];
}

/// The work of one worker at a time.
pub(super) enum FilePart<F> {
    /// Small files, by their positions.
    Files(Arc<[F]>, Range<usize>),
    /// A piece of a large file.
    Piece(FilePiece<F>),
}

/// A piece of a large file; it consists of whole blocks, unless it is the last.
pub(super) struct FilePiece<F> {
    files: Arc<[F]>,
    at: usize,
    /// Where it starts in the file.
    pub offset: u64,
    pub len: u64,
    pub is_last: bool,
}

/// A part and its result. Its memory is paid for until it is dropped.
pub(super) struct MadePart<F, M> {
    pub part: FilePart<F>,
    pub made: M,
    /// Hash of a large file, with its last piece, where it was made in order.
    pub hash: Option<ChunkHash>,
    _lease: Lease,
}

impl<F: AsRef<Input>> FilePart<F> {
    /// Small files; none of a piece.
    pub(super) fn files(&self) -> &[F] {
        match self {
            Self::Files(files, range) => files.get(range.clone()).unwrap_or_default(),
            Self::Piece(_) => &[],
        }
    }

    /// Bytes of content.
    fn raw_len(&self) -> u64 {
        match self {
            Self::Files(..) => self.files().iter().map(|file| file.as_ref().len).sum(),
            Self::Piece(piece) => piece.len,
        }
    }

    /// Memory that it takes: its content, what is stored of it, which is hardly ever more, and what the encoder takes.
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
    /// The file that it is a piece of.
    pub(super) fn file(&self) -> Option<&F> {
        self.files.get(self.at)
    }
}

/// Makes what is stored of files, in their order, as memory and workers allow.
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
                        let raw = raw.map_or_else(|| read_piece(piece, &of_worker), Ok)?;
                        worker.make_piece(piece, raw, &of_worker)?
                    }
                };
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
    let in_flight = context.cpu().threads() * 3 + 2;
    let price = move |part: &FilePart<M::File>| part.price(scratch_len);
    job::start(parts, context, in_flight, price, work)
}

/// Cuts files into parts.
struct FileParts<F> {
    files: Arc<[F]>,
    /// Files that are longer are large.
    part_len: u64,
    piece_len: u64,
    /// The next file, and where its next piece starts.
    at: usize,
    offset: u64,
}

impl<F: AsRef<Input>> FileParts<F> {
    fn new(files: &Arc<[F]>, block_len: u64, context: &Context) -> Self {
        // As many as fit into a batch of reading, which follows from the memory.
        let (part_len, block_len) = (context.batch_len(), block_len.max(1));
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
            if len > self.part_len || self.at > first && total >= FILES_LEN.min(self.part_len) {
                break;
            }
            total += len;
            self.at += 1;
        }
        Some(FilePart::Files(Arc::clone(&self.files), first..self.at))
    }
}

/// Reads large content that comes in order only.
struct InOrder<'f, F> {
    files: &'f [F],
    reader: Option<Box<dyn Read + Send + 'f>>,
}

impl<F: AsRef<Input>> InOrder<'_, F> {
    /// The content of a piece, if it has to be read in order.
    fn content(&mut self, part: &FilePart<F>, context: &Context) -> Option<Result<Buffer>> {
        let FilePart::Piece(piece) = part else { return None };
        let input = self.files.get(piece.at)?.as_ref();
        input.made.is_some().then(|| self.read(input, piece, context))
    }

    fn read(&mut self, input: &Input, piece: &FilePiece<F>, context: &Context) -> Result<Buffer> {
        if piece.offset == 0 {
            let input = self.files.get(piece.at).map(AsRef::as_ref);
            self.reader = input.map(Input::open).transpose()?;
        }
        let mut raw = context.buffer(usize::try_from(piece.len).unwrap_or(usize::MAX));
        let Some(reader) = &mut self.reader else { return Err(input.changed()) };
        let found = read_full(reader, &mut raw).map_err(Error::io("read", &input.source))?;
        let has_more =
            piece.is_last && read_full(reader, &mut [0]).map_err(Error::io("read", &input.source))? > 0;
        if found as u64 != piece.len || has_more { Err(input.changed()) } else { Ok(raw) }
    }
}

/// Hands a hasher from piece to piece, where a hash can only be made in order. No worker waits for its turn: a piece that is made
/// too early keeps its memory, and its worker goes on with others.
struct HashTurns {
    kind: Option<ChunkHashKind>,
    /// Where the next piece of a file gets the hasher from.
    next: Option<oneshot::Receiver<ChunkHasher>>,
}

/// The turn of a piece.
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
            // The other end is there.
            let _ = first.send(ChunkHasher::new(kind));
            self.next = Some(receive);
        }
        let (after, next) = oneshot::channel();
        let before = self.next.replace(next)?;
        Some(HashTurn { before, after, is_last: piece.is_last })
    }
}

impl HashTurn {
    /// Hashes a piece at once, while it is in the caches, if its turn has come; otherwise the turn is still to be taken.
    fn hash_now(mut self, bytes: &[u8]) -> Result<Option<ChunkHash>, Self> {
        match self.before.try_recv() {
            Ok(hasher) => Ok(self.hash_with(hasher, bytes)),
            Err(_) => Err(self),
        }
    }

    /// Hashes a piece on a worker, when its turn has come.
    async fn hash<M: Maker>(
        mut self,
        maker: Arc<M>,
        made: M::Made,
        context: &Context,
        path: &Path,
    ) -> Result<(M::Made, Option<ChunkHash>)> {
        // Of a piece that failed there is no hasher; its error comes first.
        let hasher = (&mut self.before).await.map_err(|_| Error::Cancelled)?;
        let work = move || {
            let hash = self.hash_with(hasher, maker.hashed(&made));
            Ok((made, hash))
        };
        job::on_worker(context, path, work).await
    }

    /// The hash of the file, if this is its last piece; else the next piece goes on with it.
    fn hash_with(self, mut hasher: ChunkHasher, bytes: &[u8]) -> Option<ChunkHash> {
        hasher.update(bytes);
        if self.is_last {
            return Some(hasher.finish());
        }
        // Nobody may be left that waits for it.
        let _ = self.after.send(hasher);
        None
    }
}

/// Makes what is stored of a large file, a piece after the other, on this thread: for the few that have to be made twice.
pub(super) fn make_again<M: Maker>(
    maker: &M,
    file: M::File,
    context: &Context,
    mut take: impl FnMut(M::Made) -> Result<()>,
) -> Result<()> {
    let files: Arc<[M::File]> = Arc::new([file]);
    let mut reading = InOrder { files: &files, reader: None };
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

/// Reads all of a small file. It has to have the length that was planned with.
pub(super) fn read_whole(file: &Input, raw: &mut Buffer) -> Result<()> {
    let len = usize::try_from(file.len).unwrap_or(usize::MAX);
    // One more byte shows whether there is more.
    raw.set_len(len.saturating_add(1));
    let read = |input: &mut dyn Read, raw: &mut Buffer| {
        let found = read_full(input, raw).map_err(Error::io("read", &file.source))?;
        file.check_len(found as u64)
    };
    match file.made {
        // No detour through the heap for what nearly all files are.
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
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => file.changed(),
        _ => Error::io("read", source)(error),
    };
    read_exact_at(&input, &mut raw, piece.offset).map_err(failed)?;
    if piece.is_last && read_exact_at(&input, &mut [0], piece.offset + piece.len).is_ok() {
        return Err(file.changed());
    }
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Budget, Cpu};

    const MIB: u64 = 1 << 20;

    impl AsRef<Self> for Input {
        fn as_ref(&self) -> &Self {
            self
        }
    }

    fn context(memory: u64) -> Context {
        Context::new(Cpu::default(), Budget::new(memory), false)
    }

    fn shape(lens: &[u64], block_len: u64, memory: u64) -> Vec<(usize, u64, u64)> {
        let files: Arc<[Input]> = lens.iter().map(|len| Input::file("x".into(), *len)).collect();
        let shape = |part: FilePart<Input>| match &part {
            FilePart::Files(..) => (part.files().len(), 0, part.raw_len()),
            FilePart::Piece(piece) => (usize::from(piece.is_last), piece.offset, piece.len),
        };
        FileParts::new(&files, block_len, &context(memory)).map(shape).collect()
    }

    #[test]
    fn small_files_go_together_and_large_ones_in_pieces() {
        let shape = |lens: &[u64], block_len| shape(lens, block_len, 64 * MIB);
        assert_eq!(shape(&[], 65_536), []);
        assert_eq!(shape(&[0, 1, 2], 65_536), [(3, 0, 3)]);
        assert_eq!(shape(&[200 << 10, 200 << 10, 1], 65_536), [(2, 0, 400 << 10), (1, 0, 1)]);
        assert_eq!(shape(&[1; 70], 65_536), [(64, 0, 64), (6, 0, 6)]);
        assert_eq!(
            shape(&[5, 2 * MIB + 1, MIB], 65_536),
            [(1, 0, 5), (0, 0, MIB), (0, MIB, MIB), (1, 2 * MIB, 1), (1, 0, MIB)]
        );
        assert_eq!(shape(&[2 * MIB], 3 * MIB), [(1, 0, 2 * MIB)], "a block is never cut");
        assert_eq!(
            shape(&[3 * MIB], MIB - 1),
            [(0, 0, MIB - 1), (0, MIB - 1, MIB - 1), (0, 2 * MIB - 2, MIB - 1), (1, 3 * MIB - 3, 3)]
        );
    }

    #[test]
    fn with_little_memory_pieces_are_short() {
        let pieces = shape(&[MIB, 5, 5], 65_536, MIB);
        assert_eq!(pieces.iter().map(|(_, _, len)| len).max(), Some(&(128 << 10)));
        assert_eq!(pieces.last(), Some(&(2, 0, 10)));
    }

    #[test]
    fn a_file_that_changed_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [7; 100]).unwrap();
        let mut raw = Buffer::default();
        let context = context(MIB);
        for (len, is_right) in [(99, false), (100, true), (101, false)] {
            let file = Input::file(file.path().into(), len);
            assert_eq!(read_whole(&file, &mut raw).is_ok(), is_right, "{len}");
            let files: Arc<[Input]> = Arc::new([file]);
            let piece =
                |offset, len, is_last| FilePiece { files: Arc::clone(&files), at: 0, offset, len, is_last };
            let last = read_piece(&piece(60, len - 60, true), &context);
            assert_eq!(last.is_ok(), is_right, "{len}");
            assert!(last.is_err() || *last.unwrap() == [7; 40]);
            assert!(read_piece(&piece(0, 60, false), &context).is_ok());
        }
    }
}
