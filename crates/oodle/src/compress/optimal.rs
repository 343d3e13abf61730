//! The optimal parse: of all ways through a chunk, the one that costs least.
//!
//! ```text
//!   position   0   1   2   3   4   5   6   7   8
//!   cost       0 ─ 6 ─ 12 ─ 18
//!                  └─ match of 3 ── 15 ─ 21 ─ …      a position keeps the cheapest way that leads to it:
//!                  └─ match of 5 ─────────── 17      a literal from the position before, or a match from farther back
//! ```
//!
//! From every position, in order, a literal and each match that starts there lead on to later positions. Of a way, its cost
//! and its last step are kept. What the cost of its next step depends on, the recent distances and the literals since the last
//! match, follows from the state at the position before, once the position is reached and no cheaper way can be found. Only the cheapest way to a position is kept; that another one with better recent distances could have
//! been cheaper in the end is left out of account.
#![expect(clippy::indexing_slicing, reason = "positions stay in the chunk")]
#![expect(clippy::cast_possible_truncation, reason = "lengths and distances within a window")]

use alloc::{vec, vec::Vec};
use core::ops::RangeInclusive;

use super::matcher::{Finder, OPTIMAL_NICE_LEN};
use super::prices::{COMMAND_LENS, FIRST_LONG_LEN, Price, Prices};
use super::sequence::{FIRST_RECENT, Sequence};

/// Up to this length, matches are tried at every length, longer ones at their full length only.
const EVERY_LEN: usize = 16;

/// The last step of the cheapest way to a position.
#[derive(Clone, Copy)]
struct Step {
    /// What the whole way costs.
    cost: Price,
    /// The length of the match that ends here; 0 if a literal does.
    len: u32,
    distance: u32,
}

/// Where no way leads to yet.
const FAR: Step = Step { cost: Price::MAX, len: 0, distance: 0 };

/// What the cost of the next step depends on.
#[derive(Clone, Copy, Default)]
struct State {
    /// The literals since the last match.
    run: u32,
    recent: [u32; 3],
}

/// Parses `start..last_end`, in which no match starts after `last_start`, at the given prices. The finder has seen all of it.
pub(super) fn parse(
    finder: &Finder<'_>,
    prices: &Prices,
    start: usize,
    last_start: usize,
    last_end: usize,
) -> Vec<Sequence> {
    let len = last_end.saturating_sub(start) + 1;
    let mut ways =
        Ways { finder, prices, start, last_end, steps: vec![FAR; len], states: vec![State::default(); len] };
    ways.steps[0].cost = 0;
    ways.states[0].recent = FIRST_RECENT.map(|distance| distance as u32);
    let mut at = start;
    while at < last_end {
        let state = ways.arrive(at);
        ways.extend_by_literal(at, state);
        at += if at < last_start { ways.extend_by_matches(at, state) } else { 1 };
    }
    ways.sequences()
}

/// The cheapest ways from the start.
struct Ways<'p> {
    finder: &'p Finder<'p>,
    prices: &'p Prices,
    start: usize,
    last_end: usize,
    /// By position, from the start on.
    steps: Vec<Step>,
    /// Of the positions that have been looked at.
    states: Vec<State>,
}

impl Ways<'_> {
    /// Works out the state at a position to which no cheaper way will be found.
    fn arrive(&mut self, at: usize) -> State {
        let index = at - self.start;
        let step = self.steps[index];
        let state = if index == 0 {
            self.states[0]
        } else if step.len == 0 {
            let before = self.states[index - 1];
            State { run: before.run + 1, ..before }
        } else {
            let before = self.states[index - step.len as usize];
            State { run: 0, recent: moved(before.recent, step.distance) }
        };
        self.states[index] = state;
        state
    }

    fn extend_by_literal(&mut self, at: usize, state: State) {
        let index = at - self.start;
        let base = at - state.recent[0] as usize;
        let cost = self.steps[index].cost + self.prices.literal(self.finder.byte(at), self.finder.byte(base));
        if cost < self.steps[index + 1].cost {
            self.steps[index + 1] = Step { cost, ..FAR };
        }
    }

    /// Tries all matches at `at`. Returns how far to go on: past a match that is long enough to be taken as it is, else by
    /// one.
    fn extend_by_matches(&mut self, at: usize, state: State) -> usize {
        let limit = self.last_end - at;
        let finder = self.finder;
        let Some([first, second, ..]) = finder.word(at) else { return 1 };
        let recent = state.recent.map(|distance| distance as usize);
        let cost = self.steps[at - self.start].cost + self.prices.run(state.run as usize);
        let rows = self.prices.commands(state.run as usize);
        let mut longest = 1;
        for (index, distance) in recent.into_iter().enumerate() {
            if finder.byte(at - distance) != first || finder.byte(at + 1 - distance) != second {
                continue;
            }
            let len = finder.common(at, distance, limit);
            if len >= 2 {
                self.extend(at, 2..=len, distance, cost, &rows[index]);
                longest = longest.max(len);
            }
        }
        if longest < OPTIMAL_NICE_LEN {
            // Of each length, the nearest match is the cheapest; candidates come in that order. None is worth it that is no
            // longer than one at a recent distance.
            finder.candidates(at, limit, longest.max(3), |len, distance| {
                let least = (longest + 1).max(3);
                if !recent.contains(&distance) {
                    self.extend(at, least..=len, distance, cost + self.prices.distance(distance), &rows[3]);
                }
                longest = longest.max(len);
            });
        }
        if longest >= OPTIMAL_NICE_LEN { longest } else { 1 }
    }

    /// Leads on from `at` by matches of these lengths; `row` has the cost of their commands.
    fn extend(
        &mut self,
        at: usize,
        lens: RangeInclusive<usize>,
        distance: usize,
        cost: Price,
        row: &[Price; COMMAND_LENS],
    ) {
        let (least, most) = lens.into_inner();
        let distance = distance as u32;
        let ends = &mut self.steps[at - self.start..];
        let (every, prices) =
            (&mut ends[least..=most.min(EVERY_LEN).max(least - 1)], &row[least.min(EVERY_LEN) - 2..]);
        for ((end, price), len) in every.iter_mut().zip(prices).zip(least as u32..) {
            if cost + price < end.cost {
                *end = Step { cost: cost + price, len, distance };
            }
        }
        if most > EVERY_LEN {
            let cost = cost + row[COMMAND_LENS - 1] + self.prices.length(most - FIRST_LONG_LEN);
            if cost < ends[most].cost {
                ends[most] = Step { cost, len: most as u32, distance };
            }
        }
    }

    /// Walks the cheapest way to the last position back, and turns it around.
    fn sequences(&self) -> Vec<Sequence> {
        let mut sequences: Vec<Sequence> = Vec::new();
        let mut at = self.steps.len() - 1;
        while at > 0 {
            let step = self.steps[at];
            if step.len == 0 {
                if let Some(after) = sequences.last_mut() {
                    after.run += 1;
                }
                at -= 1;
            } else {
                sequences.push(Sequence { run: 0, len: step.len as usize, distance: step.distance as usize });
                at -= step.len as usize;
            }
        }
        sequences.reverse();
        sequences
    }
}

/// The recent distances after a match at `distance`.
fn moved(recent: [u32; 3], distance: u32) -> [u32; 3] {
    let [a, b, c] = recent;
    match distance {
        known if known == a => [a, b, c],
        known if known == b => [b, a, c],
        _ => [distance, a, b],
    }
}
