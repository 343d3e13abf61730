//! Sizes of chunks in games.

use super::content::scramble;

/// Distribution of chunk sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mix {
    /// As in real games: most chunks are small, most bytes are in large ones.
    #[default]
    Games,
    /// Many small files: 95 % of the chunks have 0.7 to 64 KiB, and a few have 64 MiB. Creating files dominates.
    Small,
}

/// Quantiles of chunk lengths: a share of the chunks, and their greatest length in bytes.
///
/// From the tables of contents of four shipped games of UE 5.0 to 5.3, with 8,237 chunks with paths, 10.1 GB. The
/// largest thousandth, up to 483 MB, is left out: a single one would fill a container of ordinary size.
const GAMES: [(f64, f64); 22] = [
    (0.0, 8.0),
    (0.01, 309.0),
    (0.02, 330.0),
    (0.05, 378.0),
    (0.1, 557.0),
    (0.2, 1_106.0),
    (0.3, 3_598.0),
    (0.4, 6_311.0),
    (0.5, 9_854.0),
    (0.6, 28_876.0),
    (0.7, 51_593.0),
    (0.75, 72_389.0),
    (0.8, 175_639.0),
    (0.85, 655_360.0),
    (0.9, 2_793_472.0),
    (0.93, 5_237_876.0),
    (0.95, 5_586_944.0),
    (0.97, 11_182_080.0),
    (0.98, 11_182_080.0),
    (0.99, 22_364_160.0),
    (0.998, 22_364_160.0),
    (1.0, 46_258_010.0),
];

/// 30,000 chunks of 0.7 to 64 KiB, 1,500 of up to 2 MiB, 12 of 64 MiB: 2.1 GB.
const SMALL: [(f64, f64); 5] =
    [(0.0, 717.0), (0.952, 65_536.0), (0.9996, 2_097_152.0), (0.999_601, 67_108_864.0), (1.0, 67_108_864.0)];

impl Mix {
    /// Lengths of chunks with about `total` bytes in all, shuffled, but always in the same way.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "sizes between 0 and a few MB, drawn from a curve"
    )]
    pub(crate) fn lens(self, total: u64) -> Vec<u64> {
        const STEPS: u32 = 10_000;
        // Limited to an eighth of the total, so that a small total still has many chunks.
        let largest = (total / 8).max(1) as f64;
        let len = |share: f64| self.len(share).min(largest);
        // The mean of the curve, by numeric integration, gives the number of chunks for the total.
        let mean =
            (0..STEPS).map(|n| len((f64::from(n) + 0.5) / f64::from(STEPS))).sum::<f64>() / f64::from(STEPS);
        let count = (total as f64 / mean).ceil().max(1.0);
        // Evenly spaced quantiles, then shuffled by a fixed pseudo-random key: small and large chunks alternate as in
        // games.
        let mut lens: Vec<(u64, u64)> =
            (0..count as u64).map(|n| (scramble(n), len((n as f64 + 0.5) / count) as u64)).collect();
        lens.sort_unstable();
        lens.into_iter().map(|(_, len)| len).collect()
    }

    /// The length not exceeded by this share of the chunks.
    fn len(self, share: f64) -> f64 {
        let table: &[(f64, f64)] = match self {
            Self::Games => &GAMES,
            Self::Small => &SMALL,
        };
        // Starts at one byte, since the logarithm of zero does not exist.
        let mut low = (0.0, 1.0);
        for high in table {
            if share <= high.0 {
                // Interpolated on a logarithmic scale, since lengths span six orders of magnitude.
                let way = (share - low.0) / (high.0 - low.0).max(f64::EPSILON);
                return low.1 * (high.1 / low.1).powf(way);
            }
            low = *high;
        }
        low.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_add_up_and_have_the_shape_of_their_table() {
        for (mix, total) in [(Mix::Games, 1 << 30), (Mix::Small, 2 << 30), (Mix::Games, 4 << 20)] {
            let mut lens = mix.lens(total);
            let sum: u64 = lens.iter().sum();
            assert!(sum.abs_diff(total) < total / 10, "{mix:?}: {sum} of {total} bytes");
            assert_eq!(lens, mix.lens(total));
            assert!(!lens.is_sorted());
            lens.sort_unstable();
            let median = lens[lens.len() / 2];
            let (low, high) = if mix == Mix::Games { (8_000, 12_000) } else { (6_000, 8_500) };
            assert!((low..high).contains(&median), "{mix:?}: the median is {median}");
            assert!(lens.iter().all(|len| *len <= total / 8));
        }
    }
}
