//! DXT1, DXT3 and DXT5: blocks of four by four pixels.
//!
//! ```text
//! colors   u16 color 0, u16 color 1 (565) │ 16 × 2 bits           8 bytes; DXT1 is nothing else
//! DXT3     16 × 4 bits of alpha, then colors                      DXT5  u8 alpha 0, u8 alpha 1, 16 × 3 bits, colors
//! ```

/// Sixteen pixels, row by row.
type Block = [[u8; 4]; 16];

/// Decodes an image whose length was checked; blocks may extend past its right and lower edges.
pub(super) fn decode<const N: usize>(
    image: &[u8],
    width: u32,
    height: u32,
    block: impl Fn([u8; N]) -> Block,
) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    let mut pixels = vec![0; width * height * 4];
    // An image of no width has no blocks; the 1 only avoids a division by zero.
    let across = width.div_ceil(4).max(1);
    for (index, bytes) in image.as_chunks::<N>().0.iter().enumerate() {
        let (left, top) = (index % across * 4, index / across * 4);
        for (row, colors) in block(*bytes).as_chunks::<4>().0.iter().enumerate() {
            let shown = width.saturating_sub(left).min(4);
            let start = ((top + row) * width + left) * 4;
            // Rows below the lower edge are dropped, and columns beyond the right edge are cut off.
            let Some(place) = pixels.get_mut(start..start + shown * 4).filter(|_| top + row < height) else {
                continue;
            };
            for (to, from) in place.as_chunks_mut::<4>().0.iter_mut().zip(colors) {
                *to = *from;
            }
        }
    }
    pixels
}

/// Widens 5:6:5 bits to eight bits per channel.
pub(super) fn color_565(color: u16) -> [u8; 4] {
    let widen = |bits: u16, count: u32| {
        // The high bits are repeated in the low ones, so that the largest value becomes 255.
        let high = bits << (8 - count);
        u8::try_from(high | high >> count).unwrap_or(u8::MAX)
    };
    [widen(color >> 11, 5), widen(color >> 5 & 0x3F, 6), widen(color & 0x1F, 5), 255]
}

pub(super) fn dxt1(block: [u8; 8]) -> Block {
    let [a, b, c, d, ..] = block;
    // The order of the two colors selects the mode: a block with color 0 not above color 1 has three colors
    // and transparency.
    let transparent = u16::from_le_bytes([a, b]) <= u16::from_le_bytes([c, d]);
    colors(block, transparent)
}

pub(super) fn dxt3(block: [u8; 16]) -> Block {
    let (alpha, rest) = halves(block);
    // DXT3 and DXT5 store alpha apart, so their color blocks always have four colors.
    let mut pixels = colors(rest, false);
    let bits = u64::from_le_bytes(alpha);
    for (at, pixel) in (0..).step_by(4).zip(&mut pixels) {
        // 15 × 17 = 255.
        pixel[3] = u8::try_from(bits >> at & 0xF).unwrap_or_default() * 17;
    }
    pixels
}

pub(super) fn dxt5(block: [u8; 16]) -> Block {
    let (alpha, rest) = halves(block);
    let mut pixels = colors(rest, false);
    let [a0, a1, ..] = alpha;
    // The two end points come first; the indices are the upper 48 bits.
    let bits = u64::from_le_bytes(alpha) >> 16;
    for (at, pixel) in (0..).step_by(3).zip(&mut pixels) {
        pixel[3] = alpha_at(a0, a1, bits >> at & 7);
    }
    pixels
}

fn halves(block: [u8; 16]) -> ([u8; 8], [u8; 8]) {
    let [a, b, c, d, e, f, g, h, rest @ ..] = block;
    ([a, b, c, d, e, f, g, h], rest)
}

fn alpha_at(a0: u8, a1: u8, code: u64) -> u8 {
    let mix = |w0: u64, w1: u64| {
        let sum = (u64::from(a0) * w0 + u64::from(a1) * w1) / (w0 + w1);
        u8::try_from(sum).unwrap_or(u8::MAX)
    };
    // With alpha 0 above alpha 1 there are six steps between them; otherwise four, and codes 6 and 7 are
    // fully transparent and opaque.
    match (code, a0 > a1) {
        (0, _) => a0,
        (1, _) => a1,
        (6, false) => 0,
        (7, false) => 255,
        (code, true) => mix(8 - code, code - 1),
        (code, false) => mix(6 - code, code - 1),
    }
}

fn colors(block: [u8; 8], transparent: bool) -> Block {
    let [a, b, c, d, e, f, g, h] = block;
    let (c0, c1) = (color_565(u16::from_le_bytes([a, b])), color_565(u16::from_le_bytes([c, d])));
    let mix = |w0: u16, w1: u16| {
        let channel = |(x, y): (u8, u8)| (u16::from(x) * w0 + u16::from(y) * w1) / (w0 + w1);
        let at = |index: usize| {
            let pair = c0.get(index).copied().zip(c1.get(index).copied());
            pair.map_or(0, |pair| u8::try_from(channel(pair)).unwrap_or(u8::MAX))
        };
        [at(0), at(1), at(2), 255]
    };
    let (c2, c3) = if transparent { (mix(1, 1), [0; 4]) } else { (mix(2, 1), mix(1, 2)) };
    let bits = u32::from_le_bytes([e, f, g, h]);
    let mut pixels = [[0; 4]; 16];
    for (at, pixel) in (0..).step_by(2).zip(&mut pixels) {
        *pixel = match bits >> at & 3 {
            0 => c0,
            1 => c1,
            2 => c2,
            _ => c3,
        };
    }
    pixels
}
