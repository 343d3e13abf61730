//! Optimal parse: the cheapest of all ways through a chunk.
//!
//! ```text
//!   position   0   1   2   3   4   5   6   7   8
//!   cost       0 ─ 6 ─ 12 ─ 18
//!                  └─ match of 3 ── 15 ─ 21 ─ …      a position keeps the cheapest way that leads to it:
//!                  └─ match of 5 ─────────── 17      a literal from the position before, or a match from farther back
//! ```
//!
//! From every position, in order, a literal and each match that starts there lead to later positions. Each
//! position keeps the cost and the last step of its cheapest way. The cost of the next step also depends on
//! the recent distances and on the literals since the last match; both follow from the state one step back,
//! once no cheaper way to the position can be found. Only one way per position is kept: another one with
//! better recent distances might have been cheaper in the end, which is neglected.
#![expect(clippy::indexing_slicing, reason = "positions stay in the chunk")]
#![expect(clippy::cast_possible_truncation, reason = "lengths and distances within a window")]

use alloc::vec::Vec;

use super::candidates::{Candidates, Depth};
use super::matcher::Finder;
use super::prices::{COMMAND_LENS, PriceRow, Prices};
use super::sequence::{NEW, Recent, Sequence, touch};
use super::step::Step;

/// Length up to which a match is tried at every length; longer ones only at their full length.
const EVERY_LEN: usize = 16;

/// State on which the cost of the next step depends.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Number of literals since the last match.
    run: u32,
    recent: [u32; 3],
}

/// Range to parse: from `start` to `last_end`, with no match starting after `last_start`.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) start: usize,
    pub(super) last_start: usize,
    pub(super) last_end: usize,
}

/// Ways of a parse, by position from its start.
#[derive(Debug, Default)]
pub(super) struct Paths {
    steps: Vec<Step>,
    /// States of the visited positions.
    states: Vec<State>,
}

/// Parses a range at the given prices, and appends its sequences.
#[inline(never)]
pub(super) fn parse(
    finder: &Finder<'_>,
    candidates: &Candidates,
    prices: &impl Prices,
    range: Range,
    recent: &mut Recent,
    paths: &mut Paths,
    sequences: &mut Vec<Sequence>,
) {
    let Range { start, last_start, last_end } = range;
    let len = last_end.saturating_sub(start) + 1;
    paths.steps.clear();
    // Every position starts out unreachable; a step is stored if it is cheaper.
    paths.steps.resize(len, Step::FAR);
    paths.states.resize(len, State::default());
    paths.steps[0] = Step::new(0, 0, 0);
    paths.states[0] = State { run: 0, recent: recent.map(|distance| distance as u32) };
    let nice_len = Depth::of(finder.effort()).nice_len();
    let mut ways = Ways { finder, candidates, prices, start, last_end, nice_len, paths };
    let mut at = start;
    while at < last_end {
        let state = ways.arrive(at);
        // Positions in order: when one is visited, all steps to it have been tried.
        ways.extend_by_literal(at, state);
        at += if at < last_start { ways.extend_by_matches(at, state) } else { 1 };
    }
    ways.add_sequences(recent, sequences);
}

/// Cheapest ways from the start.
struct Ways<'p, P> {
    finder: &'p Finder<'p>,
    candidates: &'p Candidates,
    prices: &'p P,
    start: usize,
    last_end: usize,
    /// Length of a match that is taken unconditionally.
    nice_len: usize,
    paths: &'p mut Paths,
}

impl<P: Prices> Ways<'_, P> {
    /// Computes the state at a position to which no cheaper way will be found.
    #[inline]
    fn arrive(&mut self, at: usize) -> State {
        let index = at - self.start;
        let step = self.paths.steps[index];
        let len = step.len();
        let state = if index == 0 {
            self.paths.states[0]
        } else if len == 0 {
            let before = self.paths.states[index - 1];
            State { run: before.run + 1, ..before }
        } else {
            let before = self.paths.states[index - len];
            State { run: 0, recent: moved(before.recent, step.distance() as u32) }
        };
        self.paths.states[index] = state;
        state
    }

    #[inline]
    fn extend_by_literal(&mut self, at: usize, state: State) {
        let index = at - self.start;
        // With delta literals the price depends on the byte at the most recent distance.
        let base = at - state.recent[0] as usize;
        let price = self.prices.literal(self.finder.byte(at), self.finder.byte(base));
        let end = Step::new(self.paths.steps[index].cost() + price, 0, 0);
        let next = &mut self.paths.steps[index + 1];
        *next = end.min(*next);
    }

    /// Tries all matches at `at`. Returns how far to advance: past a match that is long enough to be taken,
    /// else by one.
    #[inline]
    fn extend_by_matches(&mut self, at: usize, state: State) -> usize {
        let limit = self.last_end - at;
        let finder = self.finder;
        let Some([first, second, ..]) = finder.word(at) else { return 1 };
        let recent = state.recent.map(|distance| distance as usize);
        let recent = &recent[..finder.recent_count()];
        let (rows, price) = self.prices.commands(state.run as usize);
        let cost = self.paths.steps[at - self.start].cost() + price;
        let mut longest = 1;
        for (index, distance) in recent.iter().copied().enumerate() {
            // Two bytes are compared before the length is computed: most distances fail here.
            if finder.byte(at - distance) != first || finder.byte(at + 1 - distance) != second {
                continue;
            }
            let len = finder.common(at, distance, limit);
            if len >= 2 {
                // The rest of a match, or of one that began before the last literal, would have been better
                // as one match.
                let is_rest = match state.run {
                    0 => index == 0 && at > self.start,
                    _ => at > distance && finder.byte(at - 1) == finder.byte(at - 1 - distance),
                };
                if !is_rest || len >= self.nice_len {
                    self.extend(at, 2, len, Step::new(cost, 0, distance), &rows[index]);
                }
                longest = longest.max(len);
            }
        }
        if longest < self.nice_len {
            // The first match of each length is taken: mostly the nearest, and so the cheapest. None is worth
            // it unless longer than all at recent distances.
            for candidate in self.candidates.at(at) {
                let (len, distance) = ((candidate.len as usize).min(limit), candidate.distance as usize);
                if len > longest.max(2) {
                    if !recent.contains(&distance) {
                        let cost = cost + self.prices.distance(distance);
                        self.extend(at, (longest + 1).max(3), len, Step::new(cost, 0, distance), &rows[NEW]);
                    }
                    longest = len;
                }
            }
        }
        if longest >= self.nice_len { longest } else { 1 }
    }

    /// Extends the ways from `at` by matches of lengths `least` to `most`. `step` is the way to `at`, with
    /// the distance; `row` holds the commands.
    #[inline]
    fn extend(&mut self, at: usize, least: usize, most: usize, step: Step, row: &PriceRow) {
        let ends = &mut self.paths.steps[at - self.start..];
        if least <= EVERY_LEN {
            let every = &mut ends[least..=most.min(EVERY_LEN)];
            for (end, command) in every.iter_mut().zip(&row[least - 2..]) {
                // A step is one number with the cost on top, so the sum and the minimum need no branches.
                *end = step.and(*command).min(*end);
            }
        }
        if most > EVERY_LEN {
            let length = Step::new(self.prices.long(most), most, 0);
            ends[most] = step.and(row[COMMAND_LENS - 1]).and(length).min(ends[most]);
        }
    }

    /// Walks the cheapest way back from the last position, and reverses it.
    fn add_sequences(&self, recent: &mut Recent, sequences: &mut Vec<Sequence>) {
        let first = sequences.len();
        let mut at = self.paths.steps.len() - 1;
        while at > 0 {
            let step = self.paths.steps[at];
            let len = step.len();
            if len == 0 {
                // Literals after the last match belong to no sequence.
                if let Some(after) = sequences[first..].last_mut() {
                    after.run += 1;
                }
                at -= 1;
            } else {
                sequences.push(Sequence { run: 0, len, distance: step.distance(), index: NEW });
                at -= len;
            }
        }
        sequences[first..].reverse();
        for sequence in &mut sequences[first..] {
            // The index depends on all matches before, so it is assigned in forward order.
            sequence.index = touch(recent, sequence.distance);
        }
    }
}

/// Returns the recent distances after a match at `distance`.
fn moved(recent: [u32; 3], distance: u32) -> [u32; 3] {
    let [a, b, c] = recent;
    match distance {
        known if known == a => [a, b, c],
        known if known == b => [b, a, c],
        _ => [distance, a, b],
    }
}
