//! Code lengths: optimal, with none longer than 11 bits.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]
#![expect(clippy::cast_possible_truncation, reason = "lengths are at most 11")]

use alloc::vec::Vec;

use crate::compress::counts::Counts;

/// Longest code.
pub(super) const MAX_LEN: usize = 11;

/// Byte and its count, with the count in the upper 24 bits, so that leaves order by weight.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Leaf(u32);

impl Leaf {
    fn new(byte: u8, count: u32) -> Self {
        // An array has at most 256 KiB, so the count fits into 24 bits.
        Self(count << 8 | u32::from(byte))
    }

    const fn weight(self) -> u64 {
        self.0 as u64 >> 8
    }

    const fn byte(self) -> usize {
        self.0 as usize & 0xFF
    }
}

/// Returns the lengths of an optimal code of limited length; 0 for symbols that are not in `used`.
pub(super) fn of(counts: &Counts, used: &[u8]) -> Option<[u8; 256]> {
    let mut leaves = [Leaf::default(); 256];
    for (leaf, byte) in leaves.iter_mut().zip(used) {
        *leaf = Leaf::new(*byte, counts.0[usize::from(*byte)]);
    }
    let leaves = &mut leaves[..used.len()];
    leaves.sort_unstable();
    if leaves.len() < 2 {
        return None;
    }
    if let Some(lengths) = unlimited_lengths(leaves) {
        return Some(lengths);
    }
    // Package-merge. Each level holds the leaves and the pairs of the level before, by weight; which of them
    // are leaves is all that is needed afterwards.
    let mut levels: Vec<Vec<bool>> = Vec::new();
    let mut pairs: Vec<u64> = Vec::new();
    for _ in 0..MAX_LEN {
        let items = merge(leaves, &pairs);
        pairs = items.as_chunks().0.iter().map(|[(a, _), (b, _)]| a + b).collect();
        levels.push(items.iter().map(|(_, is_leaf)| *is_leaf).collect());
    }
    let mut lengths = [0; 256];
    // Of the last level, the lightest 2n - 2 items are taken. Each time a leaf is taken, its code grows by
    // one bit; each taken pair takes two items of the level before.
    let mut taken = 2 * leaves.len() - 2;
    for level in levels.iter().rev() {
        let leaf_count = level.iter().take(taken).filter(|is_leaf| **is_leaf).count();
        for leaf in leaves.iter().take(leaf_count) {
            lengths[leaf.byte()] += 1;
        }
        taken = 2 * (taken - leaf_count);
    }
    Some(lengths)
}

/// Returns the lengths of an optimal code by Huffman's method; `None` if one is too long. New nodes only get
/// heavier, so leaves and nodes are two sorted queues, and the lightest item is always at the front of one of
/// them.
fn unlimited_lengths(leaves: &[Leaf]) -> Option<[u8; 256]> {
    let inner = leaves.len() - 1;
    let mut weights = [0u64; 256];
    // Parents of the leaves, then of the inner nodes.
    let mut parents = [0u16; 512];
    let (mut leaf, mut node) = (0, 0);
    for made in 0..inner {
        for _ in 0..2 {
            // A leaf wins a tie, which keeps the tree flat.
            let takes_leaf = leaf < leaves.len() && (node == made || leaves[leaf].weight() <= weights[node]);
            if takes_leaf {
                weights[made] += leaves[leaf].weight();
                parents[leaf] = made as u16;
                leaf += 1;
            } else {
                weights[made] += weights[node];
                parents[256 + node] = made as u16;
                node += 1;
            }
        }
    }
    let mut depths = [0u8; 256];
    // Parents are made after their children, so going backwards every parent's depth is known.
    for node in (0..inner - 1).rev() {
        depths[node] = depths[usize::from(parents[256 + node])] + 1;
        if usize::from(depths[node]) >= MAX_LEN {
            return None;
        }
    }
    let mut lengths = [0; 256];
    for (leaf, parent) in leaves.iter().zip(parents) {
        lengths[leaf.byte()] = depths[usize::from(parent)] + 1;
    }
    Some(lengths)
}

/// Merges leaves and pairs, both sorted, by weight; each item tells whether it is a leaf.
fn merge(leaves: &[Leaf], pairs: &[u64]) -> Vec<(u64, bool)> {
    let mut items = Vec::with_capacity(leaves.len() + pairs.len());
    let mut pairs = pairs.iter().peekable();
    for leaf in leaves {
        while let Some(pair) = pairs.next_if(|pair| **pair < leaf.weight()) {
            items.push((*pair, false));
        }
        items.push((leaf.weight(), true));
    }
    items.extend(pairs.map(|pair| (*pair, false)));
    items
}
