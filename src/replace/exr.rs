//! EXR files, by the crate `exr`.

use super::limits::BEFORE_ENCODING;
use crate::error::PictureProblem;
use crate::image::{Channels, Image, Pixels};
use exr::meta;
use exr::prelude::{self, FlatSamples, ReadChannels, ReadLayers, f16};
use std::io::{BufRead, Cursor, Seek};

/// The most pixels accepted: more than any texture of the engine has.
const MAX_PIXELS: usize = 1 << 28;

/// Bytes of the pixels in a file, from its header alone.
pub(super) fn len(reader: impl BufRead + Seek) -> Option<u64> {
    let meta = meta::MetaData::read_from_buffered(reader, false).ok()?;
    let layer = meta.headers.first()?;
    Some((layer.layer_size.area() as u64).saturating_mul(4 * layer.channels.list.len() as u64))
}

/// Reads the pixels of a file.
pub(super) fn read(bytes: &[u8], limit: u64) -> Result<Image, PictureProblem> {
    // Read the header first: the decoder would allocate whatever size it claims.
    let meta = meta::MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(decode)?;
    let pixels =
        meta.headers.iter().map(|header| header.layer_size.area().saturating_mul(header.channels.list.len()));
    let values = pixels.fold(0, usize::saturating_add);
    // Four bytes per value, since floats are the widest; once as channels, once as pixels.
    if values > MAX_PIXELS || (values as u64).saturating_mul(4 * BEFORE_ENCODING) > limit {
        return Err(PictureProblem::Memory);
    }
    let read = prelude::read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer();
    let image = read.all_attributes().non_parallel().from_buffered(Cursor::new(bytes)).map_err(decode)?;
    let layer = &image.layer_data;
    let (size, list) = (layer.size, &layer.channel_data.list);
    let find = |name: &str| list.iter().find(|channel| channel.name.to_string().eq_ignore_ascii_case(name));
    let (channels, names): (_, &[&'static str]) = match (find("R").is_some(), find("A").is_some()) {
        (true, true) => (Channels::Rgba, &["R", "G", "B", "A"]),
        (true, false) => (Channels::Rgb, &["R", "G", "B"]),
        // Without a red channel it must be luminance.
        _ => (Channels::Gray, &["Y"]),
    };
    let found = names.iter().map(|name| find(name).ok_or(PictureProblem::NoChannel(name)));
    let samples =
        found.map(|channel| channel.map(|channel| &channel.sample_data)).collect::<Result<Vec<_>, _>>()?;
    let pixels = |side: usize| u32::try_from(side).map_err(|_| PictureProblem::Size);
    let (width, height) = (pixels(size.width())?, pixels(size.height())?);
    Ok(Image { width, height, channels, pixels: interleave(&samples, size.area()) })
}

/// Interleaves channels pixel by pixel; the result has half floats if all channels do.
fn interleave(samples: &[&FlatSamples], pixels: usize) -> Pixels {
    let halves: Option<Vec<&[f16]>> = samples
        .iter()
        .map(|samples| match samples {
            FlatSamples::F16(values) => Some(&values[..]),
            _ => None,
        })
        .collect();
    if let Some(halves) = halves {
        let pixel =
            |at: usize| halves.iter().map(move |values| values.get(at).map_or(0, |value| value.to_bits()));
        return Pixels::F16((0..pixels).flat_map(pixel).collect());
    }
    let value = |samples: &FlatSamples, at: usize| samples.value_by_flat_index(at).to_f32();
    Pixels::F32((0..pixels).flat_map(|at| samples.iter().map(move |samples| value(samples, at))).collect())
}

fn decode(error: exr::error::Error) -> PictureProblem {
    PictureProblem::Decode(error.into())
}
