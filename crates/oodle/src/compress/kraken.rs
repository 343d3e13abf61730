//! Kraken chunks.
#![expect(clippy::indexing_slicing, reason = "positions come from the parser, which stays in the input")]
#![expect(clippy::cast_possible_truncation, reason = "values are limited before they are packed")]

use alloc::vec::Vec;

use super::array;
use super::bits::MsbWriter;
use super::matcher::{FIRST_RECENT, Finder, Sequence, touch};

/// No match starts in the last bytes of a chunk …
const LAST_START: usize = 16;

/// … or ends in the very last ones.
const LAST_END: usize = 8;

/// Encodes a chunk; returns its literal mode and its bytes.
pub(super) fn encode(finder: &mut Finder<'_>, start: usize, end: usize) -> (usize, Vec<u8>) {
    let first = if start == 0 { 8 } else { start };
    let mut recent = FIRST_RECENT;
    let sequences = finder.parse(first, end - LAST_START, end - LAST_END, &mut recent);
    let mut lists = Lists::default();
    let history = finder.bytes(0, end);
    let mut at = first;
    let mut recent = FIRST_RECENT;
    for sequence in &sequences {
        lists.push_literals(history, at, sequence.run, recent[0]);
        at += sequence.run + sequence.len;
        let index = touch(&mut recent, sequence.distance);
        lists.push_command(sequence, index);
    }
    lists.push_literals(history, at, end - at, recent[0]);
    lists.finish(finder.bytes(start, first))
}

/// The lists of a chunk.
#[derive(Default)]
struct Lists {
    raw_literals: Vec<u8>,
    delta_literals: Vec<u8>,
    commands: Vec<u8>,
    distances: Vec<usize>,
    /// Packed lengths, 255 for long ones.
    lengths: Vec<u8>,
    /// What long ones are more than 255.
    long_lengths: Vec<usize>,
}

impl Lists {
    fn push_literals(&mut self, history: &[u8], at: usize, len: usize, last: usize) {
        let literals = &history[at..at + len];
        self.raw_literals.extend(literals);
        let bases = &history[at - last..];
        self.delta_literals
            .extend(literals.iter().zip(bases).map(|(literal, base)| literal.wrapping_sub(*base)));
    }

    fn push_command(&mut self, sequence: &Sequence, index: usize) {
        let run = sequence.run.min(3);
        if run == 3 {
            self.push_length(sequence.run - 3);
        }
        let len = (sequence.len - 2).min(15);
        if len == 15 {
            self.push_length(sequence.len - 17);
        }
        if index == 3 {
            self.distances.push(sequence.distance);
        }
        self.commands.push((run | len << 2 | index << 6) as u8);
    }

    fn push_length(&mut self, value: usize) {
        self.lengths.push(value.min(255) as u8);
        if let Some(more) = value.checked_sub(255) {
            self.long_lengths.push(more);
        }
    }

    fn finish(self, first: &[u8]) -> (usize, Vec<u8>) {
        let mut out = first.to_vec();
        let mode = array::write_literals(&mut out, &self.raw_literals, &self.delta_literals, true);
        array::write(&mut out, &self.commands);
        self.write_integers(&mut out);
        (mode, out)
    }

    /// Appends offsets, lengths and the area of their extra bits.
    fn write_integers(&self, out: &mut Vec<u8>) {
        let mut packed = Vec::with_capacity(self.distances.len());
        let mut writers = [MsbWriter::default(), MsbWriter::default()];
        writers[1].put_gamma(self.long_lengths.len() + 1, 0);
        for (index, distance) in self.distances.iter().enumerate() {
            let value = distance + 248;
            let log = value.ilog2() - 4;
            packed.push(((log - 4) << 4) as u8 | (value & 15) as u8);
            writers[index & 1].put(value >> 4, log);
        }
        for (index, more) in self.long_lengths.iter().enumerate() {
            writers[index & 1].put_gamma(more + 64, 6);
        }
        array::write(out, &packed);
        array::write(out, &self.lengths);
        let [forward, backward] = writers.map(MsbWriter::finish);
        out.extend(forward);
        out.extend(backward.iter().rev());
    }
}
