//! BLAKE3 over pieces of content, in any order and on any thread.
//!
//! ```text
//!           root            content of 5 leaves of 1024 bytes, hashed as pieces 0..2 and 2..5
//!          ╱    ╲
//!        ○        4         piece 0..2 gives the subtree 0..2
//!      ╱   ╲                piece 2..5 gives the subtrees 2..4 and 4..5
//!    ○       ○
//!   ╱ ╲     ╱ ╲             joining them in order gives the root
//!  0   1   2   3
//! ```
//!
//! BLAKE3 is a binary tree over leaves of 1024 bytes; a left branch always covers the largest power of two of
//! leaves below the total. So every aligned power of two of leaves is a subtree, regardless of what surrounds
//! it. Source: the BLAKE3 paper, section 2.1; the subtrees are those of the crate's `hazmat` module.

use super::ChunkHash;
use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};

/// Length of a leaf in bytes; pieces must start at a multiple of it.
pub const LEAF_LEN: u64 = 1024;

/// Hashes of the largest subtrees of a piece of content.
#[derive(Debug, Clone)]
pub struct PieceHash {
    subtrees: Vec<Subtree>,
}

/// A range of leaves that forms a subtree.
#[derive(Debug, Clone, Copy)]
struct Subtree {
    /// Start in bytes.
    start: u64,
    /// Length in bytes, as if the last leaf were full.
    len: u64,
    hash: ChainingValue,
}

impl PieceHash {
    /// Hashes a piece that starts at `offset` of longer content; `None` if it starts inside a leaf. All
    /// pieces except the last must end with a leaf.
    #[must_use]
    pub fn of(offset: u64, bytes: &[u8]) -> Option<Self> {
        // A leaf cannot be hashed from two pieces.
        if !offset.is_multiple_of(LEAF_LEN) {
            return None;
        }
        let (mut subtrees, mut start, mut rest) = (Vec::new(), offset, bytes);
        while !rest.is_empty() {
            let len = subtree_len(start, rest.len() as u64);
            // The last leaf may be shorter than its nominal length.
            let (bytes, left) =
                rest.split_at(usize::try_from(len).map_or(rest.len(), |len| len.min(rest.len())));
            // Leaves are numbered, so the hash depends on the offset.
            let hash = blake3::Hasher::new().set_input_offset(start).update(bytes).finalize_non_root();
            subtrees.push(Subtree { start, len, hash });
            start += len;
            rest = left;
        }
        Some(Self { subtrees })
    }
}

/// Returns the length of the largest subtree that starts at `start` and has at most `left` bytes, or one
/// leaf.
const fn subtree_len(start: u64, left: u64) -> u64 {
    if left <= LEAF_LEN {
        return LEAF_LEN;
    }
    let fits = 1 << left.ilog2();
    match start {
        0 => fits,
        _ => {
            // A subtree can be at most as long as its start is aligned.
            let aligned = 1 << start.trailing_zeros();
            if aligned < fits { aligned } else { fits }
        }
    }
}

/// Joins the hashes of pieces, in order, to the hash of the content.
#[derive(Debug, Clone, Default)]
pub struct TreeHasher {
    /// Subtrees waiting for their right neighbour, each larger than the next.
    stack: Vec<Subtree>,
}

impl TreeHasher {
    /// Appends a piece.
    pub fn push(&mut self, piece: &PieceHash) {
        for subtree in &piece.subtrees {
            // More content follows, so no merge up to here can produce the root, which is hashed differently.
            self.merge_equals();
            // The last subtree stays unmerged until it is clear if more follows.
            self.stack.push(*subtree);
        }
    }

    fn merge_equals(&mut self) {
        // Like carrying in binary addition: two equal neighbours become one of twice the length.
        while let [.., left, right] = self.stack.as_slice()
            && left.len == right.len
            && left.start.is_multiple_of(2 * left.len)
        {
            let hash = merge_subtrees_non_root(&left.hash, &right.hash, Mode::Hash);
            let merged = Subtree { start: left.start, len: 2 * left.len, hash };
            self.stack.truncate(self.stack.len() - 2);
            self.stack.push(merged);
        }
    }

    /// Returns the hash of all pieces; `None` if they had fewer than two subtrees.
    #[must_use]
    pub fn finish(mut self) -> Option<ChunkHash> {
        // From the right: the tree is left-heavy, so the smallest subtrees are joined first.
        let mut right = self.stack.pop()?.hash;
        // The first subtree is the left child of the root.
        let first = (!self.stack.is_empty()).then(|| self.stack.remove(0))?;
        while let Some(left) = self.stack.pop() {
            right = merge_subtrees_non_root(&left.hash, &right, Mode::Hash);
        }
        let root = merge_subtrees_root(&first.hash, &right, Mode::Hash);
        root.as_bytes().first_chunk().copied().map(ChunkHash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::ChunkHashKind;
    use proptest::prelude::*;

    /// Hashes content in pieces that end at these leaves.
    fn in_pieces(content: &[u8], cuts: &[usize]) -> Option<ChunkHash> {
        let mut ends: Vec<usize> = cuts.iter().map(|cut| (cut * 1024).min(content.len())).collect();
        ends.push(content.len());
        ends.sort_unstable();
        ends.dedup();
        let (mut tree, mut start) = (TreeHasher::default(), 0);
        for end in ends.into_iter().filter(|end| *end > 0) {
            tree.push(&PieceHash::of(start as u64, &content[start..end]).unwrap());
            start = end;
        }
        tree.finish()
    }

    proptest! {
        #[test]
        fn pieces_hash_like_the_whole(len in 1025_usize..90_000, cuts in prop::collection::vec(0_usize..90, 0..6)) {
            let content: Vec<u8> = (0..len).map(|n| u8::try_from(n / 7 % 251).unwrap()).collect();
            prop_assert_eq!(in_pieces(&content, &cuts), Some(ChunkHash::of(ChunkHashKind::Blake3, &content)));
        }
    }

    #[test]
    fn what_is_no_tree_has_no_hash() {
        assert!(PieceHash::of(1023, &[0; 10]).is_none(), "starts inside a leaf");
        assert_eq!(in_pieces(&[0; 1024], &[]), None, "one leaf is its own root");
        assert_eq!(TreeHasher::default().finish(), None);
    }
}
