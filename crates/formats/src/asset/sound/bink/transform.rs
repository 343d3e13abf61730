/// Inverse cosine transform of one length, a power of two.
///
/// `y[n] = 2/√N · Σ c[k] · cos(π k (n + ½) / N)`, by halves: with θ = π (n + ½) / N, the even coefficients
/// are a transform of half the length, and so are the odd ones once they are multiplied by 2 cos θ, because 2
/// cos θ cos kθ = cos (k − 1)θ + cos (k + 1)θ. The second half of the samples differs from the first, read
/// backwards, only in the sign of the odd part.
pub(super) struct Transform {
    len: usize,
    scale: f64,
    /// 1 / (2 cos θ) of each sample in the first half: for the whole length, then for half of it, and so on.
    factors: Vec<f64>,
    scratch: Vec<f64>,
}

impl Transform {
    pub(super) fn new(len: usize) -> Self {
        let count = position(len);
        let lengths = std::iter::successors(Some(len), |len| Some(len / 2)).take_while(|len| *len > 1);
        let factor = |len: usize| {
            let angle = move |n| std::f64::consts::PI * (position(n) + 0.5) / position(len);
            (0..len / 2).map(move |n| 0.5 / f64::cos(angle(n)))
        };
        Self {
            len,
            scale: 2.0 / count.sqrt(),
            factors: lengths.flat_map(factor).collect(),
            scratch: vec![0.0; len],
        }
    }

    /// Returns the number of coefficients, and of samples.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Replaces coefficients with samples.
    pub(super) fn inverse(&mut self, values: &mut [f64]) {
        halves(values, &mut self.scratch, &self.factors);
        for value in values {
            *value *= self.scale;
        }
    }
}

/// Converts a position in a block to a float.
pub(super) fn position(at: usize) -> f64 {
    u32::try_from(at).map_or(f64::MAX, f64::from)
}

fn halves(values: &mut [f64], scratch: &mut [f64], factors: &[f64]) {
    // Half of all calls would be for a single value, and a quarter for two.
    if let ([a, b, c, d], [outer, inner, of_two, ..]) = (&mut *values, factors) {
        let (even, odd) = (*c * of_two, (*b + *d) * of_two);
        let (outer, inner) = ((*b + odd) * outer, (*b - odd) * inner);
        let (first, second) = (*a + even, *a - even);
        (*a, *b, *c, *d) = (first + outer, second + inner, second - inner, first - outer);
        return;
    }
    let half = values.len() / 2;
    let Some((own, lower)) = factors.split_at_checked(half).filter(|_| half > 0) else { return };
    let (evens, odds) = scratch.split_at_mut(half);
    let mut before = 0.0;
    // Even coefficients stay; each odd one becomes the sum with the odd one before: the multiplication by 2
    // cos θ.
    for (pair, (even, odd)) in values.chunks_exact(2).zip(evens.iter_mut().zip(odds.iter_mut())) {
        let [first, second] = pair else { continue };
        (*even, *odd) = (*first, before + second);
        before = *second;
    }
    let (first, second) = values.split_at_mut(half);
    // `values` is free now, and serves as scratch space for both halves.
    halves(evens, first, lower);
    halves(odds, second, lower);
    let sums = evens.iter().zip(odds.iter().zip(own).map(|(odd, factor)| odd * factor));
    // θ of sample N−1−n is π − θ, where the odd part changes its sign.
    for ((low, high), (even, odd)) in first.iter_mut().zip(second.iter_mut().rev()).zip(sums) {
        (*low, *high) = (even + odd, even - odd);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_sum_that_defines_it() {
        for len in [8, 512] {
            let wanted: Vec<f64> = (0..len).map(|k| f64::from(k * 37 % 101) - 50.0).collect();
            let size = f64::from(len);
            let sum = |n: i32| {
                let angle = std::f64::consts::PI * (f64::from(n) + 0.5) / size;
                let terms = wanted.iter().zip(0..).map(|(c, k)| c * (f64::from(k) * angle).cos());
                terms.sum::<f64>() * 2.0 / size.sqrt()
            };
            let mut values = wanted.clone();
            Transform::new(wanted.len()).inverse(&mut values);
            for (value, n) in values.iter().zip(0..) {
                assert!((value - sum(n)).abs() < 1e-9, "{len}: {n}");
            }
        }
    }
}
