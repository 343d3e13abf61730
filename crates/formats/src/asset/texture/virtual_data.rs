//! Virtual textures: tiles with borders, in chunks.
//!
//! ```text
//! bool32 cooked │ u32 layers, blocks across, blocks down, tile size, border │ (5.0) ends of the layers in a tile
//! │ u32 mips, width, height │ (5.0) chunk of each mip, offset of each mip, addresses of each mip
//! │ tile index of each chunk, of each mip, offsets of tiles │ format of each layer
//! │ (5.0) a color for each layer │ chunks
//!
//! addresses   u32 across, down, addresses │ list: first addresses of runs │ list: first tile of each run, or −1
//! chunk       (5.0) 20 bytes hash │ u32 size, size of its head │ u8 codec, offset for each layer │ bulk data
//! ```
//!
//! Tiles are numbered in Morton order: the even bits of an address are the column, the odd ones the row.

use super::best::best_for;
use crate::asset::bulk::Bulk;
use crate::asset::payload::Payload;
use crate::image::PixelFormat;
use crate::wire::{Fault, FaultKind};

/// `FVirtualTextureBuiltData`: a texture in tiles.
#[doc(alias = "FVirtualTextureBuiltData")]
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualTexture<'a> {
    /// Width of the largest mip, in pixels.
    pub width: u32,
    /// Height of the largest mip, in pixels.
    pub height: u32,
    /// Numbers of images across and down; more than one in textures of several tiles (UDIM).
    pub blocks: [u32; 2],
    /// Side of a tile without its border, in pixels.
    pub tile_size: u32,
    /// Width of the border that repeats neighbouring tiles, in pixels.
    pub border: u32,
    /// Layers.
    pub layers: Vec<VirtualLayer>,
    /// Mips, the largest first.
    pub mips: Vec<VirtualMip>,
    /// The tiles.
    pub chunks: Vec<VirtualChunk<'a>>,
    /// Lookup of tiles.
    addressing: Addressing,
}

/// Layer of a virtual texture.
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualLayer {
    /// Pixel format.
    pub format: PixelFormat,
    /// Colour of tiles without data.
    pub fallback: [f32; 4],
}

/// Mip of a virtual texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VirtualMip {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of tiles across and down.
    pub tiles: [u32; 2],
}

/// `FVirtualTextureDataChunk`: a file range with tiles.
#[doc(alias = "FVirtualTextureDataChunk")]
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualChunk<'a> {
    /// Encoding of tiles, by layer.
    pub codecs: Vec<u8>,
    /// Bytes of the tiles.
    pub data: Bulk<'a>,
}

/// Position and location of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Column and row in its mip.
    pub place: [u32; 2],
    /// Index of its chunk, and offset in it; `None` without data.
    pub data: Option<(usize, u64)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Addressing {
    /// Runs of addresses, since 5.0.
    Runs {
        /// End of each layer inside a tile, in bytes.
        layer_ends: Vec<u32>,
        /// Runs by mip.
        mips: Vec<Runs>,
    },
    /// One offset per tile, before 5.0.
    Offsets {
        /// First tile of each chunk, and of each mip.
        chunks: Vec<u32>,
        mips: Vec<u32>,
        /// Offset in its chunk of each layer of each tile.
        offsets: Vec<u32>,
    },
}

/// Addresses of a mip.
#[derive(Debug, Clone, PartialEq)]
struct Runs {
    chunk: u32,
    offset: u32,
    addresses: u32,
    firsts: Vec<u32>,
    offsets: Vec<u32>,
}

/// Limits of numbers in a texture.
const MAX_LAYERS: u32 = 8;
const MAX_MIPS: u32 = 20;
const MAX_TILE: u32 = 4096;
const MAX_SIDE: u32 = 1 << 20;
/// Offset of a run without data.
const NOTHING: u32 = u32::MAX;

pub(super) fn read<'a>(p: &mut Payload<'_, 'a>) -> Result<VirtualTexture<'a>, Fault> {
    p.expect("virtual texture: cooked", 1)?;
    let layers = at_most(p, "virtual texture: layers", MAX_LAYERS)?;
    let blocks = [
        at_most(p, "virtual texture: blocks across", MAX_TILE)?,
        at_most(p, "virtual texture: blocks down", MAX_TILE)?,
    ];
    let tile_size = at_most(p, "virtual texture: tile size", MAX_TILE)?;
    let border = at_most(p, "virtual texture: border", MAX_TILE)?;
    let is_new = p.versions.has_relative_skip_offsets();
    let layer_ends = if is_new { numbers(p, "virtual texture: ends of layers")? } else { Vec::new() };
    let count = at_most(p, "virtual texture: mips", MAX_MIPS)?;
    let width = at_most(p, "virtual texture: width", MAX_SIDE)?;
    let height = at_most(p, "virtual texture: height", MAX_SIDE)?;
    if tile_size == 0 || layers == 0 {
        return Err(p.r.fault("virtual texture: tile size", FaultKind::TooSmall { found: 0, limit: 1 }));
    }
    let runs = if is_new { runs(p)? } else { Vec::new() };
    let chunks = numbers(p, "virtual texture: tiles of chunks")?;
    let mips = numbers(p, "virtual texture: tiles of mips")?;
    let offsets = numbers(p, "virtual texture: offsets of tiles")?;
    let layers = self::layers(p, layers)?;
    // New releases still write the lists of the old addressing, but leave them empty.
    let addressing = if offsets.is_empty() {
        Addressing::Runs { layer_ends, mips: runs }
    } else {
        Addressing::Offsets { chunks, mips, offsets }
    };
    let chunks = self::chunks(p, layers.len())?;
    // Sizes of mips are not recorded: each is half of the one before.
    let mips = (0..count).map(|level| {
        let [width, height] = [width, height].map(|side| (side >> level).max(1));
        VirtualMip { width, height, tiles: [width, height].map(|side| side.div_ceil(tile_size)) }
    });
    let mips = mips.collect();
    Ok(VirtualTexture { width, height, blocks, tile_size, border, layers, mips, chunks, addressing })
}

fn at_most(p: &mut Payload<'_, '_>, field: &'static str, limit: u32) -> Result<u32, Fault> {
    let at = p.r.clone();
    match p.r.u32(field)? {
        found if found <= limit => Ok(found),
        found => Err(at.fault(field, FaultKind::TooLarge { found: found.into(), limit: limit.into() })),
    }
}

fn numbers(p: &mut Payload<'_, '_>, field: &'static str) -> Result<Vec<u32>, Fault> {
    p.r.list(field, 4, |r| r.u32(field))
}

fn runs(p: &mut Payload<'_, '_>) -> Result<Vec<Runs>, Fault> {
    let chunks = numbers(p, "virtual texture: chunks of mips")?;
    let offsets = numbers(p, "virtual texture: offsets of mips")?;
    let at = p.r.clone();
    let count = p.r.count("virtual texture: addresses of mips", 20)?;
    if chunks.len() != count || offsets.len() != count {
        let kind = FaultKind::Unexpected { found: count as u64, expected: chunks.len() as u64 };
        return Err(at.fault("virtual texture: addresses of mips", kind));
    }
    let each = |(chunk, offset)| {
        p.r.array::<8>("virtual texture: tiles of a mip")?;
        let addresses = p.r.u32("virtual texture: addresses")?;
        let firsts = numbers(p, "virtual texture: first addresses")?;
        let at = p.r.clone();
        let offsets = numbers(p, "virtual texture: runs of tiles")?;
        // The lookup is a binary search, which needs ascending addresses.
        if offsets.len() != firsts.len() || !firsts.is_sorted() {
            let kind = FaultKind::Unexpected { found: offsets.len() as u64, expected: firsts.len() as u64 };
            return Err(at.fault("virtual texture: runs of tiles", kind));
        }
        Ok(Runs { chunk, offset, addresses, firsts, offsets })
    };
    chunks.into_iter().zip(offsets).map(each).collect()
}

fn layers(p: &mut Payload<'_, '_>, count: u32) -> Result<Vec<VirtualLayer>, Fault> {
    let mut layers = Vec::new();
    for _ in 0..count {
        let at = p.r.clone();
        let name = p.r.string("virtual texture: format of a layer")?;
        let format = PixelFormat::from_name(&name);
        let format =
            format.ok_or_else(|| at.fault("virtual texture: format of a layer", FaultKind::Unknown))?;
        layers.push(VirtualLayer { format, fallback: [0.0; 4] });
    }
    if p.versions.has_relative_skip_offsets() {
        for layer in &mut layers {
            layer.fallback = p.floats("virtual texture: color of a layer")?;
        }
    }
    Ok(layers)
}

fn chunks<'a>(p: &mut Payload<'_, 'a>, layers: usize) -> Result<Vec<VirtualChunk<'a>>, Fault> {
    let count = p.r.count("virtual texture: chunks", 12)?;
    let mut chunks = Vec::new();
    for _ in 0..count {
        if p.versions.has_relative_skip_offsets() {
            p.r.array::<20>("chunk: hash")?;
        }
        p.r.array::<8>("chunk: sizes")?;
        let mut codecs = Vec::new();
        for _ in 0..layers {
            codecs.push(p.r.u8("chunk: codec")?);
            if p.versions.has_long_tile_offsets() {
                p.r.u32("chunk: offset of a codec")?;
            } else {
                p.r.u16("chunk: offset of a codec")?;
            }
        }
        chunks.push(VirtualChunk { codecs, data: p.bulk()? });
    }
    Ok(chunks)
}

impl VirtualTexture<'_> {
    /// Returns the side of a tile with its border, in pixels.
    #[must_use]
    pub const fn physical_size(&self) -> u32 {
        self.tile_size + 2 * self.border
    }

    /// Orders the mips for an image whose longest side is `limit`, the best one first.
    #[must_use]
    pub fn mips_for(&self, limit: u32) -> Vec<usize> {
        let is_enough = |at: &usize| self.mips.get(*at).is_some_and(|mip| mip.width.max(mip.height) >= limit);
        best_for(0..self.mips.len(), is_enough)
    }

    /// Iterates over the tiles of a mip, row by row.
    pub fn tiles(&self, mip: usize, layer: usize) -> impl Iterator<Item = Tile> {
        let [across, down] = self.mips.get(mip).map_or([0, 0], |mip| mip.tiles);
        let place = move |y: u32| (0..across).map(move |x| [x, y]);
        (0..down)
            .flat_map(place)
            .map(move |place| Tile { place, data: self.place(mip, layer, morton(place)) })
    }

    /// Returns the chunk of a tile, and the offset in it.
    fn place(&self, mip: usize, layer: usize, address: u32) -> Option<(usize, u64)> {
        match &self.addressing {
            Addressing::Runs { layer_ends, mips } => {
                let runs = mips.get(mip).filter(|runs| address < runs.addresses)?;
                // The run is the last one that starts at or before the address; tiles of a run follow each
                // other.
                let run = runs.firsts.partition_point(|first| *first <= address).checked_sub(1)?;
                let before = runs.offsets.get(run).copied().filter(|offset| *offset != NOTHING)?;
                let tile = u64::from(before) + u64::from(address - runs.firsts.get(run)?);
                // All layers of a tile are stored together, so the last end is the size of a tile.
                let len = u64::from(*layer_ends.last()?);
                let start = match layer.checked_sub(1) {
                    Some(before) => u64::from(*layer_ends.get(before)?),
                    None => 0,
                };
                let offset =
                    u64::from(runs.offset).checked_add(tile.checked_mul(len)?)?.checked_add(start)?;
                Some((runs.chunk as usize, offset))
            }
            Addressing::Offsets { chunks, mips, offsets } => {
                let count = self.layers.len();
                // Each address has one entry per layer.
                let first = (*mips.get(mip)? as usize).checked_add((address as usize).checked_mul(count)?)?;
                let end = mips.get(mip + 1).map_or(offsets.len(), |end| *end as usize);
                let chunk = chunks.partition_point(|tile| *tile as usize <= first).checked_sub(1)?;
                let at = first + layer;
                let start = *offsets.get(at).filter(|_| first < end)?;
                // A tile that ends where it starts has no data.
                let is_last = chunks.get(chunk + 1).is_some_and(|next| *next as usize == at + 1);
                let next = offsets.get(at + 1).filter(|_| !is_last);
                (next != Some(&start)).then_some((chunk, start.into()))
            }
        }
    }
}

/// Returns the address of a tile: the bits of column and row, interleaved.
const fn morton([x, y]: [u32; 2]) -> u32 {
    const fn spread(value: u32) -> u32 {
        let mut bits = value & 0xFFFF;
        bits = (bits | bits << 8) & 0x00FF_00FF;
        bits = (bits | bits << 4) & 0x0F0F_0F0F;
        bits = (bits | bits << 2) & 0x3333_3333;
        (bits | bits << 1) & 0x5555_5555
    }
    spread(x) | spread(y) << 1
}

#[cfg(test)]
mod tests {
    use super::morton;

    #[test]
    fn tiles_are_numbered_in_morton_order() {
        assert_eq!([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [3, 3]].map(morton), [0, 1, 2, 3, 4, 15]);
        assert_eq!(morton([0xFFFF, 0]), 0x5555_5555);
    }
}
