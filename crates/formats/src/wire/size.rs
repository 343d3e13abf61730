//! Byte sizes as people read and write them.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Formats a number of bytes in a suitable unit: `1.50 MiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    Size(bytes).to_string()
}

/// A number of bytes. Displayed like [`size`], without allocating; parsed from `65536`, `64K`, `64 KiB`, `1.5M`, …, whose units are
/// powers of 1024, in any letter case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

/// Error from parsing a text that is no size, or one of more than 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a size such as 65536, 64K or 1.5M")]
pub struct SizeError;

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        // Ten bits per unit; below 1 KiB there is nothing to round.
        let Some(power) = self.0.max(1).ilog2().checked_div(10).filter(|power| *power > 0) else {
            return write!(f, "{} B", self.0);
        };
        // In hundredths of the unit. Halves are rounded to even, as in the formatting of floats.
        let (scaled, shift) = (u128::from(self.0) * 100, power * 10);
        let (whole, rest, half) = (scaled >> shift, scaled & ((1 << shift) - 1), 1 << (shift - 1));
        let rounded = whole + u128::from(rest > half || (rest == half && whole % 2 == 1));
        let unit = UNITS.get(power as usize - 1).copied().unwrap_or_default();
        write!(f, "{}.{:02} {unit}", rounded / 100, rounded % 100)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        /// Decimal places that a fraction may have: more than a unit has bytes would say nothing.
        const MAX_PLACES: usize = 12;
        let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(unit_at);
        let unit = unit.trim().to_ascii_lowercase();
        let letter = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
        let power = ["", "k", "m", "g", "t"].iter().position(|known| *known == letter).ok_or(SizeError)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        if fraction.len() > MAX_PLACES {
            return Err(SizeError);
        }
        let in_bytes = |digits: &str| {
            let number = digits.parse::<u64>().map_err(|_| SizeError)?;
            Ok(u128::from(number) << (10 * power))
        };
        let parts = u128::from(10_u64.pow(u32::try_from(fraction.len()).map_err(|_| SizeError)?));
        let bytes = in_bytes(whole)? + in_bytes(fraction)? / parts;
        u64::try_from(bytes).map(Self).map_err(|_| SizeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("0", 0),
            ("65536", 65_536),
            ("12b", 12),
            ("64K", 65_536),
            ("64k", 65_536),
            ("2 GiB", 2 << 30),
            ("1.5m", 3 << 19),
            ("0.1KB", 102),
            ("16777215T", 16_777_215 << 40),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for bad in [
            "",
            "K",
            ".5K",
            "1.K",
            "1.2.3",
            "12X",
            "12ki",
            "-1",
            "+1",
            "16777216T",
            "1.é",
            "1.0000000000001K",
        ] {
            assert_eq!(bad.parse::<Size>(), Err(SizeError), "{bad}");
        }
    }
}
