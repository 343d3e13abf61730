//! BC1 to BC7.

use super::format::Layout;
use super::picture::Picture;
use super::pixels::{Channels, Pixels};

pub(super) fn decode(picture: &Picture<'_>, layout: Layout) -> (Channels, Pixels) {
    let rgba8 = |decode: fn(&[u8], &mut [u8], usize), len: usize| {
        let pixels = match len {
            8 => picture.blocks(Channels::Rgba, |block: &[u8; 8], tile| decode(block, tile, 16)),
            _ => picture.blocks(Channels::Rgba, |block: &[u8; 16], tile| decode(block, tile, 16)),
        };
        (Channels::Rgba, Pixels::U8(pixels))
    };
    match layout {
        Layout::Bc1 => rgba8(bcdec_rs::bc1, 8),
        Layout::Bc2 => rgba8(bcdec_rs::bc2, 16),
        Layout::Bc3 => rgba8(bcdec_rs::bc3, 16),
        Layout::Bc4 => {
            let pixels =
                picture.blocks(Channels::Gray, |block: &[u8; 8], tile| bcdec_rs::bc4(block, tile, 4, false));
            (Channels::Gray, Pixels::U8(pixels))
        }
        Layout::Bc5 => {
            let pixels = picture.blocks(Channels::Rgb, |block: &[u8; 16], tile: &mut [u8]| {
                let mut pairs = [0; 32];
                bcdec_rs::bc5(block, &mut pairs, 8, false);
                for (to, [r, g]) in tile.as_chunks_mut::<3>().0.iter_mut().zip(pairs.as_chunks::<2>().0) {
                    *to = [*r, *g, 0];
                }
            });
            (Channels::Rgb, Pixels::U8(pixels))
        }
        Layout::Bc6 => {
            let pixels = picture
                .blocks(Channels::Rgb, |block: &[u8; 16], tile| bcdec_rs::bc6h_half(block, tile, 12, false));
            (Channels::Rgb, Pixels::F16(pixels))
        }
        _ => rgba8(bcdec_rs::bc7, 16),
    }
}
