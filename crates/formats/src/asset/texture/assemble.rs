//! Tiles of a virtual texture put together to a picture.

use super::virtual_data::{Tile, VirtualTexture};
use crate::image::{Image, ImageError, Picture};

/// Why a picture cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// A tile is damaged.
    #[error("tile {place:?}: {source}")]
    Tile {
        /// Its column and row.
        place: [u32; 2],
        /// What is wrong.
        source: ImageError,
    },
    /// Tiles are encoded in a way that is not known.
    #[error("tiles encoded with codec {0} cannot be decoded")]
    Codec(u8),
    /// There is no such mip or layer.
    #[error("there is no mip {mip} of layer {layer}")]
    Missing {
        /// The mip that was asked for.
        mip: usize,
        /// The layer that was asked for.
        layer: usize,
    },
    /// No tile has data.
    #[error("no tile of the mip has data")]
    Empty,
    /// The picture is larger than its data can fill.
    #[error("picture of {width} by {height} is too large for its data")]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// Codecs of tiles that have no data, and those that have.
const BLACK: u8 = 0;
const OPAQUE_BLACK: u8 = 1;
const WHITE: u8 = 2;
const FLAT_NORMAL: u8 = 3;
const RAW: u8 = 4;

/// Pixels that each byte of data may stand for: small files do not make large pictures.
const MAX_PIXELS: u64 = 64;
const LARGEST: u64 = 1 << 28;

impl VirtualTexture<'_> {
    /// A mip of a layer. `chunks` has the data of each chunk; tiles in one that is missing get the color of the layer.
    pub fn assemble<B: AsRef<[u8]>>(
        &self,
        mip: usize,
        layer: usize,
        chunks: &[Option<B>],
    ) -> Result<Image, AssembleError> {
        let missing = AssembleError::Missing { mip, layer };
        let (Some(size), Some(kind)) = (self.mips.get(mip), self.layers.get(layer)) else {
            return Err(missing);
        };
        let data: u64 = chunks.iter().flatten().map(|chunk| chunk.as_ref().len() as u64).sum();
        let (width, height) = (size.width, size.height);
        let pixels = u64::from(width) * u64::from(height);
        if pixels > LARGEST || pixels > data.saturating_mul(MAX_PIXELS).saturating_add(1 << 16) {
            return Err(AssembleError::TooLarge { width, height });
        }
        let mut canvas: Option<Image> = None;
        let mut blank = Vec::new();
        for tile in self.tiles(mip, layer) {
            let (start, part) = self.part(tile, [width, height]);
            match self.tile(tile, layer, chunks)? {
                Found::Color(color) => blank.push((start, part, color)),
                Found::Picture(image) => {
                    let canvas = canvas.get_or_insert_with(|| image.blank(width, height));
                    if let Some(image) = image.crop([self.border; 2], part) {
                        canvas.paste(&image, start);
                    }
                }
            }
        }
        let Some(mut canvas) = canvas else { return Err(AssembleError::Empty) };
        for (start, part, color) in blank {
            canvas.fill(start, part, color.unwrap_or(kind.fallback));
        }
        Ok(canvas)
    }

    /// Where a tile is in the picture, and how much of it is.
    fn part(&self, tile: Tile, size: [u32; 2]) -> ([u32; 2], [u32; 2]) {
        let start = tile.place.map(|place| place.saturating_mul(self.tile_size));
        let [left, top] = start;
        let [width, height] = size;
        (start, [width.saturating_sub(left), height.saturating_sub(top)].map(|left| left.min(self.tile_size)))
    }

    fn tile<B: AsRef<[u8]>>(
        &self,
        tile: Tile,
        layer: usize,
        chunks: &[Option<B>],
    ) -> Result<Found, AssembleError> {
        let place = tile.data.and_then(|(chunk, offset)| Some((self.chunks.get(chunk)?, chunk, offset)));
        let Some((chunk, at, offset)) = place else { return Ok(Found::Color(None)) };
        match chunk.codecs.get(layer).copied().unwrap_or(RAW) {
            RAW => {}
            BLACK => return Ok(Found::Color(Some([0.0; 4]))),
            OPAQUE_BLACK => return Ok(Found::Color(Some([0.0, 0.0, 0.0, 1.0]))),
            WHITE => return Ok(Found::Color(Some([1.0; 4]))),
            FLAT_NORMAL => return Ok(Found::Color(Some([0.5, 0.5, 1.0, 1.0]))),
            other => return Err(AssembleError::Codec(other)),
        }
        let Some(Some(bytes)) = chunks.get(at) else { return Ok(Found::Color(None)) };
        let bytes = usize::try_from(offset).ok().and_then(|start| bytes.as_ref().get(start..));
        let (size, format) = (self.physical_size(), self.layers.get(layer).map(|layer| layer.format));
        let Some(format) = format else { return Ok(Found::Color(None)) };
        let picture = Picture::new(format, size, size, bytes.unwrap_or_default());
        let image = picture.and_then(|picture| picture.decode());
        image.map(Found::Picture).map_err(|source| AssembleError::Tile { place: tile.place, source })
    }
}

/// What a tile is.
enum Found {
    Picture(Image),
    /// One color: that of the layer, unless it is said.
    Color(Option<[f32; 4]>),
}
