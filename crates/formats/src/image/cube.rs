//! Faces of a cube in one picture of all directions.
//!
//! Columns are longitudes, rows are latitudes. Forward (+X) is in the middle, right (+Y) to the right of it,
//! up (+Z) at the upper edge. Faces are oriented as graphics cards read them, with +Y as up; compared with
//! the engine's axes most of them are rotated.

use super::encode::half;
use super::pixels::{Image, Pixels};
use std::f32::consts::{PI, TAU};

/// Joins the faces, in the order +X −X +Y −Y +Z −Z, into one picture, four times as wide and twice as high as
/// a face; `None` unless they are squares of equal size and kind. Half floats become floats.
///
/// ```
/// use uncask_formats::image::{Channels, Image, Pixels, equirectangular};
///
/// let face = |value| Image { width: 1, height: 1, channels: Channels::Gray, pixels: Pixels::U8(vec![value]) };
/// let all = equirectangular(&[1, 2, 3, 4, 5, 6].map(face)).expect("six faces");
/// assert_eq!((all.width, all.height), (4, 2));
/// ```
#[must_use]
pub fn equirectangular(faces: &[Image; 6]) -> Option<Image> {
    let [first, ..] = faces;
    let side = first.width;
    let is_alike = |face: &Image| [face.width, face.height] == [side; 2] && face.channels == first.channels;
    let (width, height) = (side.checked_mul(4)?, side.checked_mul(2)?);
    // `pixel` reads all faces by the size of the first.
    if side == 0 || !faces.iter().all(is_alike) {
        return None;
    }
    let cube = Cube { faces, side, channels: first.channels.count() };
    let values = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
    let values = values.flat_map(|place| cube.pixel(direction(place, [width, height])));
    let pixels = match first.pixels {
        Pixels::U8(_) => {
            // At most 255, so the low byte is the value.
            Pixels::U8(values.map(|value| rounded(value, 255.0).to_le_bytes()).map(|[low, _]| low).collect())
        }
        Pixels::U16(_) => Pixels::U16(values.map(|value| rounded(value, 65_535.0)).collect()),
        Pixels::F16(_) | Pixels::F32(_) => Pixels::F32(values.collect()),
    };
    Some(Image { width, height, channels: first.channels, pixels })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn rounded(value: f32, most: f32) -> u16 {
    value.clamp(0.0, most).round() as u16
}

/// Returns the direction to the middle of a pixel.
#[expect(clippy::cast_precision_loss, reason = "sides are far below 2^24")]
fn direction([x, y]: [u32; 2], [width, height]: [u32; 2]) -> [f32; 3] {
    // Half a pixel is added for the middle; half a picture is subtracted, so that the middle column is
    // forward.
    let longitude = ((x as f32 + 0.5) / width as f32 - 0.5) * TAU;
    let latitude = (0.5 - (y as f32 + 0.5) / height as f32) * PI;
    [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
}

/// Returns the face that a direction meets, and the point on it: from −1 to 1 across and down.
fn meeting([x, y, z]: [f32; 3]) -> (usize, [f32; 2]) {
    // The axis of the largest part decides the face. Dividing the other two by it projects them onto the
    // face.
    let (face, across, down, length) = if x.abs() >= y.abs() && x.abs() >= z.abs() {
        if x > 0.0 { (0, -z, -y, x) } else { (1, z, -y, -x) }
    } else if y.abs() >= z.abs() {
        if y > 0.0 { (2, x, z, y) } else { (3, x, -z, -y) }
    } else if z > 0.0 {
        (4, x, -y, z)
    } else {
        (5, -x, -y, -z)
    };
    (face, [across / length, down / length])
}

struct Cube<'f> {
    faces: &'f [Image; 6],
    side: u32,
    channels: usize,
}

impl Cube<'_> {
    /// Returns the values of the pixel in a direction, interpolated between the four nearest pixels of the
    /// face.
    fn pixel(&self, direction: [f32; 3]) -> impl Iterator<Item = f32> {
        let (face, place) = meeting(direction);
        let [(left, right, across), (top, bottom, down)] = place.map(|part| self.between(part));
        let at = move |x: usize, y: usize, channel| {
            self.value(face, (y * self.side as usize + x) * self.channels + channel)
        };
        let value = move |channel| {
            let upper = at(left, top, channel) * (1.0 - across) + at(right, top, channel) * across;
            let lower = at(left, bottom, channel) * (1.0 - across) + at(right, bottom, channel) * across;
            upper * (1.0 - down) + lower * down
        };
        (0..self.channels).map(value)
    }

    /// Returns the two pixels around a point of the face, and the distance from the first.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "clamped"
    )]
    fn between(&self, part: f32) -> (usize, usize, f32) {
        let last = (self.side - 1) as f32;
        // Pixels have their values in the middle, hence the half. Clamped, so that no neighbour is outside of
        // the face.
        let at = (f32::midpoint(part, 1.0) * self.side as f32 - 0.5).clamp(0.0, last);
        (at.floor() as usize, at.ceil() as usize, at.fract())
    }

    fn value(&self, face: usize, at: usize) -> f32 {
        let value = self.faces.get(face).and_then(|face| match &face.pixels {
            Pixels::U8(values) => values.get(at).map(|value| f32::from(*value)),
            Pixels::U16(values) => values.get(at).map(|value| f32::from(*value)),
            Pixels::F16(values) => values.get(at).map(|value| half(*value)),
            Pixels::F32(values) => values.get(at).copied(),
        });
        value.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Channels;

    fn face(side: u32, pixel: impl Fn(u32, u32) -> u8) -> Image {
        let values =
            (0..side).flat_map(|y| (0..side).map(move |x| [x, y])).map(|[x, y]| pixel(x, y)).collect();
        Image { width: side, height: side, channels: Channels::Gray, pixels: Pixels::U8(values) }
    }

    fn bytes(image: Image) -> Vec<u8> {
        let Pixels::U8(values) = image.pixels else { panic!("not bytes") };
        values
    }

    #[test]
    fn every_face_has_its_place() {
        let faces = [10, 20, 30, 40, 50, 60].map(|value| face(8, |_, _| value));
        let image = equirectangular(&faces).unwrap();
        assert_eq!((image.width, image.height), (32, 16));
        let values = bytes(image);
        let at = move |x: usize, y: usize| values[y * 32 + x];
        assert_eq!(
            [at(16, 8), at(0, 8), at(24, 8), at(8, 8)],
            [10, 20, 30, 40],
            "forward, back, right, left"
        );
        assert_eq!([at(16, 0), at(16, 15)], [50, 60], "up, down");
    }

    /// As graphics cards read faces: on +X, the first row is towards +Y, and the first column towards +Z.
    #[test]
    fn faces_are_rotated() {
        let mut faces = [0; 6].map(|value| face(8, |_, _| value));
        let near =
            |image: &[Image; 6], x: usize, y: usize| bytes(equirectangular(image).unwrap())[y * 32 + x];
        faces[0] = face(8, |_, y| if y < 4 { 200 } else { 100 });
        assert_eq!([near(&faces, 18, 8), near(&faces, 13, 8)], [200, 100], "right, left");
        faces[0] = face(8, |x, _| if x < 4 { 200 } else { 100 });
        assert_eq!([near(&faces, 16, 6), near(&faces, 16, 9)], [200, 100], "up, down");
    }

    #[test]
    fn faces_are_squares_of_one_size() {
        let mut faces = [0; 6].map(|value| face(4, |_, _| value));
        faces[3] = face(2, |_, _| 0);
        assert_eq!(equirectangular(&faces), None);
        assert_eq!(equirectangular(&[0; 6].map(|value| face(0, |_, _| value))), None);
    }

    #[test]
    fn halves_become_floats() {
        let one = Image { width: 1, height: 1, channels: Channels::Gray, pixels: Pixels::F16(vec![0x3C00]) };
        let all = equirectangular(&[0; 6].map(|_| one.clone())).unwrap();
        assert_eq!(all.pixels, Pixels::F32(vec![1.0; 8]));
    }
}
