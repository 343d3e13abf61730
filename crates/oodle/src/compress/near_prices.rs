//! Prices of the parts of a Mermaid or Selkie chunk.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]
#![expect(clippy::cast_possible_truncation, reason = "lengths of matches and runs")]

use core::array;

use super::counts::{Counts, FRACTION};
use super::literals::Literals;
use super::near::Lists;
use super::prices::{BIT, COMMAND_LENS, PriceRow, Prices, counted, row, table};
use super::step::Price;

/// Longest match of one command.
const MOST: usize = 15;

/// Flag of commands with the recent distance.
const IS_RECENT: usize = 0x80;

/// Prices of Mermaid and Selkie.
pub(super) struct NearPrices {
    literals: [Price; 256],
    /// True if literals are coded as differences.
    is_delta: bool,
    commands: [Price; 256],
    /// Prices of commands by literal run, recent or new distance, and length.
    rows: [[PriceRow; 4]; 8],
    high: [Price; 256],
    low: [Price; 256],
}

impl NearPrices {
    /// Prices at which the given lists are coded.
    pub(super) fn new(lists: &Lists, literals: &Literals) -> Self {
        /// Estimated size of the two tables of offsets, in bytes.
        const TABLES: u64 = 100;
        let (literals, counts, is_delta) = literals.coded();
        let (low, high) = lists.near_bytes();
        let bits = (Counts::of(&low).least_bits() + Counts::of(&high).least_bits()) >> FRACTION;
        let are_coded = bits / 8 + TABLES < 2 * low.len() as u64;
        let [high, low] = [&high, &low].map(|bytes| if are_coded { table(bytes) } else { [8 * BIT; 256] });
        let commands = table(&lists.commands);
        let rows = rows(&commands);
        Self { literals: counted(literals.len(), &counts), is_delta, commands, rows, high, low }
    }

    /// Prices of raw bytes.
    pub(super) fn raw() -> Self {
        let bytes = [8 * BIT; 256];
        Self {
            literals: bytes,
            is_delta: false,
            commands: bytes,
            rows: rows(&bytes),
            high: bytes,
            low: bytes,
        }
    }
}

/// Prices of commands by literal run, recent or new distance, and length.
fn rows(commands: &[Price; 256]) -> [[PriceRow; 4]; 8] {
    // A match one byte longer than a command can express takes a second one.
    let cost = |first: usize, len: usize| {
        let more = if len == MOST + 1 { commands[IS_RECENT | 1 << 3] } else { 0 };
        commands[first | len.min(MOST) << 3] + more
    };
    array::from_fn(|run| {
        let recent = row(|len| cost(IS_RECENT | run, len));
        // There is one recent distance, and it costs the same in every place that Kraken has.
        [recent, recent, recent, row(|len| cost(run, len))]
    })
}

impl Prices for NearPrices {
    fn literal(&self, byte: u8, base: u8) -> Price {
        let coded = if self.is_delta { byte.wrapping_sub(base) } else { byte };
        self.literals[usize::from(coded)]
    }

    fn commands(&self, run: usize) -> (&[PriceRow; 4], Price) {
        if run >= 64 {
            return (&self.rows[0], self.commands[0] + 8 * BIT);
        }
        // Runs of more than 7 literals take further commands, as the writer splits them.
        let whole = run.saturating_sub(1) / 7;
        (&self.rows[run - 7 * whole], whole as Price * self.commands[IS_RECENT | 7])
    }

    fn distance(&self, distance: usize) -> Price {
        self.high[distance >> 8 & 0xFF] + self.low[distance & 0xFF]
    }

    fn long(&self, len: usize) -> Price {
        if len >= 91 {
            return self.commands[1] + 8 * BIT;
        }
        let (whole, rest) = ((len - MOST) / MOST, (len - MOST) % MOST);
        let last = if rest > 0 { self.commands[IS_RECENT | rest << 3] } else { 0 };
        whole as Price * self.commands[IS_RECENT | MOST << 3] + last
    }
}

const _: () = assert!(COMMAND_LENS == MOST + 1, "the last row is for what takes more than two commands");
