//! Tracks of the engine's own codecs.
//!
//! ```text
//! codec    i32 frames │ u8 encoding │ u8 form of translations │ u8 rotations │ u8 scales │ i32 bytes
//!          │ i32 n │ i32 m │ i32 stride
//! stream   n × i32 place of a translation or rotation │ m × i32 place of a scale │ data
//! track    u32 form << 28 | mask << 24 | keys │ keys
//!          │ aligned to 4: with bit 3 of the mask, the frame of each key: u8 or u16
//! ```
//!
//! If all tracks share one form (encodings 0 and 1), the number of keys follows each place, and no word
//! precedes the keys.

use super::keys::{self, Form, KeyPart};
use crate::wire::{Fault, FaultKind, Reader};

/// `FUECompressedAnimData`: compressed tracks.
#[doc(alias = "FUECompressedAnimData")]
#[derive(Debug, Clone, PartialEq)]
pub struct Tracks<'a> {
    /// Number of frames, the first and the last one included.
    pub frames: u32,
    encoding: Encoding,
    /// Forms of translations, rotations and scales, if all tracks share them.
    forms: [u8; 3],
    /// Offsets of translations and rotations in the data.
    places: Vec<i32>,
    /// Offsets of scales in the data; empty if there are none.
    scales: Vec<i32>,
    /// Number of entries of `scales` per track.
    stride: usize,
    data: &'a [u8],
}

/// Motion of a bone, relative to its parent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    /// Translations, in centimetres.
    pub translation: Keys<3>,
    /// Rotations, as quaternions: x, y, z, w.
    pub rotation: Keys<4>,
    /// Scales.
    pub scale: Keys<3>,
}

/// Values at frames. Without values, the part is not moved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys<const N: usize> {
    /// Frame of each value; `None` if they are spread evenly from the first frame to the last.
    pub frames: Option<Vec<u16>>,
    /// The values.
    pub values: Vec<[f32; N]>,
}

/// `AnimationKeyFormat`: encoding of all keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// Evenly spread keys.
    ConstantLerp,
    /// Keys with frames.
    VariableLerp,
    /// A separate form for each track.
    PerTrack,
}

/// Limit of keys per byte of the stream, on average.
const MAX_SHARING: usize = 1;

impl<'a> Tracks<'a> {
    /// Reads the codec data and the stream of `tracks` tracks. A stream in another file leaves the tracks
    /// empty.
    pub(super) fn read(
        r: &mut Reader<'_>,
        stream: &'a [u8],
        tracks: usize,
        is_elsewhere: bool,
    ) -> Result<Self, Fault> {
        let frames = r.size("frames")?;
        let at = r.clone();
        let encoding = match r.u8("encoding of keys")? {
            0 => Encoding::ConstantLerp,
            1 => Encoding::VariableLerp,
            2 => Encoding::PerTrack,
            found => return Err(at.fault("encoding of keys", FaultKind::Unsupported { found: found.into() })),
        };
        let forms = r.array("forms of keys")?;
        let len = r.size("bytes of keys")? as usize;
        let (places, scales) = (r.size("places of keys")? as usize, r.size("places of scales")? as usize);
        let stride = r.size("places of scales for each track")? as usize;
        let mut found =
            Self { frames, encoding, forms, places: Vec::new(), scales: Vec::new(), stride, data: &[] };
        if is_elsewhere {
            return Ok(found);
        }
        // Per track: two offsets, or with shared forms two offsets and two numbers of keys.
        let per_track = if encoding == Encoding::PerTrack { 2 } else { 4 };
        if places != per_track * tracks {
            let kind = FaultKind::Unexpected { found: places as u64, expected: (per_track * tracks) as u64 };
            return Err(r.fault("places of keys", kind));
        }
        let mut stream = Reader::new(stream);
        // Header and stream describe each other completely, so any other length means another layout.
        let checked = (places.saturating_add(scales)).saturating_mul(4).saturating_add(len);
        if checked != stream.remaining() {
            let kind = FaultKind::Unexpected { found: stream.remaining() as u64, expected: checked as u64 };
            return Err(r.fault("bytes of the stream", kind));
        }
        found.places = stream.repeat(places, |r| r.i32("place of keys"))?;
        found.scales = stream.repeat(scales, |r| r.i32("place of a scale"))?;
        found.data = stream.rest();
        Ok(found)
    }

    /// Number of tracks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len() / self.per_track()
    }

    /// True if there are no tracks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Decodes all tracks.
    pub fn decode(&self) -> Result<Vec<Track>, Fault> {
        // Tracks may share keys, but the total must stay linear in the bytes: offsets cost only four bytes
        // each.
        let mut left = MAX_SHARING * self.data.len() + self.len();
        (0..self.len())
            .map(|index| {
                let track = self.track(index)?;
                let keys =
                    track.translation.values.len() + track.rotation.values.len() + track.scale.values.len();
                let kind = FaultKind::TooLarge { found: keys as u64, limit: left as u64 };
                left =
                    left.checked_sub(keys).ok_or(Fault { offset: 0, field: "keys of all tracks", kind })?;
                Ok(track)
            })
            .collect()
    }

    fn track(&self, index: usize) -> Result<Track, Fault> {
        // A track without entries in a table is a default: its parts are not moved.
        let own = self.places.get(index * self.per_track()..).unwrap_or_default();
        let scale = self.scales.get(index * self.stride..).unwrap_or_default();
        if self.encoding == Encoding::PerTrack {
            let [translation, rotation, ..] = own else { return Ok(Track::default()) };
            return Ok(Track {
                translation: self.vectors(KeyPart::Translation, *translation)?,
                rotation: self.rotations(*rotation)?,
                // -1 is the offset of a part that is not stored.
                scale: self.vectors(KeyPart::Scale, scale.first().copied().unwrap_or(-1))?,
            });
        }
        let [at, count, rotation_at, rotation_count, ..] = own else { return Ok(Track::default()) };
        let (scale_at, scale_count) = match scale {
            [at, count, ..] => (*at, *count),
            _ => (-1, 0),
        };
        let rotations = self.of_one_form(KeyPart::Rotation, *rotation_at, *rotation_count)?;
        Ok(Track {
            translation: self.of_one_form(KeyPart::Translation, *at, *count)?,
            rotation: Keys {
                frames: rotations.frames,
                values: rotations.values.into_iter().map(keys::with_w).collect(),
            },
            scale: self.of_one_form(KeyPart::Scale, scale_at, scale_count)?,
        })
    }

    /// Reason that the tracks cannot be decoded, if they cannot.
    #[must_use]
    pub fn obstacle(&self) -> Option<&'static str> {
        self.decode().is_err().then_some("a track has keys of a form that is not known, or is damaged")
    }

    const fn per_track(&self) -> usize {
        match self.encoding {
            Encoding::PerTrack => 2,
            Encoding::ConstantLerp | Encoding::VariableLerp => 4,
        }
    }

    fn rotations(&self, place: i32) -> Result<Keys<4>, Fault> {
        let keys = self.vectors(KeyPart::Rotation, place)?;
        Ok(Keys { frames: keys.frames, values: keys.values.into_iter().map(keys::with_w).collect() })
    }

    /// Reads keys that their form precedes.
    fn vectors(&self, part: KeyPart, place: i32) -> Result<Keys<3>, Fault> {
        let Ok(place) = u64::try_from(place) else { return Ok(Keys::default()) };
        let mut r = Reader::at(self.data, place, "keys of a track")?;
        let head = r.u32("head of a track")?;
        let form = Form::per_track(part, head >> 28, (head >> 24 & 7) as u8)
            .ok_or_else(|| r.fault("form of keys", FaultKind::Unsupported { found: (head >> 28).into() }))?;
        // The low 24 bits are the number of keys. Bit 3 of the mask says whether frames follow them.
        let values = keys::read(&mut r, form, (head & 0x00FF_FFFF) as usize)?;
        let frames = if head >> 27 & 1 == 1 { Some(self.frames(&mut r, values.len())?) } else { None };
        Ok(Keys { frames, values })
    }

    /// Reads keys in the form that all tracks share.
    fn of_one_form(&self, part: KeyPart, place: i32, count: i32) -> Result<Keys<3>, Fault> {
        let (Ok(place), Ok(count)) = (u64::try_from(place), usize::try_from(count)) else {
            return Ok(Keys::default());
        };
        let [translations, rotations, scales] = self.forms;
        let form = match part {
            KeyPart::Translation => translations,
            KeyPart::Rotation => rotations,
            KeyPart::Scale => scales,
        };
        let mut r = Reader::at(self.data, place, "keys of a track")?;
        // A single key is always stored as floats: packing it would save nothing.
        let form = Form::of_all(part, if count == 1 { 1 } else { form })
            .ok_or_else(|| r.fault("form of keys", FaultKind::Unsupported { found: form.into() }))?;
        let values = keys::read(&mut r, form, count)?;
        let has_frames = self.encoding == Encoding::VariableLerp && values.len() > 1;
        let frames = if has_frames { Some(self.frames(&mut r, values.len())?) } else { None };
        Ok(Keys { frames, values })
    }

    fn frames(&self, r: &mut Reader<'_>, count: usize) -> Result<Vec<u16>, Fault> {
        const MAX_SHORT: u32 = 256;
        // Frames of keys start at a multiple of four, counted from the start of the data.
        let gap = r.offset().next_multiple_of(4) - r.offset();
        r.bytes("padding", usize::try_from(gap).unwrap_or_default())?;
        if self.frames < MAX_SHORT {
            return Ok(r.bytes("frames of keys", count)?.iter().map(|frame| u16::from(*frame)).collect());
        }
        let bytes = r.bytes("frames of keys", count.saturating_mul(2))?;
        Ok(bytes.as_chunks().0.iter().map(|frame| u16::from_le_bytes(*frame)).collect())
    }
}

impl<const N: usize> Keys<N> {
    /// Iterates over the time of each value as a share of the whole; `frames` is the number of frames.
    pub fn times(&self, frames: u32) -> impl Iterator<Item = f64> {
        let count = self.values.len();
        let share =
            // An animation of one frame has no length: all of its values are at the start.
            move |at: u32, of: u32| if of == 0 { 0.0 } else { (f64::from(at) / f64::from(of)).min(1.0) };
        (0..count).map(move |index| match &self.frames {
            Some(known) => {
                share(known.get(index).copied().unwrap_or_default().into(), frames.saturating_sub(1))
            }
            None => {
                let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                share(number(index), number(count - 1))
            }
        })
    }
}
