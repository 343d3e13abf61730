//! Formats whose pixels stand by themselves.

use super::format::Layout;
use super::pixels::{Channels, Pixels};

/// Pixels whose number was checked.
pub(super) fn decode(bytes: &[u8], layout: Layout) -> (Channels, Pixels) {
    use Channels::{Gray, Rgb, Rgba};
    match layout {
        Layout::Rg8 => (Rgb, eight(bytes, |[r, g]: [u8; 2]| [r, g, 0])),
        Layout::Rg8Signed => {
            (Rgb, eight(bytes, |[r, g]: [u8; 2]| [r.wrapping_add(128), g.wrapping_add(128), 0]))
        }
        Layout::Rgba8 => (Rgba, Pixels::U8(bytes.to_vec())),
        Layout::Bgra8 => (Rgba, eight(bytes, |[b, g, r, a]: [u8; 4]| [r, g, b, a])),
        Layout::Argb8 => (Rgba, eight(bytes, |[a, r, g, b]: [u8; 4]| [r, g, b, a])),
        Layout::Bgr565 => (Rgb, eight(bytes, |pixel: [u8; 2]| rgb565(u16::from_le_bytes(pixel)))),
        Layout::Bgra5551 => (Rgba, eight(bytes, |pixel: [u8; 2]| rgba5551(u16::from_le_bytes(pixel)))),
        Layout::Gray16 => (Gray, Pixels::U16(words(bytes))),
        Layout::Rg16 => (Rgb, Pixels::U16(with_blue(&words(bytes)))),
        Layout::Rgba16 => (Rgba, Pixels::U16(words(bytes))),
        Layout::Rgb10A2 => {
            let pixels = bytes.as_chunks::<4>().0.iter();
            (Rgba, Pixels::U16(pixels.flat_map(|pixel| rgb10a2(u32::from_le_bytes(*pixel))).collect()))
        }
        Layout::R16Float => (Gray, Pixels::F16(words(bytes))),
        Layout::Rg16Float => (Rgb, Pixels::F16(with_blue(&words(bytes)))),
        Layout::Rgba16Float => (Rgba, Pixels::F16(words(bytes))),
        Layout::Rg11B10Float => {
            let pixels = bytes.as_chunks::<4>().0.iter();
            (Rgb, Pixels::F16(pixels.flat_map(|pixel| rg11b10(u32::from_le_bytes(*pixel))).collect()))
        }
        Layout::R32Float => (Gray, Pixels::F32(floats(bytes))),
        Layout::Rg32Float => (Rgb, Pixels::F32(with_blue(&floats(bytes)))),
        Layout::Rgba32Float => (Rgba, Pixels::F32(floats(bytes))),
        Layout::Rgb9E5 => {
            let pixels = bytes.as_chunks::<4>().0.iter();
            (Rgb, Pixels::F32(pixels.flat_map(|pixel| rgb9e5(u32::from_le_bytes(*pixel))).collect()))
        }
        _ => (Gray, Pixels::U8(bytes.to_vec())),
    }
}

fn eight<const N: usize, const M: usize>(bytes: &[u8], pixel: impl Fn([u8; N]) -> [u8; M]) -> Pixels {
    Pixels::U8(bytes.as_chunks::<N>().0.iter().flat_map(|bytes| pixel(*bytes)).collect())
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn with_blue<T: Copy + Default>(pairs: &[T]) -> Vec<T> {
    pairs.as_chunks::<2>().0.iter().flat_map(|[r, g]| [*r, *g, T::default()]).collect()
}

/// A number of some bits as one of eight bits: its highest bits come again below it.
fn widen(value: u16, bits: u32) -> u8 {
    let high = value << (8 - bits);
    u8::try_from(high | high >> bits).unwrap_or(u8::MAX)
}

fn rgb565(pixel: u16) -> [u8; 3] {
    [widen(pixel >> 11, 5), widen(pixel >> 5 & 0x3F, 6), widen(pixel & 0x1F, 5)]
}

fn rgba5551(pixel: u16) -> [u8; 4] {
    let color = [pixel >> 10, pixel >> 5, pixel].map(|value| widen(value & 0x1F, 5));
    let [r, g, b] = color;
    [r, g, b, if pixel & 0x8000 == 0 { 0 } else { 255 }]
}

fn rgb10a2(pixel: u32) -> [u16; 4] {
    let ten = |shift: u32| {
        let value = u16::try_from(pixel >> shift & 0x3FF).unwrap_or_default();
        value << 6 | value >> 4
    };
    [ten(0), ten(10), ten(20), u16::try_from(pixel >> 30).unwrap_or_default() * 0x5555]
}

/// Small floats have the exponent of half floats, no sign, and fewer digits.
fn rg11b10(pixel: u32) -> [u16; 3] {
    let half = |bits: u32| u16::try_from(bits).unwrap_or_default();
    [half((pixel & 0x7FF) << 4), half((pixel >> 11 & 0x7FF) << 4), half((pixel >> 22) << 5)]
}

#[expect(clippy::cast_precision_loss, reason = "nine bits fit")]
fn rgb9e5(pixel: u32) -> [f32; 3] {
    let exponent = i32::try_from(pixel >> 27).unwrap_or_default() - 24;
    [pixel, pixel >> 9, pixel >> 18].map(|value| (value & 0x1FF) as f32 * 2_f32.powi(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_where_they_belong() {
        let of = |bytes: &[u8], layout| decode(bytes, layout).1;
        assert_eq!(of(&[1, 2, 3, 4], Layout::Bgra8), Pixels::U8(vec![3, 2, 1, 4]));
        assert_eq!(of(&[1, 2, 3, 4], Layout::Argb8), Pixels::U8(vec![2, 3, 4, 1]));
        assert_eq!(of(&[0x00, 0xF8], Layout::Bgr565), Pixels::U8(vec![255, 0, 0]));
        assert_eq!(of(&[0x00, 0xFC], Layout::Bgra5551), Pixels::U8(vec![255, 0, 0, 255]));
        assert_eq!(of(&[0x80, 0x7F], Layout::Rg8Signed), Pixels::U8(vec![0, 255, 0]));
        assert_eq!(of(&[0xFF, 0x03, 0, 0xC0], Layout::Rgb10A2), Pixels::U16(vec![0xFFFF, 0, 0, 0xFFFF]));
        assert_eq!(of(&[1, 2, 3, 4], Layout::Rg16), Pixels::U16(vec![0x0201, 0x0403, 0]));
    }

    #[test]
    fn small_floats() {
        // One is 0x3C00 as a half float: 15 as the exponent, of 11 bits 0x3C0, of 10 bits 0x1E0.
        let one = 0x3C0 | 0x3C0 << 11 | 0x1E0 << 22;
        assert_eq!(rg11b10(one), [0x3C00; 3]);
        // 256 × 2^(16 − 24) is one.
        let bits = |floats: [f32; 3]| floats.map(f32::to_bits);
        assert_eq!(bits(rgb9e5(256 | 128 << 9 | 16 << 27)), bits([1.0, 0.5, 0.0]));
    }
}
