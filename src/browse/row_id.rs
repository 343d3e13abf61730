//! Identifiers of rows for the page.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::num::ParseIntError;
use std::str::FromStr;

/// A row of an open game. The game's number is part of it, so a page never gets a file of another game.
///
/// In JSON it is a single number, small enough for JavaScript to hold exactly, which the page returns unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowId {
    /// Number of the game.
    pub game: u32,
    /// Position in its index.
    pub row: u32,
}

impl RowId {
    /// The identifier of a row of an index, which has at most 2^32 rows.
    pub(super) fn new(game: u32, row: usize) -> Self {
        Self { game, row: u32::try_from(row).unwrap_or(u32::MAX) }
    }

    const fn to_number(self) -> u64 {
        // JavaScript numbers are exact up to 2^53. Game numbers count up from 1, so they stay below 2^21.
        (self.game as u64) << 32 | self.row as u64
    }

    fn from_number(number: u64) -> Self {
        let part = |part: u64| u32::try_from(part).unwrap_or(u32::MAX);
        Self { game: part(number >> 32), row: part(number & u64::from(u32::MAX)) }
    }
}

impl FromStr for RowId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::from_number)
    }
}

impl Serialize for RowId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.to_number())
    }
}

impl<'de> Deserialize<'de> for RowId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self::from_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_one_number() {
        let row = RowId::new(3, 7);
        assert_eq!(serde_json::to_string(&row).unwrap(), "12884901895");
        assert_eq!("12884901895".parse(), Ok(row));
        assert_eq!(serde_json::from_str::<RowId>("12884901895").unwrap(), row);
        assert_eq!("18446744073709551615".parse(), Ok(RowId { game: u32::MAX, row: u32::MAX }));
        assert!("-1".parse::<RowId>().is_err() && "x".parse::<RowId>().is_err());
    }
}
