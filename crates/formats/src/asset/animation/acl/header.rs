//! The start of every `compressed_tracks`.
//!
//! ```text
//! u32 bytes of it all │ u32 FNV-1a of what follows │ u32 tag │ u16 version │ u8 algorithm │ u8 kind of samples │ u32 tracks
//! │ u32 keys │ f32 keys a second │ u32 flags (not in version 5)
//! ```

use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};

/// Facts in the header of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClipHeader {
    /// Hash of the clip, by which a database knows it.
    pub(super) hash: u32,
    pub(super) version: AclVersion,
    pub(super) kind: u8,
    pub(super) tracks: u32,
    /// Keys that are recorded: see [`ClipHeader::is_loop`].
    pub(super) keys: u32,
    /// Keys a second.
    pub(super) rate: f32,
    pub(super) flags: u32,
}

/// What `compressed_tracks` has where its version is.
pub(super) const TAG: u32 = 0xAC11_AC11;
/// `CompressedClip` of version 1 of the library.
pub(super) const OLD_TAG: u32 = 0xAC10_AC10;
/// Tracks of rotations, translations and scales.
pub(super) const TRANSFORMS: u8 = 12;

/// Bytes up to the tag, and with it.
const HEAD: usize = 12;
const WRAPS: u32 = 1 << 30;
/// Unreal numbers bones in 16 bits.
const MAX_TRACKS: u32 = 1 << 16;

/// Length, hash and tag: all that the versions of the library have in common.
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

/// The tag of a clip that lies in these bytes.
pub(super) fn tag_of(bytes: &[u8]) -> Option<u32> {
    let head = ClipHead::read(&mut Reader::new(bytes)).ok()?;
    let fits = (HEAD..=bytes.len()).contains(&(head.len as usize));
    (fits && matches!(head.tag, TAG | OLD_TAG)).then_some(head.tag)
}

/// The bytes that a length counts, once their tag and hash are right; and the hash.
pub(super) fn whole(bytes: &[u8], tag: u32) -> Result<(&[u8], u32), Fault> {
    let mut r = Reader::new(bytes);
    let head = ClipHead::read(&mut r)?;
    if head.tag != tag {
        return Err(Fault { offset: 8, field: "tag", kind: FaultKind::BadMagic });
    }
    let whole = Reader::new(bytes).bytes("clip", head.len as usize)?;
    let Some(hashed) = whole.get(8..) else {
        let kind = FaultKind::TooSmall { found: head.len.into(), limit: HEAD as u64 };
        return Err(Fault { offset: 0, field: "bytes of a clip", kind });
    };
    check_hash(hashed, head.hash).map_err(|kind| Fault { offset: 4, field: "hash of a clip", kind })?;
    Ok((whole, head.hash))
}

/// Compares bytes with a hash of them.
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
    /// Reads a header, and gives the bytes of the whole clip.
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
        // A clip without tracks has nothing else.
        if self.tracks == 0 {
            return Ok(());
        }
        check_times(r, self.keys, self.rate)
    }

    /// The last key is the first one, and is not recorded.
    pub(super) fn is_loop(&self) -> bool {
        self.version.has_loops() && self.has(WRAPS)
    }

    pub(super) const fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// Reads how many tracks there are.
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

/// Checks how many keys there are, and how fast they follow each other.
pub(super) fn check_times(r: &Reader<'_>, keys: u32, rate: f32) -> Result<(), Fault> {
    if keys == 0 {
        return Err(r.fault("keys", FaultKind::TooSmall { found: 0, limit: 1 }));
    }
    if keys > 1 && !(rate.is_finite() && rate > 0.0) {
        let kind = FaultKind::Unsupported { found: rate.to_bits().into() };
        return Err(r.fault("keys a second, as the bits of a float", kind));
    }
    Ok(())
}
