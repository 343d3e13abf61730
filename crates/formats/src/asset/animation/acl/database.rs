//! Keys that were moved out of clips, the least important ones first.
//!
//! ```text
//! database  u32 bytes of it all │ u32 FNV-1a of what follows
//! at 8      u32 tag │ u16 version │ u16 bit 0: tiers are inside │ 2 × u32 chunks of a tier
//!           │ u32 bytes of a chunk, at most │ u32 clips
//!           │ u32 segments │ u32 offset of clips │ 2 × u32 bytes of a tier │ 2 × u32 offset of a tier
//!           │ 2 × u32 FNV-1a of a tier
//! at 64     of each chunk, the medium tier first: u32 bytes │ u32 offset in the tier
//! chunk     u32 index │ u32 bytes │ u32 n │ n × { u32 hash of a clip │ u32 mask
//!           │ u32 offset of keys in the tier │ u32 clip │ u32 segment }
//! ```
//!
//! Offsets count from 8. A segment is identified by the hash of its clip and a number.

use super::bits::KeyBits;
use super::header::{check_hash, whole};
use super::segments::KeyPlace;
use super::transforms::Transforms;
use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};
use std::collections::BTreeMap;

/// `compressed_database`: keys of several clips, in two tiers.
///
/// Either tier may be missing: clips then decode without its keys.
#[doc(alias = "compressed_database")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AclDatabase<'a> {
    tiers: [DatabaseTier<'a>; 2],
}

#[derive(Debug, Clone, Default, PartialEq)]
struct DatabaseTier<'a> {
    bytes: &'a [u8],
    /// Mask and offset of the stored keys, by the hash of the clip and the number of the segment.
    segments: BTreeMap<(u32, u32), (u32, u32)>,
}

const TAG: u32 = 0xAC11_DB01;
const IS_INSIDE: u16 = 1;
/// Start of all offsets: the tag, after length and hash.
const BASE: u64 = 8;
/// Bytes of the head of a chunk, and of one segment in it.
const CHUNK: usize = 8;
const SEGMENT: usize = 20;
/// Distance from the number of a clip to that of its first segment, and from each segment to the next.
const FIRST_SEGMENT: u32 = 8;
const SEGMENT_STEP: u32 = 16;

impl<'a> AclDatabase<'a> {
    /// Parses a database, and its medium and low tier if these are stored elsewhere. A tier that is `None` is
    /// missing.
    pub fn parse(bytes: &'a [u8], outside: [Option<&'a [u8]>; 2]) -> Result<Self, Fault> {
        let (whole, _) = whole(bytes, TAG)?;
        let mut r = Reader::at(whole, BASE + 4, "database")?;
        let at = r.clone();
        let version = r.u16("version of a database")?;
        // Databases have the layout of version 2 from its first release on; version 5 has no flags and no
        // databases.
        if AclVersion::from_wire(version).is_none_or(|version| !version.has_flags()) {
            return Err(at.fault("version of a database", FaultKind::Unsupported { found: version.into() }));
        }
        let is_inside = r.u16("flags of a database")? & IS_INSIDE != 0;
        let chunks = [r.u32("chunks of the medium tier")?, r.u32("chunks of the low tier")?];
        // These three only size the library's own buffers; chunks are checked one by one below.
        r.bytes("largest chunk, clips and segments", 16)?;
        let pair = |r: &mut Reader<'_>, field| Ok([r.u32(field)?, r.u32(field)?]);
        let lens = pair(&mut r, "bytes of a tier")?;
        let offsets = pair(&mut r, "offset of a tier")?;
        let hashes = pair(&mut r, "hash of a tier")?;
        let mut database = Self::default();
        // Each table of the header has two entries, the medium tier's first.
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
            // A missing tier is no error: its chunks are skipped, and clips go without its keys.
            let Some(bytes) = bytes else { continue };
            check_hash(bytes, hash).map_err(|kind| r.fault("hash of a tier", kind))?;
            *tier = DatabaseTier::read(bytes, list)?;
        }
        Ok(database)
    }

    /// Adds the keys of this database to a clip.
    pub(super) fn join(&self, clip: &mut Transforms<'a>) -> Result<(), Fault> {
        let (Some(key), hash) = (clip.database_key, clip.header.hash) else { return Ok(()) };
        // Segments are not listed per clip: their numbers follow from the clip's own.
        let numbers = std::iter::successors(Some(key.wrapping_add(FIRST_SEGMENT)), |number| {
            Some(number.wrapping_add(SEGMENT_STEP))
        });
        for (segment, number) in clip.segments.iter_mut().zip(numbers) {
            // The clip's own keys are last. Joining a second database replaces the keys of the first one.
            let mut places = segment.places.clone();
            let own = places.pop();
            places.clear();
            for tier in &self.tiers {
                let Some((mask, offset)) = tier.segments.get(&(hash, number)) else { continue };
                let mut r = Reader::at(tier.bytes, (*offset).into(), "keys in a tier")?;
                let place =
                    KeyPlace { mask: Some(*mask), data: KeyBits(r.bytes("keys in a tier", r.remaining())?) };
                // A mask may name only keys that the segment has, and their bits must all be here.
                place.check(segment.keys, segment.bits).map_err(|kind| r.fault("keys in a tier", kind))?;
                places.push(place);
            }
            // The order decides which copy of a key is read: medium tier, low tier, clip.
            places.extend(own);
            segment.places = places;
        }
        Ok(())
    }
}

impl<'a> DatabaseTier<'a> {
    fn read(bytes: &'a [u8], chunks: &[u8]) -> Result<Self, Fault> {
        let mut segments = BTreeMap::new();
        // Chunks may overlap, but the segments of all of them must fit into the bytes of the tier: this keeps
        // time linear.
        let mut left = bytes.len() / SEGMENT;
        let mut list = Reader::new(chunks);
        while list.remaining() > 0 {
            // The length of a chunk says nothing that the number of its segments does not.
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
