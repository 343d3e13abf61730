/// Channels of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channels {
    /// One value.
    Gray,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha.
    Rgba,
}

impl Channels {
    /// Returns the number of values of a pixel.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }
}

/// Values of pixels, row by row from the top, without padding.
#[derive(Debug, Clone, PartialEq)]
pub enum Pixels {
    /// Eight bits each.
    U8(Vec<u8>),
    /// Sixteen bits each.
    U16(Vec<u16>),
    /// Half floats, as bits.
    F16(Vec<u16>),
    /// Floats.
    F32(Vec<f32>),
}

/// Type of decoded values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    U8,
    U16,
    F16,
    F32,
}

impl Sample {
    /// Creates zeros.
    pub(super) fn zeros(self, len: usize) -> Pixels {
        match self {
            Self::U8 => Pixels::U8(vec![0; len]),
            Self::U16 => Pixels::U16(vec![0; len]),
            Self::F16 => Pixels::F16(vec![0; len]),
            Self::F32 => Pixels::F32(vec![0.0; len]),
        }
    }
}

/// A decoded picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Channels of a pixel.
    pub channels: Channels,
    /// Pixel values.
    pub pixels: Pixels,
}

impl Image {
    /// Returns the length of its values in memory, in bytes.
    #[must_use]
    pub const fn byte_len(&self) -> u64 {
        let (values, len) = match &self.pixels {
            Pixels::U8(values) => (values.len(), 1),
            Pixels::U16(values) | Pixels::F16(values) => (values.len(), 2),
            Pixels::F32(values) => (values.len(), 4),
        };
        values as u64 * len
    }

    /// Returns true if its values are floats, which PNG cannot hold.
    #[must_use]
    pub const fn is_float(&self) -> bool {
        matches!(self.pixels, Pixels::F16(_) | Pixels::F32(_))
    }

    /// Compares the pixels of two pictures, ignoring channels without information: gray as three channels,
    /// and opaque alpha.
    #[must_use]
    pub fn has_pixels_of(&self, other: &Self) -> bool {
        if (self.width, self.height) != (other.width, other.height) {
            return false;
        }
        match (&self.pixels, &other.pixels) {
            (Pixels::U8(a), Pixels::U8(b)) => self.wide(a, u8::MAX).eq(other.wide(b, u8::MAX)),
            (Pixels::U16(a), Pixels::U16(b)) => self.wide(a, u16::MAX).eq(other.wide(b, u16::MAX)),
            (Pixels::F16(a), Pixels::F16(b)) => self.wide(a, ONE).eq(other.wide(b, ONE)),
            (Pixels::F32(a), Pixels::F32(b)) => self.wide(a, 1.0).eq(other.wide(b, 1.0)),
            // Different types are not compared: a conversion would hide a difference.
            _ => false,
        }
    }

    /// Iterates over pixels with all four channels.
    fn wide<'i, T: Copy>(&self, values: &'i [T], opaque: T) -> impl Iterator<Item = [T; 4]> + 'i {
        values.chunks_exact(self.channels.count()).map(move |pixel| match *pixel {
            [gray] => [gray, gray, gray, opaque],
            [r, g, b] => [r, g, b, opaque],
            [r, g, b, a] => [r, g, b, a],
            _ => [opaque; 4],
        })
    }

    /// Returns a part of the picture; `None` unless it is inside.
    #[must_use]
    pub fn crop(&self, [left, top]: [u32; 2], [width, height]: [u32; 2]) -> Option<Self> {
        let is_inside = left.checked_add(width)? <= self.width && top.checked_add(height)? <= self.height;
        let part = Crop { image: self, left, top, width, height };
        let pixels = match &self.pixels {
            Pixels::U8(values) => Pixels::U8(part.rows(values)),
            Pixels::U16(values) => Pixels::U16(part.rows(values)),
            Pixels::F16(values) => Pixels::F16(part.rows(values)),
            Pixels::F32(values) => Pixels::F32(part.rows(values)),
        };
        is_inside.then_some(Self { width, height, channels: self.channels, pixels })
    }
}

impl Image {
    /// Creates a black picture of another size and the same kind.
    #[must_use]
    pub(crate) fn blank(&self, width: u32, height: u32) -> Self {
        let len = width as usize * height as usize * self.channels.count();
        let pixels = match self.pixels {
            Pixels::U8(_) => Pixels::U8(vec![0; len]),
            Pixels::U16(_) => Pixels::U16(vec![0; len]),
            Pixels::F16(_) => Pixels::F16(vec![0; len]),
            Pixels::F32(_) => Pixels::F32(vec![0.0; len]),
        };
        Self { width, height, channels: self.channels, pixels }
    }

    /// Copies a picture of the same kind into it, cut at the edges.
    pub(crate) fn paste(&mut self, image: &Self, start: [u32; 2]) {
        let place = Place { width: self.width, values: self.channels.count(), start };
        match (&mut self.pixels, &image.pixels) {
            (Pixels::U8(to), Pixels::U8(from)) => place.copy(to, from, image.width),
            (Pixels::U16(to), Pixels::U16(from)) | (Pixels::F16(to), Pixels::F16(from)) => {
                place.copy(to, from, image.width);
            }
            (Pixels::F32(to), Pixels::F32(from)) => place.copy(to, from, image.width),
            // Other combinations have no values in common, and change nothing.
            _ => {}
        }
    }

    /// Fills a part with a color. Half floats are only 0 or 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub(crate) fn fill(&mut self, start: [u32; 2], [width, height]: [u32; 2], color: [f32; 4]) {
        let mut part = self.blank(width, height);
        let values = color.into_iter().take(part.channels.count());
        let scaled = |value: f32, most: f32| (value.clamp(0.0, 1.0) * most).round();
        match &mut part.pixels {
            Pixels::U8(to) => repeat(to, values.map(|value| scaled(value, 255.0) as u8)),
            Pixels::U16(to) => repeat(to, values.map(|value| scaled(value, 65535.0) as u16)),
            Pixels::F16(to) => repeat(to, values.map(|value| if value < 1.0 { 0 } else { ONE })),
            Pixels::F32(to) => repeat(to, values),
        }
        self.paste(&part, start);
    }
}

/// One as a half float.
const ONE: u16 = 0x3C00;

fn repeat<T: Copy>(to: &mut [T], values: impl Iterator<Item = T> + Clone) {
    to.iter_mut().zip(values.cycle()).for_each(|(to, value)| *to = value);
}

/// Destination of a picture.
struct Place {
    width: u32,
    values: usize,
    start: [u32; 2],
}

impl Place {
    fn copy<T: Copy>(&self, to: &mut [T], from: &[T], width: u32) {
        let [left, top] = self.start.map(|at| at as usize);
        // The part that is inside of the destination's rows.
        let shown = (self.width as usize).saturating_sub(left).min(width as usize) * self.values;
        // Chunks of length 0 would panic.
        let rows = to.chunks_exact_mut((self.width as usize * self.values).max(1)).skip(top);
        for (to, from) in rows.zip(from.chunks_exact((width as usize * self.values).max(1))) {
            let to = to.get_mut(left * self.values..left * self.values + shown);
            if let (Some(to), Some(from)) = (to, from.get(..shown)) {
                to.copy_from_slice(from);
            }
        }
    }
}

struct Crop<'i> {
    image: &'i Image,
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Crop<'_> {
    fn rows<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let count = self.image.channels.count();
        let of = |pixels: u32| pixels as usize * count;
        let rows = values.chunks_exact(of(self.image.width).max(1));
        let rows = rows.skip(self.top as usize).take(self.height as usize);
        let mut part = Vec::with_capacity(of(self.width) * rows.len());
        for row in rows {
            part.extend_from_slice(
                row.get(of(self.left)..of(self.left) + of(self.width)).unwrap_or_default(),
            );
        }
        part
    }
}
