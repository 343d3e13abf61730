//! Coefficients of one channel in one block.
//!
//! ```text
//! 2 floats (5 bits exponent, 23 bits mantissa, sign) │ 7 bits of scale per band │ runs
//! run  1 bit: 8 coefficients, or 4 bits more: which length │ 4 bits width │ magnitudes │ signs of those that are not 0
//! ```

use super::bits::Bits;
use crate::wire::Fault;

/// Lowest frequency of each band, in Hz: roughly the critical bands of hearing.
const BANDS: [u32; 25] = [
    0, 100, 200, 300, 400, 510, 630, 770, 920, 1080, 1270, 1480, 1720, 2000, 2320, 2700, 3150, 3700, 4400,
    5300, 6400, 7700, 9500, 12_000, 15_500,
];
/// Lengths of long runs, in units of eight coefficients.
const RUNS: [usize; 16] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64];
/// Largest index of a scale.
const MAX_SCALE: u32 = 95;

/// Layout of the spectra of a sound.
pub(super) struct Spectrum {
    /// End of each band, as an index of coefficients.
    ends: Vec<usize>,
    /// Scales by their index.
    scales: Vec<f64>,
}

impl Spectrum {
    /// Layout for spectra of `len` coefficients, up to half the rate.
    pub(super) fn new(len: usize, rate: u32) -> Self {
        let highest = rate.div_ceil(2).max(1);
        let half = u32::try_from(len / 2).unwrap_or(u32::MAX);
        let start = |frequency: &u32| u64::from(half) * u64::from(*frequency) / u64::from(highest);
        let inside = BANDS.iter().filter(|frequency| **frequency < highest);
        // Coefficients come in pairs per frequency: hence half the length, times two.
        let later = inside.skip(1).map(start).map(|place| usize::try_from(place.max(1)).unwrap_or(len) * 2);
        Self {
            ends: later.chain([len]).collect(),
            scales: (0..=MAX_SCALE).map(|index| 10_f64.powf(0.0664 * f64::from(index))).collect(),
        }
    }

    /// Reads the coefficients of one channel.
    pub(super) fn read(&self, bits: &mut Bits<'_>, coefficients: &mut [f64]) -> Result<(), Fault> {
        // The lowest two are floats of higher precision, and have no scale.
        let (first, rest) = coefficients.split_at_mut(2);
        for value in first {
            *value = float(bits)?;
        }
        let mut scales = [0.0; BANDS.len()];
        for (scale, _) in scales.iter_mut().zip(&self.ends) {
            let index = bits.take("scale of a band", 7)?.min(MAX_SCALE);
            *scale = self.scales.get(index as usize).copied().unwrap_or_default();
        }
        let mut left = rest;
        while !left.is_empty() {
            // The last run may reach beyond the spectrum.
            let (run, after) = left.split_at_mut(run(bits)?.min(left.len()));
            values(bits, run)?;
            left = after;
        }
        // Scales come first in the block, but apply to values that follow: they are multiplied at the end.
        let mut start = 2;
        for (end, scale) in self.ends.iter().zip(scales) {
            for value in coefficients.get_mut(start..*end).unwrap_or_default() {
                *value *= scale;
            }
            // Bands of low rates may be empty, and must not move the start backwards.
            start = start.max(*end);
        }
        Ok(())
    }
}

fn float(bits: &mut Bits<'_>) -> Result<f64, Fault> {
    let exponent = bits.take("exponent", 5)?;
    let mantissa = f64::from(bits.take("mantissa", 23)?);
    let value = mantissa * f64::powi(2.0, i32::try_from(exponent).unwrap_or(0) - 23);
    Ok(if bits.flag("sign")? { -value } else { value })
}

/// Reads the number of coefficients that share the next width.
fn run(bits: &mut Bits<'_>) -> Result<usize, Fault> {
    if !bits.flag("form of a run")? {
        return Ok(8);
    }
    let index = bits.take("length of a run", 4)?;
    Ok(8 * RUNS.get(index as usize).copied().unwrap_or(1))
}

fn values(bits: &mut Bits<'_>, run: &mut [f64]) -> Result<(), Fault> {
    let width = bits.take("width of a run", 4)?;
    if width == 0 {
        run.fill(0.0);
        return Ok(());
    }
    // All magnitudes come first, then the signs of those that are not zero.
    for value in &mut *run {
        *value = bits.take("magnitude", width)?.into();
    }
    for value in run.iter_mut().filter(|value| **value != 0.0) {
        if bits.flag("sign")? {
            *value = -*value;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_reach_to_half_the_rate() {
        // 48 kHz, 2048 coefficients: 1024 × 100 Hz / 24 kHz = 4, so that the first band ends at 8.
        let high = Spectrum::new(2048, 48_000).ends;
        assert_eq!((high.len(), high[0], high[23], high[24]), (25, 8, 1322, 2048));
        // 11,025 Hz: up to 5512 Hz there are 20 bands.
        assert_eq!(Spectrum::new(512, 11_025).ends.len(), 20);
        // Of a rate so low that only the lowest band is left.
        assert_eq!(Spectrum::new(512, 100).ends, [512]);
    }

    #[test]
    fn runs_have_all_magnitudes_before_their_signs() {
        // A short run of width 2: magnitudes 1 0 2 3 0 0 0 1, then signs of the four that are not 0: − + − +.
        let mut bits = Bits::new(&[0b0010_0100, 0b0001_1100, 0b1010_1000, 0], 0);
        assert_eq!(run(&mut bits), Ok(8));
        let mut read = [9.0; 8];
        values(&mut bits, &mut read).unwrap();
        let expected = [-1, 0, 2, -3, 0, 0, 0, 1];
        assert!(read.iter().zip(expected).all(|(read, expected)| read.total_cmp(&expected.into()).is_eq()));
        // Index 15: 64 eights.
        assert_eq!(run(&mut Bits::new(&[0x1F], 0)), Ok(512));
    }

    #[test]
    fn floats_have_their_exponent_first() {
        // 2^15 · 2^(20 − 23), negative.
        let word: u64 = 0b10100 | 1 << (5 + 15) | 1 << 28;
        let value = float(&mut Bits::new(&word.to_le_bytes(), 0)).unwrap();
        assert!(value.total_cmp(&-4096.0).is_eq(), "{value}");
    }
}
