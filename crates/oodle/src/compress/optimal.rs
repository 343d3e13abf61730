//! The optimal parse: of all ways through a chunk, the one that costs least.
//!
//! ```text
//!   position   0   1   2   3   4   5   6   7   8
//!   cost       0 ─ 6 ─ 12 ─ 18
//!                  └─ match of 3 ── 15 ─ 21 ─ …      a node keeps the cheapest way that leads to it:
//!                  └─ match of 5 ─────────── 17      a literal from the node before, or a match from farther back
//! ```
//!
//! From every position, in order, a literal and each match that starts there lead on to later positions. A way is known
//! by its cost, its last step, and what the cost of its next steps depends on: the recent distances and the literals since the
//! last match. Only the cheapest way to a position is kept; that another one with better recent distances could have
//! been cheaper in the end is left out of account.
#![expect(clippy::indexing_slicing, reason = "positions stay in the chunk")]
#![expect(clippy::cast_possible_truncation, reason = "lengths and distances within a window")]

use alloc::{vec, vec::Vec};

use super::matcher::{FIRST_RECENT, Finder, OPTIMAL_NICE_LEN, Sequence};
use super::prices::{Price, Prices};

/// Up to this length, matches are tried at every length, longer ones at their full length only.
const EVERY_LEN: usize = 20;

/// The cheapest way to a position.
#[derive(Clone, Copy)]
struct Node {
    cost: Price,
    /// The length of the match that ends here; 0 if a literal does.
    len: u32,
    distance: u32,
    /// The literals since the last match.
    run: u32,
    recent: [u32; 3],
}

/// Where no way leads to yet.
const FAR: Node = Node { cost: Price::MAX, len: 0, distance: 0, run: 0, recent: [0; 3] };

/// Parses `start..last_end`, in which no match starts after `last_start`, at the given prices. The finder has seen all of it.
pub(super) fn parse(
    finder: &Finder<'_>,
    prices: &Prices,
    start: usize,
    last_start: usize,
    last_end: usize,
) -> Vec<Sequence> {
    let mut nodes = vec![FAR; last_end.saturating_sub(start) + 1];
    nodes[0] = Node { cost: 0, recent: FIRST_RECENT.map(|distance| distance as u32), ..FAR };
    let mut at = start;
    while at < last_end {
        let node = nodes[at - start];
        extend_by_literal(finder, prices, node, at, &mut nodes[at + 1 - start]);
        at += if at < last_start {
            extend_by_matches(finder, prices, node, at, last_end, &mut nodes[at - start..])
        } else {
            1
        };
    }
    sequences(&nodes)
}

fn extend_by_literal(finder: &Finder<'_>, prices: &Prices, node: Node, at: usize, next: &mut Node) {
    let base = at - node.recent[0] as usize;
    let cost = node.cost + prices.literal(finder.byte(at), finder.byte(base));
    if cost < next.cost {
        *next = Node { cost, len: 0, run: node.run + 1, ..node };
    }
}

/// Tries all matches at `at`, whose node is the first one of `nodes`. Returns how far to go on: past a match that is long
/// enough to be taken as it is, else by one.
fn extend_by_matches(
    finder: &Finder<'_>,
    prices: &Prices,
    node: Node,
    at: usize,
    last_end: usize,
    nodes: &mut [Node],
) -> usize {
    let recent = node.recent.map(|distance| distance as usize);
    let run = node.run as usize;
    let before = node.cost + prices.run(run);
    let mut longest = 1;
    let mut extend = |len: usize, distance: usize, index: usize, cost: Price, least: usize| {
        let every = (least..=len.min(EVERY_LEN)).chain((len > EVERY_LEN).then_some(len));
        for len in every {
            let cost = cost + prices.command(run, len, index);
            let end = &mut nodes[len];
            if cost < end.cost {
                let recent = moved(node.recent, distance as u32, index);
                *end = Node { cost, len: len as u32, distance: distance as u32, run: 0, recent };
            }
        }
    };
    for (index, distance) in recent.into_iter().enumerate() {
        if recent[..index].contains(&distance) {
            continue;
        }
        let len = finder.common(at, distance, last_end - at);
        if len >= 2 {
            extend(len, distance, index, before, 2);
            longest = longest.max(len);
        }
    }
    if longest < OPTIMAL_NICE_LEN {
        // Of each length, the nearest match is the cheapest; candidates come in that order. None is worth it that is no longer
        // than one at a recent distance.
        finder.candidates(at, last_end - at, longest.max(3), |len, distance| {
            let least = (longest + 1).max(3);
            if !recent.contains(&distance) {
                extend(len, distance, 3, before + prices.distance(distance), least);
            }
            longest = longest.max(len);
        });
    }
    if longest >= OPTIMAL_NICE_LEN { longest } else { 1 }
}

/// Moves a distance to the front of the recent ones.
fn moved([a, b, c]: [u32; 3], distance: u32, index: usize) -> [u32; 3] {
    match index {
        0 => [a, b, c],
        1 => [b, a, c],
        _ => [distance, a, b],
    }
}

/// Walks the cheapest way to the last node back, and turns it around.
fn sequences(nodes: &[Node]) -> Vec<Sequence> {
    let mut sequences: Vec<Sequence> = Vec::new();
    let mut at = nodes.len() - 1;
    while at > 0 {
        let node = nodes[at];
        if node.len == 0 {
            if let Some(after) = sequences.last_mut() {
                after.run += 1;
            }
            at -= 1;
        } else {
            sequences.push(Sequence { run: 0, len: node.len as usize, distance: node.distance as usize });
            at -= node.len as usize;
        }
    }
    sequences.reverse();
    sequences
}
