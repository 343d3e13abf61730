//! Kraken chunks.

use alloc::vec::Vec;

use super::compressor::Effort;
use super::lists::Lists;
use super::matcher::Finder;
use super::optimal;
use super::parse::parse;
use super::prices::Prices;
use super::sequence::FIRST_RECENT;

/// No match starts in the last bytes of a chunk …
const LAST_START: usize = 16;

/// … or ends in the very last ones.
const LAST_END: usize = 8;

/// Encodes a chunk; returns its literal mode and its bytes.
pub(super) fn encode(finder: &mut Finder<'_>, start: usize, end: usize) -> (usize, Vec<u8>) {
    let first = if start == 0 { 8 } else { start };
    let (last_start, last_end) = (end - LAST_START, end - LAST_END);
    let sequences = parse(finder, first, last_start, last_end, &mut FIRST_RECENT.clone());
    let history = finder.bytes(0, end);
    let mut lists = Lists::new(history, first, &sequences);
    if finder.effort() == Effort::Optimal {
        finder.insert_up_to(last_end);
        let sequences = optimal::parse(finder, &Prices::new(&lists), first, last_start, last_end);
        lists = Lists::new(history, first, &sequences);
    }
    lists.finish(finder.bytes(start, first))
}
