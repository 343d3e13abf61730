//! DDS files: pictures in the form that graphics cards use, with all mips and slices.
//!
//! ```text
//! "DDS " │ u32 124, flags, height, width, pitch or size, depth, mips │ 11 × u32 0
//! │ u32 32, flags, FourCC, bits, 4 × masks │ u32 caps, caps 2, 3 × u32 0
//! │ FourCC "DX10": u32 DXGI format, dimension, 4 for cubes, array size, 0 │ slice by slice, mip by mip
//! ```
//!
//! A volume has its layers mip by mip instead. Files without "DX10" follow the older DirectX 9; many editors
//! still write them. Source: Microsoft's documentation of the format.

use super::format::PixelFormat;
use crate::wire::{Fault, FaultKind, Reader, Writer};

/// Header of a DDS file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DdsHeader {
    /// Pixel format (`DXGI_FORMAT`).
    pub format: u32,
    /// Pixels in a row of the largest mip.
    pub width: u32,
    /// Rows of the largest mip.
    pub height: u32,
    /// Number of mips.
    pub mips: u32,
    /// Kind of content.
    pub kind: DdsKind,
}

/// Content of a DDS file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DdsKind {
    /// Number of pictures.
    Pictures(u32),
    /// Number of cubes.
    Cubes(u32),
    /// A volume, with its number of layers.
    Volume(u32),
}

/// A DDS file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dds<'a> {
    /// Header.
    pub header: DdsHeader,
    data: &'a [u8],
}

/// Magic at the start of every DDS file.
pub const MAGIC: [u8; 4] = *b"DDS ";

const DX10: [u8; 4] = *b"DX10";
/// Flags: caps, height, width and pixel format; number of mips; size.
const FLAGS: u32 = 0x1007 | 0x2_0000 | 0x8_0000;
const HAS_DEPTH: u32 = 0x80_0000;
/// Caps: texture, more than one surface, mips.
const CAPS: u32 = 0x1000 | 0x8 | 0x40_0000;
const CUBE: u32 = 0x200;
/// Caps of a cube with all its faces.
const ALL_FACES: u32 = 0xFE00;
const VOLUME: u32 = 0x20_0000;
const TEXTURE_3D: u32 = 4;
const IS_CUBE: u32 = 4;

/// Four-character codes of DirectX 9, with the DXGI formats. Small numbers are formats of Direct3D 9 without
/// a code.
const FOUR_CC: [([u8; 4], u32); 16] = [
    (*b"DXT1", 71),
    (*b"DXT2", 74),
    (*b"DXT3", 74),
    (*b"DXT4", 77),
    (*b"DXT5", 77),
    (*b"ATI1", 80),
    (*b"BC4U", 80),
    (*b"ATI2", 83),
    (*b"BC5U", 83),
    ([36, 0, 0, 0], 11),
    ([111, 0, 0, 0], 54),
    ([112, 0, 0, 0], 34),
    ([113, 0, 0, 0], 10),
    ([114, 0, 0, 0], 41),
    ([115, 0, 0, 0], 16),
    ([116, 0, 0, 0], 2),
];

/// Bits per pixel and masks of red, green, blue and alpha, with the DXGI formats.
const MASKS: [([u32; 5], u32); 8] = [
    ([32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], 87),
    ([32, 0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000], 28),
    ([32, 0xFFFF, 0xFFFF_0000, 0, 0], 35),
    ([32, 0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000], 24),
    ([16, 0xF800, 0x7E0, 0x1F, 0], 85),
    ([16, 0x7C00, 0x3E0, 0x1F, 0x8000], 86),
    ([16, 0xFFFF, 0, 0, 0], 56),
    ([8, 0xFF, 0, 0, 0], 61),
];

impl<'a> Dds<'a> {
    /// Returns the length of its pixels, in bytes.
    #[must_use]
    pub const fn byte_len(&self) -> u64 {
        self.data.len() as u64
    }

    /// Reads the header of a file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        let at = r.clone();
        if r.array("DDS: magic")? != MAGIC {
            return Err(at.fault("DDS: magic", FaultKind::BadMagic));
        }
        // Sizes and the pitch follow from the other fields, so they are not needed.
        let [_, flags, height, width, _, depth, mips] = numbers(&mut r, "DDS: header")?;
        numbers::<11>(&mut r, "DDS: header")?;
        let at = r.clone();
        let [_, _] = numbers(&mut r, "DDS: pixel format")?;
        let four_cc: [u8; 4] = r.array("DDS: pixel format")?;
        let masks: [u32; 5] = numbers(&mut r, "DDS: pixel format")?;
        let [_, caps, ..] = numbers::<5>(&mut r, "DDS: caps")?;
        let (format, kind) = if four_cc == DX10 {
            let [format, dimension, misc, array, _] = numbers(&mut r, "DDS: DX10 header")?;
            let kind = match (dimension, misc & IS_CUBE != 0) {
                // A volume has one slice; its layers are counted by the depth of the first header.
                (TEXTURE_3D, _) => DdsKind::Volume(depth.max(1)),
                (_, true) => DdsKind::Cubes(array.max(1)),
                _ => DdsKind::Pictures(array.max(1)),
            };
            (format, kind)
        } else {
            // The older form knows a format by code; without one, by the masks of its channels.
            let of_name = FOUR_CC.iter().find(|(name, _)| *name == four_cc).map(|(_, format)| *format);
            let of_masks = || MASKS.iter().find(|(known, _)| *known == masks).map(|(_, format)| *format);
            let format = of_name.or_else(|| (four_cc == [0; 4]).then(of_masks).flatten());
            let kind = match caps {
                // The depth counts only with its flag.
                caps if caps & VOLUME != 0 && flags & HAS_DEPTH != 0 => DdsKind::Volume(depth.max(1)),
                caps if caps & CUBE != 0 => DdsKind::Cubes(1),
                _ => DdsKind::Pictures(1),
            };
            (format.ok_or_else(|| at.fault("DDS: pixel format", FaultKind::Unknown))?, kind)
        };
        let header = DdsHeader { format, width, height, mips: mips.max(1), kind };
        Ok(Self { header, data: r.rest() })
    }

    /// Returns the bytes of each mip, all its slices in order, for pixels of the given format.
    pub fn mips(&self, format: PixelFormat) -> Result<Vec<Vec<u8>>, Fault> {
        let len = |level: u32| {
            let [width, height] = [self.header.width, self.header.height].map(|side| halved(side, level));
            format.byte_len(width, height)
        };
        let mut r = Reader::with_base(self.data, 0);
        let mut take = |mip: &mut Vec<u8>, len: u64| -> Result<(), Fault> {
            mip.extend_from_slice(r.bytes64("DDS: pixels", len)?);
            Ok(())
        };
        // 32 halvings leave one pixel of any side, so more mips than that cannot differ.
        let levels = self.header.mips.min(32);
        let mut mips = vec![Vec::new(); levels as usize];
        match self.header.kind {
            DdsKind::Volume(layers) => {
                // In a volume the layers are halved too.
                for (level, mip) in (0..).zip(&mut mips) {
                    take(mip, len(level).saturating_mul(halved(layers, level).into()))?;
                }
            }
            DdsKind::Pictures(count) | DdsKind::Cubes(count) => {
                let is_cube = matches!(self.header.kind, DdsKind::Cubes(_));
                let count = if is_cube { count.saturating_mul(6) } else { count };
                // Slices without pixels are limited to one, since the data sets no bound on their number.
                let count = if len(0) == 0 { count.min(1) } else { count };
                // In the file each slice has all its mips; here each mip collects all slices.
                for _ in 0..count {
                    for (level, mip) in (0..).zip(&mut mips) {
                        take(mip, len(level))?;
                    }
                }
            }
        }
        Ok(mips)
    }
}

impl DdsHeader {
    /// Appends a header with "DX10". `first_len` is the length in bytes of a slice of the largest mip.
    pub fn write(&self, w: &mut Writer, first_len: usize) {
        let (depth, flags, caps) = match self.kind {
            DdsKind::Pictures(_) => (0, FLAGS, 0),
            DdsKind::Cubes(_) => (0, FLAGS, ALL_FACES),
            DdsKind::Volume(layers) => (layers, FLAGS | HAS_DEPTH, VOLUME),
        };
        let (dimension, cube, array) = match self.kind {
            DdsKind::Pictures(count) => (3, 0, count),
            // The array counts cubes, not faces.
            DdsKind::Cubes(count) => (3, IS_CUBE, count),
            DdsKind::Volume(_) => (TEXTURE_3D, 0, 1),
        };
        w.bytes(&MAGIC);
        let size = u32::try_from(first_len).unwrap_or(u32::MAX);
        let numbers = [124, flags, self.height, self.width, size, depth, self.mips];
        let four_cc = [32, 4, u32::from_le_bytes(DX10), 0, 0, 0, 0, 0];
        let caps = [CAPS, caps, 0, 0, 0];
        let more = [self.format, dimension, cube, array.max(1), 0];
        for number in numbers.iter().chain(&[0; 11]).chain(&four_cc).chain(&caps).chain(&more) {
            w.u32(*number);
        }
    }
}

fn halved(side: u32, level: u32) -> u32 {
    // A side is never halved below 1, unless it was 0.
    side.checked_shr(level).unwrap_or(0).max(u32::from(side != 0))
}

fn numbers<const N: usize>(r: &mut Reader<'_>, field: &'static str) -> Result<[u32; N], Fault> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = r.u32(field)?;
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bc1() -> PixelFormat {
        PixelFormat::from_name("PF_DXT1").unwrap()
    }

    fn file(kind: DdsKind, format: u32, pixels: &[u8]) -> Vec<u8> {
        let mut w = Writer::new();
        DdsHeader { format, width: 8, height: 4, mips: 2, kind }.write(&mut w, 16);
        w.bytes(pixels);
        w.into_bytes()
    }

    #[test]
    fn headers_come_back_and_slices_go_to_their_mips() {
        // Two slices: two blocks and one each.
        let pixels: Vec<u8> = (0..48).collect();
        let bytes = file(DdsKind::Pictures(2), 71, &pixels);
        assert_eq!(bytes.len(), 148 + 48);
        let dds = Dds::parse(&bytes).unwrap();
        assert_eq!(
            dds.header,
            DdsHeader { format: 71, width: 8, height: 4, mips: 2, kind: DdsKind::Pictures(2) }
        );
        let expected = [[0..16, 24..40], [16..24, 40..48]];
        let expected = expected.map(|ranges| ranges.map(|range| pixels[range].to_vec()).concat());
        assert_eq!(dds.mips(bc1()).unwrap(), expected);
        let bytes = file(DdsKind::Volume(2), 71, &pixels);
        let volume = Dds::parse(&bytes).unwrap();
        assert_eq!(volume.header.kind, DdsKind::Volume(2));
        let lens: Vec<usize> = volume.mips(bc1()).unwrap().iter().map(Vec::len).collect();
        assert_eq!(lens, [32, 8]);
    }

    /// Fields of a DirectX 9 header, spelled out.
    #[test]
    fn headers_of_old_editors_are_read() {
        let mut bytes = [&b"DDS "[..], &124_u32.to_le_bytes(), &0x1007_u32.to_le_bytes()].concat();
        bytes.extend([4_u32, 8, 0, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend([0; 44]);
        let masks = [32_u32, 0x41, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
        bytes.extend(masks.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend([0x1000_u32, 0, 0, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
        let old = Dds::parse(&bytes).unwrap();
        let expected = DdsHeader { format: 87, width: 8, height: 4, mips: 1, kind: DdsKind::Pictures(1) };
        assert_eq!(old.header, expected);
        bytes[84..88].copy_from_slice(b"DXT5");
        assert_eq!(Dds::parse(&bytes).unwrap().header.format, 77);
        bytes[84..88].copy_from_slice(b"YUY2");
        let fault = Dds::parse(&bytes).unwrap_err().to_string();
        assert_eq!(fault, "DDS: pixel format: not known, offset 0x4c");
    }

    #[test]
    fn what_is_cut_off_or_claims_too_much_is_refused() {
        let bytes = file(DdsKind::Cubes(1), 71, &[0; 100]);
        for len in 0..148 {
            assert!(Dds::parse(&bytes[..len]).is_err(), "{len}");
        }
        assert!(Dds::parse(&bytes).unwrap().mips(bc1()).is_err());
        let mut many = bytes;
        many[28..32].copy_from_slice(&u32::MAX.to_le_bytes());
        many[12..20].copy_from_slice(&[0; 8]);
        many[140..144].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Dds::parse(&many).unwrap().mips(bc1()).unwrap(), vec![Vec::<u8>::new(); 32]);
    }
}
