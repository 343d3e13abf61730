//! Figures in a table. A listing may have millions of them, so they are written in place, without a string each.

use std::fmt::{self, Display, Formatter};

/// Displays a ratio, already rounded to three places, with two.
pub(super) struct Ratio(pub f64);

impl Display for Ratio {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a ratio of sizes, rounded"
        )]
        let thousandths = (self.0 * 1000.0).round() as u64;
        if thousandths % 10 == 5 {
            // Exactly between two values: the binary fraction is a little above or below, and formatting rounds by
            // that.
            return write!(f, "{:.2}", self.0);
        }
        let hundredths = (thousandths + 5) / 10;
        write!(f, "{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_what_formatting_gives() {
        for n in (0..20_000).chain([123_456_789]) {
            let value = f64::from(n) / 1000.0;
            assert_eq!(Ratio(value).to_string(), format!("{value:.2}"));
        }
    }
}
