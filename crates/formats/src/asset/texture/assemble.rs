//! Assembly of the tiles of a virtual texture into an image.

use super::virtual_data::{Tile, VirtualTexture};
use crate::image::{Image, ImageError, Picture};

/// Error while assembling an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// A damaged tile.
    #[error("tile {place:?}: {source}")]
    Tile {
        /// Column and row of the tile.
        place: [u32; 2],
        /// Reason.
        source: ImageError,
    },
    /// An unknown encoding of tiles.
    #[error("tiles encoded with codec {0} cannot be decoded")]
    Codec(u8),
    /// A mip or layer that does not exist.
    #[error("there is no mip {mip} of layer {layer}")]
    Missing {
        /// Requested mip.
        mip: usize,
        /// Requested layer.
        layer: usize,
    },
    /// A mip without data.
    #[error("no tile of the mip has data")]
    Empty,
    /// An image larger than its data can fill.
    #[error("picture of {width} by {height} is too large for its data")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}

/// Codecs: four of constant tiles without data, and raw pixels.
const BLACK: u8 = 0;
const OPAQUE_BLACK: u8 = 1;
const WHITE: u8 = 2;
const FLAT_NORMAL: u8 = 3;
const RAW: u8 = 4;

/// Limit of pixels per byte of data: small files must not make large images.
const MAX_PIXELS: u64 = 64;
const LARGEST: u64 = 1 << 28;

impl VirtualTexture<'_> {
    /// Assembles a mip of a layer. `chunks` has the data of each chunk; tiles of a missing chunk get the
    /// layer's fallback colour.
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
        // The kind of canvas (8 bits, 16 bits or float) is that of the first tile with data. Blank tiles wait
        // for it.
        let mut canvas: Option<Image> = None;
        let mut blank = Vec::new();
        for tile in self.tiles(mip, layer) {
            let (start, part) = self.part(tile, [width, height]);
            match self.tile(tile, layer, chunks)? {
                Found::Color(color) => blank.push((start, part, color)),
                Found::Picture(image) => {
                    let canvas = canvas.get_or_insert_with(|| image.blank(width, height));
                    // Tiles are stored with a border for filtering, which is cut off.
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

    /// Returns the position of a tile in the image, and the size of its visible part.
    fn part(&self, tile: Tile, size: [u32; 2]) -> ([u32; 2], [u32; 2]) {
        let start = tile.place.map(|place| place.saturating_mul(self.tile_size));
        let [left, top] = start;
        let [width, height] = size;
        // Tiles at the right and lower edge, and all tiles of the smallest mips, are larger than the rest of
        // the image.
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
            // Constant tiles have no bytes at all.
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

/// Content of a tile.
enum Found {
    Picture(Image),
    /// One colour; `None` is the fallback of the layer.
    Color(Option<[f32; 4]>),
}
