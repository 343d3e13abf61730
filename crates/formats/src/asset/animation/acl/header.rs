//! The start of every `compressed_tracks`.
//!
//! ```text
//! u32 bytes of it all │ u32 FNV-1a of what follows │ u32 tag │ u16 version │ u8 algorithm
//! │ u8 kind of samples │ u32 tracks
//! │ u32 keys │ f32 keys a second │ u32 flags (not in version 5)
//! ```

use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};

/// Header of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClipHeader {
    /// Hash of the clip, which identifies it in a database.
    pub(super) hash: u32,
    pub(super) version: AclVersion,
    pub(super) kind: u8,
    pub(super) tracks: u32,
    /// Keys that are stored: see [`ClipHeader::is_loop`].
    pub(super) keys: u32,
    /// Keys per second.
    pub(super) rate: f32,
    pub(super) flags: u32,
}

/// Tag of `compressed_tracks`, version 2 of the library.
pub(super) const TAG: u32 = 0xAC11_AC11;
/// Tag of `CompressedClip`, version 1 of the library.
pub(super) const OLD_TAG: u32 = 0xAC10_AC10;
/// Kind of samples: rotations, translations and scales.
pub(super) const TRANSFORMS: u8 = 12;

/// Bytes up to and including the tag.
const HEAD: usize = 12;
const WRAPS: u32 = 1 << 30;
/// Upper limit of tracks: Unreal numbers bones in 16 bits.
const MAX_TRACKS: u32 = 1 << 16;

/// Length, hash and tag: the fields that all versions of the library have in common.
#[derive(Debug, Clone, Copy)]
struct ClipHead {
    len: u32,
    hash: u32,
    tag: u32,
}

impl ClipHead {
    fn read(r: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self { len: r.u32("bytes of a clip")?, hash: r.u32("hash of a clip")?, tag: r.u32("tag")? })
    }
}

/// Returns the tag if the bytes start with a clip.
pub(super) fn tag_of(bytes: &[u8]) -> Option<u32> {
    let head = ClipHead::read(&mut Reader::new(bytes)).ok()?;
    // Four bytes may equal the tag by chance, so the length has to be possible as well.
    let fits = (HEAD..=bytes.len()).contains(&(head.len as usize));
    (fits && matches!(head.tag, TAG | OLD_TAG)).then_some(head.tag)
}

/// Returns the bytes that the length covers, after checking tag and hash; and the hash.
pub(super) fn whole(bytes: &[u8], tag: u32) -> Result<(&[u8], u32), Fault> {
    let mut r = Reader::new(bytes);
    let head = ClipHead::read(&mut r)?;
    if head.tag != tag {
        return Err(Fault { offset: 8, field: "tag", kind: FaultKind::BadMagic });
    }
    // Bytes after the clip are not part of it: curves and clips are followed by other data.
    let whole = Reader::new(bytes).bytes("clip", head.len as usize)?;
    let Some(hashed) = whole.get(8..) else {
        let kind = FaultKind::TooSmall { found: head.len.into(), limit: HEAD as u64 };
        return Err(Fault { offset: 0, field: "bytes of a clip", kind });
    };
    check_hash(hashed, head.hash).map_err(|kind| Fault { offset: 4, field: "hash of a clip", kind })?;
    Ok((whole, head.hash))
}

/// Compares the FNV-1a hash of bytes with the expected one.
pub(super) fn check_hash(bytes: &[u8], expected: u32) -> Result<(), FaultKind> {
    let hash = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619);
    let found = bytes.iter().fold(2_166_136_261, hash);
    if found == expected {
        Ok(())
    } else {
        Err(FaultKind::Unexpected { found: found.into(), expected: expected.into() })
    }
}

impl ClipHeader {
    /// Parses a header, and returns it with the bytes of the whole clip.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Fault> {
        let (whole, hash) = whole(bytes, TAG)?;
        let mut r = Reader::at(whole, HEAD as u64, "clip")?;
        let at = r.clone();
        let number = r.u16("version of a clip")?;
        let version = AclVersion::from_wire(number);
        let unsupported = |found: i64| FaultKind::Unsupported { found };
        let version = version.ok_or_else(|| at.fault("version of a clip", unsupported(number.into())))?;
        let at = r.clone();
        match r.u8("algorithm of a clip")? {
            0 => {}
            found => return Err(at.fault("algorithm of a clip", unsupported(found.into()))),
        }
        let kind = r.u8("kind of samples")?;
        let header = Self {
            hash,
            version,
            kind,
            tracks: tracks(&mut r)?,
            keys: r.u32("keys")?,
            rate: r.f32("keys a second")?,
            flags: if version.has_flags() { r.u32("flags of a clip")? } else { 0 },
        };
        header.check(&r)?;
        Ok((header, whole))
    }

    fn check(&self, r: &Reader<'_>) -> Result<(), Fault> {
        // A clip without tracks stores nothing else: keys and rate may be 0 there.
        if self.tracks == 0 {
            return Ok(());
        }
        check_times(r, self.keys, self.rate)
    }

    /// True if the last key equals the first one and is not stored.
    pub(super) fn is_loop(&self) -> bool {
        self.version.has_loops() && self.has(WRAPS)
    }

    pub(super) const fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// Reads the number of tracks.
fn tracks(r: &mut Reader<'_>) -> Result<u32, Fault> {
    let at = r.clone();
    match r.u32("tracks")? {
        tracks if tracks <= MAX_TRACKS => Ok(tracks),
        found => {
            let kind = FaultKind::TooLarge { found: found.into(), limit: MAX_TRACKS.into() };
            Err(at.fault("tracks", kind))
        }
    }
}

/// Checks the number of keys and their rate.
pub(super) fn check_times(r: &Reader<'_>, keys: u32, rate: f32) -> Result<(), Fault> {
    if keys == 0 {
        return Err(r.fault("keys", FaultKind::TooSmall { found: 0, limit: 1 }));
    }
    // A single key has no duration, so its rate does not matter.
    if keys > 1 && !(rate.is_finite() && rate > 0.0) {
        let kind = FaultKind::Unsupported { found: rate.to_bits().into() };
        return Err(r.fault("keys a second, as the bits of a float", kind));
    }
    Ok(())
}
