//! Damage: cut off, changed, overwritten.

/// Calls `parse` with every short prefix, evenly spread longer ones, and seeded mutations of `bytes`; returns how
/// many cases there were.
pub(crate) fn abuse(bytes: &[u8], mutations: usize, mut parse: impl FnMut(&[u8])) -> usize {
    let mut cases = 0;
    let step = (bytes.len() / 400).max(1);
    for len in (0..bytes.len().min(200)).chain((0..bytes.len()).step_by(step)) {
        parse(&bytes[..len]);
        cases += 1;
    }
    let mut random = Random(bytes.len() as u64 + 1);
    // Most of the structure lies in front.
    let reach = bytes.len().min(64 << 10);
    let mut copy = bytes.to_vec();
    for _ in 0..mutations {
        let near = random.below(2) == 0;
        let at = random.below(if near { reach.min(256) } else { reach });
        let old = copy.clone();
        match random.below(4) {
            0 => copy[at] ^= 1 << random.below(8),
            1 => copy[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            2 => overwrite(&mut copy, at, &[0xFF, 0xFF, 0xFF, [0x7F, 0xFF][random.below(2)]]),
            _ => {
                let number = u32::try_from(random.below(2 * reach)).unwrap();
                overwrite(&mut copy, at, &number.to_le_bytes());
            }
        }
        parse(&copy);
        cases += 1;
        copy = old;
    }
    cases
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    for (to, from) in bytes[at..].iter_mut().zip(with) {
        *to = *from;
    }
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ mixed >> 31) % limit.max(1) as u64).unwrap()
    }
}
