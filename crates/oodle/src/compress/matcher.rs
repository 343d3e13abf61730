//! Finds matches by chains of equal hashes.
#![expect(clippy::indexing_slicing, reason = "hashes and positions are masked, lengths compared")]
#![expect(clippy::cast_possible_truncation, reason = "positions wrap at 4 GiB, which only costs matches")]

use alloc::{boxed::Box, vec};

use super::compressor::{Compressor, Effort};
use super::fast::{self, Fast};
use super::sequence::{MIN_DISTANCE, Recent};

/// Where the same bytes were before.
#[derive(Debug)]
pub(super) struct Places {
    /// The last place of each hash. Places count on from input to input, so nothing has to be forgotten between them.
    heads: Box<[u32; HASHES]>,
    /// The place before of the same hash, by position.
    links: Box<[u32; WINDOW]>,
    /// The last place of each hash of the fast parse.
    last: Box<[u32; fast::HASHES]>,
    /// The place of the first position of the next input.
    next: u32,
}

const HASH_BITS: u32 = 16;

const HASHES: usize = 1 << HASH_BITS;

/// Positions that are remembered.
const WINDOW: usize = 1 << 20;

/// Candidates that are looked at per position.
pub(super) const PROBES: usize = 12;

/// Positions that are remembered of a longer match.
const LAST_INSERTED: usize = 32;

/// A match of this length is taken at once.
pub(super) const NICE_LEN: usize = 32;

impl Default for Places {
    fn default() -> Self {
        Self { heads: zeros(), links: zeros(), last: zeros(), next: 1 }
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "megabytes, never on the stack")]
fn zeros<const LEN: usize>() -> Box<[u32; LEN]> {
    vec![0; LEN].try_into().unwrap_or_else(|_| Box::new([0; LEN]))
}

impl Places {
    /// Starts on `src`; nothing of what was before will be found.
    pub(super) fn start<'m>(
        &'m mut self,
        src: &'m [u8],
        compressor: Compressor,
        effort: Effort,
    ) -> Finder<'m> {
        let len = u32::try_from(src.len()).unwrap_or(u32::MAX);
        if self.next.checked_add(len).is_none() {
            self.heads.fill(0);
            self.last.fill(0);
            self.next = 1;
        }
        let base = self.next;
        self.next = base.saturating_add(len);
        let (recent_count, max_distance) = match compressor {
            Compressor::Kraken => (3, WINDOW - 1),
            Compressor::Mermaid | Compressor::Selkie => (1, 0xFFFF),
        };
        Finder { places: self, src, base, inserted: 0, recent_count, max_distance, effort }
    }
}

/// A match and what it saves, in bits.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub(super) len: usize,
    pub(super) distance: usize,
    pub(super) gain: usize,
}

/// How to look for matches.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// Matches are not longer.
    pub(super) limit: usize,
    /// How many candidates are looked at.
    pub(super) probes: usize,
    /// A match of this length ends the search.
    pub(super) enough: usize,
}

/// A matcher on its way through one input.
pub(super) struct Finder<'m> {
    places: &'m mut Places,
    src: &'m [u8],
    /// The place of the first byte.
    base: u32,
    inserted: usize,
    recent_count: usize,
    max_distance: usize,
    effort: Effort,
}

impl<'m> Finder<'m> {
    pub(super) fn bytes(&self, start: usize, end: usize) -> &'m [u8] {
        self.src.get(start..end).unwrap_or_default()
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.src.get(at).copied().unwrap_or_default()
    }

    /// How many recent distances a stream of this kind has.
    pub(super) fn recent_count(&self) -> usize {
        self.recent_count
    }

    pub(super) fn effort(&self) -> Effort {
        self.effort
    }

    /// The match at `at` that saves most, of those at recent distances and of up to `probes` others.
    pub(super) fn find(
        &mut self,
        at: usize,
        last_end: usize,
        recent: &Recent,
        probes: usize,
    ) -> Option<Match> {
        self.insert_up_to(at);
        let hash = self.hash(at)?;
        let limit = last_end.checked_sub(at)?;
        let mut best = self.best_recent(at, limit, recent)?;
        let mut candidate = self.position(self.places.heads[hash]);
        for _ in 0..probes {
            // Nothing more, or something from another input, or from beyond a gap in the links.
            if candidate >= at || at - candidate > self.max_distance || best.len >= limit.min(NICE_LEN) {
                break;
            }
            let distance = at - candidate;
            // Candidates cost more and more: the next one has to be longer, so it goes on where the best one ends.
            let probe = best.len.saturating_sub(3);
            if distance >= MIN_DISTANCE && self.word(candidate + probe) == self.word(at + probe) {
                best = best.or_new(self.common(at, distance, limit), distance);
            }
            let next = self.position(self.places.links[candidate & (WINDOW - 1)]);
            if next >= candidate {
                break;
            }
            candidate = next;
        }
        self.insert(at, hash);
        (best.gain > 0).then_some(best)
    }

    /// The match at a recent distance that saves most, or one that saves nothing. `None` at the end of the input.
    #[inline]
    pub(super) fn best_recent(&self, at: usize, limit: usize, recent: &Recent) -> Option<Match> {
        let mut best = Match { len: 0, distance: 0, gain: 0 };
        let here = self.word(at)?;
        for distance in recent.iter().take(self.recent_count) {
            let there = self.word(at.wrapping_sub(*distance));
            if there.is_some_and(|there| there[..2] == here[..2]) {
                best = best.or(self.common(at, *distance, limit), *distance, 10, 2);
            }
        }
        Some(best)
    }

    /// How many bytes at `at` repeat those `distance` bytes back.
    #[inline]
    pub(super) fn common(&self, at: usize, distance: usize, limit: usize) -> usize {
        let Some(from) = at.checked_sub(distance) else { return 0 };
        let (here, there) = (self.bytes(at, at + limit), self.src.get(from..).unwrap_or_default());
        let mut len = 0;
        for (a, b) in here.as_chunks::<8>().0.iter().zip(there.as_chunks::<8>().0) {
            let differing = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            if differing != 0 {
                return len + (differing.trailing_zeros() / 8) as usize;
            }
            len += 8;
        }
        len + here[len..].iter().zip(&there[len..]).take_while(|(a, b)| a == b).count()
    }

    /// The input and the places for the fast parse.
    pub(super) fn fast(&mut self) -> Fast<'_> {
        Fast {
            src: self.src,
            places: &mut self.places.last,
            base: self.base,
            recent_count: self.recent_count,
            max_distance: self.max_distance,
        }
    }

    /// Four bytes.
    #[inline]
    pub(super) fn word(&self, at: usize) -> Option<[u8; 4]> {
        self.src.get(at..)?.first_chunk().copied()
    }

    /// The position of a place; a large number if it is not in this input.
    fn position(&self, place: u32) -> usize {
        place.wrapping_sub(self.base) as usize
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let word = u32::from_le_bytes(*self.src.get(at..)?.first_chunk()?);
        Some((word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize)
    }

    /// Calls `each` with the length and the distance of the matches at `at`, the next position that is to be remembered:
    /// nearest first, each of them longer than those before, and than `least`.
    #[inline]
    pub(super) fn candidates(
        &self,
        at: usize,
        mut least: usize,
        Search { limit, probes, enough }: Search,
        mut each: impl FnMut(usize, usize),
    ) {
        let Some(hash) = self.hash(at) else { return };
        // Candidates cost more and more: the next one has to be longer, so it goes on where the best one ends.
        let end_of = |least: usize| self.word(at + least - 3);
        let mut end = end_of(least);
        let mut candidate = self.position(self.places.heads[hash]);
        for _ in 0..probes {
            // Nothing more, or something from another input, or from beyond a gap in the links.
            if candidate >= at || at - candidate > self.max_distance || least >= limit.min(enough) {
                return;
            }
            let distance = at - candidate;
            if distance >= MIN_DISTANCE && self.word(candidate + least - 3) == end {
                let len = self.common(at, distance, limit);
                if len > least.max(if distance < 1 << 17 { 3 } else { 5 }) {
                    least = len;
                    end = end_of(least);
                    each(len, distance);
                }
            }
            let next = self.position(self.places.links[candidate & (WINDOW - 1)]);
            if next >= candidate {
                return;
            }
            candidate = next;
        }
    }

    /// Remembers the positions before `end`; of many at a time, only the last ones, unless all are wanted.
    pub(super) fn insert_up_to(&mut self, end: usize) {
        if self.effort != Effort::Optimal {
            self.inserted = self.inserted.max(end.saturating_sub(LAST_INSERTED));
        }
        while self.inserted < end {
            let Some(hash) = self.hash(self.inserted) else { return };
            self.insert(self.inserted, hash);
        }
    }

    /// Remembers the next position.
    fn insert(&mut self, at: usize, hash: usize) {
        let place = self.base.wrapping_add(at as u32);
        self.places.links[at & (WINDOW - 1)] = core::mem::replace(&mut self.places.heads[hash], place);
        self.inserted = at + 1;
    }
}

impl Match {
    /// The better one of this match and another one at a distance that is new.
    #[inline]
    pub(super) fn or_new(self, len: usize, distance: usize) -> Self {
        let least = if distance < 1 << 17 { 4 } else { 6 };
        self.or(len, distance, 18 + distance.ilog2() as usize, least)
    }

    /// The better one of this match and another one that costs so many bits and is worth having from `least` bytes on.
    fn or(self, len: usize, distance: usize, cost: usize, least: usize) -> Self {
        let gain = (8 * len).saturating_sub(cost);
        if len >= least && gain > self.gain { Self { len, distance, gain } } else { self }
    }
}
