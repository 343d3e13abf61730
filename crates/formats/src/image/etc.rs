//! ETC1, ETC2 and EAC: blocks of four by four pixels, all numbers with the highest bit first.
//!
//! ```text
//! color   two base colors in one of five forms │ 2 tables, how the block is halved │ 16 × 1 bit, 16 × 1 bit
//! EAC     u8 base │ 4 bits multiplier, 4 bits table │ 16 × 3 bits                       pixels column by column
//! RGBA    EAC for alpha, then color            RG    EAC twice
//! ```
//!
//! A sum of base and difference outside of five bits, impossible in ETC1, selects one of the three newer
//! forms. Source: the Khronos data format specification, chapters 21 to 23. Verified against the sources of
//! textures.

use super::format::Layout;
use super::picture::Picture;

type Color = [u8; 3];
/// Sixteen pixels, row by row.
type Tile<T> = [T; 16];

pub(super) fn decode(picture: &Picture<'_>, layout: Layout, pixels: &mut [u8]) {
    match layout {
        Layout::EacR => picture.blocks(pixels, |block: &[u8; 8], tile: &mut [u8]| {
            tile.copy_from_slice(&eac(*block, eleven_bits));
        }),
        Layout::EacRg => picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u8]| {
            let [red, green] = halves(block).map(|half| eac(half, eleven_bits));
            // Blue is 0, as for all formats of two channels.
            for ((to, r), g) in tile.as_chunks_mut::<3>().0.iter_mut().zip(red).zip(green) {
                *to = [r, g, 0];
            }
        }),
        Layout::Etc2Rgba => picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u8]| {
            let [first, second] = halves(block);
            let (alpha, colors) = (eac(first, eight_bits), colors(second));
            for ((to, [r, g, b]), a) in tile.as_chunks_mut::<4>().0.iter_mut().zip(colors).zip(alpha) {
                *to = [r, g, b, a];
            }
        }),
        _ => picture.blocks(pixels, |block: &[u8; 8], tile: &mut [u8]| {
            tile.copy_from_slice(colors(*block).as_flattened());
        }),
    }
}

fn halves(block: &[u8; 16]) -> [[u8; 8]; 2] {
    let (halves, _) = block.as_chunks::<8>();
    [halves.first(), halves.last()].map(|half| half.copied().unwrap_or_default())
}

/// Calls `pixel` for all places of a tile: with column, row, and the place in file order, which is column by
/// column.
fn tile<T>(mut pixel: impl FnMut(u32, u32, u32) -> T) -> Tile<T> {
    std::array::from_fn(|at| {
        let at = u32::try_from(at).unwrap_or_default();
        let (x, y) = (at % 4, at / 4);
        pixel(x, y, x * 4 + y)
    })
}

const EAC_TABLE: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Decodes one channel; `value` takes base, multiplier and modifier.
fn eac(block: [u8; 8], value: fn(i32, i32, i32) -> u8) -> Tile<u8> {
    let [base, how, ..] = block;
    let bits = u64::from_be_bytes(block);
    let table = EAC_TABLE.get(usize::from(how & 15)).copied().unwrap_or_default();
    tile(|_, _, place| {
        // The first of 16 indices is in the highest bits, after 16 bits of base, multiplier and table.
        let index = usize::try_from(bits >> (45 - 3 * place) & 7).unwrap_or_default();
        value(base.into(), (how >> 4).into(), table.get(index).copied().unwrap_or_default())
    })
}

fn eight_bits(base: i32, multiplier: i32, modifier: i32) -> u8 {
    clamp(base + multiplier * modifier)
}

fn eleven_bits(base: i32, multiplier: i32, modifier: i32) -> u8 {
    // A multiplier of 0 would make all pixels equal; it stands for one eighth.
    let step = if multiplier == 0 { 1 } else { 8 * multiplier };
    // In eleven bits: the base times eight, plus 4 for the middle of its range. The result is cut to eight
    // bits.
    clamp((base * 8 + 4 + modifier * step).clamp(0, 2047) >> 3)
}

fn clamp(value: i32) -> u8 {
    u8::try_from(value.clamp(0, 255)).unwrap_or_default()
}

const MODIFIERS: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];

/// Returns a field of a block: `count` bits down from bit `high`; bit 63 is the first.
fn field(bits: u64, high: u32, count: u32) -> u8 {
    u8::try_from(bits >> (high + 1 - count) & ((1 << count) - 1)).unwrap_or_default()
}

fn colors(block: [u8; 8]) -> Tile<Color> {
    const DIFFERENTIAL: u64 = 1 << 33;
    let bits = u64::from_be_bytes(block);
    if bits & DIFFERENTIAL == 0 {
        // Individual form: four bits each, widened to eight by repetition, which is a multiplication by 17.
        let base = |high: u32| [high, high - 8, high - 16].map(|high| field(bits, high, 4) * 17);
        return halved(bits, [base(63), base(59)]);
    }
    let base = [63, 55, 47].map(|high| i32::from(field(bits, high, 5)));
    // Three bits with a sign, without a branch: flipping the sign bit and subtracting it extends it.
    let difference = [58, 50, 42].map(|high| (i32::from(field(bits, high, 3)) ^ 4) - 4);
    let sums = [0, 1, 2].map(|at: usize| {
        base.get(at).copied().unwrap_or_default() + difference.get(at).copied().unwrap_or_default()
    });
    // The first channel that overflows selects the form.
    match sums.map(|sum| (0..32).contains(&sum)) {
        [false, ..] => shaped_t(bits),
        [_, false, _] => shaped_h(bits),
        [.., false] => planar(bits),
        _ => halved(bits, [base, sums].map(|color| color.map(five_bits))),
    }
}

fn five_bits(value: i32) -> u8 {
    clamp(value << 3 | value >> 2)
}

/// Returns the index of a pixel among four colors: the high bits of all pixels come first, then the low bits.
fn index(bits: u64, place: u32) -> usize {
    usize::try_from((bits >> (16 + place) & 1) << 1 | bits >> place & 1).unwrap_or_default()
}

fn moved(color: Color, by: i32) -> Color {
    color.map(|value| clamp(i32::from(value) + by))
}

/// Decodes two halves with a base color each.
fn halved(bits: u64, [first, second]: [Color; 2]) -> Tile<Color> {
    let tables = [field(bits, 39, 3), field(bits, 36, 3)];
    let [near, far] = tables.map(|table| MODIFIERS.get(usize::from(table)).copied().unwrap_or_default());
    // The flip bit: halves on top of each other, or side by side.
    let is_stacked = bits >> 32 & 1 == 1;
    tile(|x, y, place| {
        let is_first = if is_stacked { y < 2 } else { x < 2 };
        let (color, [small, large]) = if is_first { (first, near) } else { (second, far) };
        moved(
            color,
            match index(bits, place) {
                0 => small,
                1 => large,
                2 => -small,
                _ => -large,
            },
        )
    })
}

fn painted(bits: u64, paints: [Color; 4]) -> Tile<Color> {
    tile(|_, _, place| paints.get(index(bits, place)).copied().unwrap_or_default())
}

fn distance(index: u8) -> i32 {
    DISTANCES.get(usize::from(index)).copied().unwrap_or_default()
}

fn shaped_t(bits: u64) -> Tile<Color> {
    // The bits between make the sum of red overflow, which is why a number of four bits is in two parts.
    let red = field(bits, 60, 2) << 2 | field(bits, 57, 2);
    let first = [red, field(bits, 55, 4), field(bits, 51, 4)].map(|value| value * 17);
    let second = [47, 43, 39].map(|high| field(bits, high, 4) * 17);
    let distance = distance(field(bits, 35, 2) << 1 | field(bits, 32, 1));
    painted(bits, [first, moved(second, distance), second, moved(second, -distance)])
}

fn shaped_h(bits: u64) -> Tile<Color> {
    let green = field(bits, 58, 3) << 1 | field(bits, 52, 1);
    let blue = field(bits, 51, 1) << 3 | field(bits, 49, 3);
    let first = [field(bits, 62, 4), green, blue].map(|value| value * 17);
    let second = [46, 42, 38].map(|high| field(bits, high, 4) * 17);
    // Both orders of the two colors give the same block, so the order carries one bit of the distance.
    let order = u8::from(first >= second);
    let distance = distance(field(bits, 34, 1) << 2 | field(bits, 32, 1) << 1 | order);
    painted(
        bits,
        [moved(first, distance), moved(first, -distance), moved(second, distance), moved(second, -distance)],
    )
}

/// Decodes a plane through three colors: of the first pixel, and of the pixels after the last one to the
/// right and below.
fn planar(bits: u64) -> Tile<Color> {
    // Widened to eight bits by repeating the high bits.
    let six = |value: u8| i32::from(value << 2 | value >> 4);
    let seven = |value: u8| i32::from(value << 1 | value >> 6);
    let blue = field(bits, 48, 1) << 5 | field(bits, 44, 2) << 3 | field(bits, 41, 3);
    let green = field(bits, 56, 1) << 6 | field(bits, 54, 6);
    let red = field(bits, 38, 5) << 1 | field(bits, 32, 1);
    let planes = [
        [six(field(bits, 62, 6)), six(red), six(field(bits, 18, 6))],
        [seven(green), seven(field(bits, 31, 7)), seven(field(bits, 12, 7))],
        [six(blue), six(field(bits, 24, 6)), six(field(bits, 5, 6))],
    ];
    tile(|x, y, _| {
        let (x, y) = (i32::try_from(x).unwrap_or_default(), i32::try_from(y).unwrap_or_default());
        planes.map(|[origin, right, below]| {
            // In quarters of the tile's side, rounded.
            clamp((x * (right - origin) + y * (below - origin) + 4 * origin + 2) >> 2)
        })
    })
}
