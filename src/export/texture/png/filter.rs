//! Filters of PNG: each byte becomes its difference from what its neighbours predict, so that smooth pictures are mostly zeros.
//!
//! ```text
//! above:  … corner  up  …
//! row:    … left     x  …      neighbours are a pixel apart; outside of the picture they are zero
//! ```
//!
//! Source: PNG specification, third edition, section 9.

/// Buffers for one row, filtered by the method that is tried and by the best so far.
#[derive(Default)]
pub(super) struct RowFilter {
    tried: Vec<u8>,
    best: Vec<u8>,
}

impl RowFilter {
    /// Appends a row to `out`, after the number of its filter. `unit` is the bytes of a pixel.
    ///
    /// Takes the filter with the smallest sum of differences, as the specification advises.
    pub(super) fn append(&mut self, row: &[u8], above: &[u8], unit: usize, out: &mut Vec<u8>) {
        let (mut method, mut least) = (0, u64::MAX);
        for number in 0..=4 {
            let tried = &mut self.tried;
            match number {
                0 => differences(row, above, unit, tried, |_, _, _| 0),
                1 => differences(row, above, unit, tried, |left, _, _| left),
                2 => differences(row, above, unit, tried, |_, up, _| up),
                3 => differences(row, above, unit, tried, |left, up, _| left.midpoint(up)),
                _ => differences(row, above, unit, tried, paeth),
            }
            let sum = size(tried);
            if sum < least {
                (method, least) = (number, sum);
                std::mem::swap(&mut self.tried, &mut self.best);
            }
        }
        out.push(method);
        out.extend_from_slice(&self.best);
    }
}

/// Fills `out` with what is left of each byte. `predict` is called with left, up and corner.
#[inline]
fn differences(row: &[u8], above: &[u8], unit: usize, out: &mut Vec<u8>, predict: impl Fn(u8, u8, u8) -> u8) {
    let (first, rest) = row.split_at(unit.min(row.len()));
    let (first_above, rest_above) = above.split_at(unit.min(above.len()));
    out.clear();
    out.extend(first.iter().zip(first_above).map(|(x, up)| x.wrapping_sub(predict(0, *up, 0))));
    let before = row.iter().zip(above);
    let here = rest.iter().zip(rest_above).zip(before);
    out.extend(here.map(|((x, up), (left, corner))| x.wrapping_sub(predict(*left, *up, *corner))));
}

/// The neighbour closest to the plane through all three.
#[inline]
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i16::from);
    let (to_left, to_up, to_corner) = ((b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs());
    let other = if to_up <= to_corner { up } else { corner };
    if to_left <= to_up && to_left <= to_corner { left } else { other }
}

/// Sum of the differences, of which those above 127 are negative.
fn size(differences: &[u8]) -> u64 {
    let sum = |part: &[u8]| {
        part.iter().map(|difference| u64::from(difference.cast_signed().unsigned_abs())).sum::<u64>()
    };
    // Sums of a known number of bytes are single instructions.
    let (blocks, rest) = differences.as_chunks::<32>();
    blocks.iter().map(|block| sum(block)).sum::<u64>() + sum(rest)
}
