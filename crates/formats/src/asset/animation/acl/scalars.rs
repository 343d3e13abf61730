//! Curves: tracks of one to four floats each.
//!
//! ```text
//! header │ u32 bits of a key │ u32 offsets: forms, constants, ranges, keys
//! forms      u8 of each track: an index into a list of bit counts, 0 for a constant
//! ranges     f32 lowest and f32 width of each track that is neither constant nor of floats
//! ```
//!
//! Offsets count from the end of the header; before version 7, which has no flags, from 8.

use super::bits::{KeyBits, float_of, share_of};
use super::header::{ClipHeader, TAG, tag_of};
use super::keys::check_size;
use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};

/// `compressed_tracks` of plain numbers: animated curves.
#[derive(Debug, Clone, PartialEq)]
pub struct AclCurves<'a> {
    header: ClipHeader,
    components: usize,
    forms: Vec<ScalarForm>,
    constants: &'a [u8],
    ranges: &'a [u8],
    keys: KeyBits<'a>,
    bits: u64,
}

/// Storage of the values of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScalarForm {
    Constant,
    Packed(u32),
    Raw,
}

/// Start of offsets: the end of the header, or 8 without flags.
const BASE: u64 = 32;
const OLD_BASE: u64 = 8;
const OLD_HEADER: u64 = 28;

impl ScalarForm {
    fn new(version: AclVersion, place: u8) -> Option<Self> {
        Some(match version.listed_bits(place)? {
            0 => Self::Constant,
            32 => Self::Raw,
            bits => Self::Packed(bits.into()),
        })
    }

    const fn bits(self) -> u32 {
        match self {
            Self::Constant => 0,
            Self::Packed(bits) => bits,
            Self::Raw => 32,
        }
    }
}

impl<'a> AclCurves<'a> {
    /// Parses curves and checks their whole structure. Offsets of faults count from their start.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let (header, whole) = ClipHeader::parse(bytes)?;
        let (base, start) = if header.version.has_flags() { (BASE, BASE) } else { (OLD_BASE, OLD_HEADER) };
        let mut r = Reader::at(whole, start, "curves")?;
        // Kinds 0 to 3 have 1 to 4 floats; kind 4 is a vector of four as well.
        let components = match header.kind {
            kind @ 0..=3 => usize::from(kind) + 1,
            4 => 4,
            kind => return Err(r.fault("kind of samples", FaultKind::Unsupported { found: kind.into() })),
        };
        let mut curves = Self {
            header,
            components,
            forms: Vec::new(),
            constants: &[],
            ranges: &[],
            keys: KeyBits(&[]),
            bits: 0,
        };
        if header.tracks == 0 {
            return Ok(curves);
        }
        let at = r.clone();
        let found = u64::from(r.u32("bits of a key")?);
        let mut offset = |field| r.u32(field).map(u64::from);
        let [forms, constants, ranges, keys] = [
            offset("offset of forms")?,
            offset("offset of constants")?,
            offset("offset of ranges")?,
            offset("offset of keys")?,
        ];
        // A table without entries may have any offset.
        let table = |offset: u64, field, len: usize| match len {
            0 => Ok(&[][..]),
            _ => Reader::at(whole, base + offset, field)?.bytes(field, len),
        };
        for (on, byte) in (0..).zip(table(forms, "forms of curves", header.tracks as usize)?) {
            let kind = FaultKind::Unsupported { found: (*byte).into() };
            let fault = Fault { offset: base + forms + on, field: "form of a curve", kind };
            curves.forms.push(ScalarForm::new(header.version, *byte).ok_or(fault)?);
        }
        let count = |is: fn(&ScalarForm) -> bool| curves.forms.iter().filter(|form| is(form)).count();
        let constant = count(|form| *form == ScalarForm::Constant);
        let packed = count(|form| matches!(form, ScalarForm::Packed(_)));
        curves.constants = table(constants, "constants", 4 * components * constant)?;
        curves.ranges = table(ranges, "ranges", 8 * components * packed)?;
        // The recorded width must be the sum of the forms, or every key after the first would be misread.
        curves.bits = curves.forms.iter().map(|form| components as u64 * u64::from(form.bits())).sum();
        if found != curves.bits {
            return Err(at.fault("bits of a key", FaultKind::Unexpected { found, expected: curves.bits }));
        }
        let len = curves.bits.saturating_mul(header.keys.into()).div_ceil(8);
        curves.keys = KeyBits(table(keys, "keys", usize::try_from(len).unwrap_or(usize::MAX))?);
        check_size(components * (curves.forms.len() - constant), curves.keys(), whole.len())?;
        Ok(curves)
    }

    /// True if bytes start with curves, by their length and tag.
    #[must_use]
    pub fn are_at(bytes: &[u8]) -> bool {
        tag_of(bytes) == Some(TAG)
    }

    /// Number of tracks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// True if there are no tracks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Floats of a value, 1 to 4.
    #[must_use]
    pub fn components(&self) -> usize {
        self.components
    }

    /// Keys of each track, including the last one of a loop, which is not stored.
    #[must_use]
    pub fn keys(&self) -> u64 {
        u64::from(self.header.keys) + u64::from(self.header.is_loop())
    }

    /// Keys per second.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.header.rate
    }

    /// Decodes all tracks: one value of [`components`](Self::components) floats per key. A track that does
    /// not move has one value.
    #[must_use]
    pub fn decode(&self) -> Vec<Vec<f32>> {
        // Constants and ranges have no index: they are consumed in track order.
        let (mut constants, mut ranges, mut done) = (floats(self.constants), floats(self.ranges), 0);
        let take = |from: &mut dyn Iterator<Item = f32>| -> Vec<f32> { from.take(self.components).collect() };
        let mut tracks = Vec::with_capacity(self.forms.len());
        for form in &self.forms {
            tracks.push(match form {
                ScalarForm::Constant => take(&mut constants),
                ScalarForm::Raw => self.track(done, 32, |number, _| f32::from_bits(number)),
                ScalarForm::Packed(bits) => {
                    let (lowest, width) = (take(&mut ranges), take(&mut ranges));
                    let (share, part) =
                        (share_of(*bits), |of: &[f32], at: usize| of.get(at).copied().unwrap_or_default());
                    self.track(done, *bits, |number, at| {
                        float_of(number) * share * part(&width, at) + part(&lowest, at)
                    })
                }
            });
            // Constant tracks have 0 bits, so the next track starts where they do.
            done += self.components as u64 * u64::from(form.bits());
        }
        tracks
    }

    /// Decodes the values of a track whose numbers have this many bits and start at this bit of each key.
    fn track(&self, start: u64, bits: u32, value: impl Fn(u32, usize) -> f32) -> Vec<f32> {
        let number = |key: u32, at: usize| {
            let on = self.bits * u64::from(key) + start + u64::from(bits) * at as u64;
            value(self.keys.one(on, bits), at)
        };
        // A loop ends with its first key once more.
        let last = self.header.is_loop().then_some(0);
        (0..self.header.keys)
            .chain(last)
            .flat_map(|key| (0..self.components).map(move |at| (key, at)))
            .map(|(key, at)| number(key, at))
            .collect()
    }
}

/// Iterates over little-endian floats.
pub(super) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks().0.iter().map(|float| f32::from_le_bytes(*float))
}
