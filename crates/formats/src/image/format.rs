use super::pixels::{Channels, Sample};
use std::fmt;

/// Format of the pixels of a picture (`EPixelFormat`).
#[doc(alias = "EPixelFormat")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PixelFormat(u8);

/// Facts about a format.
#[derive(Debug, Clone, Copy)]
struct Row {
    name: &'static str,
    /// Number in the engine.
    number: u8,
    layout: Layout,
    /// DXGI formats, plain and sRGB; 0 if there is none.
    dxgi: [u32; 2],
}

/// Layout of pixels. Channels are named in memory order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "channels and bits")]
pub enum Layout {
    Bc1,
    Bc2,
    Bc3,
    Bc4,
    Bc5,
    Bc6,
    Bc7,
    /// Low dynamic range, with the sides of a block.
    Astc(u8, u8),
    /// High dynamic range, with the sides of a block.
    AstcHdr(u8, u8),
    /// With X in red and Y in alpha, and the sides of a block.
    AstcNormal(u8, u8),
    Etc1,
    Etc2Rgb,
    Etc2Rgba,
    EacR,
    EacRg,
    Pvrtc2,
    Pvrtc4,
    Gray8,
    Gray16,
    Alpha8,
    Rg8,
    /// Signed.
    Rg8Signed,
    Rgba8,
    Bgra8,
    Argb8,
    /// Red in the highest bits.
    Bgr565,
    Bgra5551,
    /// Red in the lowest bits.
    Rgb10A2,
    Rg16,
    Rgba16,
    R16Float,
    Rg16Float,
    Rgba16Float,
    R32Float,
    Rg32Float,
    Rgb32Float,
    Rgba32Float,
    /// Red in the lowest bits.
    Rg11B10Float,
    /// Three mantissas, one exponent.
    Rgb9E5,
}

impl Layout {
    /// Returns width and height of a block; 1 by 1 for plain pixels.
    #[must_use]
    pub const fn block(self) -> [u32; 2] {
        match self {
            Self::Astc(w, h) | Self::AstcHdr(w, h) | Self::AstcNormal(w, h) => [w as u32, h as u32],
            Self::Pvrtc2 => [8, 4],
            Self::Bc1
            | Self::Bc2
            | Self::Bc3
            | Self::Bc4
            | Self::Bc5
            | Self::Bc6
            | Self::Bc7
            | Self::Etc1
            | Self::Etc2Rgb
            | Self::Etc2Rgba
            | Self::EacR
            | Self::EacRg
            | Self::Pvrtc4 => [4, 4],
            _ => [1, 1],
        }
    }

    /// Returns true if its values are floats.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::Bc6
                | Self::AstcHdr(..)
                | Self::R16Float
                | Self::Rg16Float
                | Self::Rgba16Float
                | Self::R32Float
                | Self::Rg32Float
                | Self::Rgb32Float
                | Self::Rgba32Float
                | Self::Rg11B10Float
                | Self::Rgb9E5
        )
    }

    /// Returns true if its decoded values are integers, as PNG requires.
    #[must_use]
    pub const fn is_in_png(self) -> bool {
        !self.is_float()
    }

    /// Returns the channels and values of decoded pixels: two channels become three, with blue 0.
    pub(super) const fn decoded(self) -> (Channels, Sample) {
        use Channels::{Gray, Rgb, Rgba};
        match self {
            Self::Bc4 | Self::EacR | Self::Gray8 | Self::Alpha8 => (Gray, Sample::U8),
            Self::Bc5
            | Self::Etc1
            | Self::Etc2Rgb
            | Self::EacRg
            | Self::Rg8
            | Self::Rg8Signed
            | Self::Bgr565 => (Rgb, Sample::U8),
            Self::Bc1
            | Self::Bc2
            | Self::Bc3
            | Self::Bc7
            | Self::Astc(..)
            | Self::AstcNormal(..)
            | Self::Etc2Rgba
            | Self::Pvrtc2
            | Self::Pvrtc4
            | Self::Rgba8
            | Self::Bgra8
            | Self::Argb8
            | Self::Bgra5551 => (Rgba, Sample::U8),
            Self::Gray16 => (Gray, Sample::U16),
            Self::Rg16 => (Rgb, Sample::U16),
            Self::Rgb10A2 | Self::Rgba16 => (Rgba, Sample::U16),
            Self::R16Float => (Gray, Sample::F16),
            Self::Bc6 | Self::Rg16Float | Self::Rg11B10Float => (Rgb, Sample::F16),
            Self::AstcHdr(..) | Self::Rgba16Float => (Rgba, Sample::F16),
            Self::R32Float => (Gray, Sample::F32),
            Self::Rg32Float | Self::Rgb32Float | Self::Rgb9E5 => (Rgb, Sample::F32),
            Self::Rgba32Float => (Rgba, Sample::F32),
        }
    }

    /// Returns the length of a block in bytes.
    #[must_use]
    pub const fn block_len(self) -> u32 {
        match self {
            Self::Gray8 | Self::Alpha8 => 1,
            Self::Gray16 | Self::Rg8 | Self::Rg8Signed | Self::Bgr565 | Self::Bgra5551 | Self::R16Float => 2,
            Self::Rgba8
            | Self::Bgra8
            | Self::Argb8
            | Self::Rgb10A2
            | Self::Rg16
            | Self::Rg16Float
            | Self::R32Float
            | Self::Rg11B10Float
            | Self::Rgb9E5 => 4,
            Self::Bc1
            | Self::Bc4
            | Self::Etc1
            | Self::Etc2Rgb
            | Self::EacR
            | Self::Pvrtc2
            | Self::Pvrtc4
            | Self::Rgba16
            | Self::Rgba16Float
            | Self::Rg32Float => 8,
            Self::Rgb32Float => 12,
            _ => 16,
        }
    }
}

macro_rules! formats {
    ($($name:literal $number:literal $layout:expr, $plain:literal $srgb:literal;)*) => {
        const ROWS: &[Row] = &[$(
            Row { name: $name, number: $number, layout: $layout, dxgi: [$plain, $srgb] },
        )*];
    };
}

formats! {
    "PF_A32B32G32R32F" 1 Layout::Rgba32Float, 2 2;
    "PF_B8G8R8A8" 2 Layout::Bgra8, 87 91;
    "PF_G8" 3 Layout::Gray8, 61 61;
    "PF_G16" 4 Layout::Gray16, 56 56;
    "PF_DXT1" 5 Layout::Bc1, 71 72;
    "PF_DXT3" 6 Layout::Bc2, 74 75;
    "PF_DXT5" 7 Layout::Bc3, 77 78;
    "PF_FloatRGB" 9 Layout::Rg11B10Float, 26 26;
    "PF_FloatRGBA" 10 Layout::Rgba16Float, 10 10;
    "PF_R32_FLOAT" 13 Layout::R32Float, 41 41;
    "PF_G16R16" 14 Layout::Rg16, 35 35;
    "PF_G16R16F" 15 Layout::Rg16Float, 34 34;
    "PF_G16R16F_FILTER" 16 Layout::Rg16Float, 34 34;
    "PF_G32R32F" 17 Layout::Rg32Float, 16 16;
    "PF_A2B10G10R10" 18 Layout::Rgb10A2, 24 24;
    "PF_A16B16G16R16" 19 Layout::Rgba16, 11 11;
    "PF_R16F" 21 Layout::R16Float, 54 54;
    "PF_R16F_FILTER" 22 Layout::R16Float, 54 54;
    "PF_BC5" 23 Layout::Bc5, 83 83;
    "PF_V8U8" 24 Layout::Rg8Signed, 51 51;
    "PF_FloatR11G11B10" 25 Layout::Rg11B10Float, 26 26;
    "PF_A8" 27 Layout::Alpha8, 65 65;
    "PF_PVRTC2" 30 Layout::Pvrtc2, 0 0;
    "PF_PVRTC4" 31 Layout::Pvrtc4, 0 0;
    "PF_R5G6B5_UNORM" 36 Layout::Bgr565, 85 85;
    "PF_R8G8B8A8" 37 Layout::Rgba8, 28 29;
    "PF_A8R8G8B8" 38 Layout::Argb8, 0 0;
    "PF_BC4" 39 Layout::Bc4, 80 80;
    "PF_R8G8" 40 Layout::Rg8, 49 49;
    "PF_ETC1" 46 Layout::Etc1, 0 0;
    "PF_ETC2_RGB" 47 Layout::Etc2Rgb, 0 0;
    "PF_ETC2_RGBA" 48 Layout::Etc2Rgba, 0 0;
    "PF_ASTC_4x4" 50 Layout::Astc(4, 4), 0 0;
    "PF_ASTC_6x6" 51 Layout::Astc(6, 6), 0 0;
    "PF_ASTC_8x8" 52 Layout::Astc(8, 8), 0 0;
    "PF_ASTC_10x10" 53 Layout::Astc(10, 10), 0 0;
    "PF_ASTC_12x12" 54 Layout::Astc(12, 12), 0 0;
    "PF_BC6H" 55 Layout::Bc6, 95 95;
    "PF_BC7" 56 Layout::Bc7, 98 99;
    "PF_L8" 58 Layout::Gray8, 61 61;
    "PF_R16G16B16A16_UNORM" 62 Layout::Rgba16, 11 11;
    "PF_ETC2_R11_EAC" 69 Layout::EacR, 0 0;
    "PF_ETC2_RG11_EAC" 70 Layout::EacRg, 0 0;
    "PF_R8" 71 Layout::Gray8, 61 61;
    "PF_B5G5R5A1_UNORM" 72 Layout::Bgra5551, 86 86;
    "PF_ASTC_4x4_HDR" 73 Layout::AstcHdr(4, 4), 0 0;
    "PF_ASTC_6x6_HDR" 74 Layout::AstcHdr(6, 6), 0 0;
    "PF_ASTC_8x8_HDR" 75 Layout::AstcHdr(8, 8), 0 0;
    "PF_ASTC_10x10_HDR" 76 Layout::AstcHdr(10, 10), 0 0;
    "PF_ASTC_12x12_HDR" 77 Layout::AstcHdr(12, 12), 0 0;
    "PF_R32G32B32F" 82 Layout::Rgb32Float, 6 6;
    "PF_R9G9B9EXP5" 85 Layout::Rgb9E5, 67 67;
    "PF_ASTC_4x4_NORM_RG" 87 Layout::AstcNormal(4, 4), 0 0;
    "PF_ASTC_6x6_NORM_RG" 88 Layout::AstcNormal(6, 6), 0 0;
    "PF_ASTC_8x8_NORM_RG" 89 Layout::AstcNormal(8, 8), 0 0;
    "PF_ASTC_10x10_NORM_RG" 90 Layout::AstcNormal(10, 10), 0 0;
    "PF_ASTC_12x12_NORM_RG" 91 Layout::AstcNormal(12, 12), 0 0;
}

impl PixelFormat {
    /// Finds a format by name, such as `PF_DXT1`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        // Letter case is ignored, as for all names of the engine.
        let row = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name))?;
        Some(Self(row.number))
    }

    /// Finds a format by its number in the engine.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        ROWS.iter().find(|row| row.number == number).map(|row| Self(row.number))
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// Returns the layout of its pixels.
    #[must_use]
    pub fn layout(self) -> Layout {
        // A format is only made from a row, so the default is never used.
        self.row().map_or(Layout::Gray8, |row| row.layout)
    }

    /// Returns its DXGI format.
    #[must_use]
    pub fn dxgi(self, srgb: bool) -> Option<u32> {
        let [plain, encoded] = self.row()?.dxgi;
        let number = if srgb { encoded } else { plain };
        (number != 0).then_some(number)
    }

    /// Returns true if this is its DXGI format, plain or sRGB.
    #[must_use]
    pub fn is_dxgi(self, number: u32) -> bool {
        number != 0 && self.row().is_some_and(|row| row.dxgi.contains(&number))
    }

    /// Returns the length of a picture in bytes.
    #[must_use]
    pub fn byte_len(self, width: u32, height: u32) -> u64 {
        let layout = self.layout();
        let [w, h] = layout.block();
        // A partial block on the edge is stored whole.
        let mut blocks = [u64::from(width.div_ceil(w)), u64::from(height.div_ceil(h))];
        if matches!(layout, Layout::Pvrtc2 | Layout::Pvrtc4) {
            // PVRTC stores at least two blocks each way.
            blocks = blocks.map(|count| if count == 0 { 0 } else { count.max(2) });
        }
        let [across, down] = blocks;
        across.saturating_mul(down).saturating_mul(layout.block_len().into())
    }

    fn row(self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.number == self.0)
    }
}

impl fmt::Display for PixelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl serde::Serialize for PixelFormat {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_and_a_number_of_its_own() {
        for row in ROWS {
            assert_eq!(
                PixelFormat::from_name(row.name),
                PixelFormat::from_number(row.number),
                "{}",
                row.name
            );
            assert_eq!(PixelFormat::from_number(row.number).unwrap().name(), row.name);
        }
    }

    #[test]
    fn pictures_consist_of_whole_blocks() {
        let len = |name, width, height| PixelFormat::from_name(name).unwrap().byte_len(width, height);
        assert_eq!(len("PF_DXT1", 64, 64), 2048);
        assert_eq!(len("PF_DXT5", 1, 1), 16);
        assert_eq!(len("PF_ASTC_6x6", 32, 32), 6 * 6 * 16);
        assert_eq!(len("PF_FloatRGBA", 4, 2), 64);
        assert_eq!(len("PF_A32B32G32R32F", u32::MAX, u32::MAX), u64::MAX);
    }
}
