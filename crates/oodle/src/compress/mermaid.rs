//! Encoder of Mermaid and Selkie chunks, with near offsets only.

use alloc::vec::Vec;

use super::array::Forms;
use super::compressor::Effort;
use super::literals::Kind;
use super::matcher::Finder;
use super::near_prices::NearPrices;
use super::optimal::{self, Range};
use super::parse::{lazy, parse};
use super::room::Room;
use super::sample;
use super::sequence::{FIRST_RECENT, Recent};

/// Number of literals at the end of a chunk.
const LAST_LITERALS: usize = 16;

/// Output bytes of the first half.
const HALF_LEN: usize = 0x1_0000;

/// Chunk that is being encoded.
struct Chunk {
    /// First byte that is not stored raw.
    first: usize,
    /// Start of the second half, if there is one; else the end.
    middle: usize,
    end: usize,
    entropy: bool,
}

/// Appends a chunk to `out`, and returns its literal mode. Selkie is Mermaid without entropy coding.
pub(super) fn encode(
    finder: &mut Finder<'_>,
    room: &mut Room,
    start: usize,
    end: usize,
    entropy: bool,
    out: &mut Vec<u8>,
) -> usize {
    let first = if start == 0 { 8 } else { start };
    let chunk = Chunk { first, middle: end.min(start + HALF_LEN), end, entropy };
    if finder.effort().parses_optimally() {
        let last_end = end - LAST_LITERALS;
        room.candidates.collect(finder, first, last_end, last_end);
        finder.insert_up_to(end);
        // Without entropy coding every byte costs eight bits, so Selkie needs no first parse for prices.
        if entropy {
            chunk.parse(finder, room);
        }
        chunk.parse_optimally(finder, room);
    } else {
        chunk.parse(finder, room);
    }
    out.extend(finder.bytes(start, first));
    let forms = if entropy { Forms::of(finder.effort()) } else { Forms::Raw };
    let mode = room.literals.write(out, forms);
    room.mermaid.write(out, chunk.middle < end, forms);
    mode
}

impl Chunk {
    /// Iterates over the halves: the range to parse, and its end.
    fn halves(&self) -> impl Iterator<Item = (Range, usize)> + use<> {
        let Self { first, middle, end, .. } = *self;
        let half = move |(start, half_end): (usize, usize)| {
            // Commands are per half, so no match may cross the middle.
            let last_end = half_end.min(end - LAST_LITERALS);
            (Range { start, last_start: last_end, last_end }, half_end)
        };
        [(first, middle), (middle, end)].into_iter().take(if middle < end { 2 } else { 1 }).map(half)
    }

    /// Parses greedily or lazily, over its own matches or over collected ones.
    fn parse(&self, finder: &mut Finder<'_>, room: &mut Room) {
        let Room { sequences, literals, mermaid: lists, candidates, .. } = room;
        let (effort, history) = (finder.effort(), finder.bytes(0, self.end));
        let mut recent = FIRST_RECENT;
        lists.clear();
        for (Range { start, last_end, .. }, half_end) in self.halves() {
            sequences.clear();
            if effort.parses_optimally() {
                let find = |at, recent: &Recent, _| candidates.best(finder, at, last_end, recent);
                lazy(find, start, last_end, &mut recent, sequences);
            } else {
                parse(finder, start, last_end, last_end, &mut recent, sequences);
            }
            if start == self.first {
                let kind = match effort {
                    _ if !self.entropy => Kind::Raw,
                    Effort::Fast => sample::guess(finder.bytes(0, half_end), start, sequences),
                    Effort::Normal | Effort::Optimal | Effort::Smallest => Kind::Either,
                };
                literals.start(self.end - start, kind);
            }
            lists.push_half(history, start, half_end, sequences, literals);
        }
    }

    /// Parses at the prices of the previous parse.
    fn parse_optimally(&self, finder: &Finder<'_>, room: &mut Room) {
        let Room { sequences, literals, mermaid: lists, candidates, paths, .. } = room;
        let prices = if self.entropy { NearPrices::new(lists, literals) } else { NearPrices::raw() };
        let mut recent = FIRST_RECENT;
        lists.clear();
        literals.start(self.end - self.first, if self.entropy { Kind::Either } else { Kind::Raw });
        for (range, half_end) in self.halves() {
            sequences.clear();
            let start = range.start;
            optimal::parse(finder, candidates, &prices, range, &mut recent, paths, sequences);
            lists.push_half(finder.bytes(0, self.end), start, half_end, sequences, literals);
        }
    }
}
