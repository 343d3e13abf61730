//! One-pass parse: cuts the input into literals and matches.

use alloc::vec::Vec;

use super::compressor::Effort;
use super::matcher::{Finder, Match, NICE_LEN, PROBES};
use super::sequence::{Recent, Sequence, touch};

/// Length of a match beyond which a better one is searched for less eagerly.
const GOOD_LEN: usize = 8;

/// Length of a run without matches after which every second position is skipped, then two of three, …
const DULL_LEN: usize = 128;

/// Parses `start..last_end`, and appends its sequences. No match starts after `last_start` or ends after
/// `last_end`.
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
        Effort::Normal | Effort::Optimal | Effort::Smallest => lazy(
            |at, recent, probes| finder.find(at, last_end, recent, probes),
            start,
            last_start,
            recent,
            sequences,
        ),
    }
}

/// Takes the best of several matches, unless the next position has a better one. `find` gets a position, the
/// recent distances, and the number of candidates to examine.
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
            // Data without matches is skipped faster and faster.
            at += 1 + (at - literal_at) / DULL_LEN;
            continue;
        };
        // A much better match one byte later is worth the literal.
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
