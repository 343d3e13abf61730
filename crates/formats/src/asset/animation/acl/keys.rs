//! Keys to values, one part of one track at a time: all that its keys in a segment have in common is looked
//! up once.

use super::super::tracks::{Keys, Track};
use super::bits::{KeyBits, float_of, share_of};
use super::parts::{PartForm, PartKind, PartTable};
use super::segments::{KeyFormat, MASKED, SegmentData, has_key};
use super::transforms::Transforms;
use super::values::{between, inside, turned, with_w};
use crate::wire::{Fault, FaultKind};
use arrayvec::ArrayVec;

/// Keys of all parts that any clip may have, and those it may have per byte: keys that are left out cost no
/// bytes.
const FREE_KEYS: u64 = 1 << 18;
const KEYS_PER_BYTE: u64 = 4;

/// Rejects clips with far more keys than bytes: a clip in which nothing moves can claim any number of them.
pub(super) fn check_size(animated: usize, keys: u64, bytes: usize) -> Result<(), Fault> {
    let found = (animated as u64).saturating_mul(keys);
    let limit = FREE_KEYS + KEYS_PER_BYTE * bytes as u64;
    if found > limit {
        return Err(Fault {
            offset: 20,
            field: "keys of all tracks",
            kind: FaultKind::TooLarge { found, limit },
        });
    }
    Ok(())
}

/// Decodes all tracks. Defaults have no values.
pub(super) fn decode(clip: &Transforms<'_>) -> Vec<Track> {
    let mut tracks = vec![Track::default(); clip.header.tracks as usize];
    let mut columns = Columns::new(clip);
    // The library stores all rotations, then all translations, then all scales; constants and animated parts
    // are numbered separately within each, in track order.
    let [rotations, translations, scales] = &clip.parts;
    let (mut constant, mut animated) = (0, 0);
    for (at, track) in tracks.iter_mut().enumerate() {
        track.rotation.values = match rotations.kind(at) {
            PartKind::Default => continue,
            PartKind::Constant => vec![rotations.constant(next(&mut constant))],
            PartKind::Animated => columns.rotation(rotations, next(&mut animated)),
        };
    }
    for (part, keys) in [
        (translations, (|track| &mut track.translation) as fn(&mut Track) -> &mut Keys<3>),
        (scales, |track| &mut track.scale),
    ] {
        // Each kind of part has its own tables, so counting starts again.
        let (mut constant, mut animated) = (0, 0);
        for (at, track) in tracks.iter_mut().enumerate() {
            keys(track).values = match part.kind(at) {
                PartKind::Default => continue,
                PartKind::Constant => {
                    let [x, y, z, _] = part.constant(next(&mut constant));
                    vec![[x, y, z]]
                }
                PartKind::Animated => columns.vector(part, next(&mut animated)),
            };
        }
    }
    tracks
}

/// Returns a counter and increments it.
fn next(number: &mut usize) -> usize {
    *number += 1;
    *number - 1
}

/// Cursors over all segments, which read the bits of a key part by part.
struct Columns<'c, 'a> {
    segments: Vec<SegmentCursor<'c, 'a>>,
    keys: usize,
    is_loop: bool,
}

struct SegmentCursor<'c, 'a> {
    segment: &'c SegmentData<'a>,
    /// Start of the bits of each stored key.
    stored: Vec<(KeyBits<'a>, u64)>,
    mask: Option<u32>,
    /// Bits of each key that were read already.
    done: u64,
}

impl<'c, 'a> Columns<'c, 'a> {
    fn new(clip: &'c Transforms<'a>) -> Self {
        let is_animated = clip.parts.iter().any(|part| part.animated > 0);
        // Without animated parts, segments hold nothing to read, and may claim any number of keys.
        let segments = if is_animated { &*clip.segments } else { &[] };
        let cursor = |segment: &'c SegmentData<'a>| SegmentCursor {
            segment,
            stored: segment.stored(),
            mask: segment.mask(),
            done: 0,
        };
        let segments = segments.iter().map(cursor).collect();
        Self { segments, keys: clip.header.keys as usize, is_loop: clip.header.is_loop() }
    }

    fn rotation(&mut self, part: &PartTable<'_>, index: usize) -> Vec<[f32; 4]> {
        if part.form == PartForm::Quaternions {
            return self.column(|cursor, values| {
                let read = |bits: KeyBits<'_>, at| [0, 32, 64, 96].map(|on| bits.float(at + on));
                cursor.each(128, read, turned, values);
            });
        }
        self.column(|cursor, values| cursor.keys(part, index, with_w, turned, values))
    }

    fn vector(&mut self, part: &PartTable<'_>, index: usize) -> Vec<[f32; 3]> {
        self.column(|cursor, values| cursor.keys(part, index, |value| value, between, values))
    }

    /// Reads all keys of a part, one segment after the other.
    fn column<const N: usize>(
        &mut self,
        mut read: impl FnMut(&mut SegmentCursor<'c, 'a>, &mut Vec<[f32; N]>),
    ) -> Vec<[f32; N]> {
        let mut values = Vec::with_capacity(self.keys + usize::from(self.is_loop));
        for cursor in &mut self.segments {
            read(cursor, &mut values);
        }
        if self.is_loop {
            // The last key of a loop equals the first one, and is left out of the file.
            values.extend_from_within(..values.len().min(1));
        }
        values
    }
}

impl SegmentCursor<'_, '_> {
    /// Reads the keys of a part of three components.
    fn keys<const N: usize>(
        &mut self,
        part: &PartTable<'_>,
        index: usize,
        finish: impl Fn([f32; 3]) -> [f32; N],
        blend: fn([f32; N], [f32; N], f32) -> [f32; N],
        values: &mut Vec<[f32; N]>,
    ) {
        let (number, has_columns) = (part.first_format + index, part.form.has_columns());
        let raw = |bits: KeyBits<'_>, at| finish(bits.three(at, 32).map(f32::from_bits));
        // Parts that are not packed have neither formats nor ranges: all of their keys are floats.
        if !part.form.is_packed() {
            return self.each(96, raw, blend, values);
        }
        match self.segment.format(number, has_columns) {
            // Raw keys are final values: no range applies to them.
            KeyFormat::Raw => self.each(96, raw, blend, values),
            KeyFormat::Constant(value) => {
                // The segment's range holds the one value, so only the range of the clip is left to apply.
                let value = finish(inside(value, part.range(index)));
                values.extend(std::iter::repeat_n(value, self.segment.keys as usize));
            }
            KeyFormat::Packed(bits) => {
                let (share, whole) = (share_of(bits), part.range(index));
                let read = |key: KeyBits<'_>, at| key.three(at, bits).map(|part| float_of(part) * share);
                // Two loops, so that the question for a range of the segment is not asked for each key.
                match self.segment.range(number, has_columns) {
                    Some(own) => {
                        self.each(
                            3 * u64::from(bits),
                            |key, at| finish(inside(inside(read(key, at), own), whole)),
                            blend,
                            values,
                        );
                    }
                    None => self.each(
                        3 * u64::from(bits),
                        |key, at| finish(inside(read(key, at), whole)),
                        blend,
                        values,
                    ),
                }
            }
        }
    }

    /// Reads the values of stored keys, and fills the gaps between them.
    fn each<const N: usize>(
        &mut self,
        width: u64,
        read: impl Fn(KeyBits<'_>, u64) -> [f32; N],
        blend: fn([f32; N], [f32; N], f32) -> [f32; N],
        values: &mut Vec<[f32; N]>,
    ) {
        // All keys of a segment have the same layout: the part starts at the same bit in each.
        let done = self.done;
        self.done += width;
        let stored = self.stored.iter().map(|(bits, start)| read(*bits, start + done));
        // Without a mask every key is stored.
        let Some(mask) = self.mask else { return values.extend(stored) };
        // A mask has 32 bits, so a segment with gaps never has more keys: no allocation is needed.
        let stored: ArrayVec<[f32; N], { MASKED as usize }> = stored.collect();
        let places: ArrayVec<u32, { MASKED as usize }> =
            (0..MASKED).filter(|key| has_key(mask, *key)).collect();
        let keys = places.iter().zip(&stored);
        let mut last: Option<(u32, [f32; N])> = None;
        for (place, value) in keys {
            // The first and the last key of a segment are always stored, so every gap has a key on either
            // side.
            if let Some((start, from)) = last {
                for key in start + 1..*place {
                    values.push(blend(from, *value, float_of(key - start) / float_of(place - start)));
                }
            }
            values.push(*value);
            last = Some((*place, *value));
        }
    }
}
