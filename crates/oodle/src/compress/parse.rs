//! Cuts the input into literals and matches in one pass.

use alloc::vec::Vec;

use super::compressor::Effort;
use super::matcher::{Finder, Match, NICE_LEN, PROBES};
use super::sequence::{Recent, Sequence, touch};

/// Beyond a match of this length, a better one is looked for less eagerly.
const GOOD_LEN: usize = 8;

/// Positions without a match from which on only every other one is looked at, then every third, …
const DULL_LEN: usize = 128;

/// Parses `start..last_end` and adds what it finds. No match starts after `last_start` or ends after `last_end`.
pub(super) fn parse(
    finder: &mut Finder<'_>,
    start: usize,
    last_start: usize,
    last_end: usize,
    recent: &mut Recent,
    sequences: &mut Vec<Sequence>,
) {
    match finder.effort() {
        Effort::Fast => finder.fast().parse(start, last_start, last_end, recent, sequences),
        Effort::Normal | Effort::Optimal => lazy(
            |at, recent, probes| finder.find(at, last_end, recent, probes),
            start,
            last_start,
            recent,
            sequences,
        ),
    }
}

/// Of several matches takes the best one, unless the next position has a better one. `find` gets a position, the recent
/// distances, and how many candidates to look at.
pub(super) fn lazy(
    mut find: impl FnMut(usize, &Recent, usize) -> Option<Match>,
    start: usize,
    last_start: usize,
    recent: &mut Recent,
    sequences: &mut Vec<Sequence>,
) {
    let mut literal_at = start;
    let mut at = start;
    while at < last_start {
        let Some(mut found) = find(at, recent, PROBES) else {
            at += 1 + (at - literal_at) / DULL_LEN;
            continue;
        };
        // A better match one byte on is worth the literal.
        if found.len < NICE_LEN && at + 1 < last_start {
            let probes = if found.len < GOOD_LEN { PROBES } else { PROBES / 4 };
            let next = find(at + 1, recent, probes);
            if let Some(next) = next.filter(|next| next.gain > found.gain + 6) {
                found = next;
                at += 1;
            }
        }
        let index = touch(recent, found.distance);
        sequences.push(Sequence { run: at - literal_at, len: found.len, distance: found.distance, index });
        at += found.len;
        literal_at = at;
    }
}
