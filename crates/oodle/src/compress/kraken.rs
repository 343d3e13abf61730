//! Encoder of Kraken chunks.

use alloc::vec::Vec;

use super::array::Forms;
use super::compressor::Effort;
use super::literals::Kind;
use super::matcher::Finder;
use super::optimal::{self, Range};
use super::parse::{lazy, parse};
use super::prices::KrakenPrices;
use super::room::Room;
use super::sample;
use super::sequence::{FIRST_RECENT, Recent};

/// Distance from the end of a chunk within which no match starts …
const LAST_START: usize = 16;

/// … and within which none ends.
const LAST_END: usize = 8;

/// Appends a chunk to `out`, and returns its literal mode.
pub(super) fn encode(
    finder: &mut Finder<'_>,
    room: &mut Room,
    start: usize,
    end: usize,
    out: &mut Vec<u8>,
) -> usize {
    // The first eight bytes of a stream are stored raw: there is no history for them.
    let first = if start == 0 { 8 } else { start };
    let (last_start, last_end) = (end - LAST_START, end - LAST_END);
    let history = finder.bytes(0, end);
    let Room { sequences, literals, kraken: lists, candidates, paths, .. } = room;
    sequences.clear();
    let mut recent = FIRST_RECENT;
    match finder.effort() {
        Effort::Optimal | Effort::Smallest => {
            // A lazy parse over the same candidates gives the frequencies from which prices are estimated.
            candidates.collect(finder, first, last_start, last_end);
            finder.insert_up_to(end);
            let find = |at, recent: &Recent, _| candidates.best(finder, at, last_end, recent);
            lazy(find, first, last_start, &mut recent, sequences);
        }
        Effort::Fast | Effort::Normal => parse(finder, first, last_start, last_end, &mut recent, sequences),
    }
    let kind = match finder.effort() {
        Effort::Fast => sample::guess(history, first, sequences),
        Effort::Normal | Effort::Optimal | Effort::Smallest => Kind::Either,
    };
    literals.start(end - first, kind);
    lists.fill(history, first, sequences, literals);
    // The second pass parses optimally at those prices, and replaces the lists.
    if finder.effort().parses_optimally() {
        let prices = KrakenPrices::new(lists, literals);
        sequences.clear();
        let range = Range { start: first, last_start, last_end };
        optimal::parse(finder, candidates, &prices, range, &mut FIRST_RECENT.clone(), paths, sequences);
        literals.start(end - first, kind);
        lists.fill(history, first, sequences, literals);
    }
    out.extend(finder.bytes(start, first));
    let forms = Forms::of(finder.effort());
    let mode = literals.write(out, forms);
    lists.write(out, forms);
    mode
}
