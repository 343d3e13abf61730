//! Clips of version 1 of the library, written by plugins for 4.23 to 4.26.
//!
//! ```text
//! u32 bytes of it all │ u32 FNV-1a of what follows │ u32 tag │ u16 version │ u8 algorithm │ u8 padding
//! at 16     u16 bones │ u16 segments │ 3 × u8 forms of rotations, translations, scales
//!           │ u8 ranges of the clip │ u8 ranges of segments
//!           │ u8 has scales │ u8 default scale │ u8 padding │ u32 keys │ f32 keys a second
//!           │ 6 × u16 offsets: first keys of segments, segments, bits of defaults, bits of constants,
//!           constants, ranges │ several segments: u32 first key of each, 0xFFFF_FFFF
//! segment   u32 bits of a key │ 3 × u32 offsets: formats, ranges, keys
//! ```
//!
//! Offsets count from 16. The rotation, the translation and the scale of a bone follow each other everywhere.

use super::super::tracks::Track;
use super::bits::{KeyBits, float_of, share_of};
use super::header::{OLD_TAG, check_times, whole};
use super::keys::check_size;
use super::old_form::{OldForm, OldFormat};
use super::parts::PartKind;
use super::scalars::floats;
use super::transforms::starts;
use super::values::with_w;
use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};

/// `CompressedClip`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OldClip<'a> {
    bones: u16,
    keys: u32,
    rate: f32,
    /// True if the default scale is 1, not 0.
    pub(super) scale_is_one: bool,
    /// Forms of rotations, of translations, and of scales if there are any.
    forms: Vec<OldForm>,
    defaults: &'a [u8],
    constant: &'a [u8],
    constants: &'a [u8],
    ranges: &'a [u8],
    segments: Vec<OldSegment<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct OldSegment<'a> {
    keys: u32,
    bits: u32,
    formats: &'a [u8],
    ranges: &'a [u8],
    data: KeyBits<'a>,
}

/// Sizes of tables, in bytes unless stated otherwise.
#[derive(Debug, Clone, Copy, Default)]
struct OldSizes {
    animated: usize,
    constants: usize,
    ranges: usize,
    formats: usize,
    own_ranges: usize,
    /// Bits of a key taken by parts that are not packed.
    fixed_bits: u64,
}

/// Position of the next part in a segment.
#[derive(Debug, Clone, Copy, Default)]
struct OldCursor {
    bit: u64,
    format: usize,
    range: usize,
}

const BASE: u64 = 16;
/// Offset of a table without entries.
const NOWHERE: u16 = u16::MAX;

impl<'a> OldClip<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let (bytes, _) = whole(bytes, OLD_TAG)?;
        let mut r = Reader::at(bytes, 12, "clip")?;
        let at = r.clone();
        let unsupported = |field, found: u16| at.fault(field, FaultKind::Unsupported { found: found.into() });
        match r.u16("version of a clip")? {
            // Versions 3 and 4 carry the same tag; their layouts were not examined.
            number if AclVersion::from_wire(number) == Some(AclVersion::V5) => {}
            found => return Err(unsupported("version of a clip", found)),
        }
        match r.array("algorithm of a clip")? {
            [0, _] => {}
            [found, _] => return Err(unsupported("algorithm of a clip", found.into())),
        }
        let (bones, segments) = (r.u16("bones")?, r.u16("segments")?);
        let forms_at = r.clone();
        let [rotation, translation, scale, whole_ranges, own_ranges, has_scales, default_scale, _] =
            r.array("forms of parts")?;
        let mut forms = OldForm::all([rotation, translation, scale], &forms_at)?.to_vec();
        // One bit per kind of part: rotations, translations, scales.
        for (bit, form) in forms.iter_mut().enumerate() {
            (form.has_range, form.has_own_range) = (whole_ranges >> bit & 1 == 1, own_ranges >> bit & 1 == 1);
        }
        // Without scales nothing is stored for them, not even bits of defaults.
        forms.truncate(if has_scales == 0 { 2 } else { 3 });
        let times = r.clone();
        let (keys, rate) = (r.u32("keys")?, r.f32("keys a second")?);
        check_times(&times, keys, rate)?;
        let mut offsets = [0; 6];
        for offset in &mut offsets {
            *offset = r.u16("offsets")?;
        }
        // Tables of 16-bit offsets; one without entries reads as empty, wherever it claims to be.
        let at = |offset: u16, field| match offset {
            NOWHERE => Ok(Reader::with_base(&[], BASE + u64::from(offset))),
            _ => Reader::at(bytes, BASE + u64::from(offset), field),
        };
        let [first_keys, heads, defaults, constant, constants, ranges] = offsets;
        // A single segment starts at key 0, and has no list of first keys.
        let starts = if segments > 1 {
            starts(&mut at(first_keys, "first keys")?, &times, segments.into(), keys)?
        } else {
            starts(&mut r, &times, segments.into(), keys)?
        };
        // One bit per part of every bone, in whole words.
        let words = (forms.len() * usize::from(bones)).div_ceil(32);
        let mut clip = Self {
            bones,
            keys,
            rate,
            scale_is_one: default_scale != 0,
            forms,
            defaults: at(defaults, "bits of defaults")?.bytes("bits of defaults", 4 * words)?,
            constant: at(constant, "bits of constants")?.bytes("bits of constants", 4 * words)?,
            constants: &[],
            ranges: &[],
            segments: Vec::new(),
        };
        let sizes = clip.sizes();
        clip.constants = at(constants, "constants")?.bytes("constants", sizes.constants)?;
        clip.ranges = at(ranges, "ranges")?.bytes("ranges", sizes.ranges)?;
        check_size(sizes.animated, keys.into(), bytes.len())?;
        // Every segment repeats the formats: this bounds the time that reading all segments takes.
        if (sizes.formats * starts.len()) as u64 > bytes.len() as u64 {
            let kind = FaultKind::TooLarge {
                found: segments.into(),
                limit: (bytes.len() / sizes.formats.max(1)) as u64,
            };
            return Err(times.fault("segments", kind));
        }
        let mut heads = at(heads, "segments")?;
        let ends = starts.iter().skip(1).copied().chain([keys]);
        for (start, end) in starts.iter().zip(ends) {
            let segment = clip.segment(&mut heads, bytes, end - start, &sizes)?;
            clip.segments.push(segment);
        }
        Ok(clip)
    }

    pub(super) fn tracks(&self) -> u32 {
        self.bones.into()
    }

    pub(super) fn keys(&self) -> u32 {
        self.keys
    }

    pub(super) fn rate(&self) -> f32 {
        self.rate
    }

    /// Iterates over all parts in file order: rotation, translation and scale of one bone, then of the next.
    fn parts(&self) -> impl Iterator<Item = (OldForm, PartKind)> {
        let bit = |bits: &[u8], index: usize| {
            // The highest bit of a word comes first.
            let word = bits.as_chunks().0.get(index / 32).copied().map_or(0, u32::from_le_bytes);
            word << (index % 32) >> 31 == 1
        };
        let count = self.forms.len() * usize::from(self.bones);
        // A part may have both bits: the one of defaults wins.
        self.forms.iter().cycle().zip(0..count).map(move |(form, index)| {
            let kind = match (bit(self.defaults, index), bit(self.constant, index)) {
                (true, _) => PartKind::Default,
                (false, true) => PartKind::Constant,
                (false, false) => PartKind::Animated,
            };
            (*form, kind)
        })
    }

    fn sizes(&self) -> OldSizes {
        let mut sizes = OldSizes::default();
        for (form, kind) in self.parts() {
            match kind {
                PartKind::Default => {}
                PartKind::Constant => sizes.constants += 4 * form.components,
                PartKind::Animated => {
                    sizes.animated += 1;
                    sizes.formats += usize::from(form.is_packed);
                    sizes.fixed_bits += if form.is_packed { 0 } else { OldFormat::Floats.width(form, false) };
                    sizes.ranges += if form.has_range { 8 * form.components } else { 0 };
                    sizes.own_ranges += if form.has_own_range { 2 * form.components } else { 0 };
                }
            }
        }
        sizes
    }

    /// True if packed and plain parts occur together: packed values are then padded to whole words of 16
    /// bits.
    fn is_mixed(&self) -> bool {
        self.forms.iter().any(|form| form.is_packed) && !self.forms.iter().all(|form| form.is_packed)
    }

    fn segment(
        &self,
        heads: &mut Reader<'_>,
        bytes: &'a [u8],
        keys: u32,
        sizes: &OldSizes,
    ) -> Result<OldSegment<'a>, Fault> {
        let at = heads.clone();
        let bits = heads.u32("bits of a key")?;
        let mut next = |field, len: usize| {
            let offset = heads.u32(field)?;
            // The offset of an empty table means nothing, and is not checked.
            if len == 0 {
                Ok(&[][..])
            } else {
                Reader::at(bytes, BASE + u64::from(offset), field)?.bytes(field, len)
            }
        };
        let formats = next("formats of keys", sizes.formats)?;
        let ranges = next("ranges of a segment", sizes.own_ranges)?;
        // The product needs 64 bits: both factors come from the file.
        let needed = (u64::from(bits) * u64::from(keys)).div_ceil(8);
        let data = KeyBits(next("keys of a segment", usize::try_from(needed).unwrap_or(usize::MAX))?);
        let segment = OldSegment { keys, bits, formats, ranges, data };
        let mut sum = sizes.fixed_bits;
        // Every format byte is checked here, so that decoding cannot meet an unknown one.
        for byte in formats {
            let kind = FaultKind::Unsupported { found: (*byte).into() };
            let format = OldFormat::new(Some(*byte)).ok_or_else(|| at.fault("format of keys", kind))?;
            sum += format.width(OldForm::PACKED, self.is_mixed());
        }
        if u64::from(bits) != sum {
            return Err(
                at.fault("bits of a key", FaultKind::Unexpected { found: bits.into(), expected: sum })
            );
        }
        Ok(segment)
    }

    /// Decodes all tracks; defaults have no values.
    pub(super) fn decode(&self) -> Vec<Track> {
        let mut tracks = vec![Track::default(); self.bones.into()];
        let (mut constants, mut ranges) = (floats(self.constants), floats(self.ranges));
        // One cursor per segment: the parts are visited in file order, and each segment advances with them.
        let mut cursors = vec![OldCursor::default(); self.segments.len()];
        for (index, (form, kind)) in self.parts().enumerate() {
            let take = |from: &mut dyn Iterator<Item = f32>| -> [f32; 4] {
                // Always takes exactly as many floats as the part has components: tables have no padding.
                std::array::from_fn(|part| {
                    if part < form.components { from.next().unwrap_or_default() } else { 0.0 }
                })
            };
            let values = match kind {
                PartKind::Default => continue,
                PartKind::Constant => vec![take(&mut constants)],
                PartKind::Animated => {
                    let range = form.has_range.then(|| [take(&mut ranges), take(&mut ranges)]);
                    let segments = self.segments.iter().zip(&mut cursors);
                    segments
                        .flat_map(|(segment, cursor)| self.keys_of(segment, cursor, form, range))
                        .collect()
                }
            };
            // Parts are interleaved per bone, so the index tells both the bone and the kind.
            let Some(track) = tracks.get_mut(index / self.forms.len()) else { continue };
            let vector = |[x, y, z, _]: [f32; 4]| [x, y, z];
            match index % self.forms.len() {
                0 if form.components == 4 => track.rotation.values = values,
                0 => track.rotation.values = values.into_iter().map(|value| with_w(vector(value))).collect(),
                1 => track.translation.values = values.into_iter().map(vector).collect(),
                _ => track.scale.values = values.into_iter().map(vector).collect(),
            }
        }
        tracks
    }

    /// Decodes the keys of a part in a segment.
    fn keys_of(
        &self,
        segment: &OldSegment<'_>,
        cursor: &mut OldCursor,
        form: OldForm,
        range: Option<[[f32; 4]; 2]>,
    ) -> Vec<[f32; 4]> {
        let byte = form.is_packed.then(|| segment.formats.get(cursor.format).copied().unwrap_or_default());
        let format = OldFormat::new(byte).unwrap_or(OldFormat::Constant);
        let own = segment.ranges.get(cursor.range..).unwrap_or_default();
        let start = cursor.bit;
        // The tables advance together, even where this part does not use its range.
        cursor.bit += format.width(form, self.is_mixed());
        cursor.format += usize::from(form.is_packed);
        cursor.range += if form.has_own_range { 2 * form.components } else { 0 };
        let own_range = form.has_own_range.then(|| {
            // A range of a segment is the lowest values and the widths, one byte each.
            let byte = |at: usize| f32::from(own.get(at).copied().unwrap_or_default()) * (1.0 / 255.0);
            [0, form.components].map(|first| {
                std::array::from_fn(|part| if part < form.components { byte(first + part) } else { 0.0 })
            })
        });
        let word = |at: usize| own.as_chunks().0.get(at).copied().map_or(0, u16::from_le_bytes);
        let value = |key: u32| {
            // Keys follow each other without padding, not even to whole bytes.
            let at = u64::from(segment.bits) * u64::from(key) + start;
            let numbers = |bits: u32| -> [u32; 4] {
                let number = |part: u64| segment.data.one(at + part * u64::from(bits), bits);
                [number(0), number(1), number(2), if form.components == 4 { number(3) } else { 0 }]
            };
            match format {
                OldFormat::Constant => {
                    // The range's bytes hold the one value: three words of 16 bits.
                    let [x, y, z] = [0, 1, 2].map(|part| f32::from(word(part)) * (1.0 / 65_535.0));
                    ranged([x, y, z, 0.0], range)
                }
                OldFormat::Packed(bits) => {
                    let shares = numbers(bits).map(|number| float_of(number) * share_of(bits));
                    ranged(ranged(shares, own_range), range)
                }
                // Raw values among packed ones are big-endian, as all packed bits; where no part is packed,
                // floats are little-endian.
                OldFormat::Raw => numbers(32).map(f32::from_bits),
                OldFormat::Floats => ranged(
                    ranged(numbers(32).map(|number| f32::from_bits(number.swap_bytes())), own_range),
                    range,
                ),
            }
        };
        (0..segment.keys).map(value).collect()
    }
}

/// Scales a value into a range, if there is one.
fn ranged(value: [f32; 4], range: Option<[[f32; 4]; 2]>) -> [f32; 4] {
    let Some([[lx, ly, lz, lw], [ex, ey, ez, ew]]) = range else { return value };
    let [x, y, z, w] = value;
    [x * ex + lx, y * ey + ly, z * ez + lz, w * ew + lw]
}
