//! PNG: pictures with 8 or 16 bits per channel.

use crate::image::{Channels, Image, Pixels};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};

/// Meaning of a picture's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Colours, encoded as sRGB.
    Srgb,
    /// Linear values.
    Linear,
    /// Not stated in the file.
    Unsaid,
}

/// Encodes a picture as a PNG file.
pub(crate) fn encode(image: &Image, encoding: Encoding) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, image.width, image.height);
    encoder.set_color(match image.channels {
        Channels::Gray => ColorType::Grayscale,
        Channels::Rgb => ColorType::Rgb,
        Channels::Rgba => ColorType::Rgba,
    });
    // The best level takes many times as long and saves only a few percent.
    encoder.set_compression(Compression::Fast);
    match encoding {
        Encoding::Srgb => encoder.set_source_srgb(SrgbRenderingIntent::Perceptual),
        Encoding::Linear => encoder.set_source_gamma(png::ScaledFloat::new(1.0)),
        Encoding::Unsaid => {}
    }
    let bytes: Vec<u8>;
    let (depth, values) = match &image.pixels {
        Pixels::U8(values) => (BitDepth::Eight, values),
        Pixels::U16(values) => {
            // PNG stores 16-bit values in big-endian order.
            bytes = values.iter().flat_map(|value| value.to_be_bytes()).collect();
            (BitDepth::Sixteen, &bytes)
        }
        // Floats are never clamped: they belong in EXR files.
        Pixels::F16(_) | Pixels::F32(_) => {
            return Err(std::io::Error::other("PNG has no floats").into());
        }
    };
    encoder.set_depth(depth);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(values)?;
    writer.finish()?;
    Ok(file)
}
