//! Lists of a Kraken chunk: from the sequences of a parse to bytes.
#![expect(clippy::indexing_slicing, reason = "two writers take turns")]
#![expect(clippy::cast_possible_truncation, reason = "values are limited before they are packed")]

use alloc::vec::Vec;

use super::array::{self, Forms};
use super::bits::MsbWriter;
use super::literals::Literals;
use super::sequence::{FIRST_RECENT, NEW, Sequence};

/// Lists of a chunk, except its literals.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) commands: Vec<u8>,
    distances: Vec<u32>,
    /// Packed distances, without their extra bits.
    pub(super) offsets: Vec<u8>,
    /// Packed lengths, 255 for long ones.
    pub(super) lengths: Vec<u8>,
    /// Excess of long lengths over 255.
    long_lengths: Vec<usize>,
}

impl Lists {
    /// Replaces the lists by those of `history[first..]`, cut into `sequences`.
    pub(super) fn fill(
        &mut self,
        history: &[u8],
        first: usize,
        sequences: &[Sequence],
        literals: &mut Literals,
    ) {
        self.clear(sequences.len());
        let mut at = first;
        let mut last = FIRST_RECENT[0];
        let (mut distance_count, mut length_count) = (0, 0);
        for (sequence, command) in sequences.iter().zip(&mut self.commands) {
            literals.push(history, at, sequence.run, last);
            at += sequence.run + sequence.len;
            last = sequence.distance;
            // Whether a command has a distance or lengths is unpredictable, so they are always written, and
            // only counted if needed.
            self.distances[distance_count] = sequence.distance as u32;
            distance_count += usize::from(sequence.index == NEW);
            let run = sequence.run.min(3);
            // Fields of the command hold runs up to 2 and lengths up to 16; the highest value refers to the
            // list.
            let len = (sequence.len - 2).min(15);
            for (value, is_long) in
                [(sequence.run.wrapping_sub(3), run == 3), (sequence.len.wrapping_sub(17), len == 15)]
            {
                self.lengths[length_count] = value.min(255) as u8;
                length_count += usize::from(is_long);
                if is_long && value >= 255 {
                    self.long_lengths.push(value - 255);
                }
            }
            *command = (run | len << 2 | sequence.index << 6) as u8;
        }
        literals.push(history, at, history.len() - at, last);
        self.distances.truncate(distance_count);
        self.lengths.truncate(length_count);
        self.offsets.extend(self.distances.iter().map(|distance| pack_distance(*distance as usize).byte));
    }

    /// Makes room for the lists of `commands` commands.
    fn clear(&mut self, commands: usize) {
        self.commands.resize(commands, 0);
        self.distances.resize(commands + 1, 0);
        self.lengths.resize(2 * commands + 1, 0);
        self.offsets.clear();
        self.long_lengths.clear();
    }

    /// Appends all lists.
    pub(super) fn write(&self, out: &mut Vec<u8>, forms: Forms) {
        array::write(out, &self.commands, forms);
        self.write_integers(out, forms);
    }

    /// Appends offsets, lengths and the area of their extra bits.
    fn write_integers(&self, out: &mut Vec<u8>, forms: Forms) {
        // Two bit streams share the area from both ends. Numbers alternate between them, so that the decoder
        // has two independent chains.
        let mut writers = [MsbWriter::default(), MsbWriter::default()];
        // The number of long lengths starts the backward stream.
        writers[1].put_gamma(self.long_lengths.len() + 1, 0);
        for (index, distance) in self.distances.iter().enumerate() {
            let Packed { extra, extra_bits, .. } = pack_distance(*distance as usize);
            writers[index & 1].put(extra, extra_bits);
        }
        for (index, more) in self.long_lengths.iter().enumerate() {
            writers[index & 1].put_gamma(more + 64, 6);
        }
        array::write(out, &self.offsets, forms);
        array::write(out, &self.lengths, forms);
        let [forward, backward] = writers.map(MsbWriter::finish);
        out.extend(forward);
        out.extend(backward.iter().rev());
    }
}

/// Distance as stored.
pub(super) struct Packed {
    /// Its logarithm and low nibble.
    pub(super) byte: u8,
    /// Bits between the leading one and the low nibble; `put` drops the leading one.
    pub(super) extra: usize,
    pub(super) extra_bits: u32,
}

/// Splits a distance of less than 8 MiB.
pub(super) fn pack_distance(distance: usize) -> Packed {
    // The bias makes the nearest distance, 8, the power of two whose stored logarithm is 0.
    let value = distance + 248;
    let log = value.ilog2() - 4;
    Packed { byte: ((log - 4) << 4) as u8 | (value & 15) as u8, extra: value >> 4, extra_bits: log }
}
