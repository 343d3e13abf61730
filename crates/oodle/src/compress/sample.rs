//! A guess from a sample of the literals, for the fast way: whether to code them as they are or as differences.
#![expect(clippy::indexing_slicing, reason = "positions come from the parser, which stays in the input")]

use super::counts::{is_worth_it, log2};
use super::literals::Kind;
use super::sequence::{FIRST_RECENT, Sequence};

/// Runs that are looked at, about.
const SAMPLE_RUNS: usize = 256;

/// Literals of a run that are.
const RUN_LEN: usize = 64;

/// Literals that are after the last match.
const LAST_RUN_LEN: usize = 1024;

/// How to code the literals of `history[first..]`, parsed so.
pub(super) fn guess(history: &[u8], first: usize, sequences: &[Sequence]) -> Kind {
    let step = 1 + sequences.len() / SAMPLE_RUNS;
    let (mut raw, mut delta) = ([0u32; 256], [0u32; 256]);
    let mut look = |at: usize, len: usize, last: usize| {
        let (literals, bases) = (&history[at..at + len], &history[at - last..][..len]);
        for (literal, base) in literals.iter().zip(bases) {
            raw[usize::from(*literal)] += 1;
            delta[usize::from(literal.wrapping_sub(*base))] += 1;
        }
    };
    let (mut at, mut last) = (first, FIRST_RECENT[0]);
    let mut until_next = 0;
    for sequence in sequences {
        if until_next == 0 {
            look(at, sequence.run.min(RUN_LEN), last);
            until_next = step;
        }
        until_next -= 1;
        at += sequence.run + sequence.len;
        last = sequence.distance;
    }
    // Long stretches without a match are often the last ones.
    look(at, (history.len() - at).min(LAST_RUN_LEN), last);
    if is_worth_it(bits(&delta), bits(&raw)) { Kind::Delta } else { Kind::Raw }
}

/// About how many bits a literal takes, in units of [`FRACTION`](super::counts::FRACTION), from how likely two of them are the
/// same: quicker to tell than from how likely each of them is.
fn bits(counts: &[u32; 256]) -> u64 {
    let all: u32 = counts.iter().sum();
    let pairs = counts.iter().map(|count| count * count).sum::<u32>();
    (2 * log2(all)).saturating_sub(log2(pairs))
}
