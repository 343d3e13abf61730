//! BC1 to BC7.

use super::format::Layout;
use super::picture::Picture;

pub(super) fn decode(picture: &Picture<'_>, layout: Layout, pixels: &mut [u8]) {
    match layout {
        // The number after the tile is the length of a tile row: 4 pixels times the values of a pixel.
        Layout::Bc1 => picture.blocks(pixels, |block: &[u8; 8], tile| bcdec_rs::bc1(block, tile, 16)),
        Layout::Bc2 => picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc2(block, tile, 16)),
        Layout::Bc3 => picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc3(block, tile, 16)),
        Layout::Bc4 => picture.blocks(pixels, |block: &[u8; 8], tile| bcdec_rs::bc4(block, tile, 4, false)),
        Layout::Bc5 => picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u8]| {
            // The decoder writes pairs, but the tile has three values per pixel; blue is 0 here, and Z is
            // computed for normal maps only.
            let mut pairs = [0; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            for (to, [r, g]) in tile.as_chunks_mut::<3>().0.iter_mut().zip(pairs.as_chunks::<2>().0) {
                *to = [*r, *g, 0];
            }
        }),
        _ => picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc7(block, tile, 16)),
    }
}

/// Decodes BC6H to half floats.
pub(super) fn decode_halves(picture: &Picture<'_>, pixels: &mut [u16]) {
    picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc6h_half(block, tile, 12, false));
}
