//! Patterns of partitions: which of up to four a pixel belongs to, by a hash of the pattern's number.

/// A pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern {
    count: u32,
    /// Factors of X and of Y for each partition.
    factors: [[u32; 2]; 4],
    hash: u32,
    /// Coordinates are doubled in small blocks.
    is_small: bool,
}

impl Pattern {
    /// The pattern of a number, for 2 to 4 partitions.
    pub(super) fn new(number: u32, count: u32, [width, height]: [u32; 2]) -> Self {
        let seed = number + (count - 1) * 1024;
        let hash = hashed(seed);
        let by_count = if count == 3 { 6 } else { 5 };
        let by_seed = if seed & 2 == 0 { 5 } else { 4 };
        let shifts = if seed & 1 == 0 { [by_count, by_seed] } else { [by_seed, by_count] };
        let factor = |at: u32| {
            let part = hash >> (4 * at) & 15;
            part * part
        };
        let factors = [0, 2, 4, 6].map(|at| {
            let [x, y] = shifts;
            [factor(at) >> x, factor(at + 1) >> y]
        });
        Self { count, factors, hash, is_small: width * height < 31 }
    }

    /// The partition of a pixel.
    pub(super) fn partition(&self, x: u32, y: u32) -> usize {
        let scale = u32::from(self.is_small);
        let (x, y) = (x << scale, y << scale);
        let mut best = (0, 0);
        for ((at, [by_x, by_y]), shift) in self.factors.into_iter().enumerate().zip([14, 10, 6, 2]) {
            let value =
                if at < self.count as usize { (by_x * x + by_y * y + (self.hash >> shift)) & 63 } else { 0 };
            // Of equal ones, the first.
            if at == 0 || value > best.1 {
                best = (at, value);
            }
        }
        best.0
    }
}

fn hashed(seed: u32) -> u32 {
    let mut hash = seed;
    hash ^= hash >> 15;
    hash = hash.wrapping_sub(hash << 17);
    hash = hash.wrapping_add(hash << 7);
    hash = hash.wrapping_add(hash << 4);
    hash ^= hash >> 5;
    hash = hash.wrapping_add(hash << 16);
    hash ^= hash >> 7;
    hash ^= hash >> 3;
    hash ^= hash << 6;
    hash ^= hash >> 17;
    hash
}
