//! Parts of files, in order.

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
