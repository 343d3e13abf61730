//! Estimate from a sample of the literals, for the fast effort: raw or as differences.
#![expect(clippy::indexing_slicing, reason = "positions come from the parser, which stays in the input")]

use super::counts::{is_worth_it, log2};
use super::literals::Kind;
use super::sequence::{FIRST_RECENT, Sequence};

/// Approximate number of sampled runs.
const SAMPLE_RUNS: usize = 256;

/// Number of sampled literals per run.
const RUN_LEN: usize = 64;

/// Number of sampled literals after the last match.
const LAST_RUN_LEN: usize = 1024;

/// Chooses the form of the literals of `history[first..]`, cut into `sequences`.
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

/// Returns the approximate bits per literal, in units of [`FRACTION`](super::counts::FRACTION), from the
/// probability that two literals are equal: quicker than the entropy, which needs a logarithm per byte.
fn bits(counts: &[u32; 256]) -> u64 {
    let all: u32 = counts.iter().sum();
    let pairs = counts.iter().map(|count| count * count).sum::<u32>();
    (2 * log2(all)).saturating_sub(log2(pairs))
}
