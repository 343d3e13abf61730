//! PVRTC, for older phones and tablets: each block has two colors, both blended across block edges, and each
//! pixel has a share between the two.
//!
//! ```text
//! block   u32 shares │ u32 mode, color A, color B                blocks in Morton order; each side wraps round to the other
//! mode    1 bit         color A   15 bits: opaque, 5 5 4; or 3 4 4 3         color B   16 bits: opaque, 5 5 5; or 3 4 4 4
//! PVRTC4  4 × 4 pixels, 2 bits each: 0, 3, 5, 8 eighths of B; or with mode 1: 0, 4, 4 and transparent, 8
//! PVRTC2  8 × 4 pixels, 1 bit each: 0, 8 eighths; or with mode 1, 2 bits for every other pixel, and the rest are means of these
//! ```
//!
//! Source: the specification published by Imagination. Verified against another decoder; no texture in the
//! format was available.

use super::format::Layout;
use super::picture::Picture;

/// Red, green and blue of five bits, alpha of four.
type Color = [u32; 4];

/// Source of the shares of PVRTC2 pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Each pixel has its own.
    Own,
    /// Pixels without one take the mean of four neighbours.
    Both,
    /// Pixels without one take the mean of left and right.
    Across,
    /// Pixels without one take the mean of above and below.
    Down,
}

/// Blocks of a picture.
struct Blocks<'a> {
    words: &'a [[u8; 8]],
    /// Width and height of a block in pixels.
    block: [u32; 2],
    /// Number of blocks in a row, and of rows: powers of two.
    count: [u32; 2],
}

impl<'a> Blocks<'a> {
    fn new(picture: &Picture<'a>) -> Self {
        let block = picture.format.layout().block();
        let [w, h] = block;
        // A picture is stored with at least two blocks each way.
        let count = [picture.width.div_ceil(w), picture.height.div_ceil(h)].map(|count| count.max(2));
        Self { words: picture.bytes().as_chunks().0, block, count }
    }

    /// Returns shares and colors of a block; coordinates wrap around at the edges.
    fn words(&self, column: u32, row: u32) -> [u32; 2] {
        let [across, down] = self.count;
        // The counts are powers of two, so that a mask wraps around.
        let place = morton([column & (across - 1), row & (down - 1)], self.count);
        let [a, b, c, d, e, f, g, h] = self.words.get(place).copied().unwrap_or_default();
        [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
    }
}

/// Returns true if the blocks have a defined order.
pub(super) fn has_order(picture: &Picture<'_>) -> bool {
    let [across, down] = Blocks::new(picture).count;
    across.is_power_of_two() && down.is_power_of_two()
}

/// Returns the position of a block: bits of row and column alternate while both have some.
fn morton([column, row]: [u32; 2], [across, down]: [u32; 2]) -> usize {
    let bits = across.min(down).ilog2();
    let turns = (0..bits).map(|bit| (row >> bit & 1) << (2 * bit) | (column >> bit & 1) << (2 * bit + 1));
    // The longer side has bits left; these come on top in order.
    let rest = if across > down { column >> bits } else { row >> bits };
    (turns.sum::<u32>() as usize) | (rest as usize) << (2 * bits)
}

pub(super) fn decode(picture: &Picture<'_>, pixels: &mut [u8]) {
    let blocks = Blocks::new(picture);
    let is_short = picture.format.layout() == Layout::Pvrtc2;
    // Chunks of length 0 would panic.
    let rows = pixels.as_chunks_mut::<4>().0.chunks_exact_mut((picture.width as usize).max(1));
    for (y, row) in (0..).zip(rows) {
        for (x, pixel) in (0..).zip(row) {
            let (share, is_hole) =
                if is_short { (blocks.short_share(x, y), false) } else { blocks.share(x, y) };
            // Both colors are blended first; then the share selects between them.
            let [from, to] = blocks.colors(x, y);
            let value = |channel: usize| {
                let [from, to] = [from, to].map(|color| color.get(channel).copied().unwrap_or_default());
                u8::try_from((from * (8 - share) + to * share) / 8).unwrap_or(u8::MAX)
            };
            *pixel = [value(0), value(1), value(2), if is_hole { 0 } else { value(3) }];
        }
    }
}

impl Blocks<'_> {
    /// Returns both colors at a pixel, eight bits per channel, blended from the four blocks whose centers
    /// surround it.
    fn colors(&self, x: u32, y: u32) -> [Color; 2] {
        let [w, h] = self.block;
        let [width, height] = [self.count[0] * w, self.count[1] * h];
        // Moved by half a block, since colors belong to the centers of blocks. A side is added to stay above
        // 0.
        let [left, top] = [(x + width - w / 2) % width, (y + height - h / 2) % height];
        let (column, row, right, below) = (left / w, top / h, left % w, top % h);
        let corners = [
            (column, row, (w - right) * (h - below)),
            (column + 1, row, right * (h - below)),
            (column, row + 1, (w - right) * below),
            (column + 1, row + 1, right * below),
        ];
        let mut sums = [[0; 4]; 2];
        for (column, row, weight) in corners {
            let [_, word] = self.words(column, row);
            for (sum, color) in sums.iter_mut().zip([first(word), second(word)]) {
                for (sum, value) in sum.iter_mut().zip(color) {
                    *sum += weight * value;
                }
            }
        }
        // The weights add up to 16 or 32, so five bits become nine or ten. They are widened to eight by
        // repeating the highest bits.
        let unit = (w * h).ilog2();
        sums.map(|[r, g, b, a]| {
            let five = |sum: u32| (sum >> (unit + 2)) + (sum >> (unit - 3));
            [five(r), five(g), five(b), (a >> unit) + (a >> (unit - 4))]
        })
    }

    /// Returns the share of color B at a pixel of PVRTC4, in eighths, and true if the pixel is transparent.
    fn share(&self, x: u32, y: u32) -> (u32, bool) {
        let [shares, word] = self.words(x / 4, y / 4);
        let bits = shares >> (2 * (y % 4 * 4 + x % 4)) & 3;
        match (word & 1, bits) {
            (_, 0) => (0, false),
            (0, 1) => (3, false),
            (0, 2) => (5, false),
            (_, 3) => (8, false),
            // With mode 1, both middle values are a half, and one of them is transparent as well.
            (_, bits) => (4, bits == 2),
        }
    }

    /// Returns the share of color B at a pixel of PVRTC2, in eighths.
    fn short_share(&self, x: u32, y: u32) -> u32 {
        let (mode, _) = self.shares(x / 8, y / 4);
        // In the other modes only every other pixel has a share, as on a chessboard.
        if mode == Mode::Own || (x ^ y) & 1 == 0 {
            return self.own_share(x, y);
        }
        let [width, height] = [self.count[0] * 8, self.count[1] * 4];
        let across = self.own_share(x + width - 1, y) + self.own_share(x + 1, y);
        let down = self.own_share(x, y + height - 1) + self.own_share(x, y + 1);
        match mode {
            Mode::Across => across.div_ceil(2),
            Mode::Down => down.div_ceil(2),
            Mode::Own | Mode::Both => (across + down + 2) / 4,
        }
    }

    /// Returns the share of a PVRTC2 pixel that has its own.
    fn own_share(&self, x: u32, y: u32) -> u32 {
        let [across, down] = self.count;
        let [x, y] = [x % (across * 8), y % (down * 4)];
        let (mode, shares) = self.shares(x / 8, y / 4);
        let at = y % 4 * 8 + x % 8;
        // One bit selects an end of the scale; two bits are stored for a pair of pixels.
        let bits = if mode == Mode::Own { 3 * (shares >> at & 1) } else { shares >> (at & !1) & 3 };
        [0, 3, 5, 8].get(bits as usize).copied().unwrap_or_default()
    }

    /// Returns the shares of a PVRTC2 block with their mode, which replaces the lowest bits of two shares.
    fn shares(&self, column: u32, row: u32) -> (Mode, u32) {
        let [mut shares, word] = self.words(column, row);
        if word & 1 == 0 {
            return (Mode::Own, shares);
        }
        let bit = |shares: u32, at: u32| shares >> at & 1;
        let mut mode = Mode::Both;
        if bit(shares, 0) == 1 {
            mode = if bit(shares, 20) == 1 { Mode::Down } else { Mode::Across };
            // The replaced bit takes the value of the bit above it.
            shares = shares & !(1 << 20) | bit(shares, 21) << 20;
        }
        (mode, shares & !1 | bit(shares, 1))
    }
}

fn first(word: u32) -> Color {
    let part = |shift: u32, bits: u32| word >> shift & ((1 << bits) - 1);
    // The highest bit marks an opaque color. Color A has one bit less, as the mode takes its place.
    if word >> 15 & 1 == 1 {
        return [part(10, 5), part(5, 5), widened(part(1, 4), 4), 15];
    }
    [widened(part(8, 4), 4), widened(part(4, 4), 4), widened(part(1, 3), 3), part(12, 3) << 1]
}

fn second(word: u32) -> Color {
    let part = |shift: u32, bits: u32| word >> shift & ((1 << bits) - 1);
    if word >> 31 == 1 {
        return [part(26, 5), part(21, 5), part(16, 5), 15];
    }
    [widened(part(24, 4), 4), widened(part(20, 4), 4), widened(part(16, 4), 4), part(28, 3) << 1]
}

/// Widens three or four bits to five, repeating the highest bits below.
const fn widened(value: u32, bits: u32) -> u32 {
    value << (5 - bits) | value >> (2 * bits - 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Image, PixelFormat, Pixels};

    type Decode = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;

    fn picture(name: &str, [width, height]: [u32; 2], bytes: &[u8]) -> Image {
        Picture::new(PixelFormat::from_name(name).unwrap(), width, height, bytes).unwrap().decode().unwrap()
    }

    /// Another decoder, sharing no code with this one.
    #[test]
    fn blocks_are_those_of_another_decoder() {
        let forms: [(&str, Decode, [u32; 2]); 2] = [
            ("PF_PVRTC4", texture2ddecoder::decode_pvrtc_4bpp, [4, 4]),
            ("PF_PVRTC2", texture2ddecoder::decode_pvrtc_2bpp, [8, 4]),
        ];
        for (name, decode, block) in forms {
            for sides in [[32, 32], [64, 32], [32, 64], [128, 128]] {
                let [width, height] = sides;
                let blocks = (width / block[0] * height / block[1]) as usize;
                let byte = |at: usize| (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes()[1];
                let bytes: Vec<u8> = (0..8 * blocks).map(byte).collect();
                let mut expected = vec![0; (width * height) as usize];
                decode(&bytes, width as usize, height as usize, &mut expected).unwrap();
                let Pixels::U8(found) = picture(name, sides, &bytes).pixels else { panic!() };
                for (at, (found, expected)) in found.as_chunks::<4>().0.iter().zip(&expected).enumerate() {
                    let [b, g, r, a] = expected.to_le_bytes();
                    let place = (at % width as usize, at / width as usize);
                    assert_eq!(*found, [r, g, b, a], "{name}, {sides:?}, {place:?}");
                }
            }
        }
    }

    /// One colour everywhere: opaque red of five bits, green of five, blue of four.
    #[test]
    fn a_colour_is_spread_from_block_to_block() {
        let word = 1_u32 << 31 | 31 << 26 | 16 << 21 | 1 << 15 | 31 << 10 | 16 << 5;
        let block = [[0; 4], word.to_le_bytes()].concat();
        let image = picture("PF_PVRTC4", [8, 8], &block.repeat(4));
        assert_eq!(image.pixels, Pixels::U8([255, 132, 0, 255].repeat(64)));
    }
}
