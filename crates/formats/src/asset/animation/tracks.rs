//! Tracks, as the engine's own codecs write them.
//!
//! ```text
//! codec    i32 frames │ u8 encoding │ u8 form of translations │ u8 rotations │ u8 scales │ i32 bytes │ i32 n │ i32 m │ i32 stride
//! stream   n × i32 place of a translation or rotation │ m × i32 place of a scale │ data
//! track    u32 form << 28 | mask << 24 | keys │ keys │ aligned to 4: with bit 3 of the mask, the frame of each key: u8 or u16
//! ```
//!
//! Where all tracks have one form (encodings 0 and 1), the number of keys stands beside each place, and there is no word in front
//! of the keys.

use super::keys::{self, Form, KeyPart};
use crate::wire::{Fault, FaultKind, Reader};

/// `FUECompressedAnimData`: compressed tracks.
#[doc(alias = "FUECompressedAnimData")]
#[derive(Debug, Clone, PartialEq)]
pub struct Tracks<'a> {
    /// Frames, the first and the last one included.
    pub frames: u32,
    encoding: Encoding,
    /// Forms of translations, rotations and scales, where all tracks have one.
    forms: [u8; 3],
    /// Where translations and rotations are.
    places: Vec<i32>,
    /// Where scales are; empty if there are none.
    scales: Vec<i32>,
    /// Places of scales that each track has.
    stride: usize,
    data: &'a [u8],
}

/// How a bone moves, relative to its parent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    /// Translations, in centimetres.
    pub translation: Keys<3>,
    /// Rotations, as quaternions: x, y, z, w.
    pub rotation: Keys<4>,
    /// Scales.
    pub scale: Keys<3>,
}

/// Values at frames. None at all: the value is that of nothing being moved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys<const N: usize> {
    /// The frame of each value; `None` if they are spread evenly, from the first frame to the last one.
    pub frames: Option<Vec<u16>>,
    /// The values.
    pub values: Vec<[f32; N]>,
}

/// `AnimationKeyFormat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// Keys are spread evenly.
    ConstantLerp,
    /// Keys have frames.
    VariableLerp,
    /// Each track has its own form.
    PerTrack,
}

/// How many keys there may be for each byte.
const MAX_SHARING: usize = 1;

impl<'a> Tracks<'a> {
    /// Reads what the codec says, and the stream of a number of tracks. A stream that is not here has no tracks.
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
        let per_track = if encoding == Encoding::PerTrack { 2 } else { 4 };
        if places != per_track * tracks {
            let kind = FaultKind::Unexpected { found: places as u64, expected: (per_track * tracks) as u64 };
            return Err(r.fault("places of keys", kind));
        }
        let mut stream = Reader::new(stream);
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

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Decodes all tracks.
    pub fn decode(&self) -> Result<Vec<Track>, Fault> {
        // Tracks may share keys, but not so that there are far more of them than bytes.
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
        let own = self.places.get(index * self.per_track()..).unwrap_or_default();
        let scale = self.scales.get(index * self.stride..).unwrap_or_default();
        if self.encoding == Encoding::PerTrack {
            let [translation, rotation, ..] = own else { return Ok(Track::default()) };
            return Ok(Track {
                translation: self.vectors(KeyPart::Translation, *translation)?,
                rotation: self.rotations(*rotation)?,
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

    /// What keeps the tracks from being decoded.
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

    /// Keys whose form stands in front of them.
    fn vectors(&self, part: KeyPart, place: i32) -> Result<Keys<3>, Fault> {
        let Ok(place) = u64::try_from(place) else { return Ok(Keys::default()) };
        let mut r = Reader::at(self.data, place, "keys of a track")?;
        let head = r.u32("head of a track")?;
        let form = Form::per_track(part, head >> 28, (head >> 24 & 7) as u8)
            .ok_or_else(|| r.fault("form of keys", FaultKind::Unsupported { found: (head >> 28).into() }))?;
        let values = keys::read(&mut r, form, (head & 0x00FF_FFFF) as usize)?;
        let frames = if head >> 27 & 1 == 1 { Some(self.frames(&mut r, values.len())?) } else { None };
        Ok(Keys { frames, values })
    }

    /// Keys whose form is that of all tracks.
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
        let form = Form::of_all(part, if count == 1 { 1 } else { form })
            .ok_or_else(|| r.fault("form of keys", FaultKind::Unsupported { found: form.into() }))?;
        let values = keys::read(&mut r, form, count)?;
        let has_frames = self.encoding == Encoding::VariableLerp && values.len() > 1;
        let frames = if has_frames { Some(self.frames(&mut r, values.len())?) } else { None };
        Ok(Keys { frames, values })
    }

    fn frames(&self, r: &mut Reader<'_>, count: usize) -> Result<Vec<u16>, Fault> {
        const MAX_SHORT: u32 = 256;
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
    /// When each value is reached, as a share of the whole time; `frames` is how many frames there are.
    pub fn times(&self, frames: u32) -> impl Iterator<Item = f64> {
        let count = self.values.len();
        let share =
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
