//! Payload of a texture, field by field: everything that is read can be written back byte for byte.

use super::shape::Shape;
use super::virtual_data::{self, VirtualTexture};
use crate::asset::bulk::{Bulk, Written};
use crate::asset::payload::{Payload, StripFlags};
use crate::image::PixelFormat;
use crate::package::legacy::Name;
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind, WireString, Writer};

/// Payload of a texture, after the properties.
#[derive(Debug, Clone, PartialEq)]
pub struct TexturePayload<'a> {
    /// Strip flags of `UTexture`, and of the class.
    pub strip_flags: [StripFlags; 2],
    /// True if the mips are here; recorded only for two-dimensional textures, since 5.3.
    pub has_mip_data: Option<bool>,
    /// One block per pixel format, of which there is usually one.
    pub blocks: Vec<Block<'a>>,
    /// The name `None` after the last block.
    pub end: Name,
    /// Flags of a light map; shadow maps have none.
    pub light_map: Option<u32>,
    pub(super) versions: AssetVersions,
}

/// Texture in one pixel format.
#[derive(Debug, Clone, PartialEq)]
pub struct Block<'a> {
    /// Pixel format.
    pub name: Name,
    /// End of the block as recorded, in releases that count from the start of the package.
    pub skip_offset: Option<u64>,
    /// Content.
    pub body: Body<'a>,
}

/// Content of a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Body<'a> {
    /// Texture data.
    Platform(Box<PlatformData<'a>>),
    /// Bytes of an unknown pixel format, or of a further known one.
    Skipped(&'a [u8]),
}

/// `FTexturePlatformData`: the pixels of a texture for one platform.
#[doc(alias = "FTexturePlatformData")]
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformData<'a> {
    /// Pixel format.
    pub format: PixelFormat,
    /// Width and height as recorded. The largest mip's are authoritative.
    pub size: [u32; 2],
    /// Number of slices, and flags.
    pub packed: u32,
    /// Name of the pixel format, repeated.
    pub format_name: WireString,
    /// Packing of the smallest mips on consoles, as stored.
    pub tail: Option<[u8; 8]>,
    /// Copy of the pixels for the processor, as stored.
    pub cpu_copy: Option<&'a [u8]>,
    /// Index of the first mip to load.
    pub first_mip: u32,
    /// The mips.
    pub mips: Vec<StoredMip<'a>>,
    /// Description of the tiles as stored, if it is virtual; `None` in releases without virtual textures.
    pub virtual_data: Option<Option<&'a [u8]>>,
}

/// Mip as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredMip<'a> {
    /// Pixels; `None` if they are in another object.
    pub data: Option<Bulk<'a>>,
    /// Width, height and depth; in whole blocks before 5.0.
    pub size: [u32; 3],
}

/// Limits of numbers in a payload.
pub(super) const MAX_MIPS: u32 = 20;
const MAX_SIDE: u32 = 65_536;
const HAS_CPU_COPY: u32 = 1 << 29;
const HAS_TAIL: u32 = 1 << 30;

impl<'a> TexturePayload<'a> {
    /// Reads a payload, and the tiles of a virtual texture.
    pub(super) fn read(
        p: &mut Payload<'_, 'a>,
        shape: Shape,
        is_light_map: bool,
    ) -> Result<(Self, Tiles<'a>), Fault> {
        let strip_flags = [p.strip_flags()?, p.strip_flags()?];
        p.expect("texture: cooked", 1)?;
        // Cubes, arrays and volumes have no such flag, whatever the release.
        let has_flag = shape == Shape::Flat && p.versions.has_mip_data_flag();
        let has_mip_data = has_flag.then(|| p.r.bool32("texture: has mip data")).transpose()?;
        let (mut blocks, mut tiles): (Vec<Block<'a>>, _) = (Vec::new(), None);
        let end = loop {
            let name = p.name("texture: pixel format")?;
            if p.scope.is_none(name) {
                break name;
            }
            // The first known format is read; further ones are kept as bytes.
            let has_platform = blocks.iter().any(|block| matches!(block.body, Body::Platform(_)));
            let (block, found) = block(p, name, has_mip_data.unwrap_or(true), has_platform)?;
            blocks.push(block);
            tiles = tiles.or(found);
        };
        let light_map = is_light_map.then(|| p.r.u32("flags of a light map")).transpose()?;
        let versions = p.versions;
        Ok((Self { strip_flags, has_mip_data, blocks, end, light_map, versions }, tiles))
    }

    /// Returns the texture data in a known pixel format.
    #[must_use]
    pub fn platform(&self) -> Option<&PlatformData<'a>> {
        self.blocks.iter().find_map(|block| match &block.body {
            Body::Platform(data) => Some(&**data),
            Body::Skipped(_) => None,
        })
    }

    /// Returns the bytes that it was read from.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let mut w = Writer::new();
        self.write(&mut w)?;
        Ok(w.into_bytes())
    }

    /// True if UE4 wrote it.
    pub(super) fn is_ue4(&self) -> bool {
        !self.versions.has_relative_skip_offsets()
    }

    /// Appends its bytes, and returns the positions of its mips.
    pub(super) fn write(&self, w: &mut Writer) -> Result<Vec<Written>, Fault> {
        let mut written = Vec::new();
        for flags in self.strip_flags {
            w.u8(flags.global).u8(flags.class);
        }
        w.u32(1);
        if let Some(flag) = self.has_mip_data {
            w.u32(flag.into());
        }
        for block in &self.blocks {
            // The body is written first, since its length precedes it.
            let mut body = Writer::new();
            let mut places = Vec::new();
            match &block.body {
                Body::Skipped(bytes) => {
                    body.bytes(bytes);
                }
                Body::Platform(data) => places = data.write(&mut body, &self.versions)?,
            }
            write_name(w, block.name);
            self.write_skip_offset(w, block, body.len());
            let start = w.len();
            w.bytes(&body.into_bytes());
            written.extend(places.into_iter().map(|place| Written {
                offset_at: place.offset_at.map(|at| start + at),
                bytes_at: start + place.bytes_at,
            }));
        }
        write_name(w, self.end);
        if let Some(flags) = self.light_map {
            w.u32(flags);
        }
        Ok(written)
    }

    fn write_skip_offset(&self, w: &mut Writer, block: &Block<'_>, len: usize) {
        if self.versions.has_relative_skip_offsets() {
            // The offset counts from its own first byte.
            w.u64(8 + len as u64);
        } else if self.versions.has_mip_depth() {
            w.u64(block.skip_offset.unwrap_or_default());
        } else {
            w.u32(block.skip_offset.and_then(|offset| u32::try_from(offset).ok()).unwrap_or_default());
        }
    }
}

fn write_name(w: &mut Writer, name: Name) {
    w.u32(name.index).u32(name.number);
}

fn block<'a>(
    p: &mut Payload<'_, 'a>,
    name: Name,
    has_mips: bool,
    is_there: bool,
) -> Result<(Block<'a>, Tiles<'a>), Fault> {
    let at = p.r.clone();
    let mut tiles = None;
    let (skip_offset, end) = skip_offset(p)?;
    // A block of an unknown format can be skipped; one that follows a known format is not needed.
    let body = match PixelFormat::from_name(&p.scope.shared(name)) {
        Some(format) if !is_there => {
            let data;
            (data, tiles) = PlatformData::read(p, format, has_mips)?;
            // The reader must end exactly where the block does: anything else is another layout.
            if let Some(end) = end.filter(|end| *end != p.r.offset()) {
                let kind = FaultKind::Unexpected { found: end, expected: p.r.offset() };
                return Err(at.fault("texture: skip offset", kind));
            }
            Body::Platform(Box::new(data))
        }
        _ => {
            // Offsets from the start of the package cannot be followed here, so an unknown format ends the
            // reading.
            let end = end.ok_or_else(|| at.fault("texture: pixel format", FaultKind::Unknown))?;
            let kind = FaultKind::TooSmall { found: end, limit: p.r.offset() };
            let len = end.checked_sub(p.r.offset()).ok_or_else(|| at.fault("texture: skip offset", kind))?;
            Body::Skipped(p.r.bytes64("texture: skipped block", len)?)
        }
    };
    Ok((Block { name, skip_offset, body }, tiles))
}

/// Reads the end of a block: as recorded, if it counts from the start of the package, or else as an offset in
/// the export.
fn skip_offset(p: &mut Payload<'_, '_>) -> Result<(Option<u64>, Option<u64>), Fault> {
    let at = p.r.offset();
    if p.versions.has_relative_skip_offsets() {
        let len = p.r.long_size("texture: skip offset")?;
        return Ok((None, at.checked_add(len)));
    }
    let recorded = if p.versions.has_mip_depth() {
        p.r.long_size("texture: skip offset")?
    } else {
        p.r.size("texture: skip offset")?.into()
    };
    Ok((Some(recorded), None))
}

impl<'a> PlatformData<'a> {
    fn read(
        p: &mut Payload<'_, 'a>,
        format: PixelFormat,
        has_mips: bool,
    ) -> Result<(Self, Tiles<'a>), Fault> {
        if p.versions.has_relative_skip_offsets() {
            for _ in 0..4 {
                // 16 bytes: a flag for derived data, which cooked packages never have, and zeros.
                p.expect("texture: derived data", 0)?;
            }
        }
        let size = [side(p, "texture: width")?, side(p, "texture: height")?];
        let packed = p.r.u32("texture: slices")?;
        let at = p.r.clone();
        let format_name = WireString::read(&mut p.r, "texture: format")?;
        // Stored twice, as a name and as text: a difference means a wrong layout.
        if PixelFormat::from_name(format_name.as_str()) != Some(format) {
            return Err(at.fault("texture: format", FaultKind::Unknown));
        }
        let has_tail = packed & HAS_TAIL != 0;
        let tail = has_tail.then(|| p.r.array("texture: tail of mips")).transpose()?;
        let has_copy = packed & HAS_CPU_COPY != 0 && p.versions.has_cpu_copy();
        let cpu_copy = has_copy.then(|| cpu_copy(p)).transpose()?;
        let first_mip = at_most(p, "texture: first mip", MAX_MIPS)?;
        let count = at_most(p, "texture: mips", MAX_MIPS)?;
        let mips = (0..count).map(|_| StoredMip::read(p, has_mips)).collect::<Result<_, _>>()?;
        let virtual_data = p.versions.has_virtual_textures().then(|| virtual_data(p)).transpose()?;
        let (tiles, virtual_data) = match virtual_data {
            Some(Some((tiles, bytes))) => (Some(tiles), Some(Some(bytes))),
            found => (None, found.map(|_| None)),
        };
        Ok((Self { format, size, packed, format_name, tail, cpu_copy, first_mip, mips, virtual_data }, tiles))
    }

    fn write(&self, w: &mut Writer, versions: &AssetVersions) -> Result<Vec<Written>, Fault> {
        if versions.has_relative_skip_offsets() {
            w.bytes(&[0; 16]);
        }
        let [width, height] = self.size;
        w.u32(width).u32(height).u32(self.packed);
        self.format_name.write(w);
        w.bytes(self.tail.as_ref().map_or(&[], |tail| &tail[..]));
        w.bytes(self.cpu_copy.unwrap_or_default());
        w.u32(self.first_mip).u32(u32::try_from(self.mips.len()).unwrap_or(u32::MAX));
        let mut written = Vec::new();
        for mip in &self.mips {
            written.extend(mip.write(w, versions)?);
        }
        if let Some(tiles) = self.virtual_data {
            w.u32(tiles.is_some().into()).bytes(tiles.unwrap_or_default());
        }
        Ok(written)
    }
}

impl<'a> StoredMip<'a> {
    fn read(p: &mut Payload<'_, 'a>, has_data: bool) -> Result<Self, Fault> {
        // UE4 marks each mip as cooked.
        if !p.versions.has_relative_skip_offsets() {
            p.expect("mip: cooked", 1)?;
        }
        let data = has_data.then(|| p.bulk()).transpose()?;
        let [width, height] = [side(p, "mip: width")?, side(p, "mip: height")?];
        let depth = if p.versions.has_mip_depth() { side(p, "mip: depth")? } else { 1 };
        Ok(Self { data, size: [width, height, depth] })
    }

    fn write(&self, w: &mut Writer, versions: &AssetVersions) -> Result<Option<Written>, Fault> {
        if !versions.has_relative_skip_offsets() {
            w.u32(1);
        }
        let written = self.data.map(|data| data.write(w, versions)).transpose()?;
        let [width, height, depth] = self.size;
        w.u32(width).u32(height);
        if versions.has_mip_depth() {
            w.u32(depth);
        }
        Ok(written)
    }
}

/// Tiles of a virtual texture.
type Tiles<'a> = Option<Box<VirtualTexture<'a>>>;

/// Tiles, and the bytes that describe them.
type Described<'a> = (Box<VirtualTexture<'a>>, &'a [u8]);

fn virtual_data<'a>(p: &mut Payload<'_, 'a>) -> Result<Option<Described<'a>>, Fault> {
    if !p.r.bool32("texture: virtual")? {
        return Ok(None);
    }
    // The bytes are kept as they are: tiles are never changed.
    let bytes = p.r.rest();
    let found = virtual_data::read(p)?;
    let used = bytes.len() - p.r.remaining();
    Ok(Some((Box::new(found), bytes.get(..used).unwrap_or_default())))
}

fn cpu_copy<'a>(p: &mut Payload<'_, 'a>) -> Result<&'a [u8], Fault> {
    let bytes = p.r.rest();
    // Size, format and gamma, 14 bytes in all, precede the length.
    p.r.array::<14>("texture: copy for the processor")?;
    let len = p.r.long_size("texture: copy for the processor")?;
    p.r.bytes64("texture: copy for the processor", len)?;
    Ok(bytes.get(..bytes.len() - p.r.remaining()).unwrap_or_default())
}

fn side(p: &mut Payload<'_, '_>, field: &'static str) -> Result<u32, Fault> {
    at_most(p, field, MAX_SIDE)
}

fn at_most(p: &mut Payload<'_, '_>, field: &'static str, limit: u32) -> Result<u32, Fault> {
    let at = p.r.clone();
    match p.r.size(field)? {
        found if found <= limit => Ok(found),
        found => Err(at.fault(field, FaultKind::TooLarge { found: found.into(), limit: limit.into() })),
    }
}
