//! Mips of a picture: successively smaller pictures.
//!
//! Each pixel is the mean of the pixels it covers (a box filter, the engine's own default): of light for
//! values encoded as sRGB, of directions for normal maps, which are then scaled back to length 1.

use super::encode::half;
use super::pixels::{Channels, Image, Pixels};
use super::steps::Steps;
use super::tasks::{RowTask, RunTasks, rows_of_band, run_here};

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
        Self::new_by(image, meaning, &run_here)
    }

    /// Starts the chain of a picture, in bands of rows.
    #[must_use]
    pub fn new_by(image: &Image, meaning: Meaning, run: &RunTasks<'_>) -> Self {
        let (channels, size) = (image.channels, [image.width, image.height]);
        let this = |kind| Self { size, channels, meaning, kind, values: Vec::new() };
        let (count, width) = (channels.count(), image.width as usize * channels.count());
        match &image.pixels {
            Pixels::U8(values) => {
                // Eight bits have 256 values, so light is computed once per value, not once per pixel.
                let table =
                    std::array::from_fn(|value: usize| u8::try_from(value).map_or(0.0, f32::from) / 255.0);
                let light = table.map(|value| meaning.of_value(value));
                let value =
                    |channel, value: u8| of_table(if is_color(channel) { &light } else { &table }, value);
                this(Kind::U8).halved(&|y, line| fill(line, row(values, y, width), count, value), run)
            }
            // Means are taken of light, as sRGB values are not proportional to it.
            Pixels::U16(values) => {
                let value = |channel, value: u16| {
                    let value = f32::from(value) / 65_535.0;
                    if is_color(channel) { meaning.of_value(value) } else { value }
                };
                this(Kind::U16).halved(&|y, line| fill(line, row(values, y, width), count, value), run)
            }
            // Floats are light already, hence no conversion.
            Pixels::F16(values) => {
                let value = |_, value| half(value);
                this(Kind::F32).halved(&|y, line| fill(line, row(values, y, width), count, value), run)
            }
            Pixels::F32(values) => this(Kind::F32)
                .halved(&|y, line| fill(line, row(values, y, width), count, |_, value| value), run),
        }
    }

    /// Returns the chain from the next picture on.
    #[must_use]
    pub fn next(&self) -> Self {
        self.next_by(&run_here)
    }

    /// Returns the chain from the next picture on, made in bands of rows.
    #[must_use]
    pub fn next_by(&self, run: &RunTasks<'_>) -> Self {
        let Self { size, channels, meaning, kind, values } = self;
        let next =
            Self { size: *size, channels: *channels, meaning: *meaning, kind: *kind, values: Vec::new() };
        let (count, width) = (channels.count(), size[0] as usize * channels.count());
        // The values are light since the first picture, so nothing is converted twice.
        next.halved(&|y, line| fill(line, row(values, y, width), count, |_, value| value), run)
    }

    /// Returns the current picture.
    #[must_use]
    pub fn image(&self) -> Image {
        self.image_by(&run_here)
    }

    /// Returns the current picture, made in bands of rows.
    #[must_use]
    pub fn image_by(&self, run: &RunTasks<'_>) -> Image {
        let [width, height] = self.size;
        let value =
            |channel, value: f32| if is_color(channel) { self.meaning.to_value(value) } else { value };
        let pixels = match self.kind {
            Kind::U8 if self.values.len() < MANY => {
                Pixels::U8(self.converted(|channel, light| eight_bits(value(channel, light)), run))
            }
            Kind::U8 => {
                let color = Steps::new(|light| eight_bits(self.meaning.to_value(light)));
                let alpha = Steps::new(eight_bits);
                let step =
                    |channel, value| if is_color(channel) { color.find(value) } else { alpha.find(value) };
                Pixels::U8(self.converted(step, run))
            }
            Kind::U16 => {
                Pixels::U16(self.converted(|channel, light| sixteen_bits(value(channel, light)), run))
            }
            Kind::F32 => Pixels::F32(self.values.clone()),
        };
        Image { width, height, channels: self.channels, pixels }
    }

    /// Converts all values. `value` gets the channel of each.
    fn converted<T: Copy + Default + Send>(
        &self,
        value: impl Fn(usize, f32) -> T + Sync,
        run: &RunTasks<'_>,
    ) -> Vec<T> {
        let count = self.channels.count();
        let band = (rows_of_band(self.size[0]) * self.size[0] as usize * count).max(1);
        let mut made = vec![T::default(); self.values.len()];
        let bands = made.chunks_mut(band).zip(self.values.chunks(band));
        let value = &value;
        run(bands.map(|(to, from)| RowTask::new(move || fill(to, from, count, value))).collect());
        made
    }

    /// Halves the picture. `read` gets the number of a row of the larger picture, and where its values belong.
    fn halved(mut self, read: &(dyn Fn(usize, &mut [f32]) + Sync), run: &RunTasks<'_>) -> Self {
        let [width, height] = self.size;
        let [columns, rows] = self.size.map(shares);
        let (count, band) = (self.channels.count(), rows_of_band(width));
        let len = columns.len() * count;
        let mut values = vec![0.0; len * rows.len()];
        let halve = |rows: &[Vec<Share>], values: &mut [f32]| {
            let mut line = vec![0.0; width as usize * count];
            for (row, sums) in rows.iter().zip(values.chunks_mut(len.max(1))) {
                for (y, down) in row {
                    read(*y as usize, &mut line);
                    match self.channels {
                        Channels::Gray => add::<1>(sums, &line, &columns, *down),
                        Channels::Rgb => add::<3>(sums, &line, &columns, *down),
                        Channels::Rgba => add::<4>(sums, &line, &columns, *down),
                    }
                }
                // The mean of directions is shorter than 1, unless they are equal.
                if self.meaning == Meaning::Normal {
                    sums.chunks_exact_mut(count).for_each(stretch);
                }
            }
        };
        let bands = rows.chunks(band).zip(values.chunks_mut((len * band).max(1)));
        let halve = &halve;
        run(bands.map(|(rows, values)| RowTask::new(move || halve(rows, values))).collect());
        // A side of 1 stays 1.
        self.size = [width, height].map(|side| (side / 2).max(1));
        self.values = values;
        self
    }
}

/// Number of values from which steps pay: finding these takes about 25,000 of the same computations.
const MANY: usize = 1 << 16;

/// Returns true for light; alpha is a share.
const fn is_color(channel: usize) -> bool {
    channel < 3
}

/// Returns a row of values.
fn row<T>(values: &[T], y: usize, width: usize) -> &[T] {
    values.get(y * width..(y + 1) * width).unwrap_or_default()
}

/// Converts values of `count` channels. `value` gets the channel of each.
fn fill<F: Copy, T>(to: &mut [T], from: &[F], count: usize, value: impl Fn(usize, F) -> T) {
    for (to, from) in to.chunks_mut(count).zip(from.chunks(count)) {
        for (channel, (to, from)) in to.iter_mut().zip(from).enumerate() {
            *to = value(channel, *from);
        }
    }
}

fn of_table(table: &[f32; 256], value: u8) -> f32 {
    table.get(usize::from(value)).copied().unwrap_or_default()
}

/// Adds a share of a row of the larger picture to the sums of a row of half its width.
fn add<const N: usize>(sums: &mut [f32], line: &[f32], columns: &[Vec<Share>], down: f32) {
    let (sums, pixels) = (sums.as_chunks_mut::<N>().0, line.as_chunks::<N>().0);
    if pixels.len() == 2 * sums.len() {
        for (sum, [left, right]) in sums.iter_mut().zip(pixels.as_chunks::<2>().0) {
            add_pixel(sum, left, down * 0.5);
            add_pixel(sum, right, down * 0.5);
        }
        return;
    }
    for (sum, column) in sums.iter_mut().zip(columns) {
        for (x, across) in column {
            add_pixel(sum, pixels.get(*x as usize).unwrap_or(&[0.0; N]), down * across);
        }
    }
}

fn add_pixel<const N: usize>(sum: &mut [f32; N], pixel: &[f32; N], share: f32) {
    for (sum, value) in sum.iter_mut().zip(pixel) {
        *sum += share * value;
    }
}

/// Pixel of the larger picture, and the share of it that a pixel of the smaller one covers.
type Share = (u32, f32);

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn eight_bits(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn sixteen_bits(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * 65_535.0).round() as u16
}

/// Returns, for each pixel of half a side, the pixels it covers with the share of each. Of an odd number, a
/// pixel covers more than two.
fn shares(side: u32) -> Vec<Vec<Share>> {
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
    fn bands_make_the_same_mips() {
        let number = |at: u32| (at.wrapping_mul(0x9E37_79B9) >> 24).to_le_bytes()[0];
        for (width, height, channels) in
            [(300, 517, Channels::Rgba), (1024, 600, Channels::Rgb), (4096, 64, Channels::Gray)]
        {
            let len = width * height * u32::try_from(channels.count()).unwrap();
            let image = Image { width, height, channels, pixels: Pixels::U8((0..len).map(number).collect()) };
            let backwards = |tasks: Vec<RowTask<'_>>| tasks.into_iter().rev().for_each(RowTask::run);
            for meaning in [Meaning::Srgb, Meaning::Normal] {
                let (one, other) = (Mips::new(&image, meaning), Mips::new_by(&image, meaning, &backwards));
                assert!(one.image() == other.image_by(&backwards), "{width}");
                assert!(one.next().image() == other.next_by(&backwards).image(), "{width}");
            }
        }
    }

    #[test]
    fn alpha_is_no_light() {
        let pixels = Pixels::U8([[0, 0, 0, 0], [0, 0, 0, 255]].concat());
        let image = Image { width: 2, height: 1, channels: Channels::Rgba, pixels };
        assert_eq!(Mips::new(&image, Meaning::Srgb).image().pixels, Pixels::U8(vec![0, 0, 0, 128]));
    }
}
