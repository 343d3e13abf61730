//! EXR: pictures with floats; half floats stay half floats.

use crate::image::{Channels, Image, Pixels};
use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Layer, LayerAttributes, SmallVec, SpecificChannels, Vec2,
    WritableImage, f16,
};
use std::io::{self, Cursor, Seek, Write};
use std::sync::{Mutex, PoisonError};

/// Encodes a picture, with ZIP compression.
pub(crate) fn encode(image: &Image) -> Result<Vec<u8>, exr::error::Error> {
    // The library ends the program over a picture without pixels.
    if image.width == 0 || image.height == 0 {
        return Err(exr::error::Error::Invalid("no pixels".into()));
    }
    let names: &[&str] = match image.channels {
        Channels::Gray => &["Y"],
        Channels::Rgb => &["R", "G", "B"],
        Channels::Rgba => &["R", "G", "B", "A"],
    };
    let channel = |(at, name): (usize, &&str)| {
        let samples = match &image.pixels {
            Pixels::F16(values) => {
                FlatSamples::F16(every(values, at, names.len()).map(|bits| f16::from_bits(*bits)).collect())
            }
            Pixels::F32(values) => FlatSamples::F32(every(values, at, names.len()).copied().collect()),
            // EXR has no 8- or 16-bit integers for colours, so they are scaled to 0 … 1.
            Pixels::U8(values) => FlatSamples::F32(
                every(values, at, names.len()).map(|value| f32::from(*value) / 255.0).collect(),
            ),
            Pixels::U16(values) => FlatSamples::F32(
                every(values, at, names.len()).map(|value| f32::from(*value) / 65535.0).collect(),
            ),
        };
        AnyChannel::new(*name, samples)
    };
    let channels: SmallVec<[AnyChannel<FlatSamples>; 4]> = names.iter().enumerate().map(channel).collect();
    let size = (image.width as usize, image.height as usize);
    let encoding = Encoding::SMALL_LOSSLESS;
    // The format wants channels sorted by name.
    let layer = Layer::new(size, LayerAttributes::default(), encoding, AnyChannels::sort(channels));
    let mut file = Cursor::new(Vec::new());
    // Packages are processed in parallel already.
    exr::prelude::Image::from_layer(layer).write().non_parallel().to_buffered(&mut file)?;
    Ok(file.into_inner())
}

/// Writes a picture of one channel, whose samples are asked for by X and Y, row by row.
pub(crate) fn write_grey(
    [width, height]: [u32; 2],
    sample: impl FnMut(u32, u32) -> f32 + Send,
    out: impl Write + Seek,
) -> io::Result<()> {
    // The library asks from one thread at a time, but promises less.
    let sample = Mutex::new(sample);
    let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let pixel = |Vec2(x, y): Vec2<usize>| {
        (sample.lock().unwrap_or_else(PoisonError::into_inner)(number(x), number(y)),)
    };
    let channels = SpecificChannels::build().with_channel("Y").with_pixel_fn(pixel);
    let size = (width as usize, height as usize);
    let layer = Layer::new(size, LayerAttributes::default(), Encoding::SMALL_LOSSLESS, channels);
    let made = exr::prelude::Image::from_layer(layer).write().non_parallel().to_buffered(out);
    made.map_err(io::Error::other)
}

fn every<T>(values: &[T], first: usize, step: usize) -> impl Iterator<Item = &T> {
    values.iter().skip(first).step_by(step)
}
