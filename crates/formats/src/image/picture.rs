use super::format::{Layout, PixelFormat};
use crate::wire::counted;

/// A picture as it is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture<'a> {
    /// How its pixels are written.
    pub format: PixelFormat,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    pub(super) bytes: &'a [u8],
}

/// Why a picture cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The format has no decoder here.
    #[error("pixel format {0} cannot be decoded; it can be exported as it is")]
    Format(PixelFormat),
    /// The picture is shorter than its width and height say.
    #[error(
        "picture of {width} by {height} in {format} has {}, expected {expected}",
        counted(*found, "byte", "bytes")
    )]
    Short {
        /// How its pixels are written.
        format: PixelFormat,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes that there are.
        found: u64,
        /// Bytes that it takes.
        expected: u64,
    },
    /// The blocks of the format are in an order that takes powers of two.
    #[error("picture of {width} by {height} in {format}, expected sides that are powers of two")]
    PowerOfTwo {
        /// How its pixels are written.
        format: PixelFormat,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The picture is larger than any that the engine has.
    #[error("picture of {width} by {height}, expected at most {MAX_SIDE} by {MAX_SIDE}")]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// Longest side of a picture.
pub(crate) const MAX_SIDE: u32 = 65_536;

impl<'a> Picture<'a> {
    /// A picture whose bytes start here; there may be more of them.
    pub fn new(format: PixelFormat, width: u32, height: u32, bytes: &'a [u8]) -> Result<Self, ImageError> {
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

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The picture cut into bands of whole blocks, each with the row that it starts at: as few rows as make `pixels` pixels. One whose
    /// blocks cannot be decoded without each other is a single band.
    pub fn bands(&self, pixels: u64) -> impl Iterator<Item = (u32, Self)> {
        let [_, block] = self.format.layout().block();
        let row_of_blocks = u64::from(self.width.max(1)) * u64::from(block);
        let blocks = u32::try_from(pixels.div_ceil(row_of_blocks).max(1)).unwrap_or(MAX_SIDE).min(MAX_SIDE);
        let (picture, step) = match self.format.layout() {
            Layout::Pvrtc2 | Layout::Pvrtc4 => (*self, MAX_SIDE),
            _ => (*self, blocks.saturating_mul(block)),
        };
        (0..self.height).step_by(step as usize).filter_map(move |top| {
            let start = usize::try_from(picture.format.byte_len(picture.width, top)).ok()?;
            let height = step.min(picture.height - top);
            let band = Self::new(picture.format, picture.width, height, picture.bytes.get(start..)?);
            Some((top, band.ok()?))
        })
    }

    /// Decodes block after block into `pixels`: `block` gets the bytes of one and a tile for its values, row by row.
    pub(super) fn blocks<T: Copy + Default, const LEN: usize>(
        &self,
        pixels: &mut [T],
        mut block: impl FnMut(&[u8; LEN], &mut [T]),
    ) {
        let layout = self.format.layout();
        let [w, h] = layout.block().map(|side| side as usize);
        let (width, values) = (self.width as usize, layout.decoded().0.count());
        let row_len = width * values;
        if pixels.is_empty() {
            return;
        }
        let mut tile = vec![T::default(); w * h * values];
        let rows_of_blocks = self.bytes.as_chunks::<LEN>().0.chunks_exact(width.div_ceil(w));
        for (band, blocks) in pixels.chunks_mut(row_len * h).zip(rows_of_blocks) {
            for (at, bytes) in blocks.iter().enumerate() {
                block(bytes, &mut tile);
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
