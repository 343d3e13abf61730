//! Sizes in messages.

use std::fmt::{self, Display, Formatter};

/// A number of bytes in the unit that suits it: `1.50 MiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    Size(bytes).to_string()
}

/// [`size`], written in place.
#[derive(Debug, Clone, Copy)]
pub struct Size(pub u64);

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let Some(power) = self.0.max(1).ilog2().checked_div(10).filter(|power| *power > 0) else {
            return write!(f, "{} B", self.0);
        };
        // Hundredths of the unit; a half goes to the even neighbour, as it does where numbers are formatted.
        let (scaled, shift) = (u128::from(self.0) * 100, power * 10);
        let (whole, rest, half) = (scaled >> shift, scaled & ((1 << shift) - 1), 1 << (shift - 1));
        let rounded = whole + u128::from(rest > half || (rest == half && whole % 2 == 1));
        let unit = UNITS.get(power as usize - 1).copied().unwrap_or_default();
        write!(f, "{}.{:02} {unit}", rounded / 100, rounded % 100)
    }
}
