use super::format::{Layout, PixelFormat};
use crate::wire::counted;

/// An encoded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture<'a> {
    /// Format of its pixels.
    pub format: PixelFormat,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    pub(super) bytes: &'a [u8],
}

/// Errors from decoding a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The picture is shorter than its width and height require.
    #[error(
        "picture of {width} by {height} in {format} has {}, expected {expected}",
        counted(*found, "byte", "bytes")
    )]
    Short {
        /// Format of its pixels.
        format: PixelFormat,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Available bytes.
        found: u64,
        /// Required bytes.
        expected: u64,
    },
    /// The block order of the format requires powers of two.
    #[error("picture of {width} by {height} in {format}, expected sides that are powers of two")]
    PowerOfTwo {
        /// Format of its pixels.
        format: PixelFormat,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The picture is larger than any in the engine.
    #[error("picture of {width} by {height}, expected at most {MAX_SIDE} by {MAX_SIDE}")]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// Limit on the sides of a picture.
pub(crate) const MAX_SIDE: u32 = 65_536;

impl<'a> Picture<'a> {
    /// Creates a picture whose bytes start here; more bytes may follow.
    pub fn new(format: PixelFormat, width: u32, height: u32, bytes: &'a [u8]) -> Result<Self, ImageError> {
        // Checked first, so that products of the sides stay far from overflow.
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(ImageError::TooLarge { width, height });
        }
        let (expected, found) = (format.byte_len(width, height), bytes.len() as u64);
        let own = usize::try_from(expected).ok().and_then(|len| bytes.get(..len));
        match own {
            Some(bytes) => Ok(Self { format, width, height, bytes }),
            None => Err(ImageError::Short { format, width, height, found, expected }),
        }
    }

    /// Returns its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Cuts the picture into bands of whole blocks, each with its first row: as few rows as make `pixels`
    /// pixels. A picture whose blocks depend on each other is a single band.
    pub fn bands(&self, pixels: u64) -> impl Iterator<Item = (u32, Self)> {
        let [_, block] = self.format.layout().block();
        let row_of_blocks = u64::from(self.width.max(1)) * u64::from(block);
        // At least one row of blocks, whatever the width.
        let blocks = u32::try_from(pixels.div_ceil(row_of_blocks).max(1)).unwrap_or(MAX_SIDE).min(MAX_SIDE);
        let (picture, step) = match self.format.layout() {
            // PVRTC blends neighbouring blocks across the whole picture.
            Layout::Pvrtc2 | Layout::Pvrtc4 => (*self, MAX_SIDE),
            _ => (*self, blocks.saturating_mul(block)),
        };
        (0..self.height).step_by(step as usize).filter_map(move |top| {
            // The bytes of all rows above are those before the band.
            let start = usize::try_from(picture.format.byte_len(picture.width, top)).ok()?;
            let height = step.min(picture.height - top);
            let band = Self::new(picture.format, picture.width, height, picture.bytes.get(start..)?);
            Some((top, band.ok()?))
        })
    }

    /// Decodes block after block into `pixels`: `block` takes the bytes of a block and a tile for its values,
    /// row by row.
    pub(super) fn blocks<T: Copy + Default, const LEN: usize>(
        &self,
        pixels: &mut [T],
        mut block: impl FnMut(&[u8; LEN], &mut [T]),
    ) {
        let layout = self.format.layout();
        let [w, h] = layout.block().map(|side| side as usize);
        let (width, values) = (self.width as usize, layout.decoded().0.count());
        let row_len = width * values;
        // Chunks of length 0 would panic.
        if pixels.is_empty() {
            return;
        }
        // One tile for all blocks: each block overwrites it.
        let mut tile = vec![T::default(); w * h * values];
        let rows_of_blocks = self.bytes.as_chunks::<LEN>().0.chunks_exact(width.div_ceil(w));
        for (band, blocks) in pixels.chunks_mut(row_len * h).zip(rows_of_blocks) {
            for (at, bytes) in blocks.iter().enumerate() {
                block(bytes, &mut tile);
                // Blocks on the right edge extend past the picture; only their part inside is copied.
                let (start, end) = (at * w * values, ((at + 1) * w * values).min(row_len));
                for (row, from) in band.chunks_mut(row_len).zip(tile.chunks_exact(w * values)) {
                    if let (Some(to), Some(from)) = (row.get_mut(start..end), from.get(..end - start)) {
                        to.copy_from_slice(from);
                    }
                }
            }
        }
    }
}
