//! Byte sizes in messages, for people.

use std::fmt::{self, Display, Formatter};

/// Formats a number of bytes in a suitable unit: `1.50 MiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    Size(bytes).to_string()
}

/// Displays a number of bytes like [`size`], without allocating.
#[derive(Debug, Clone, Copy)]
pub struct Size(pub u64);

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
