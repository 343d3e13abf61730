//! Rounding of numbers to eight bits, by the numbers at which the rounded value rises.

/// Search for the rounded value of a number from 0 to 1, where to compute it takes a power.
pub(super) struct Steps {
    /// The least number of each value.
    least: [f32; 256],
    /// The value of the least number of each bucket.
    first: Vec<u8>,
}

/// Buckets of equal size: so many that few have more than one step.
const BUCKETS: u16 = 1 << 12;

impl Steps {
    /// `value` returns the rounded value of a number; it never falls.
    pub(super) fn new(value: impl Fn(f32) -> u8) -> Self {
        // Positive floats are in the order of their bits.
        let least_of = |wanted: u8| {
            let (mut below, mut least) = (0, 1.0_f32.to_bits());
            while below < least {
                let middle = u32::midpoint(below, least);
                if value(f32::from_bits(middle)) < wanted { below = middle + 1 } else { least = middle }
            }
            f32::from_bits(least)
        };
        let least = std::array::from_fn(|wanted| u8::try_from(wanted).map_or(1.0, least_of));
        Self {
            least,
            first: (0..BUCKETS).map(|bucket| value(f32::from(bucket) / f32::from(BUCKETS))).collect(),
        }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub(super) fn find(&self, number: f32) -> u8 {
        let bucket = (number.clamp(0.0, 1.0) * f32::from(BUCKETS)) as usize;
        // The last number, 1, is above all buckets.
        let mut value = self.first.get(bucket).copied().unwrap_or(u8::MAX);
        while value < u8::MAX && self.least.get(usize::from(value) + 1).is_some_and(|least| *least <= number)
        {
            value += 1;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_as_they_are_computed() {
        for power in [1.0, 1.0 / 2.4, 2.4] {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            let computed = |number: f32| (number.clamp(0.0, 1.0).powf(power) * 255.0).round() as u8;
            let steps = Steps::new(computed);
            #[expect(clippy::cast_precision_loss, reason = "far below 2^24")]
            let numbers = (0..=100_000_u32).map(|at| at as f32 / 100_000.0);
            for number in numbers.chain([-1.0, 1.5, f32::NAN]) {
                assert_eq!(steps.find(number), computed(number), "{number} to the power of {power}");
            }
        }
    }
}
