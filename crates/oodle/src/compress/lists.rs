//! The lists of a Kraken chunk, from the sequences of a parse to bytes.
#![expect(clippy::indexing_slicing, reason = "two writers take turns")]
#![expect(clippy::cast_possible_truncation, reason = "values are limited before they are packed")]

use alloc::vec::Vec;

use super::array;
use super::bits::MsbWriter;
use super::literals::Literals;
use super::sequence::{FIRST_RECENT, Sequence, touch};

/// The lists of a chunk.
pub(super) struct Lists {
    pub(super) literals: Literals,
    pub(super) commands: Vec<u8>,
    distances: Vec<usize>,
    /// Packed lengths, 255 for long ones.
    pub(super) lengths: Vec<u8>,
    /// What long ones are more than 255.
    long_lengths: Vec<usize>,
}

impl Lists {
    /// The lists of `history[first..]`, parsed so.
    pub(super) fn new(history: &[u8], first: usize, sequences: &[Sequence]) -> Self {
        let mut lists = Self {
            literals: Literals::new(history.len() - first, true),
            commands: Vec::with_capacity(sequences.len()),
            distances: Vec::with_capacity(sequences.len()),
            lengths: Vec::new(),
            long_lengths: Vec::new(),
        };
        let mut at = first;
        let mut recent = FIRST_RECENT;
        for sequence in sequences {
            lists.literals.push(history, at, sequence.run, recent[0]);
            at += sequence.run + sequence.len;
            let index = touch(&mut recent, sequence.distance);
            lists.push_command(sequence, index);
        }
        lists.literals.push(history, at, history.len() - at, recent[0]);
        lists
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

    /// The bytes of the distances, without their extra bits.
    pub(super) fn packed_distances(&self) -> Vec<u8> {
        self.distances.iter().map(|distance| pack_distance(*distance).byte).collect()
    }

    /// Appends all lists to the `first` bytes; returns the literal mode and the chunk.
    pub(super) fn finish(self, first: &[u8]) -> (usize, Vec<u8>) {
        let mut out = first.to_vec();
        let mode = self.literals.write(&mut out, true);
        array::write(&mut out, &self.commands);
        self.write_integers(&mut out);
        (mode, out)
    }

    /// Appends offsets, lengths and the area of their extra bits.
    fn write_integers(&self, out: &mut Vec<u8>) {
        let mut writers = [MsbWriter::default(), MsbWriter::default()];
        writers[1].put_gamma(self.long_lengths.len() + 1, 0);
        for (index, distance) in self.distances.iter().enumerate() {
            let Packed { extra, extra_bits, .. } = pack_distance(*distance);
            writers[index & 1].put(extra, extra_bits);
        }
        for (index, more) in self.long_lengths.iter().enumerate() {
            writers[index & 1].put_gamma(more + 64, 6);
        }
        array::write(out, &self.packed_distances());
        array::write(out, &self.lengths);
        let [forward, backward] = writers.map(MsbWriter::finish);
        out.extend(forward);
        out.extend(backward.iter().rev());
    }
}

/// A distance as it is stored.
pub(super) struct Packed {
    /// Its logarithm and low nibble.
    pub(super) byte: u8,
    /// The bits between.
    pub(super) extra: usize,
    pub(super) extra_bits: u32,
}

/// Takes a distance of less than 8 MiB apart.
pub(super) fn pack_distance(distance: usize) -> Packed {
    let value = distance + 248;
    let log = value.ilog2() - 4;
    Packed { byte: ((log - 4) << 4) as u8 | (value & 15) as u8, extra: value >> 4, extra_bits: log }
}
