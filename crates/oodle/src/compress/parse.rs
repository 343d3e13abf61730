//! Cuts the input into literals and matches in one pass: fast, or lazily.

use alloc::vec::Vec;

use super::compressor::Effort;
use super::matcher::{Finder, NICE_LEN, PROBES, Recent, Sequence, touch};

/// Beyond a match of this length, a better one is looked for less eagerly.
const GOOD_LEN: usize = 8;

/// Positions without a match from which on only every other one is looked at, then every third, …
const DULL_LEN: usize = 128;

/// Positions without a match from which on the fast parse looks at every other one.
const FAST_DULL_LEN: usize = 256;

/// Parses `start..last_end`. No match starts after `last_start` or ends after `last_end`.
pub(super) fn parse(
    finder: &mut Finder<'_>,
    start: usize,
    last_start: usize,
    last_end: usize,
    recent: &mut Recent,
) -> Vec<Sequence> {
    match finder.effort() {
        Effort::Fast => fast(finder, start, last_start, last_end, recent),
        Effort::Normal | Effort::Optimal => lazy(finder, start, last_start, last_end, recent),
    }
}

/// Of several matches takes the best one, unless the next position has a better one.
fn lazy(
    finder: &mut Finder<'_>,
    start: usize,
    last_start: usize,
    last_end: usize,
    recent: &mut Recent,
) -> Vec<Sequence> {
    let mut sequences = Vec::new();
    let mut literal_at = start;
    let mut at = start;
    while at < last_start {
        let Some(mut found) = finder.find(at, last_end, recent, PROBES) else {
            at += 1 + (at - literal_at) / DULL_LEN;
            continue;
        };
        // A better match one byte on is worth the literal.
        if found.len < NICE_LEN && at + 1 < last_start {
            let probes = if found.len < GOOD_LEN { PROBES } else { PROBES / 4 };
            let next = finder.find(at + 1, last_end, recent, probes);
            if let Some(next) = next.filter(|next| next.gain > found.gain + 6) {
                found = next;
                at += 1;
            }
        }
        sequences.push(Sequence { run: at - literal_at, len: found.len, distance: found.distance });
        touch(recent, found.distance);
        at += found.len;
        literal_at = at;
    }
    sequences
}

/// Takes the first match: at a recent distance, or where the same bytes were last.
fn fast(
    finder: &mut Finder<'_>,
    start: usize,
    last_start: usize,
    last_end: usize,
    recent: &mut Recent,
) -> Vec<Sequence> {
    /// Room for the longest match that is known before it is measured.
    const LEAST_ROOM: usize = 8;
    let last_start = last_start.min(last_end.saturating_sub(LEAST_ROOM));
    let mut sequences = Vec::with_capacity(last_end.saturating_sub(start) / 16);
    let mut literal_at = start;
    let mut at = start;
    while at < last_start {
        let Some(distance) = finder.find_first(at, recent) else {
            at += 1 + (at - literal_at) / FAST_DULL_LEN;
            continue;
        };
        let end = at + finder.common(at, distance, last_end - at);
        // The match may have begun before: positions are skipped, and so are matches that are too short to be found.
        let match_at = at - finder.common_before(at, distance, at - literal_at);
        sequences.push(Sequence { run: match_at - literal_at, len: end - match_at, distance });
        touch(recent, distance);
        // Of the positions in the match, two are remembered.
        finder.remember(at + 1);
        finder.remember(end - 2);
        at = end;
        literal_at = end;
    }
    sequences
}
