//! Keys that were moved out of clips, the less important ones first.
//!
//! ```text
//! database  u32 bytes of it all │ u32 FNV-1a of what follows
//! at 8      u32 tag │ u16 version │ u16 bit 0: tiers are inside │ 2 × u32 chunks of a tier │ u32 bytes of a chunk, at most │ u32 clips
//!           │ u32 segments │ u32 offset of clips │ 2 × u32 bytes of a tier │ 2 × u32 offset of a tier │ 2 × u32 FNV-1a of a tier
//! at 64     of each chunk, the medium tier first: u32 bytes │ u32 offset in the tier
//! chunk     u32 index │ u32 bytes │ u32 n │ n × { u32 hash of a clip │ u32 mask │ u32 offset of keys in the tier │ u32 clip │ u32 segment }
//! ```
//!
//! Offsets count from 8. A segment is known by the hash of its clip and a number.

use super::bits::KeyBits;
use super::header::{check_hash, whole};
use super::segments::KeyPlace;
use super::transforms::Transforms;
use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};
use std::collections::BTreeMap;

/// `compressed_database`: keys of several clips, in two tiers.
///
/// Either tier may be missing: clips do without its keys.
#[doc(alias = "compressed_database")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AclDatabase<'a> {
    tiers: [DatabaseTier<'a>; 2],
}

#[derive(Debug, Clone, Default, PartialEq)]
struct DatabaseTier<'a> {
    bytes: &'a [u8],
    /// Masks of keys and where these are, by the hash of the clip and the number of the segment.
    segments: BTreeMap<(u32, u32), (u32, u32)>,
}

const TAG: u32 = 0xAC11_DB01;
const IS_INSIDE: u16 = 1;
/// Where offsets count from.
const BASE: u64 = 8;
/// Bytes of a chunk, and of a segment in one.
const CHUNK: usize = 8;
const SEGMENT: usize = 20;
/// Numbers of segments: how far the first one is from the clip, and each from the one before.
const FIRST_SEGMENT: u32 = 8;
const SEGMENT_STEP: u32 = 16;

impl<'a> AclDatabase<'a> {
    /// Reads a database, and the medium and the low tier where these lie outside. A tier that is `None` is missing.
    pub fn parse(bytes: &'a [u8], outside: [Option<&'a [u8]>; 2]) -> Result<Self, Fault> {
        let (whole, _) = whole(bytes, TAG)?;
        let mut r = Reader::at(whole, BASE + 4, "database")?;
        let at = r.clone();
        let version = r.u16("version of a database")?;
        if AclVersion::from_wire(version).is_none_or(|version| !version.has_flags()) {
            return Err(at.fault("version of a database", FaultKind::Unsupported { found: version.into() }));
        }
        let is_inside = r.u16("flags of a database")? & IS_INSIDE != 0;
        let chunks = [r.u32("chunks of the medium tier")?, r.u32("chunks of the low tier")?];
        r.bytes("largest chunk, clips and segments", 16)?;
        let pair = |r: &mut Reader<'_>, field| Ok([r.u32(field)?, r.u32(field)?]);
        let lens = pair(&mut r, "bytes of a tier")?;
        let offsets = pair(&mut r, "offset of a tier")?;
        let hashes = pair(&mut r, "hash of a tier")?;
        let mut database = Self::default();
        let tiers = database.tiers.iter_mut().zip(chunks).zip(lens).zip(offsets).zip(hashes).zip(outside);
        for (((((tier, chunks), len), offset), hash), outside) in tiers {
            let list = r.bytes("chunks of a tier", CHUNK.saturating_mul(chunks as usize))?;
            let bytes = if is_inside && len > 0 {
                Some(
                    Reader::at(whole, BASE + u64::from(offset), "offset of a tier")?
                        .bytes("tier", len as usize)?,
                )
            } else {
                outside.map(|bytes| Reader::new(bytes).bytes("tier", len as usize)).transpose()?
            };
            let Some(bytes) = bytes else { continue };
            check_hash(bytes, hash).map_err(|kind| r.fault("hash of a tier", kind))?;
            *tier = DatabaseTier::read(bytes, list)?;
        }
        Ok(database)
    }

    /// Gives a clip its keys.
    pub(super) fn join(&self, clip: &mut Transforms<'a>) -> Result<(), Fault> {
        let (Some(key), hash) = (clip.database_key, clip.header.hash) else { return Ok(()) };
        let numbers = std::iter::successors(Some(key.wrapping_add(FIRST_SEGMENT)), |number| {
            Some(number.wrapping_add(SEGMENT_STEP))
        });
        for (segment, number) in clip.segments.iter_mut().zip(numbers) {
            let mut places = segment.places.clone();
            let own = places.pop();
            places.clear();
            for tier in &self.tiers {
                let Some((mask, offset)) = tier.segments.get(&(hash, number)) else { continue };
                let mut r = Reader::at(tier.bytes, (*offset).into(), "keys in a tier")?;
                let place =
                    KeyPlace { mask: Some(*mask), data: KeyBits(r.bytes("keys in a tier", r.remaining())?) };
                place.check(segment.keys, segment.bits).map_err(|kind| r.fault("keys in a tier", kind))?;
                places.push(place);
            }
            places.extend(own);
            segment.places = places;
        }
        Ok(())
    }
}

impl<'a> DatabaseTier<'a> {
    fn read(bytes: &'a [u8], chunks: &[u8]) -> Result<Self, Fault> {
        let mut segments = BTreeMap::new();
        // Chunks may overlap, but not so that there are more segments than bytes for them.
        let mut left = bytes.len() / SEGMENT;
        let mut list = Reader::new(chunks);
        while list.remaining() > 0 {
            let (_, offset) = (list.u32("bytes of a chunk")?, list.u32("offset of a chunk")?);
            let mut r = Reader::at(bytes, offset.into(), "offset of a chunk")?;
            r.bytes("chunk", CHUNK)?;
            let at = r.clone();
            let count = r.u32("segments of a chunk")? as usize;
            left = left.checked_sub(count).ok_or_else(|| {
                at.fault(
                    "segments of a chunk",
                    FaultKind::TooLarge { found: count as u64, limit: left as u64 },
                )
            })?;
            for _ in 0..count {
                let hash = r.u32("hash of a clip")?;
                let (mask, offset) = (r.u32("mask of keys")?, r.u32("offset of keys")?);
                r.u32("key of a clip")?;
                segments.insert((hash, r.u32("key of a segment")?), (mask, offset));
            }
        }
        Ok(Self { bytes, segments })
    }
}
