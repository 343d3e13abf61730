//! Layout of a clip of rotations, translations and scales, checked once.
//!
//! ```text
//! header 32 bytes │ u32 segments │ u32 formats │ 3 × u32 animated │ 3 × u32 constant
//! │ u32 offsets: database, segments, kinds of parts, constants, ranges
//! │ several segments: u32 first key of each, 0xFFFF_FFFF
//! kinds      for rotations, translations and scales: 2 bits a track, the highest ones first, in whole words
//! constants  f32; rotations in columns of up to four: all x, all y, all z
//! ranges     f32 lowest, f32 width of each animated part; rotations in columns of up to four
//! ```
//!
//! Offsets count from the end of the header.

use super::header::{ClipHeader, TRANSFORMS};
use super::parts::{PartForm, PartTable, PartTables};
use super::segments::{SegmentData, SegmentPlan, has_key};
use crate::wire::{Fault, FaultKind, Reader};

/// Clip whose structure is checked: only values are left to decode.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Transforms<'a> {
    pub(super) header: ClipHeader,
    /// Rotations, translations and scales.
    pub(super) parts: [PartTable<'a>; 3],
    pub(super) segments: Vec<SegmentData<'a>>,
    /// Key of the clip in its database, if it was split into one.
    pub(super) database_key: Option<u32>,
}

const HAS_SCALE: u32 = 1;
const SPLIT: u32 = 1 << 8;
const STRIPPED: u32 = 1 << 10;

/// Bytes of the header, from whose end offsets count.
const BASE: u64 = 32;
/// End mark after the first keys of segments.
const LAST_START: u32 = u32::MAX;

impl<'a> Transforms<'a> {
    pub(super) fn parse(header: ClipHeader, bytes: &'a [u8]) -> Result<Self, Fault> {
        let at = |offset: u32, field| Reader::at(bytes, BASE + u64::from(offset), field);
        let mut r = at(0, "clip")?;
        if header.kind != TRANSFORMS {
            return Err(r.fault("kind of samples", FaultKind::Unsupported { found: header.kind.into() }));
        }
        let forms = PartForm::all(header.flags, &r)?;
        let mut parts = forms.map(PartTable::empty);
        if header.tracks == 0 {
            return Ok(Self { header, parts, segments: Vec::new(), database_key: None });
        }
        let start = r.clone();
        let [segments, formats] = words(&mut r, "segments")?;
        let animated: [u32; 3] = words(&mut r, "animated parts")?;
        let constant: [u32; 3] = words(&mut r, "constant parts")?;
        let [database, heads, kinds, constants, ranges] = words(&mut r, "offsets")?;
        // A table without entries has the offset -1, which must not be followed.
        let mut tables = PartTables {
            kinds: at(kinds, "kinds of parts")?,
            constants: if constant == [0; 3] { r.clone() } else { at(constants, "constants")? },
            ranges: if formats == 0 { r.clone() } else { at(ranges, "ranges")? },
            formats: 0,
        };
        let is_stored = [true, true, header.has(HAS_SCALE)];
        // The tables are shared: each kind of part continues where the one before ended.
        for (((part, animated), constant), is_stored) in
            parts.iter_mut().zip(animated).zip(constant).zip(is_stored)
        {
            part.read(&mut tables, header.tracks, [animated, constant], is_stored)?;
        }
        // One format byte too many or too few would shift the ranges and keys of every segment.
        if u64::from(formats) != tables.formats as u64 {
            let kind = FaultKind::Unexpected { found: formats.into(), expected: tables.formats as u64 };
            return Err(start.fault("formats of keys", kind));
        }
        // Keys are missing from a clip either because they are in a database or because they were stripped
        // (from version 9).
        let has_mask = header.has(SPLIT) || (header.version.has_stripped_keys() && header.has(STRIPPED));
        let plan = SegmentPlan {
            bytes,
            base: BASE,
            version: header.version,
            formats: tables.formats,
            // A clip of one segment has the clip's ranges only.
            has_ranges: segments > 1,
            has_mask,
        };
        let starts = starts(&mut r, &start, segments, header.keys)?;
        // Each segment has its own formats, so this many segments take at least this many bytes: reading
        // stays linear.
        if (starts.len() as u64).saturating_mul(formats.into()) > bytes.len() as u64 {
            let kind = FaultKind::TooLarge {
                found: segments.into(),
                limit: bytes.len() as u64 / u64::from(formats.max(1)),
            };
            return Err(start.fault("segments", kind));
        }
        let mut heads = at(heads, "segments")?;
        let ends = starts.iter().skip(1).copied().chain([header.keys]);
        let segments =
            starts.iter().zip(ends).map(|(start, end)| plan.read(&mut heads, [*start, end], &parts));
        let segments = segments.collect::<Result<_, _>>()?;
        let key = header.has(SPLIT).then(|| at(database, "key in the database")?.u32("key in the database"));
        Ok(Self { header, parts, segments, database_key: key.transpose()? })
    }

    /// True if a key is stored in any place.
    pub(super) fn is_stored(&self, key: u32) -> bool {
        let after = self.segments.partition_point(|segment| segment.first <= key);
        let Some(segment) = after.checked_sub(1).and_then(|at| self.segments.get(at)) else { return false };
        let own = key - segment.first;
        own < segment.keys && segment.mask().is_none_or(|mask| has_key(mask, own))
    }
}

/// Reads consecutive words.
fn words<const N: usize>(r: &mut Reader<'_>, field: &'static str) -> Result<[u32; N], Fault> {
    let mut words = [0; N];
    for word in &mut words {
        *word = r.u32(field)?;
    }
    Ok(words)
}

/// Reads the first key of each segment.
pub(super) fn starts(
    r: &mut Reader<'_>,
    at: &Reader<'_>,
    segments: u32,
    keys: u32,
) -> Result<Vec<u32>, Fault> {
    match segments {
        0 => return Err(at.fault("segments", FaultKind::TooSmall { found: 0, limit: 1 })),
        1 => return Ok(vec![0]),
        _ => {}
    }
    let starts = r.repeat(segments as usize, |r| {
        let at = r.clone();
        r.u32("first key of a segment").map(|start| (start, at.offset()))
    })?;
    let at = r.clone();
    let end = r.u32("end of the first keys")?;
    if end != LAST_START {
        let kind = FaultKind::Unexpected { found: end.into(), expected: LAST_START.into() };
        return Err(at.fault("end of the first keys", kind));
    }
    let mut least = 0;
    for (start, offset) in &starts {
        let fault = |kind| Fault { offset: *offset, field: "first key of a segment", kind };
        // The first segment starts at key 0, and each later one after the one before: no segment is empty.
        if *start < least || (least == 0 && *start > 0) {
            return Err(fault(FaultKind::Unexpected { found: (*start).into(), expected: least.into() }));
        }
        if *start >= keys {
            return Err(fault(FaultKind::OutOfRange { index: (*start).into(), count: keys.into() }));
        }
        least = start + 1;
    }
    Ok(starts.into_iter().map(|(start, _)| start).collect())
}
