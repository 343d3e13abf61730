//! Generated content that resembles game data: it compresses to about a third, with a similar spread over blocks.

/// Size of the material that content is cut from, in bytes: more than the caches of a core hold.
const POOL_LEN: usize = 8 << 20;
/// Length of a section with one sort of data, in bytes: a compression block.
const SECTION_LEN: usize = 64 << 10;

/// A sort of data; fills a section up to a given length.
type Sort = fn(&mut Vec<u8>, usize, &mut Random);

/// Sorts of data, and the number of sections in 32 with each.
///
/// Chosen so that blocks compress as those of four shipped games of UE 5.0 to 5.3 do with Oodle (165,087 blocks, 10.2
/// GB, which shrink by factors of 2.97, 5.15, 1.70 and 3.52): 18 to 60 % of their bytes are in blocks that shrink to
/// less than a tenth, 2 to 20 % in blocks that do not shrink, and the rest is spread evenly between.
const SORTS: [(usize, Sort); 6] =
    [(13, flat), (5, properties), (3, indices), (3, vertices), (5, texture), (3, noise)];

/// Material that content is cut from, equal on every machine.
#[derive(Debug)]
pub(super) struct Content {
    pool: Vec<u8>,
}

impl Content {
    pub(super) fn new() -> Self {
        let mut pool = Vec::with_capacity(POOL_LEN + SECTION_LEN);
        let mut random = Random(1);
        while pool.len() < POOL_LEN {
            let end = pool.len() + SECTION_LEN;
            // Draws a sort with the weights of the table, which add up to 32.
            let mut sorts = SORTS.iter().flat_map(|(count, sort)| std::iter::repeat_n(sort, *count));
            if let Some(sort) = sorts.nth(random.below(32)) {
                sort(&mut pool, end, &mut random);
            }
            // Sorts write whole records and may exceed the section.
            pool.truncate(end);
        }
        Self { pool }
    }

    /// The bytes of chunk `number` from its start, in pieces.
    pub(super) fn pieces(&self, number: u64, len: u64) -> impl Iterator<Item = &[u8]> {
        let pool = self.pool.len() as u64;
        // Each chunk starts at another place, so no two are equal unless they are very short.
        let (mut at, mut left) = (scramble(number) % pool, len);
        std::iter::from_fn(move || {
            // A long chunk wraps around to the start of the pool.
            let end = pool.min(at.saturating_add(left));
            let place = usize::try_from(at).ok()?..usize::try_from(end).ok()?;
            left -= end - at;
            at = 0;
            self.pool.get(place).filter(|piece| !piece.is_empty())
        })
    }
}

/// Default values and empty pixels: long runs of one value, with a few other bytes.
fn flat(out: &mut Vec<u8>, end: usize, random: &mut Random) {
    while out.len() < end {
        let value = [0, random.byte(), 0, 0xFF];
        for _ in 0..8 {
            out.extend(std::iter::repeat_n(value, 16 + usize::from(random.byte())).flatten());
            out.extend_from_slice(&[random.byte(), random.byte()]);
        }
    }
}

/// Positions on a smooth curve, normals and texture coordinates: 24 bytes each.
fn vertices(out: &mut Vec<u8>, end: usize, random: &mut Random) {
    let mut position = [1000_i32, 2000, 3000];
    while out.len() < end {
        for axis in &mut position {
            *axis += i32::from(random.byte() % 64) - 32;
            let [a, b, c, d, ..] = (f64::from(*axis) / 64.0).to_bits().to_be_bytes();
            out.extend_from_slice(&[a, b, c, d]);
        }
        out.extend_from_slice(&[random.byte(), random.byte(), 127, 0]);
        out.extend_from_slice(&[random.byte() & 15, 60, random.byte() & 15, 60, 0, 0, 128, 63]);
    }
}

/// Triangles: three indices close to the previous ones.
fn indices(out: &mut Vec<u8>, end: usize, random: &mut Random) {
    let mut next = 0_u16;
    while out.len() < end {
        for back in [0, 1, u16::from(random.byte() & 15)] {
            out.extend_from_slice(&next.wrapping_sub(back).to_le_bytes());
        }
        next = next.wrapping_add(1);
    }
}

/// Blocks of 16 bytes, the first half of which repeats an earlier one.
fn texture(out: &mut Vec<u8>, end: usize, random: &mut Random) {
    while out.len() < end {
        let back = 16 * (1 + usize::from(random.byte()));
        let old = out.len().checked_sub(back).and_then(|start| out.get(start..start + 8));
        let old: [u8; 8] = old.and_then(|old| old.try_into().ok()).unwrap_or_default();
        out.extend_from_slice(&old);
        out.extend_from_slice(&random.next().to_le_bytes());
    }
}

/// Tagged properties: names, sizes and small values.
fn properties(out: &mut Vec<u8>, end: usize, random: &mut Random) {
    const NAMES: [&[u8]; 6] = [
        b"RelativeLocation",
        b"StaticMesh",
        b"bCastShadow",
        b"OverrideMaterials",
        b"MinLOD",
        b"BodyInstance",
    ];
    while out.len() < end {
        let name = NAMES.get(random.below(6)).copied().unwrap_or_default();
        out.extend_from_slice(name);
        out.extend_from_slice(&u32::from(random.byte()).to_le_bytes());
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&[random.byte(), random.byte()]);
    }
}

/// Incompressible bytes.
fn noise(out: &mut Vec<u8>, end: usize, random: &mut Random) {
    while out.len() < end {
        out.extend_from_slice(&random.next().to_le_bytes());
    }
}

/// SplitMix64 generator.
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        scramble(self.0)
    }

    const fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    fn below(&mut self, limit: u8) -> usize {
        usize::from(self.byte() % limit)
    }
}

/// Maps `n` to a number that looks random: the mixing step of SplitMix64.
pub(super) const fn scramble(n: u64) -> u64 {
    let n = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uncask::codec::{Method, Scratch, compress};

    #[test]
    fn content_is_as_long_as_asked_and_compresses_to_about_a_third() {
        let content = Content::new();
        let gather = |number, len| content.pieces(number, len).collect::<Vec<_>>().concat();
        for len in [0, 1, 1000, 20 << 20] {
            assert_eq!(gather(3, len).len() as u64, len);
        }
        assert_ne!(gather(1, 100), gather(2, 100));
        let (bytes, mut packed) = (gather(7, 4 << 20), Vec::new());
        compress(Method::Zlib, &bytes, None, &mut packed, &mut Scratch::default()).unwrap();
        let ratio = bytes.len() * 100 / packed.len();
        assert!((240..340).contains(&ratio), "{ratio} %");
    }
}
