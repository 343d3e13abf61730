//! Fast parse: takes the first match, at a recent distance or at the last position with the same hash.
#![expect(
    clippy::indexing_slicing,
    reason = "hashes are as many as places, and matches start after their distance"
)]
#![expect(clippy::cast_possible_truncation, reason = "positions wrap at 4 GiB, which only costs matches")]

use alloc::vec::Vec;

use super::sequence::{MIN_DISTANCE, Recent, Sequence, touch};

/// Few hashes: their table stays in the first-level cache.
const HASH_BITS: u32 = 12;

pub(super) const HASHES: usize = 1 << HASH_BITS;

/// Length of a run without matches after which every second position is skipped, then two of three, …
const DULL_LEN: usize = 256;

/// Bytes that are read from a position on; no match starts nearer to the end.
const WORD: usize = 8;

/// Parser of one input.
pub(super) struct Fast<'m> {
    pub(super) src: &'m [u8],
    /// Last place of each hash.
    pub(super) places: &'m mut [u32; HASHES],
    /// Place of the first byte.
    pub(super) base: u32,
    pub(super) recent_count: usize,
    pub(super) max_distance: usize,
}

impl Fast<'_> {
    /// Parses `start..last_end`, and appends its sequences. No match starts after `last_start` or ends after
    /// `last_end`.
    #[inline(never)]
    pub(super) fn parse(
        mut self,
        start: usize,
        last_start: usize,
        last_end: usize,
        recent: &mut Recent,
        sequences: &mut Vec<Sequence>,
    ) {
        let last_start = last_start.min(last_end.saturating_sub(WORD));
        let (mut literal_at, mut at) = (start, start);
        // The recent distances only change with a match, so those to try are kept between positions.
        let mut tried = self.tried(recent);
        while at < last_start {
            let Some(distance) = self.find(at, tried) else {
                // Data without matches is probably incompressible: the longer none is found, the faster it is
                // skipped.
                at += 1 + (at - literal_at) / DULL_LEN;
                continue;
            };
            let end = self.end_of(at, distance, last_end);
            // The match may have begun earlier: some positions are skipped, and short matches are not found
            // at all.
            let mut match_at = at;
            while match_at > literal_at.max(distance)
                && self.src[match_at - 1] == self.src[match_at - 1 - distance]
            {
                match_at -= 1;
            }
            let mut index = 0;
            if distance != recent[0] {
                index = touch(recent, distance);
                tried = self.tried(recent);
            }
            sequences.push(Sequence { run: match_at - literal_at, len: end - match_at, distance, index });
            // One position inside the match is enough to find its repetition.
            self.remember(at + 1, self.word(at + 1));
            at = end;
            literal_at = end;
        }
    }

    /// Returns the recent distances that a stream of this kind can use.
    fn tried(&self, recent: &Recent) -> Recent {
        if self.recent_count == recent.len() { *recent } else { [recent[0]; 3] }
    }

    /// Returns the distance of a match at `at`: of three bytes at a recent distance, else of four bytes at
    /// the last position with the same hash.
    #[inline]
    fn find(&mut self, at: usize, tried: Recent) -> Option<usize> {
        let word = self.word(at);
        let place = self.base.wrapping_add(at as u32);
        let distance = place.wrapping_sub(self.remember(at, word)) as usize;
        let differing = |distance: usize| self.half(at - distance) ^ word as u32;
        // The shift drops the fourth byte: three equal bytes are enough where the distance is almost free.
        let is_known = |distance: usize| differing(distance) << 8 == 0;
        let [a, b, c] = tried;
        // One branch for all three: which of them it is matters only if there is one.
        if is_known(a) | is_known(b) | is_known(c) {
            return Some(if is_known(a) {
                a
            } else if is_known(b) {
                b
            } else {
                c
            });
        }
        // Places of earlier inputs lie before the start of this one, so their distance is too large.
        let is_match =
            (MIN_DISTANCE..=at.min(self.max_distance)).contains(&distance) && differing(distance) == 0;
        is_match.then_some(distance)
    }

    /// Returns the end of a match.
    #[inline]
    fn end_of(&self, mut at: usize, distance: usize, last_end: usize) -> usize {
        while at + WORD <= last_end {
            // The lowest differing byte is the first one, as words are little-endian.
            let differing = self.word(at) ^ self.word(at - distance);
            if differing != 0 {
                return at + (differing.trailing_zeros() / 8) as usize;
            }
            at += WORD;
        }
        while at < last_end && self.src[at] == self.src[at - distance] {
            at += 1;
        }
        at
    }

    /// Remembers a position, and returns the last place with the same hash.
    #[inline]
    fn remember(&mut self, at: usize, word: u64) -> u32 {
        // Five bytes are hashed: matches of four are seldom worth their distance.
        let hash = (word << 24).wrapping_mul(0x9E37_79B1_85EB_CA87) >> (u64::BITS - HASH_BITS);
        core::mem::replace(&mut self.places[hash as usize], self.base.wrapping_add(at as u32))
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        self.src[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
    }

    #[inline]
    fn half(&self, at: usize) -> u32 {
        self.src[at..].first_chunk().map_or(0, |half| u32::from_le_bytes(*half))
    }
}
