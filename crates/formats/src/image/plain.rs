//! Formats whose pixels are independent of each other.

use super::format::Layout;

/// Decodes eight bits per channel.
pub(super) fn eight(bytes: &[u8], layout: Layout, pixels: &mut [u8]) {
    match layout {
        Layout::Rg8 => each(bytes, pixels, |[r, g]: [u8; 2]| [r, g, 0]),
        Layout::Rg8Signed => {
            // Signed bytes: 0 becomes 128, the middle of the unsigned range.
            each(bytes, pixels, |[r, g]: [u8; 2]| [r.wrapping_add(128), g.wrapping_add(128), 0]);
        }
        Layout::Bgra8 => each(bytes, pixels, |[b, g, r, a]: [u8; 4]| [r, g, b, a]),
        Layout::Argb8 => each(bytes, pixels, |[a, r, g, b]: [u8; 4]| [r, g, b, a]),
        Layout::Bgr565 => each(bytes, pixels, |pixel: [u8; 2]| rgb565(u16::from_le_bytes(pixel))),
        Layout::Bgra5551 => each(bytes, pixels, |pixel: [u8; 2]| rgba5551(u16::from_le_bytes(pixel))),
        // All other layouts are single bytes in the right order.
        _ => each(bytes, pixels, |value: [u8; 1]| value),
    }
}

/// Decodes sixteen bits per channel, integers or half floats.
pub(super) fn sixteen(bytes: &[u8], layout: Layout, pixels: &mut [u16]) {
    match layout {
        Layout::Rg16 | Layout::Rg16Float => each(bytes, pixels, |[a, b, c, d]: [u8; 4]| {
            [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]), 0]
        }),
        Layout::Rgb10A2 => each(bytes, pixels, |pixel: [u8; 4]| rgb10a2(u32::from_le_bytes(pixel))),
        Layout::Rg11B10Float => each(bytes, pixels, |pixel: [u8; 4]| rg11b10(u32::from_le_bytes(pixel))),
        _ => each(bytes, pixels, |value: [u8; 2]| [u16::from_le_bytes(value)]),
    }
}

/// Decodes floats.
pub(super) fn floats(bytes: &[u8], layout: Layout, pixels: &mut [f32]) {
    match layout {
        Layout::Rg32Float => each(bytes, pixels, |[a, b, c, d, e, f, g, h]: [u8; 8]| {
            [f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h]), 0.0]
        }),
        Layout::Rgb9E5 => each(bytes, pixels, |pixel: [u8; 4]| rgb9e5(u32::from_le_bytes(pixel))),
        _ => each(bytes, pixels, |value: [u8; 4]| [f32::from_le_bytes(value)]),
    }
}

/// Decodes each pixel, or each channel if channels need no reordering.
fn each<const N: usize, const M: usize, T>(
    bytes: &[u8],
    pixels: &mut [T],
    values: impl Fn([u8; N]) -> [T; M],
) {
    for (to, from) in pixels.as_chunks_mut::<M>().0.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *to = values(*from);
    }
}

/// Widens a number to eight bits, repeating its highest bits below, so that the largest one becomes 255.
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
    // Two bits of alpha: 0x5555 is a third of the range.
    [ten(0), ten(10), ten(20), u16::try_from(pixel >> 30).unwrap_or_default() * 0x5555]
}

/// Decodes floats of 11 and 10 bits: they have the exponent of half floats, no sign, and fewer digits.
fn rg11b10(pixel: u32) -> [u16; 3] {
    let half = |bits: u32| u16::try_from(bits).unwrap_or_default();
    // Shifted up to the digits of a half float. Its sign bit stays 0.
    [half((pixel & 0x7FF) << 4), half((pixel >> 11 & 0x7FF) << 4), half((pixel >> 22) << 5)]
}

#[expect(clippy::cast_precision_loss, reason = "nine bits fit")]
fn rgb9e5(pixel: u32) -> [f32; 3] {
    // The exponent has a bias of 15, and the mantissas have 9 bits without a leading one: 15 + 9 is 24.
    let exponent = i32::try_from(pixel >> 27).unwrap_or_default() - 24;
    [pixel, pixel >> 9, pixel >> 18].map(|value| (value & 0x1FF) as f32 * 2_f32.powi(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_where_they_belong() {
        let of = |bytes: &[u8], layout| {
            let mut pixels = [0; 4];
            eight(bytes, layout, &mut pixels);
            pixels
        };
        assert_eq!(of(&[1, 2, 3, 4], Layout::Bgra8), [3, 2, 1, 4]);
        assert_eq!(of(&[1, 2, 3, 4], Layout::Argb8), [2, 3, 4, 1]);
        assert_eq!(of(&[0x00, 0xF8], Layout::Bgr565), [255, 0, 0, 0]);
        assert_eq!(of(&[0x00, 0xFC], Layout::Bgra5551), [255, 0, 0, 255]);
        assert_eq!(of(&[0x80, 0x7F], Layout::Rg8Signed), [0, 255, 0, 0]);
        let of = |bytes: &[u8], layout| {
            let mut pixels = [0; 4];
            sixteen(bytes, layout, &mut pixels);
            pixels
        };
        assert_eq!(of(&[0xFF, 0x03, 0, 0xC0], Layout::Rgb10A2), [0xFFFF, 0, 0, 0xFFFF]);
        assert_eq!(of(&[1, 2, 3, 4], Layout::Rg16), [0x0201, 0x0403, 0, 0]);
        let mut pixels = [0.0; 3];
        let halves = [0.5_f32, -2.0, 3.0].map(f32::to_le_bytes);
        floats(halves.as_flattened(), Layout::Rgb32Float, &mut pixels);
        assert_eq!(pixels.map(f32::to_bits), [0.5_f32, -2.0, 3.0].map(f32::to_bits));
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
