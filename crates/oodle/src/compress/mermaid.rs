//! Mermaid and Selkie chunks, with near offsets only.

use alloc::vec::Vec;

use super::compressor::Effort;
use super::literals::Kind;
use super::matcher::Finder;
use super::near_prices::NearPrices;
use super::optimal::{self, Range};
use super::parse::{lazy, parse};
use super::room::Room;
use super::sample;
use super::sequence::{FIRST_RECENT, Recent};

/// The last bytes of a chunk are literals.
const LAST_LITERALS: usize = 16;

/// Output bytes of the first half.
const HALF_LEN: usize = 0x1_0000;

/// Appends a chunk to `out`; returns its literal mode. Selkie is Mermaid without entropy coding.
pub(super) fn encode(
    finder: &mut Finder<'_>,
    room: &mut Room,
    start: usize,
    end: usize,
    entropy: bool,
    out: &mut Vec<u8>,
) -> usize {
    let first = if start == 0 { 8 } else { start };
    let middle = end.min(start + HALF_LEN);
    let last_end = end - LAST_LITERALS;
    let halves = [(first, middle, middle.min(last_end)), (middle, end, last_end)];
    let halves = if middle < end { &halves[..] } else { &halves[..1] };
    let effort = finder.effort();
    let history = finder.bytes(0, end);
    let Room { sequences, literals, mermaid: lists, candidates, paths, .. } = room;
    if effort == Effort::Optimal {
        candidates.collect(finder, first, last_end, last_end);
        finder.insert_up_to(end);
    }
    // Selkie needs no first parse: what its bytes cost is known.
    if entropy || effort != Effort::Optimal {
        let mut recent = FIRST_RECENT;
        lists.clear();
        for (at, half_end, last_end) in halves.iter().copied() {
            sequences.clear();
            if effort == Effort::Optimal {
                let find = |at, recent: &Recent, _| candidates.best(finder, at, last_end, recent);
                lazy(find, at, last_end, &mut recent, sequences);
            } else {
                parse(finder, at, last_end, last_end, &mut recent, sequences);
            }
            if at == first {
                let kind = match effort {
                    _ if !entropy => Kind::Raw,
                    Effort::Fast => sample::guess(finder.bytes(0, half_end), at, sequences),
                    Effort::Normal | Effort::Optimal => Kind::Either,
                };
                literals.start(end - first, kind);
            }
            lists.push_half(history, at, half_end, sequences, literals);
        }
    }
    if effort == Effort::Optimal {
        let prices = if entropy { NearPrices::new(lists, literals) } else { NearPrices::raw() };
        let mut recent = FIRST_RECENT;
        lists.clear();
        literals.start(end - first, if entropy { Kind::Either } else { Kind::Raw });
        for (start, half_end, last_end) in halves.iter().copied() {
            sequences.clear();
            let range = Range { start, last_start: last_end, last_end };
            optimal::parse(finder, candidates, &prices, range, &mut recent, paths, sequences);
            lists.push_half(history, start, half_end, sequences, literals);
        }
    }
    out.extend(finder.bytes(start, first));
    let mode = literals.write(out, entropy);
    lists.write(out, end - start > HALF_LEN, entropy);
    mode
}
