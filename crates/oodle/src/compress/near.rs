//! Lists of a Mermaid or Selkie chunk with near offsets only: from the sequences of a parse to bytes.
#![expect(clippy::cast_possible_truncation, reason = "values are limited before they are packed")]

use alloc::vec::Vec;

use super::array::{self, Forms};
use super::literals::Literals;
use super::sequence::{FIRST_RECENT, Sequence};

/// Lists of a chunk, except its literals.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) commands: Vec<u8>,
    /// Number of commands of the first half.
    split: Option<usize>,
    near: Vec<u16>,
    lengths: Vec<u8>,
    recent: usize,
}

impl Lists {
    /// Starts a chunk.
    pub(super) fn clear(&mut self) {
        self.commands.clear();
        self.split = None;
        self.near.clear();
        self.lengths.clear();
        self.recent = FIRST_RECENT[0];
    }

    /// Adds `history[at..end]`, cut into `sequences`.
    pub(super) fn push_half(
        &mut self,
        history: &[u8],
        mut at: usize,
        end: usize,
        sequences: &[Sequence],
        literals: &mut Literals,
    ) {
        for sequence in sequences {
            literals.push(history, at, sequence.run, self.recent);
            at += sequence.run;
            let run = self.push_run_commands(sequence.run);
            self.push_match(run, sequence);
            at += sequence.len;
        }
        literals.push(history, at, end - at, self.recent);
        // The first half sets the split; the second one leaves it.
        if self.split.is_none() {
            self.split = Some(self.commands.len());
        }
    }

    /// Adds commands for all but the last few literals, and returns how many are left for the command of the
    /// match.
    fn push_run_commands(&mut self, run: usize) -> u8 {
        // Command 0 takes 64 literals and more: the list of lengths tells how many.
        if run >= 64 {
            self.commands.push(0);
            self.push_length(run - 64);
            return 0;
        }
        let mut left = run;
        while left > 7 {
            // 7 literals, and a match of length 0 at the recent distance, which copies nothing.
            self.commands.push(0x87);
            left -= 7;
        }
        left as u8
    }

    fn push_match(&mut self, run: u8, sequence: &Sequence) {
        let distance = sequence.distance;
        // Command 1 has no field for literals, so these need a command first. It always takes a new distance.
        if sequence.len >= 91 {
            if run > 0 {
                self.commands.push(0x80 | run);
            }
            self.commands.push(1);
            self.push_length(sequence.len - 91);
            self.near.push(distance as u16);
        } else {
            let mut step = sequence.len.min(15);
            let mut left = sequence.len - step;
            let recent_flag = if distance == self.recent { 0x80 } else { 0 };
            if recent_flag == 0 {
                self.near.push(distance as u16);
            }
            self.commands.push(recent_flag | run | (step << 3) as u8);
            // Longer matches continue with commands at the recent distance and without literals.
            while left > 0 {
                step = left.min(15);
                left -= step;
                self.commands.push(0x80 | (step << 3) as u8);
            }
        }
        self.recent = distance;
    }

    fn push_length(&mut self, value: usize) {
        if value <= 251 {
            self.lengths.push(value as u8);
        } else {
            // Two low bits go into the byte, the rest into the word that follows.
            let low = 252 + (value & 3);
            self.lengths.push(low as u8);
            self.lengths.extend((((value - low) / 4) as u16).to_le_bytes());
        }
    }

    /// Appends all lists.
    pub(super) fn write(&self, out: &mut Vec<u8>, has_halves: bool, forms: Forms) {
        array::write(out, &self.commands, forms);
        if has_halves {
            out.extend((self.split.unwrap_or_default() as u16).to_le_bytes());
        }
        self.write_near(out, forms);
        // No far offsets in either half.
        out.extend([0; 3]);
        out.extend(&self.lengths);
    }

    /// Returns the low and the high bytes of the near offsets.
    pub(super) fn near_bytes(&self) -> (Vec<u8>, Vec<u8>) {
        self.near.iter().map(|near| near.to_le_bytes()).map(|[low, high]| (low, high)).unzip()
    }

    /// Appends the near offsets: as words, or, if that is shorter, as an array of high bytes and one of low
    /// bytes.
    fn write_near(&self, out: &mut Vec<u8>, forms: Forms) {
        const CODED: u16 = 0xFFFF;
        if forms != Forms::Raw {
            let (low, high) = self.near_bytes();
            let mut coded = CODED.to_le_bytes().to_vec();
            array::write(&mut coded, &high, forms);
            array::write(&mut coded, &low, forms);
            if coded.len() < 2 + 2 * self.near.len() {
                out.append(&mut coded);
                return;
            }
        }
        out.extend((self.near.len() as u16).to_le_bytes());
        out.extend(self.near.iter().flat_map(|near| near.to_le_bytes()));
    }
}
