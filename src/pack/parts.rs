//! Files, cut into what one thread works on at a time.
//!
//! ```text
//! files   a b c d        e (large)                f g        what is large and made while it is written
//! parts   [a b c d]   [e 0..1] [e 1..2] [e 2..3]  [f g]      is no part: it comes in order only
//! ```

use super::blocks::read_full;
use super::input::Input;
use super::scratches::{Clear, Spares, Work};
use super::turns::{Turn, TurnHasher};
use crate::error::{Error, Result};
use crate::source::{Buffer, open_file, read_exact_at};
use crate::version::ChunkHashKind;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes of a part, about; files that are longer are large.
pub(super) const PART_LEN: u64 = 1 << 20;
/// Bytes of small files in a part.
const FILES_LEN: u64 = 256 << 10;
/// Small files in a part.
const FILES: usize = 64;

/// The work of one thread.
#[derive(Debug)]
pub(super) enum Part<'a, F> {
    /// Small files.
    Files(&'a [F]),
    /// A piece of a large file.
    Piece(Piece<'a, F>),
}

/// A piece of a large file; it consists of whole blocks, unless it is the last.
#[derive(Debug)]
pub(super) struct Piece<'a, F> {
    pub file: &'a F,
    /// Where it starts in the file.
    pub offset: u64,
    pub len: u64,
    pub is_last: bool,
    /// Hashes the file, where that is only possible in order.
    pub hasher: Option<Arc<TurnHasher>>,
}

impl<F: AsRef<Input>> Part<'_, F> {
    /// Bytes of content.
    pub(super) fn raw_len(&self) -> u64 {
        match self {
            Self::Files(files) => files.iter().map(|file| file.as_ref().len).sum(),
            Self::Piece(piece) => piece.len,
        }
    }
}

impl<F> Piece<'_, F> {
    /// Its turn to be hashed, where that is only possible in order.
    pub(super) fn turn(&self) -> Option<Turn<'_>> {
        self.hasher.as_ref().map(|hasher| hasher.turn(self.offset..self.offset + self.len))
    }
}

/// Makes what is stored of files.
pub(super) trait Maker<F: AsRef<Input>> {
    /// What it makes of a part.
    type Made: Clear + Default;

    /// What threads use again.
    fn spares(&self) -> &Spares<Self::Made>;
    /// Adds what is stored of a small file with this content.
    fn add_file(&self, file: &F, content: &[u8], work: &mut Work, made: &mut Self::Made) -> Result<()>;
    /// Reads a piece of a large file, and makes what is stored of it.
    fn fill(&self, piece: &Piece<'_, F>, work: &mut Work, made: &mut Self::Made) -> Result<()>;

    /// Reads a part and makes what is stored of it.
    fn make(&self, part: &Part<'_, F>, work: &mut Work) -> Result<Self::Made> {
        let mut made = self.spares().made();
        match part {
            Part::Files(files) => {
                let mut content = std::mem::take(&mut work.content);
                let added = files.iter().try_for_each(|file| {
                    read_whole(file.as_ref(), &mut content)?;
                    self.add_file(file, &content, work, &mut made)
                });
                work.content = content;
                added?;
            }
            Part::Piece(piece) => self.fill(piece, work, &mut made)?,
        }
        Ok(made)
    }
}

/// Whether a file can be cut: it can be read from anywhere, or is short.
pub(super) fn has_parts(file: &Input) -> bool {
    file.made.is_none() || file.len <= PART_LEN
}

/// How long the pieces of large files are.
pub(super) fn piece_len(block_size: u64) -> u64 {
    (PART_LEN / block_size.max(1)).max(1) * block_size.max(1)
}

/// Cuts files, all of which have parts. `in_order` is the hash of large files that cannot be joined from those of their pieces.
pub(super) fn cut<F: AsRef<Input>>(
    mut files: &[F],
    piece_len: u64,
    in_order: Option<ChunkHashKind>,
) -> Vec<Part<'_, F>> {
    let mut parts = Vec::new();
    while let [first, rest @ ..] = files {
        if first.as_ref().len > PART_LEN {
            let hasher = in_order.map(|kind| Arc::new(TurnHasher::new(kind)));
            parts.extend(pieces(first, piece_len, hasher.as_ref()).map(Part::Piece));
            files = rest;
            continue;
        }
        let mut len = 0;
        let fits = |file: &&F| {
            let file = file.as_ref();
            let fits = file.len <= PART_LEN && len < FILES_LEN;
            len += file.len;
            fits
        };
        let count = files.iter().take(FILES).take_while(fits).count();
        let (small, rest) = files.split_at(count);
        parts.push(Part::Files(small));
        files = rest;
    }
    parts
}

/// The pieces of a large file.
fn pieces<'a, F: AsRef<Input>>(
    file: &'a F,
    piece_len: u64,
    hasher: Option<&Arc<TurnHasher>>,
) -> impl Iterator<Item = Piece<'a, F>> {
    let all = file.as_ref().len;
    let count = all.div_ceil(piece_len);
    (0..count).map(move |at| {
        let offset = at * piece_len;
        let len = piece_len.min(all - offset);
        Piece { file, offset, len, is_last: at + 1 == count, hasher: hasher.cloned() }
    })
}

/// Reads all of a small file. It has to have the length that was planned with.
pub(super) fn read_whole(file: &Input, content: &mut Buffer) -> Result<()> {
    let len = usize::try_from(file.len).unwrap_or(usize::MAX);
    // One more byte shows whether there is more.
    content.set_len(len.saturating_add(1));
    let read = |input: &mut dyn Read, content: &mut Buffer| {
        let found = read_full(input, content).map_err(Error::io("read", &file.source))?;
        file.check_len(found as u64)
    };
    match file.made {
        // No detour through the heap for what nearly all files are.
        None => read(&mut open_file(&file.source).map_err(Error::io("open", &file.source))?, content)?,
        Some(_) => read(&mut *file.open()?, content)?,
    }
    content.set_len(len);
    Ok(())
}

/// Reads a piece of a large file.
pub(super) fn read_piece<F: AsRef<Input>>(piece: &Piece<'_, F>, content: &mut Buffer) -> Result<()> {
    let file = piece.file.as_ref();
    let source = file.source.as_path();
    let input = open_file(source).map_err(Error::io("open", source))?;
    content.set_len(usize::try_from(piece.len).unwrap_or(usize::MAX));
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => file.changed(),
        _ => Error::io("read", source)(error),
    };
    read_exact_at(&input, content, piece.offset).map_err(failed)?;
    if piece.is_last && read_exact_at(&input, &mut [0], piece.offset + piece.len).is_ok() {
        return Err(file.changed());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    impl AsRef<Self> for Input {
        fn as_ref(&self) -> &Self {
            self
        }
    }

    fn shape(lens: &[u64], block_size: u64) -> Vec<(usize, u64, u64)> {
        let files: Vec<Input> = lens.iter().map(|len| Input::file("x".into(), *len)).collect();
        let shape = |part: &Part<'_, Input>| match part {
            Part::Files(files) => (files.len(), 0, part.raw_len()),
            Part::Piece(piece) => (usize::from(piece.is_last), piece.offset, piece.len),
        };
        cut(&files, piece_len(block_size), None).iter().map(shape).collect()
    }

    #[test]
    fn small_files_go_together_and_large_ones_in_pieces() {
        const MIB: u64 = 1 << 20;
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
    fn a_file_that_changed_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [7; 100]).unwrap();
        let mut content = Buffer::default();
        for (len, is_right) in [(99, false), (100, true), (101, false)] {
            let file = Input::file(file.path().into(), len);
            assert_eq!(read_whole(&file, &mut content).is_ok(), is_right, "{len}");
            let last = Piece { file: &file, offset: 60, len: len - 60, is_last: true, hasher: None };
            assert_eq!(read_piece(&last, &mut content).is_ok(), is_right, "{len}");
            assert!(!is_right || *content == [7; 40]);
            let first = Piece { file: &file, offset: 0, len: 60, is_last: false, hasher: None };
            assert!(read_piece(&first, &mut content).is_ok());
        }
    }
}
