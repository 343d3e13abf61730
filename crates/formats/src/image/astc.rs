//! ASTC, low dynamic range.

use super::picture::Picture;
use astc_decode::{Footprint, astc_decode_block};

pub(super) fn decode(picture: &Picture<'_>, width: u8, height: u8, pixels: &mut [u8]) {
    let (width, height) = (u32::from(width), u32::from(height));
    picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u8]| {
        let pixels = tile.as_chunks_mut::<4>().0;
        // The decoder writes an invalid block as magenta, as hardware shows it.
        astc_decode_block(block, Footprint::new(width, height), |x, y, color| {
            // The tile is always a whole block; `blocks` cuts it at the edges of the picture.
            if let Some(pixel) = pixels.get_mut((y * width + x) as usize) {
                *pixel = color;
            }
        });
    });
}
