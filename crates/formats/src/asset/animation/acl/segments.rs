//! Segments: consecutive keys that share formats and ranges.
//!
//! ```text
//! head  u32 bits of a key │ u32 of them rotations │ u32 translations │ u32 offset of the data
//!       │ with keys left out: u32 mask
//! data  u8 format of each animated part │ aligned to 2 │ several segments: 6 × u8 range of each
//!       │ aligned to 4 │ keys, bit by bit
//! ```
//!
//! Only packed parts have formats and ranges. The formats of rotations are padded to a multiple of four, and
//! their ranges lie in columns of four: lowest x of all, lowest y, lowest z, width in x, in y, in z.

use super::bits::{KeyBits, float_of};
use super::parts::{COLUMNS, PartRange, PartTable};
use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};
use arrayvec::ArrayVec;

/// Segment of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SegmentData<'a> {
    /// Number of its first key.
    pub(super) first: u32,
    /// Number of keys, including those that are not stored.
    pub(super) keys: u32,
    /// Bits of a key.
    pub(super) bits: u32,
    /// Places of its keys: the clip itself, preceded by tiers of a database.
    pub(super) places: ArrayVec<KeyPlace<'a>, 3>,
    version: AclVersion,
    formats: &'a [u8],
    ranges: &'a [u8],
}

/// Keys of a segment that are stored together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeyPlace<'a> {
    /// Keys stored here, the first one as the highest bit; `None` if all are.
    pub(super) mask: Option<u32>,
    pub(super) data: KeyBits<'a>,
}

/// Storage of the keys of a part in one segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum KeyFormat {
    /// One value for all keys, inside the range of the clip.
    Constant([f32; 3]),
    /// Bits of each component.
    Packed(u32),
    /// Plain floats.
    Raw,
}

/// Facts shared by all segments of a clip.
pub(super) struct SegmentPlan<'a> {
    pub(super) bytes: &'a [u8],
    /// Start of all offsets.
    pub(super) base: u64,
    pub(super) version: AclVersion,
    pub(super) formats: usize,
    pub(super) has_ranges: bool,
    pub(super) has_mask: bool,
}

/// Bytes of a range: lowest and width of three components.
const RANGE: usize = 6;
/// Keys that a mask can name.
pub(super) const MASKED: u32 = 32;

impl<'a> SegmentPlan<'a> {
    /// Reads the segment of keys `first` up to, but not including, `end`.
    pub(super) fn read(
        &self,
        heads: &mut Reader<'_>,
        [first, end]: [u32; 2],
        parts: &[PartTable<'_>; 3],
    ) -> Result<SegmentData<'a>, Fault> {
        let at = heads.clone();
        let bits = [(); 3].map(|()| heads.u32("bits of a key"));
        let [bits, rotations, translations] = bits;
        let (bits, rotations, translations) = (bits?, rotations?, translations?);
        let data = heads.u32("offset of a segment")?;
        let keys = end - first;
        // Only clips with missing keys have the fifth word in the heads of their segments.
        let mask_at = heads.clone();
        let mask = heads.when(self.has_mask, |r| r.u32("mask of keys"))?;
        if let Some(mask) = mask {
            check_mask(mask, keys).map_err(|kind| mask_at.fault("mask of keys", kind))?;
        }
        let mut r = Reader::at(self.bytes, self.base + u64::from(data), "offset of a segment")?;
        let formats_at = r.clone();
        let formats = r.bytes("formats of keys", self.formats)?;
        // Padding is relative to the start of the clip, not of the file.
        align(&mut r, 2)?;
        let ranges = if self.has_ranges { RANGE * self.formats } else { 0 };
        let ranges = r.bytes("ranges of a segment", ranges)?;
        align(&mut r, 4)?;
        // The length of the keys is not recorded: it follows from their number and width, which are checked
        // below.
        let place = KeyPlace { mask, data: KeyBits(r.rest()) };
        let places = ArrayVec::from_iter([place]);
        let segment = SegmentData { first, keys, bits, places, version: self.version, formats, ranges };
        // The three recorded widths must be the sums of the formats, or keys would be read at wrong bits.
        let widths = segment.widths(parts).map_err(|kind| formats_at.fault("format of keys", kind))?;
        let expected = [widths.iter().sum(), widths[0], widths[1]];
        for (found, expected) in [bits, rotations, translations].into_iter().zip(expected) {
            if u64::from(found) != expected {
                return Err(
                    at.fault("bits of a key", FaultKind::Unexpected { found: found.into(), expected })
                );
            }
        }
        place.check(keys, bits).map_err(|kind| r.fault("keys of a segment", kind))?;
        Ok(segment)
    }
}

impl<'a> SegmentData<'a> {
    /// Sums the bits of the rotations, translations and scales of a key.
    fn widths(&self, parts: &[PartTable<'_>; 3]) -> Result<[u64; 3], FaultKind> {
        let mut widths = [0; 3];
        for (width, part) in widths.iter_mut().zip(parts) {
            if !part.form.is_packed() {
                *width = 32 * (part.form.floats() * part.animated) as u64;
                continue;
            }
            for index in 0..part.animated {
                let byte = self.formats.get(part.first_format + index).copied().unwrap_or_default();
                let format = self.known(byte).ok_or(FaultKind::Unsupported { found: byte.into() })?;
                *width += u64::from(format.width());
            }
        }
        Ok(widths)
    }

    /// Returns a format by its number. One that is constant has its value in place of a range.
    fn known(&self, byte: u8) -> Option<KeyFormat> {
        let (least, most) = self.version.bits();
        match byte {
            // Without ranges there is no place for the value of a constant, so 0 is an error in a clip of one
            // segment.
            0 if !self.ranges.is_empty() => Some(KeyFormat::Constant([0.0; 3])),
            // Versions 7 and 8 write 32 for floats, 9 and 10 write 31.
            byte if byte == self.version.raw_bits() => Some(KeyFormat::Raw),
            byte if (least..=most).contains(&byte) => Some(KeyFormat::Packed(byte.into())),
            _ => None,
        }
    }

    /// Returns the format of a part, by its number.
    pub(super) fn format(&self, number: usize, has_columns: bool) -> KeyFormat {
        let byte = self.formats.get(number).copied().unwrap_or_default();
        match self.known(byte) {
            Some(KeyFormat::Packed(bits)) => KeyFormat::Packed(bits),
            Some(KeyFormat::Raw) => KeyFormat::Raw,
            _ => KeyFormat::Constant(constant(self.range_bytes(number, has_columns), has_columns)),
        }
    }

    /// Returns the segment's range of a part; `None` in a clip of one segment, where it would equal the
    /// clip's.
    pub(super) fn range(&self, number: usize, has_columns: bool) -> Option<PartRange> {
        let [lx, ly, lz, wx, wy, wz] =
            self.range_bytes(number, has_columns).map(|byte| f32::from(byte) * (1.0 / 255.0));
        (!self.ranges.is_empty()).then_some([[lx, ly, lz], [wx, wy, wz]])
    }

    fn range_bytes(&self, number: usize, has_columns: bool) -> [u8; RANGE] {
        let place = |on: usize| {
            // Four parts share 24 bytes: each byte of a range lies four after the one before.
            if has_columns {
                RANGE * (number - number % COLUMNS) + number % COLUMNS + COLUMNS * on
            } else {
                RANGE * number + on
            }
        };
        std::array::from_fn(|on| self.ranges.get(place(on)).copied().unwrap_or_default())
    }

    /// Mask of the keys stored in any place, the first one as the highest bit; `None` if all are.
    pub(super) fn mask(&self) -> Option<u32> {
        self.places.iter().try_fold(0, |all, place| Some(all | place.mask?))
    }

    /// Returns the place and first bit of each stored key.
    pub(super) fn stored(&self) -> Vec<(KeyBits<'a>, u64)> {
        let bits = u64::from(self.bits);
        let Some(mask) = self.mask() else {
            let data = self.places.first().map_or(KeyBits(&[]), |place| place.data);
            return (0..self.keys).map(|key| (data, bits * u64::from(key))).collect();
        };
        let keys = (0..MASKED).filter(|key| has_key(mask, *key));
        let place = |key: u32| {
            // A key may be in several places: the first one wins, which is the medium tier's.
            let place = self.places.iter().find(|place| place.mask.is_some_and(|mask| has_key(mask, key)))?;
            // A key's position is the number of keys before it in the mask of that place alone.
            let before = place.mask?.checked_shr(MASKED - key).unwrap_or(0).count_ones();
            Some((place.data, bits * u64::from(before)))
        };
        keys.filter_map(place).collect()
    }
}

impl KeyPlace<'_> {
    /// Checks that all keys of the mask are present, and belong to the segment.
    pub(super) fn check(&self, keys: u32, bits: u32) -> Result<(), FaultKind> {
        if let Some(mask) = self.mask
            && mask & !all_keys(keys) != 0
        {
            return Err(FaultKind::Unexpected {
                found: mask.into(),
                expected: (mask & all_keys(keys)).into(),
            });
        }
        let count = self.mask.map_or(keys, u32::count_ones);
        let needed = (u64::from(count) * u64::from(bits)).div_ceil(8);
        let left = self.data.0.len() as u64;
        if needed > left { Err(FaultKind::Truncated { needed, left }) } else { Ok(()) }
    }
}

impl KeyFormat {
    /// Bits of a key.
    pub(super) const fn width(self) -> u32 {
        match self {
            Self::Constant(_) => 0,
            Self::Packed(bits) => 3 * bits,
            Self::Raw => 96,
        }
    }
}

/// True if the mask contains a key.
pub(super) const fn has_key(mask: u32, key: u32) -> bool {
    mask << key >> (MASKED - 1) == 1
}

/// Returns the mask of all of 1 to 32 keys.
fn all_keys(keys: u32) -> u32 {
    u32::MAX.checked_shl(MASKED.saturating_sub(keys)).unwrap_or(0)
}

/// Checks that a mask contains the first and the last key, and no key after the last.
fn check_mask(mask: u32, keys: u32) -> Result<(), FaultKind> {
    if keys > MASKED {
        return Err(FaultKind::TooLarge { found: keys.into(), limit: MASKED.into() });
    }
    // Missing keys are interpolated within a segment only, which takes a key at either end.
    let ends = 1 << (MASKED - 1) | 1 << (MASKED - keys);
    if mask & !all_keys(keys) != 0 || mask & ends != ends {
        let expected = mask & all_keys(keys) | ends;
        return Err(FaultKind::Unexpected { found: mask.into(), expected: expected.into() });
    }
    Ok(())
}

/// Returns the value of a part that does not change in a segment: three words, big-endian in columns.
fn constant([a, b, c, d, e, f]: [u8; RANGE], has_columns: bool) -> [f32; 3] {
    let word = if has_columns { u16::from_be_bytes } else { u16::from_le_bytes };
    [[a, b], [c, d], [e, f]].map(|bytes| float_of(word(bytes).into()) * (1.0 / 65_535.0))
}

/// Skips to a multiple of `unit` bytes.
fn align(r: &mut Reader<'_>, unit: u64) -> Result<(), Fault> {
    let gap = r.offset().next_multiple_of(unit) - r.offset();
    r.bytes("padding", usize::try_from(gap).unwrap_or_default()).map(drop)
}
