//! Mips of a picture: successively smaller pictures.
//!
//! Each pixel is the mean of the pixels it covers (a box filter, the engine's own default): of light for
//! values encoded as sRGB, of directions for normal maps, which are then scaled back to length 1.

use super::encode::half;
use super::pixels::{Channels, Image, Pixels};

/// Meaning of the values of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Linear numbers.
    Linear,
    /// Light encoded as sRGB. Alpha is linear.
    Srgb,
    /// Directions.
    Normal,
}

/// Chain of pictures, each half as large as the one before.
#[derive(Debug)]
pub struct Mips {
    size: [u32; 2],
    channels: Channels,
    meaning: Meaning,
    kind: Kind,
    values: Vec<f32>,
}

/// Type of the values in the file.
#[derive(Debug, Clone, Copy)]
enum Kind {
    U8,
    U16,
    F32,
}

impl Mips {
    /// Starts the chain of a picture: the first one has half its size.
    #[must_use]
    pub fn new(image: &Image, meaning: Meaning) -> Self {
        let (channels, size) = (image.channels, [image.width, image.height]);
        let of = |kind| Self { size, channels, meaning, kind, values: Vec::new() };
        match &image.pixels {
            Pixels::U8(values) => {
                // Eight bits have 256 values, so light is computed once per value, not once per pixel.
                let table: Vec<f32> = (0..=255_u8).map(|value| f32::from(value) / 255.0).collect();
                let light: Vec<f32> = table.iter().map(|value| meaning.of_value(*value)).collect();
                let value = |at: usize, is_color| {
                    let table = if is_color { &light } else { &table };
                    let value = values.get(at).copied().unwrap_or_default();
                    table.get(usize::from(value)).copied().unwrap_or_default()
                };
                of(Kind::U8).halved(value)
            }
            // Means are taken of light, as sRGB values are not proportional to it.
            Pixels::U16(values) => {
                let value = |at: usize, is_color| {
                    let value = f32::from(values.get(at).copied().unwrap_or_default()) / 65_535.0;
                    if is_color { meaning.of_value(value) } else { value }
                };
                of(Kind::U16).halved(value)
            }
            // Floats are light already, hence no conversion.
            Pixels::F16(values) => {
                of(Kind::F32).halved(|at, _| half(values.get(at).copied().unwrap_or_default()))
            }
            Pixels::F32(values) => of(Kind::F32).halved(|at, _| values.get(at).copied().unwrap_or_default()),
        }
    }

    /// Returns the chain from the next picture on.
    #[must_use]
    pub fn next(&self) -> Self {
        let Self { size, channels, meaning, kind, values } = self;
        let next =
            Self { size: *size, channels: *channels, meaning: *meaning, kind: *kind, values: Vec::new() };
        // The values are light since the first picture, so nothing is converted twice.
        next.halved(|at, _| values.get(at).copied().unwrap_or_default())
    }

    /// Returns the current picture.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub fn image(&self) -> Image {
        let [width, height] = self.size;
        let count = self.channels.count();
        let value = |(at, value): (usize, &f32)| {
            if self.is_color(at % count) { self.meaning.to_value(*value) } else { *value }
        };
        let values = self.values.iter().enumerate().map(value);
        let scaled = |value: f32, most: f32| (value.clamp(0.0, 1.0) * most).round();
        let pixels = match self.kind {
            Kind::U8 => Pixels::U8(values.map(|value| scaled(value, 255.0) as u8).collect()),
            Kind::U16 => Pixels::U16(values.map(|value| scaled(value, 65_535.0) as u16).collect()),
            Kind::F32 => Pixels::F32(self.values.clone()),
        };
        Image { width, height, channels: self.channels, pixels }
    }

    const fn is_color(&self, channel: usize) -> bool {
        // Alpha is a share, not light.
        channel < 3 && !matches!(self.kind, Kind::F32)
    }

    /// Halves the picture. `value` returns a value of the larger picture, given its index and if it is a
    /// color.
    fn halved(mut self, value: impl Fn(usize, bool) -> f32) -> Self {
        let [width, height] = self.size;
        let [columns, rows] = self.size.map(shares);
        let count = self.channels.count();
        let mut values = Vec::with_capacity(columns.len() * rows.len() * count);
        for row in &rows {
            for column in &columns {
                for channel in 0..count {
                    let is_color = self.is_color(channel);
                    let mut sum = 0.0;
                    for (y, down) in row.clone() {
                        for (x, across) in column.clone() {
                            let pixel = y as usize * width as usize + x as usize;
                            sum += down * across * value(pixel * count + channel, is_color);
                        }
                    }
                    values.push(sum);
                }
            }
        }
        // A side of 1 stays 1.
        self.size = [width, height].map(|side| (side / 2).max(1));
        self.values = values;
        // The mean of directions is shorter than 1, unless they are equal.
        if self.meaning == Meaning::Normal {
            self.values.chunks_exact_mut(count).for_each(stretch);
        }
        self
    }
}

/// Returns, for each pixel of half a side, the pixels it covers with the share of each. Of an odd number, a
/// pixel covers more than two.
fn shares(side: u32) -> Vec<Vec<(u32, f32)>> {
    let half = (side / 2).max(1);
    let covered = |at: u32| {
        // Counted in parts of 1 / half of a pixel, so that all numbers are exact integers.
        let (start, end) = (at * side, (at + 1) * side);
        let part = |pixel: u32| {
            let (from, to) = (pixel * half, (pixel + 1) * half);
            (pixel, share(to.min(end) - from.max(start), side))
        };
        (start / half..end.div_ceil(half)).map(part).collect()
    };
    (0..half).map(covered).collect()
}

#[expect(clippy::cast_precision_loss, reason = "sides are far below 2^24")]
fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole as f32
}

/// Scales a direction, stored as numbers from 0 to 1, to length 1.
fn stretch(pixel: &mut [f32]) {
    let [x, y, z, ..] = pixel else { return };
    let numbers = [*x, *y, *z].map(|number| number * 2.0 - 1.0);
    let len = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
    // A mean of opposite directions has no direction and stays as it is.
    if len > 0.0 {
        [*x, *y, *z] = numbers.map(|number| number / len / 2.0 + 0.5);
    }
}

impl Meaning {
    fn of_value(self, value: f32) -> f32 {
        match self {
            // The curve of sRGB: linear near black, a power above.
            Self::Srgb if value <= 0.040_45 => value / 12.92,
            Self::Srgb => ((value + 0.055) / 1.055).powf(2.4),
            Self::Linear | Self::Normal => value,
        }
    }

    fn to_value(self, light: f32) -> f32 {
        match self {
            Self::Srgb if light <= 0.003_130_8 => light * 12.92,
            Self::Srgb => 1.055 * light.max(0.0).powf(1.0 / 2.4) - 0.055,
            Self::Linear | Self::Normal => light,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(width: u32, height: u32, values: &[u8]) -> Image {
        Image { width, height, channels: Channels::Gray, pixels: Pixels::U8(values.to_vec()) }
    }

    #[test]
    fn the_mean_of_light_is_brighter_than_that_of_numbers() {
        let image = gray(2, 2, &[0, 255, 0, 255]);
        let half = |meaning| Mips::new(&image, meaning).image().pixels;
        assert_eq!(half(Meaning::Linear), Pixels::U8(vec![128]));
        // Half of all light is 0.7354 as sRGB.
        assert_eq!(half(Meaning::Srgb), Pixels::U8(vec![188]));
    }

    #[test]
    fn sides_are_halved_down_to_one_and_odd_ones_lose_nothing() {
        let image = gray(5, 1, &[10, 20, 30, 40, 50]);
        let first = Mips::new(&image, Meaning::Linear);
        // Each pixel covers two and a half.
        assert_eq!(first.image(), gray(2, 1, &[18, 42]));
        assert_eq!(first.next().image(), gray(1, 1, &[30]));
        assert_eq!(first.next().next().image(), gray(1, 1, &[30]));
        let uniform = gray(7, 3, &[77; 21]);
        assert_eq!(Mips::new(&uniform, Meaning::Srgb).image(), gray(3, 1, &[77; 3]));
    }

    #[test]
    fn directions_keep_their_length() {
        // Along X, and along Y: the mean points between them.
        let pixels = Pixels::U8([[255, 128, 128], [128, 255, 128]].concat());
        let image = Image { width: 2, height: 1, channels: Channels::Rgb, pixels };
        let half = Mips::new(&image, Meaning::Normal).image();
        assert_eq!(half.pixels, Pixels::U8(vec![218, 218, 128]));
    }

    #[test]
    fn alpha_is_no_light() {
        let pixels = Pixels::U8([[0, 0, 0, 0], [0, 0, 0, 255]].concat());
        let image = Image { width: 2, height: 1, channels: Channels::Rgba, pixels };
        assert_eq!(Mips::new(&image, Meaning::Srgb).image().pixels, Pixels::U8(vec![0, 0, 0, 128]));
    }
}
