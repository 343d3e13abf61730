//! Candidate matches of a chunk, found once for all passes of the optimal parse.
#![expect(clippy::indexing_slicing, reason = "positions stay in the chunk")]
#![expect(clippy::cast_possible_truncation, reason = "lengths and distances within a window")]

use alloc::vec::Vec;

use super::compressor::Effort;
use super::matcher::{Finder, Match, Search};
use super::sequence::Recent;

/// Match that starts at some position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) len: u32,
    pub(super) distance: u32,
}

/// Matches at each position from `first` on, in ascending order of length: first the rest of one that began
/// earlier, if any, then others, the nearest first.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    first: usize,
    /// End of each position's matches in the list, where those of the next position start.
    ends: Vec<u32>,
    list: Vec<Candidate>,
}

/// Shortest rest of a match that is kept.
const MIN_REST: usize = 5;

/// Limits of the search.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    /// Candidates that are examined per position …
    probes: usize,
    /// … and inside a match.
    probes_inside: usize,
    /// Matches that are kept for a position, which bounds the memory of the list.
    matches: usize,
    /// Length of a match inside which no other matches are searched for.
    enough: usize,
}

impl Depth {
    pub(super) fn of(effort: Effort) -> Self {
        match effort {
            Effort::Fast | Effort::Normal | Effort::Optimal => {
                Self { probes: 12, probes_inside: 4, matches: 12, enough: 16 }
            }
            Effort::Smallest => Self { probes: 16, probes_inside: 16, matches: 8, enough: 64 },
        }
    }

    /// Length of a match that is taken unconditionally.
    pub(super) fn nice_len(self) -> usize {
        2 * self.enough
    }
}

impl Candidates {
    /// Finds the matches from `first` on; none of them starts after `last_start` or ends after `last_end`.
    #[inline(never)]
    pub(super) fn collect(
        &mut self,
        finder: &mut Finder<'_>,
        first: usize,
        last_start: usize,
        last_end: usize,
    ) {
        let Depth { probes: most_probes, probes_inside, matches, enough } = Depth::of(finder.effort());
        self.first = first;
        self.ends.clear();
        self.list.clear();
        let (mut rest_end, mut rest_distance) = (0usize, 0usize);
        let mut at = first;
        while at < last_start {
            finder.insert_up_to(at);
            let mut longest = Candidate { len: 3, distance: 0 };
            let mut probes = most_probes;
            // Inside a match, only matches longer than its rest are of interest, and they are rare.
            let rest = rest_end.saturating_sub(at);
            if rest >= MIN_REST {
                longest = Candidate { len: rest as u32, distance: rest_distance as u32 };
                self.list.push(longest);
                probes = probes_inside;
            }
            let list = &mut self.list;
            let search = Search { limit: last_end - at, probes, matches, enough };
            finder.candidates(at, longest.len as usize, search, |len, distance| {
                longest = Candidate { len: len as u32, distance: distance as u32 };
                list.push(longest);
            });
            self.ends.push(self.list.len() as u32);
            // The match that reaches furthest is the one whose rest later positions inherit.
            let len = longest.len as usize;
            if longest.distance > 0 && at + len > rest_end {
                (rest_end, rest_distance) = (at + len, longest.distance as usize);
            }
            at += 1;
            // A long match is nearly always taken: searching inside it would cost much and find little.
            if len >= enough {
                let inside = (len - 1).min(last_start.saturating_sub(at));
                self.push_rests(longest, inside);
                at += inside;
            }
        }
    }

    /// Adds the rest of a match at each of the next `inside` positions.
    fn push_rests(&mut self, longest: Candidate, inside: usize) {
        for len in (0..longest.len).rev().take(inside) {
            if len as usize >= MIN_REST {
                self.list.push(Candidate { len, ..longest });
            }
            self.ends.push(self.list.len() as u32);
        }
    }

    /// Returns the matches that start at a position.
    pub(super) fn at(&self, at: usize) -> &[Candidate] {
        let index = at - self.first;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.list[start as usize..self.ends[index] as usize]
    }

    /// Returns the match at `at` that saves most.
    pub(super) fn best(
        &self,
        finder: &Finder<'_>,
        at: usize,
        last_end: usize,
        recent: &Recent,
    ) -> Option<Match> {
        let limit = last_end.checked_sub(at)?;
        let best = finder.best_recent(at, limit, recent)?;
        let best = self.at(at).iter().fold(best, |best, candidate| {
            best.or_new((candidate.len as usize).min(limit), candidate.distance as usize)
        });
        (best.gain > 0).then_some(best)
    }
}
