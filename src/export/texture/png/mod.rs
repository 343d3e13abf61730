//! PNG: pictures with 8 or 16 bits per channel. Large ones are filtered and compressed by stripes, on all idle threads.

mod filter;
mod stripe;

use crate::image::{Channels, Image, Pixels};
use crate::job::Cpu;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};
use stripe::Rows;

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
pub(crate) fn encode(image: &Image, encoding: Encoding, cpu: &Cpu) -> Result<Vec<u8>, EncodingError> {
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
    let unit = image.channels.count() * if depth == BitDepth::Sixteen { 2 } else { 1 };
    let chunks = chunks(values, [image.width, image.height].map(|side| side as usize), unit, cpu)?;
    // Headers and checksums need less than this.
    let mut file = Vec::with_capacity(chunks.iter().map(|chunk| chunk.len() + 12).sum::<usize>() + 256);
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
    encoder.set_depth(depth);
    let mut writer = encoder.write_header()?;
    if chunks.is_empty() {
        writer.write_image_data(values)?;
    }
    for chunk in chunks {
        writer.write_chunk(png::chunk::IDAT, &chunk)?;
    }
    writer.finish()?;
    Ok(file)
}

/// Compresses a large picture by stripes. None for a small one, or one that is not as long as it should be, which the encoder reports.
fn chunks(
    values: &[u8],
    [width, height]: [usize; 2],
    unit: usize,
    cpu: &Cpu,
) -> std::io::Result<Vec<Vec<u8>>> {
    let row_len = width * unit;
    let stripes = Rows::new(values, row_len, unit).stripes();
    if stripes.len() < 2 || values.len() != row_len * height || !stripe::can_be_joined() {
        return Ok(Vec::new());
    }
    let streams = cpu.map(stripes, |stripe| stripe.compress());
    Ok(stripe::join(streams.into_iter().collect::<Result<_, _>>()?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    /// A picture with slopes, noise and empty rows, so that each filter is the best one somewhere.
    fn picture(channels: Channels, [width, height]: [u32; 2]) -> Image {
        let len = width as usize * height as usize * channels.count();
        let value = |at: usize| {
            let (row, noise) = (at / (width as usize * channels.count()), at.wrapping_mul(0x9E37_79B9) >> 20);
            let slope = at / 7 + row * row / 3;
            let value = match row / 9 % 5 {
                0 => 0,
                1 => noise,
                2 => slope,
                3 => row * 3 + noise % 4,
                _ => slope + at % channels.count() * 40,
            };
            value.to_le_bytes()[0]
        };
        Image { width, height, channels, pixels: Pixels::U8((0..len).map(value).collect()) }
    }

    /// The pixels of a file. Its stream is also read whole by another inflater: readers of PNG do not look at its checksum.
    fn decode(file: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        let (mut stream, mut left) = (Vec::new(), file.get(8..).unwrap());
        while let Some((len, rest)) = left.split_first_chunk::<4>() {
            let (kind, rest) = rest.split_at(4);
            let (data, rest) = rest.split_at(u32::from_be_bytes(*len) as usize);
            if kind == b"IDAT" {
                stream.extend_from_slice(data);
            }
            left = rest.get(4..).unwrap();
        }
        let (mut inflater, mut filtered) = (flate2::read::ZlibDecoder::new(&*stream), Vec::new());
        inflater.read_to_end(&mut filtered).unwrap();
        assert_eq!(inflater.total_in(), stream.len() as u64, "nothing follows the checksum");
        bytes
    }

    #[test]
    fn large_pictures_are_made_by_stripes_and_read_as_they_were() {
        assert!(stripe::can_be_joined());
        let cpu = Cpu::new(2).unwrap();
        for channels in [Channels::Gray, Channels::Rgb, Channels::Rgba] {
            // Widths in steps of one: each stripe ends at another bit.
            for width in 1000..1010 {
                let image = picture(channels, [width, 3600 / u32::try_from(channels.count()).unwrap()]);
                let file = encode(&image, Encoding::Srgb, &cpu).unwrap();
                let Pixels::U8(values) = &image.pixels else { panic!("8 bits") };
                assert!(decode(&file) == *values, "{channels:?} {width}");
            }
        }
    }

    #[test]
    fn stripes_of_sixteen_bits_and_of_noise() {
        let mut state = 1_u32;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as u16
        });
        let values: Vec<u16> = noise.take(1500 * 1500).collect();
        let image = Image {
            width: 1500,
            height: 1500,
            channels: Channels::Gray,
            pixels: Pixels::U16(values.clone()),
        };
        let file = encode(&image, Encoding::Linear, &Cpu::default()).unwrap();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
        assert!(decode(&file) == bytes);
        assert!(file.len() < bytes.len() + bytes.len() / 1000, "noise is stored: {}", file.len());
    }
}
