//! Finds matches by chains of equal hashes, and parses lazily.
#![expect(clippy::indexing_slicing, reason = "hashes and positions are masked, lengths compared")]
#![expect(clippy::cast_possible_truncation, reason = "positions wrap at 4 GiB, which only costs matches")]

use super::Format;

/// What [`compress`](super::compress) works with: keep one per thread and use it for every block.
#[derive(Debug)]
pub struct Matcher {
    heads: Vec<u32>,
    links: Vec<u32>,
}

const HASH_BITS: u32 = 16;

/// Positions that are remembered.
const WINDOW: usize = 1 << 20;

/// Candidates that are looked at per position.
const PROBES: usize = 32;

/// Matches are never nearer.
const MIN_DISTANCE: usize = 8;

/// A match that is this long is taken at once.
const GOOD_LEN: usize = 128;

const NONE: u32 = u32::MAX;

impl Default for Matcher {
    fn default() -> Self {
        Self { heads: vec![NONE; 1 << HASH_BITS], links: vec![NONE; WINDOW] }
    }
}

impl Matcher {
    /// Forgets everything and starts on `src`.
    pub(super) fn start<'m>(&'m mut self, src: &'m [u8], format: Format) -> Finder<'m> {
        self.heads.fill(NONE);
        let (recent_count, max_distance) = match format {
            Format::Kraken => (3, WINDOW - 1),
            Format::Mermaid | Format::Selkie => (1, 0xFFFF),
        };
        Finder { matcher: self, src, inserted: 0, recent_count, max_distance }
    }
}

/// Literals, then a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) run: usize,
    pub(super) len: usize,
    pub(super) distance: usize,
}

/// A match and what it saves, in bits.
#[derive(Clone, Copy)]
struct Match {
    len: usize,
    distance: usize,
    gain: usize,
}

/// Recent distances, most recent first.
pub(super) type Recent = [usize; 3];

/// What recent distances are at the start of a chunk.
pub(super) const FIRST_RECENT: Recent = [MIN_DISTANCE; 3];

/// A matcher on its way through one input.
pub(super) struct Finder<'m> {
    matcher: &'m mut Matcher,
    src: &'m [u8],
    inserted: usize,
    recent_count: usize,
    max_distance: usize,
}

impl<'m> Finder<'m> {
    pub(super) fn bytes(&self, start: usize, end: usize) -> &'m [u8] {
        self.src.get(start..end).unwrap_or_default()
    }

    /// Parses `start..end`. No match starts behind `last_start` or ends behind `last_end`.
    pub(super) fn parse(
        &mut self,
        start: usize,
        last_start: usize,
        last_end: usize,
        recent: &mut Recent,
    ) -> Vec<Sequence> {
        let mut sequences = Vec::new();
        let mut literal_at = start;
        let mut at = start;
        while at < last_start {
            let Some(mut found) = self.find(at, last_end, recent) else {
                at += 1;
                continue;
            };
            // A better match one or two bytes on is worth the literals.
            for _ in 0..2 {
                if found.len >= GOOD_LEN || at + 1 >= last_start {
                    break;
                }
                let Some(next) =
                    self.find(at + 1, last_end, recent).filter(|next| next.gain > found.gain + 6)
                else {
                    break;
                };
                found = next;
                at += 1;
            }
            sequences.push(Sequence { run: at - literal_at, len: found.len, distance: found.distance });
            touch(recent, found.distance);
            at += found.len;
            literal_at = at;
        }
        sequences
    }

    /// The match at `at` that saves most.
    fn find(&mut self, at: usize, last_end: usize, recent: &Recent) -> Option<Match> {
        self.insert_up_to(at);
        let limit = last_end.checked_sub(at)?;
        let mut best: Option<Match> = None;
        let mut consider = |len: usize, distance: usize, cost: usize, least: usize| {
            let gain = (8 * len).saturating_sub(cost);
            if len >= least && gain > best.map_or(0, |best| best.gain) {
                best = Some(Match { len, distance, gain });
            }
        };
        for distance in recent.iter().take(self.recent_count) {
            consider(self.common(at, *distance, limit), *distance, 10, 2);
        }
        let mut candidate = self.matcher.heads[self.hash(at)? as usize];
        for _ in 0..PROBES {
            let distance = at.wrapping_sub(candidate as usize);
            if candidate == NONE || distance == 0 || distance > self.max_distance {
                break;
            }
            if distance >= MIN_DISTANCE {
                let least = if distance < 1 << 17 { 4 } else { 6 };
                consider(self.common(at, distance, limit), distance, 18 + distance.ilog2() as usize, least);
            }
            let next = self.matcher.links[candidate as usize & (WINDOW - 1)];
            if next == NONE || next >= candidate {
                break;
            }
            candidate = next;
        }
        self.insert_up_to(at + 1);
        best
    }

    /// How many bytes at `at` repeat those `distance` bytes back.
    fn common(&self, at: usize, distance: usize, limit: usize) -> usize {
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

    fn hash(&self, at: usize) -> Option<u32> {
        let word = u32::from_le_bytes(*self.src.get(at..)?.first_chunk()?);
        Some(word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS))
    }

    /// Remembers all positions before `end`.
    fn insert_up_to(&mut self, end: usize) {
        while self.inserted < end {
            let Some(hash) = self.hash(self.inserted) else { return };
            let head = &mut self.matcher.heads[hash as usize];
            self.matcher.links[self.inserted & (WINDOW - 1)] = *head;
            *head = self.inserted as u32;
            self.inserted += 1;
        }
    }
}

/// Moves a distance to the front; returns where it was, or 3 if it is new.
pub(super) fn touch(recent: &mut Recent, distance: usize) -> usize {
    let index = recent.iter().position(|known| *known == distance).unwrap_or(3);
    recent.copy_within(..index.min(2), 1);
    recent[0] = distance;
    index
}
