//! Match finder over chains of equal hashes.
#![expect(clippy::indexing_slicing, reason = "hashes and positions are masked, lengths compared")]
#![expect(clippy::cast_possible_truncation, reason = "positions wrap at 4 GiB, which only costs matches")]

use alloc::{boxed::Box, vec};

use super::compressor::{Compressor, Effort};
use super::fast::{self, Fast};
use super::sequence::{MIN_DISTANCE, Recent};

/// Positions by hash.
#[derive(Debug)]
pub(super) struct Places {
    /// Last place of each hash. Places count on from input to input, so nothing has to be cleared in between.
    heads: Box<[u32; HASHES]>,
    /// Previous place with the same hash, by position.
    links: Box<[u32; WINDOW]>,
    /// Last place of each hash of the fast parse.
    last: Box<[u32; fast::HASHES]>,
    /// Place of the first position of the next input.
    next: u32,
}

const HASH_BITS: u32 = 16;

const HASHES: usize = 1 << HASH_BITS;

/// Number of positions that are remembered.
const WINDOW: usize = 1 << 20;

/// Candidates that are examined per position.
pub(super) const PROBES: usize = 12;

/// Number of positions at the end of a longer match that are remembered.
const LAST_INSERTED: usize = 32;

/// Length of a match that is taken at once.
pub(super) const NICE_LEN: usize = 32;

impl Default for Places {
    fn default() -> Self {
        Self { heads: zeros(), links: zeros(), last: zeros(), next: 1 }
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "megabytes, never on the stack")]
fn zeros<const LEN: usize>() -> Box<[u32; LEN]> {
    // `vec!` of zeros comes zeroed from the system, and never lies on the stack.
    vec![0; LEN].try_into().unwrap_or_else(|_| Box::new([0; LEN]))
}

impl Places {
    /// Starts on `src`; positions of earlier inputs are out of reach.
    pub(super) fn start<'m>(
        &'m mut self,
        src: &'m [u8],
        compressor: Compressor,
        effort: Effort,
    ) -> Finder<'m> {
        let len = u32::try_from(src.len()).unwrap_or(u32::MAX);
        // Places wrap once every 4 GiB of input: only then are the tables cleared.
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

/// Match, and the bits that it saves.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub(super) len: usize,
    pub(super) distance: usize,
    pub(super) gain: usize,
}

/// Limits of a search for matches.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// Longest match.
    pub(super) limit: usize,
    /// Number of candidates to examine.
    pub(super) probes: usize,
    /// Number of matches to find.
    pub(super) matches: usize,
    /// Length of a match that ends the search.
    pub(super) enough: usize,
}

/// Match finder on its way through one input.
pub(super) struct Finder<'m> {
    places: &'m mut Places,
    src: &'m [u8],
    /// Place of the first byte.
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

    /// Returns the number of recent distances in a stream of this kind.
    pub(super) fn recent_count(&self) -> usize {
        self.recent_count
    }

    pub(super) fn effort(&self) -> Effort {
        self.effort
    }

    /// Returns the match at `at` that saves most, of those at recent distances and up to `probes` others.
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
            // The chain ends, leads into another input, or has lost older links to newer positions.
            if candidate >= at || at - candidate > self.max_distance || best.len >= limit.min(NICE_LEN) {
                break;
            }
            let distance = at - candidate;
            // Farther candidates cost more, so they have to be longer: the bytes where the best match ends
            // are compared first.
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

    /// Returns the match at a recent distance that saves most, or one that saves nothing; `None` at the end
    /// of the input.
    #[inline]
    pub(super) fn best_recent(&self, at: usize, limit: usize, recent: &Recent) -> Option<Match> {
        let mut best = Match { len: 0, distance: 0, gain: 0 };
        let here = self.word(at)?;
        for distance in recent.iter().take(self.recent_count) {
            let there = self.word(at.wrapping_sub(*distance));
            // Two bytes are enough, since a recent distance costs next to nothing.
            if there.is_some_and(|there| there[..2] == here[..2]) {
                best = best.or(self.common(at, *distance, limit), *distance, 10, 2);
            }
        }
        Some(best)
    }

    /// Returns the number of bytes at `at` that repeat those `distance` bytes back, up to `limit`.
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

    /// Returns the input and the places for the fast parse.
    pub(super) fn fast(&mut self) -> Fast<'_> {
        Fast {
            src: self.src,
            places: &mut self.places.last,
            base: self.base,
            recent_count: self.recent_count,
            max_distance: self.max_distance,
        }
    }

    /// Returns the four bytes at a position.
    #[inline]
    pub(super) fn word(&self, at: usize) -> Option<[u8; 4]> {
        self.src.get(at..)?.first_chunk().copied()
    }

    /// Returns the position of a place; a large number if it is in another input.
    fn position(&self, place: u32) -> usize {
        place.wrapping_sub(self.base) as usize
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let word = u32::from_le_bytes(*self.src.get(at..)?.first_chunk()?);
        Some((word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize)
    }

    /// Calls `each` with length and distance of the matches at `at`, the next position to be remembered:
    /// nearest first, each longer than those before, and than `least`.
    #[inline]
    pub(super) fn candidates(
        &self,
        at: usize,
        mut least: usize,
        Search { limit, probes, mut matches, enough }: Search,
        mut each: impl FnMut(usize, usize),
    ) {
        let Some(hash) = self.hash(at) else { return };
        // Farther candidates cost more, so they have to be longer: the bytes where the best match ends are
        // compared first.
        let end_of = |least: usize| self.word(at + least - 3);
        let mut end = end_of(least);
        let mut candidate = self.position(self.places.heads[hash]);
        for _ in 0..probes {
            // The chain ends, leads into another input, or has lost older links to newer positions.
            if candidate >= at || at - candidate > self.max_distance || least >= limit.min(enough) {
                return;
            }
            let distance = at - candidate;
            if distance >= MIN_DISTANCE && self.word(candidate + least - 3) == end {
                let len = self.common(at, distance, limit);
                // Far distances need more bits, and do not pay for short matches.
                if len > least.max(if distance < 1 << 17 { 3 } else { 5 }) {
                    least = len;
                    end = end_of(least);
                    each(len, distance);
                    matches -= 1;
                    if matches == 0 {
                        return;
                    }
                }
            }
            let next = self.position(self.places.links[candidate & (WINDOW - 1)]);
            // A link that does not lead back was overwritten by a position one window later.
            if next >= candidate {
                return;
            }
            candidate = next;
        }
    }

    /// Remembers the positions before `end`; of a long stretch only the last ones, except for the optimal
    /// parse.
    pub(super) fn insert_up_to(&mut self, end: usize) {
        if !self.effort.parses_optimally() {
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
    /// Returns the better one of this match and another one at a new distance.
    #[inline]
    pub(super) fn or_new(self, len: usize, distance: usize) -> Self {
        let least = if distance < 1 << 17 { 4 } else { 6 };
        self.or(len, distance, 18 + distance.ilog2() as usize, least)
    }

    /// Returns the better one of this match and another one, which costs `cost` bits and needs at least
    /// `least` bytes.
    fn or(self, len: usize, distance: usize, cost: usize, least: usize) -> Self {
        // A literal costs about a byte.
        let gain = (8 * len).saturating_sub(cost);
        if len >= least && gain > self.gain { Self { len, distance, gain } } else { self }
    }
}
