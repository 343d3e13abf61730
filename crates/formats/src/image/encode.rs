//! Pictures encoded in texture formats.
//!
//! BC and plain formats are written by the crate `dds`, which is pure Rust without `unsafe` and builds for
//! wasm32; without the feature `bc-encoder`, only formats that DirectX lacks.

use super::format::{Layout, PixelFormat};
use super::pixels::{Channels, Image, Pixels};
use super::tasks::{RunTasks, run_here};

/// Errors from encoding a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The format has no encoder here.
    #[error("pixel format {0} cannot be encoded here; a DDS file that has it goes in as it is")]
    Format(PixelFormat),
    /// The format has no encoder here, and no DDS file can contain it.
    #[error("pixel format {0} cannot be encoded here")]
    NoFile(PixelFormat),
    /// The format has floats, but the picture does not.
    #[error("pixel format {0} holds floats, and the picture has none; an EXR or DDS file has")]
    NoFloats(PixelFormat),
    /// The picture has floats, but the format does not.
    #[error("pixel format {0} holds no floats, but the picture does; a PNG or DDS file has none")]
    Floats(PixelFormat),
    /// The number of values does not match the size.
    #[error("picture of {width} by {height} has {found} values")]
    Values {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Number of values.
        found: usize,
    },
}

/// Checks that a picture can be encoded in a format; `floats` is true for a picture of floats.
pub fn check_encodable(format: PixelFormat, floats: bool) -> Result<(), EncodeError> {
    // A format with a DXGI number can at least be imported from a DDS file as it is, and the error says so.
    match (directx::can_encode(format) || is_own(format.layout()), format.dxgi(false)) {
        (false, Some(_)) => Err(EncodeError::Format(format)),
        (false, None) => Err(EncodeError::NoFile(format)),
        (true, _) => match (format.layout().is_float(), floats) {
            (true, false) => Err(EncodeError::NoFloats(format)),
            (false, true) => Err(EncodeError::Floats(format)),
            _ => Ok(()),
        },
    }
}

impl Image {
    /// Encodes the picture. A format with one channel takes only red.
    pub fn encode(&self, format: PixelFormat) -> Result<Vec<u8>, EncodeError> {
        self.encode_by(format, &run_here)
    }

    /// Encodes the picture in bands of rows.
    ///
    /// ```
    /// use uncask_formats::image::{Channels, Image, PixelFormat, Pixels, RowTask};
    ///
    /// let format = PixelFormat::from_name("PF_DXT1").expect("a format");
    /// let pixels = Pixels::U8(vec![7; 256 * 256 * 4]);
    /// let image = Image { width: 256, height: 256, channels: Channels::Rgba, pixels };
    /// let encoded = image.encode_by(format, &|tasks| {
    ///     std::thread::scope(|scope| tasks.into_iter().for_each(|task| drop(scope.spawn(move || task.run()))));
    /// })?;
    /// assert_eq!(encoded, image.encode(format)?);
    /// # Ok::<(), uncask_formats::image::EncodeError>(())
    /// ```
    pub fn encode_by(&self, format: PixelFormat, run: &RunTasks<'_>) -> Result<Vec<u8>, EncodeError> {
        check_encodable(format, self.is_float())?;
        // Every value is read by its index later, so the number is checked here once.
        let expected = (self.width as usize).checked_mul(self.height as usize);
        if expected.and_then(|pixels| pixels.checked_mul(self.channels.count())) != Some(self.pixels.len()) {
            return Err(self.wrong_values());
        }
        if is_own(format.layout()) {
            return Ok(self.encode_own(format.layout()));
        }
        directx::encode(self, format, run)
    }

    const fn wrong_values(&self) -> EncodeError {
        EncodeError::Values { width: self.width, height: self.height, found: self.pixels.len() }
    }

    /// Encodes formats that DirectX lacks or defines differently.
    fn encode_own(&self, layout: Layout) -> Vec<u8> {
        let eight = |value: usize| match &self.pixels {
            Pixels::U8(values) => values.get(value).copied().unwrap_or_default(),
            Pixels::U16(values) => {
                let value = u32::from(values.get(value).copied().unwrap_or_default());
                // Rounded to nearest: half of the divisor is added first.
                u8::try_from((value * 255 + 32_767) / 65_535).unwrap_or(u8::MAX)
            }
            // Floats were rejected before.
            Pixels::F16(_) | Pixels::F32(_) => 0,
        };
        let count = self.channels.count();
        let pixel = |at: usize| -> [u8; 4] {
            let red = eight(at * count);
            match self.channels {
                Channels::Gray => [red, red, red, 255],
                Channels::Rgb => [red, eight(at * count + 1), eight(at * count + 2), 255],
                Channels::Rgba => [0, 1, 2, 3].map(|channel| eight(at * count + channel)),
            }
        };
        let pixels = (0..self.pixels.len() / count).map(pixel);
        match layout {
            Layout::Argb8 => pixels.flat_map(|[r, g, b, a]| [a, r, g, b]).collect(),
            Layout::Rg8Signed => {
                // Signed bytes: 128 in the middle of the unsigned range becomes 0.
                pixels.flat_map(|[r, g, ..]| [r.wrapping_sub(128), g.wrapping_sub(128)]).collect()
            }
            _ => pixels.map(|[r, ..]| r).collect(),
        }
    }
}

const fn is_own(layout: Layout) -> bool {
    matches!(layout, Layout::Argb8 | Layout::Rg8Signed | Layout::Alpha8)
}

/// Formats of DirectX.
#[cfg(feature = "bc-encoder")]
mod directx {
    use super::{Channels, EncodeError, Image, Layout, PixelFormat, Pixels, RunTasks, half};
    use crate::image::tasks::{RowTask, rows_of_band};
    use dds::{ColorFormat, CompressionQuality, EncodeOptions, Format, ImageView, Precision, Size};
    use std::borrow::Cow;

    pub(super) fn can_encode(format: PixelFormat) -> bool {
        // The crate knows formats that it can only read.
        known(format).is_some_and(|found| found.encoding_support().is_some())
    }

    pub(super) fn encode(
        image: &Image,
        format: PixelFormat,
        run: &RunTasks<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let of_dds = known(format).ok_or(EncodeError::NoFile(format))?;
        // The encoder takes bytes, not half floats: these become floats, without loss.
        let (bytes, precision) = native(&image.pixels);
        let channels = match image.channels {
            Channels::Gray => dds::Channels::Grayscale,
            Channels::Rgb => dds::Channels::Rgb,
            Channels::Rgba => dds::Channels::Rgba,
        };
        let color = ColorFormat::new(channels, precision);
        let encode = |rows: &[u8]| {
            let row = usize::from(color.bytes_per_pixel()) * image.width as usize;
            let height = u32::try_from(rows.len() / row.max(1)).unwrap_or(u32::MAX);
            let view = ImageView::new(rows, Size::new(image.width, height), color);
            let view = view.ok_or_else(|| image.wrong_values())?;
            let mut out = Vec::new();
            let mut options = EncodeOptions::default();
            options.quality = quality(format);
            let made = dds::encode(&mut out, view, of_dds, None, &options);
            made.map_err(|_| EncodeError::Format(format)).map(|()| out)
        };
        // Blocks are encoded independently of each other, so bands of whole blocks make the same bytes.
        let band = rows_of_band(image.width) * image.width as usize * usize::from(color.bytes_per_pixel());
        let mut bands: Vec<_> = bytes.chunks(band.max(1)).map(|rows| (rows, Ok(Vec::new()))).collect();
        run(bands.iter_mut().map(|(rows, made)| RowTask::new(|| *made = encode(rows))).collect());
        let mut all = Vec::with_capacity(
            usize::try_from(format.byte_len(image.width, image.height)).unwrap_or_default(),
        );
        bands.into_iter().try_for_each(|(_, made)| made.map(|bytes| all.extend(bytes)))?;
        Ok(all)
    }

    /// Effort of the encoder. In BC1 to BC5 the next level is a quarter of a decibel better and takes three times as long; in BC7 it
    /// is a whole one, for twice as long.
    fn quality(format: PixelFormat) -> CompressionQuality {
        if format.layout() == Layout::Bc7 { CompressionQuality::Normal } else { CompressionQuality::Fast }
    }

    fn known(format: PixelFormat) -> Option<Format> {
        Format::from_dxgi(dds::header::DxgiFormat::try_from(format.dxgi(false)?).ok()?)
    }

    /// The values in the byte order of this machine, halves as floats.
    fn native(pixels: &Pixels) -> (Cow<'_, [u8]>, Precision) {
        match pixels {
            Pixels::U8(values) => (values.into(), Precision::U8),
            Pixels::U16(values) => {
                (values.iter().flat_map(|value| value.to_ne_bytes()).collect(), Precision::U16)
            }
            Pixels::F16(values) => {
                (values.iter().flat_map(|value| half(*value).to_ne_bytes()).collect(), Precision::F32)
            }
            Pixels::F32(values) => {
                (values.iter().flat_map(|value| value.to_ne_bytes()).collect(), Precision::F32)
            }
        }
    }
}

/// No formats of DirectX.
#[cfg(not(feature = "bc-encoder"))]
mod directx {
    use super::{EncodeError, Image, PixelFormat, RunTasks};

    pub(super) const fn can_encode(_: PixelFormat) -> bool {
        false
    }

    pub(super) const fn encode(
        _: &Image,
        format: PixelFormat,
        _: &RunTasks<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        Err(EncodeError::Format(format))
    }
}

impl Pixels {
    /// Returns the number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::U16(values) | Self::F16(values) => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    /// Returns true if there are no values.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Converts a half float to a float.
pub(crate) fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    // Exponent 31 stands for infinity and NaN, 0 for numbers without the leading 1.
    sign * match (exponent, bits & 0x3FF) {
        (31, 0) => f32::INFINITY,
        (31, _) => f32::NAN,
        (0, _) => fraction * 2_f32.powi(-24),
        _ => (1024.0 + fraction) * 2_f32.powi(exponent - 25),
    }
}
