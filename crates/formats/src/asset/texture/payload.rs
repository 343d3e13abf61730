//! The payload of a texture, field by field: what was read is written again, byte for byte.

use super::shape::Shape;
use super::virtual_data::{self, VirtualTexture};
use crate::asset::bulk::{Bulk, Written};
use crate::asset::payload::{Payload, StripFlags};
use crate::image::PixelFormat;
use crate::package::legacy::Name;
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind, WireString, Writer};

/// What an export of a texture holds after its properties.
#[derive(Debug, Clone, PartialEq)]
pub struct TexturePayload<'a> {
    /// Of textures, and of the class.
    pub strip_flags: [StripFlags; 2],
    /// Whether mips are here; recorded only for textures of two dimensions (5.3).
    pub has_mip_data: Option<bool>,
    /// One for each pixel format: one, as a rule.
    pub blocks: Vec<Block<'a>>,
    /// `None`, after the last block.
    pub end: Name,
    /// Flags of a light map; shadow maps have none.
    pub light_map: Option<u32>,
    pub(super) versions: AssetVersions,
}

/// The texture in one pixel format.
#[derive(Debug, Clone, PartialEq)]
pub struct Block<'a> {
    /// The pixel format.
    pub name: Name,
    /// Where it ends, in releases that count from the start of the package.
    pub skip_offset: Option<u64>,
    /// What is in it.
    pub body: Body<'a>,
}

/// What is in a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Body<'a> {
    /// The texture.
    Platform(Box<PlatformData<'a>>),
    /// The texture in a pixel format that is not known, or once more.
    Skipped(&'a [u8]),
}

/// `FTexturePlatformData`.
#[doc(alias = "FTexturePlatformData")]
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformData<'a> {
    /// How its pixels are written.
    pub format: PixelFormat,
    /// Pixels in a row, and rows. Those of the largest mip count.
    pub size: [u32; 2],
    /// Number of slices, and flags.
    pub packed: u32,
    /// The name of the pixel format once more.
    pub format_name: WireString,
    /// How many mips a console keeps together.
    pub tail: Option<[u8; 8]>,
    /// A copy of the pixels for the processor.
    pub cpu_copy: Option<&'a [u8]>,
    /// The first mip that is recorded.
    pub first_mip: u32,
    /// The mips.
    pub mips: Vec<StoredMip<'a>>,
    /// What describes its tiles, if it is virtual; in releases that have such textures.
    pub virtual_data: Option<Option<&'a [u8]>>,
}

/// A mip, as it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredMip<'a> {
    /// The pixels; they may be elsewhere.
    pub data: Option<Bulk<'a>>,
    /// Pixels in a row, rows and layers: in old releases, those of whole blocks.
    pub size: [u32; 3],
}

/// Largest numbers that are believed.
pub(super) const MAX_MIPS: u32 = 20;
const MAX_SIDE: u32 = 65_536;
const HAS_CPU_COPY: u32 = 1 << 29;
const HAS_TAIL: u32 = 1 << 30;

impl<'a> TexturePayload<'a> {
    /// Reads one, and the tiles of a virtual texture.
    pub(super) fn read(
        p: &mut Payload<'_, 'a>,
        shape: Shape,
        is_light_map: bool,
    ) -> Result<(Self, Tiles<'a>), Fault> {
        let strip_flags = [p.strip_flags()?, p.strip_flags()?];
        p.expect("texture: cooked", 1)?;
        let has_flag = shape == Shape::Flat && p.versions.has_mip_data_flag();
        let has_mip_data = has_flag.then(|| p.r.bool32("texture: has mip data")).transpose()?;
        let (mut blocks, mut tiles): (Vec<Block<'a>>, _) = (Vec::new(), None);
        let end = loop {
            let name = p.name("texture: pixel format")?;
            if p.scope.is_none(name) {
                break name;
            }
            let has_platform = blocks.iter().any(|block| matches!(block.body, Body::Platform(_)));
            let (block, found) = block(p, name, has_mip_data.unwrap_or(true), has_platform)?;
            blocks.push(block);
            tiles = tiles.or(found);
        };
        let light_map = is_light_map.then(|| p.r.u32("flags of a light map")).transpose()?;
        let versions = p.versions;
        Ok((Self { strip_flags, has_mip_data, blocks, end, light_map, versions }, tiles))
    }

    /// The texture in the pixel format that is known.
    #[must_use]
    pub fn platform(&self) -> Option<&PlatformData<'a>> {
        self.blocks.iter().find_map(|block| match &block.body {
            Body::Platform(data) => Some(&**data),
            Body::Skipped(_) => None,
        })
    }

    /// The bytes that it was read of.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let mut w = Writer::new();
        self.write(&mut w)?;
        Ok(w.into_bytes())
    }

    /// Whether UE4 wrote it.
    pub(super) fn is_ue4(&self) -> bool {
        !self.versions.has_relative_skip_offsets()
    }

    /// Appends the bytes of it; says where its mips are.
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
    // What a name says that is not known would be gone over, but then the block in front has what is wanted.
    let body = match PixelFormat::from_name(&p.scope.shared(name)) {
        Some(format) if !is_there => {
            let data;
            (data, tiles) = PlatformData::read(p, format, has_mips)?;
            if let Some(end) = end.filter(|end| *end != p.r.offset()) {
                let kind = FaultKind::Unexpected { found: end, expected: p.r.offset() };
                return Err(at.fault("texture: skip offset", kind));
            }
            Body::Platform(Box::new(data))
        }
        _ => {
            let end = end.ok_or_else(|| at.fault("texture: pixel format", FaultKind::Unknown))?;
            let kind = FaultKind::TooSmall { found: end, limit: p.r.offset() };
            let len = end.checked_sub(p.r.offset()).ok_or_else(|| at.fault("texture: skip offset", kind))?;
            Body::Skipped(p.r.bytes64("texture: skipped block", len)?)
        }
    };
    Ok((Block { name, skip_offset, body }, tiles))
}

/// Where a block ends as it is recorded, where that counts from the start of a package; and in the export, where it does not.
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
                p.expect("texture: derived data", 0)?;
            }
        }
        let size = [side(p, "texture: width")?, side(p, "texture: height")?];
        let packed = p.r.u32("texture: slices")?;
        let at = p.r.clone();
        let format_name = WireString::read(&mut p.r, "texture: format")?;
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

/// The tiles of a virtual texture.
type Tiles<'a> = Option<Box<VirtualTexture<'a>>>;

/// Tiles, and the bytes that describe them.
type Described<'a> = (Box<VirtualTexture<'a>>, &'a [u8]);

fn virtual_data<'a>(p: &mut Payload<'_, 'a>) -> Result<Option<Described<'a>>, Fault> {
    if !p.r.bool32("texture: virtual")? {
        return Ok(None);
    }
    let bytes = p.r.rest();
    let found = virtual_data::read(p)?;
    let used = bytes.len() - p.r.remaining();
    Ok(Some((Box::new(found), bytes.get(..used).unwrap_or_default())))
}

fn cpu_copy<'a>(p: &mut Payload<'_, 'a>) -> Result<&'a [u8], Fault> {
    let bytes = p.r.rest();
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
