//! The lengths of the codes: as short as they can be on average, and none longer than 11 bits.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]
#![expect(clippy::cast_possible_truncation, reason = "lengths are at most 11")]

use alloc::vec::Vec;

use crate::compress::counts::Counts;

/// The longest code.
pub(super) const MAX_LEN: usize = 11;

/// The lengths of an optimal code of limited length: 0 for symbols that do not occur.
pub(super) fn of(counts: &Counts) -> Option<[u8; 256]> {
    // Weight and byte as one number sort fastest.
    let mut leaves: Vec<u64> =
        (0..256).zip(counts.0).map(|(byte, count)| u64::from(count) << 8 | byte).collect();
    leaves.retain(|leaf| *leaf > 0xFF);
    leaves.sort_unstable();
    let leaves: Vec<(u64, u8)> = leaves.iter().map(|leaf| (leaf >> 8, (leaf & 0xFF) as u8)).collect();
    if leaves.len() < 2 {
        return None;
    }
    if let Some(lengths) = unlimited_lengths(&leaves) {
        return Some(lengths);
    }
    // Package-merge. Each level holds the leaves and the pairs of the level before, by weight; which of them are leaves is enough.
    let mut levels: Vec<Vec<bool>> = Vec::new();
    let mut pairs: Vec<u64> = Vec::new();
    for _ in 0..MAX_LEN {
        let items = merge(&leaves, &pairs);
        pairs = items.as_chunks().0.iter().map(|[(a, _), (b, _)]| a + b).collect();
        levels.push(items.iter().map(|(_, is_leaf)| *is_leaf).collect());
    }
    let mut lengths = [0; 256];
    let mut taken = 2 * leaves.len() - 2;
    for level in levels.iter().rev() {
        let leaf_count = level.iter().take(taken).filter(|is_leaf| **is_leaf).count();
        for (_, byte) in leaves.iter().take(leaf_count) {
            lengths[usize::from(*byte)] += 1;
        }
        taken = 2 * (taken - leaf_count);
    }
    Some(lengths)
}

/// The lengths of an optimal code, if none is too long: Huffman's way. Nodes get heavier and heavier, so leaves and nodes
/// are two queues, and the lightest of all is at the front of one of them.
fn unlimited_lengths(leaves: &[(u64, u8)]) -> Option<[u8; 256]> {
    let inner = leaves.len() - 1;
    let mut weights = [0u64; 256];
    // Of the leaves, then of the inner nodes.
    let mut parents = [0u16; 512];
    let (mut leaf, mut node) = (0, 0);
    for made in 0..inner {
        for _ in 0..2 {
            let takes_leaf = leaf < leaves.len() && (node == made || leaves[leaf].0 <= weights[node]);
            if takes_leaf {
                weights[made] += leaves[leaf].0;
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
    for node in (0..inner - 1).rev() {
        depths[node] = depths[usize::from(parents[256 + node])] + 1;
        if usize::from(depths[node]) >= MAX_LEN {
            return None;
        }
    }
    let mut lengths = [0; 256];
    for ((_, byte), parent) in leaves.iter().zip(parents) {
        lengths[usize::from(*byte)] = depths[usize::from(parent)] + 1;
    }
    Some(lengths)
}

/// Leaves and pairs, both sorted, as one list by weight: each with whether it is a leaf.
fn merge(leaves: &[(u64, u8)], pairs: &[u64]) -> Vec<(u64, bool)> {
    let mut items = Vec::with_capacity(leaves.len() + pairs.len());
    let mut pairs = pairs.iter().peekable();
    for (weight, _) in leaves {
        while let Some(pair) = pairs.next_if(|pair| *pair < weight) {
            items.push((*pair, false));
        }
        items.push((*weight, true));
    }
    items.extend(pairs.map(|pair| (*pair, false)));
    items
}
