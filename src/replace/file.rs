//! Picture files: PNG, EXR and DDS, recognised by their first bytes.

use super::exr;
use super::limits::BEFORE_ENCODING;
use crate::asset::texture::NewPicture;
use crate::error::{Error, PictureProblem, Result};
use crate::image::dds_file::{self, Dds};
use crate::image::{Channels, Image, Pixels};
use crate::source::{open_file, read_file};
use png::{BitDepth, ColorType, Transformations};
use std::io::Cursor;
use std::path::Path;

/// Content of a picture file.
#[derive(Debug, Clone, PartialEq)]
pub enum PictureFile {
    /// Pixels.
    Image(Image),
    /// A DDS file.
    Dds(Vec<u8>),
}

const PNG: &[u8] = b"\x89PNG";
const EXR: &[u8] = &[0x76, 0x2F, 0x31, 0x01];

/// Bytes of the pixels in a picture file, from its header alone; 0 if it has none, which [`read_picture`] reports.
#[must_use]
pub fn picture_len(path: &Path) -> u64 {
    let len = || {
        let file = open_file(path).ok()?;
        let (whole, mut start) = (file.metadata().ok()?.len(), [0; 4]);
        let mut reader = std::io::BufReader::new(file);
        std::io::Read::read_exact(&mut reader, &mut start).ok()?;
        std::io::Seek::rewind(&mut reader).ok()?;
        let values = |pixels: u64, channels: u64, bytes: u64| pixels.saturating_mul(channels * bytes);
        match &start[..] {
            PNG => {
                let reader = png::Decoder::new(reader).read_info().ok()?;
                let (info, depth) = (reader.info(), reader.output_color_type().1);
                let pixels = u64::from(info.width) * u64::from(info.height);
                Some(values(pixels, 4, if depth == BitDepth::Sixteen { 2 } else { 1 }))
            }
            EXR => exr::len(reader),
            _ => Some(whole),
        }
    };
    len().unwrap_or(0)
}

/// Reads a picture file. Files larger than `limit` bytes are refused.
pub fn read_picture(path: &Path, limit: u64) -> Result<PictureFile> {
    let bytes = read_file(path, limit)?;
    let bad = |problem| Error::BadPicture { problem, path: path.to_owned() };
    match &bytes[..] {
        start if start.starts_with(PNG) => of_png(&bytes, limit).map(PictureFile::Image).map_err(bad),
        start if start.starts_with(EXR) => exr::read(&bytes, limit).map(PictureFile::Image).map_err(bad),
        // DDS data goes into the texture as it is, so it is only checked here.
        start if start.starts_with(&dds_file::MAGIC) => {
            Dds::parse(&bytes).map_err(Error::malformed("DDS file", path))?;
            Ok(PictureFile::Dds(bytes))
        }
        _ => Err(bad(PictureProblem::Format)),
    }
}

impl PictureFile {
    /// The new picture of a texture; `None` if the file is invalid.
    #[must_use]
    pub fn picture(&self) -> Option<NewPicture<'_>> {
        Some(match self {
            Self::Image(image) => NewPicture::Image(image),
            Self::Dds(bytes) => NewPicture::Dds(Dds::parse(bytes).ok()?),
        })
    }
}

fn decode(error: impl std::error::Error + Send + Sync + 'static) -> PictureProblem {
    PictureProblem::Decode(error.into())
}

fn of_png(bytes: &[u8], limit: u64) -> Result<Image, PictureProblem> {
    let bytes_at_most = usize::try_from(limit / BEFORE_ENCODING).unwrap_or(usize::MAX);
    let limits = png::Limits { bytes: bytes_at_most };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Resolves palettes to colours, and expands fewer bits to eight.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(decode)?;
    check_palette(reader.info())?;
    // The size comes from the file, so it is checked before the buffer is allocated.
    let len = reader.output_buffer_size().filter(|len| *len <= bytes_at_most);
    let mut buffer = vec![0; len.ok_or(PictureProblem::Memory)?];
    let info = reader.next_frame(&mut buffer).map_err(decode)?;
    let pixels = match info.bit_depth {
        BitDepth::Sixteen => {
            // PNG stores 16-bit values in big-endian order.
            Pixels::U16(buffer.as_chunks::<2>().0.iter().map(|pair| u16::from_be_bytes(*pair)).collect())
        }
        _ => Pixels::U8(buffer),
    };
    let (channels, pixels) = match info.color_type {
        ColorType::Grayscale => (Channels::Gray, pixels),
        ColorType::Rgb => (Channels::Rgb, pixels),
        ColorType::Rgba => (Channels::Rgba, pixels),
        ColorType::GrayscaleAlpha => (Channels::Rgba, spread(pixels)),
        ColorType::Indexed => return Err(PictureProblem::PaletteUnresolved),
    };
    Ok(Image { width: info.width, height: info.height, channels, pixels })
}

/// Checks the length of the palette: the decoder assumes that its last colour is complete.
fn check_palette(info: &png::Info<'_>) -> Result<(), PictureProblem> {
    let len = info.palette.as_ref().map_or(0, |palette| palette.len());
    if len.is_multiple_of(3) {
        return Ok(());
    }
    Err(PictureProblem::Palette(len))
}

/// Expands gray and alpha to four channels.
fn spread(pixels: Pixels) -> Pixels {
    fn wide<T: Copy>(values: &[T]) -> Vec<T> {
        values.as_chunks::<2>().0.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]).collect()
    }
    match pixels {
        Pixels::U8(values) => Pixels::U8(wide(&values)),
        Pixels::U16(values) => Pixels::U16(wide(&values)),
        pixels => pixels,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of two pixels, with a palette of some bytes.
    fn indexed(palette: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(vec![7; palette]);
        encoder.write_header().unwrap().write_image_data(&[0, 1]).unwrap();
        bytes
    }

    #[test]
    fn palettes_have_whole_colors() {
        for len in [6, 9, 768] {
            assert_eq!(of_png(&indexed(len), 1 << 20).unwrap().pixels, Pixels::U8(vec![7; 6]));
        }
        for len in [4, 5, 767] {
            let problem = of_png(&indexed(len), 1 << 20).unwrap_err();
            assert!(matches!(problem, PictureProblem::Palette(found) if found == len), "{problem}");
        }
        for len in [1, 2, 769, 771] {
            assert!(of_png(&indexed(len), 1 << 20).is_err(), "{len}");
        }
    }
}
