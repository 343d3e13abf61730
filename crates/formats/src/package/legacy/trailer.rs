//! The package trailer (1002): payloads of an editor package, at the end of the file.
//!
//! ```text
//! header   u64 0xD1C43B2E80A5F697 │ i32 version │ u32 header bytes │ u64 payload bytes │ (0) u8 access │ i32 n
//! entry    20-byte id │ i64 offset │ u64 stored │ u64 raw │ (≥ 2) u16 flags, u16 filter │ (≥ 1) u8 access
//! payloads
//! footer   u64 0x29BFCA045138DE76 │ u64 trailer bytes │ u32 tag
//! ```
//!
//! A local payload's offset counts from the end of the header. Verified without payloads on 5.1 to 5.7;
//! entries are not verified, since no file with any was available.

use super::{package::Package, summary::TAG};
use crate::{
    version::TrailerVersion,
    wire::{Fault, FaultKind, Reader},
};

const HEADER_MAGIC: u64 = 0xD1C4_3B2E_80A5_F697;
const FOOTER_MAGIC: u64 = 0x29BF_CA04_5138_DE76;
/// Length of the footer in bytes.
const FOOTER_LEN: u64 = 20;

/// The package trailer (`FPackageTrailer`).
#[doc(alias = "FPackageTrailer")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Trailer {
    /// Version of the trailer.
    pub version: TrailerVersion,
    /// File offset of the trailer.
    pub offset: u64,
    /// File offset of the payloads.
    pub payloads_offset: u64,
    /// Length of all local payloads in bytes.
    pub payloads_len: u64,
    /// The payloads.
    pub entries: Vec<TrailerEntry>,
}

/// One payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct TrailerEntry {
    /// BLAKE3 of the payload, 20 bytes.
    pub id: [u8; 20],
    /// Local: from the end of the trailer's header. Referenced: from the start of the other file.
    pub offset: i64,
    /// Stored length in bytes.
    pub stored_len: u64,
    /// Decompressed length in bytes.
    pub raw_len: u64,
    /// Flags (version 2).
    pub flags: [u16; 2],
    /// Location of the payload.
    pub access: PayloadAccess,
}

/// Location of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum PayloadAccess {
    /// In this trailer.
    Local,
    /// In another package file of the workspace.
    Referenced,
    /// On a server.
    Virtualized,
}

impl Trailer {
    /// Reads the trailer of a whole package file; `None` if the summary records none.
    pub fn parse(file: &[u8], package: &Package) -> Result<Option<Self>, Fault> {
        // 0 and negative offsets mean that there is no trailer.
        let Some(offset @ 1..) = package.summary.payload_toc_offset else { return Ok(None) };
        let offset = offset.unsigned_abs();
        let mut r = Reader::at(file, offset, "trailer")?;
        magic(&mut r, HEADER_MAGIC)?;
        let version_at = r.clone();
        let version = TrailerVersion(r.i32("trailer: version")?);
        if !version.is_supported() {
            return Err(
                version_at.fault("trailer: version", FaultKind::Unsupported { found: version.0.into() })
            );
        }
        let header_len = r.u32("trailer: header size")?;
        let payloads_len = r.u64("trailer: payload size")?;
        // Version 0 has one access mode for all entries.
        let access = r.when(!version.has_entry_access(), access)?;
        let entries = r.list("trailer: entries", version.entry_len(), |r| entry(r, version, access))?;
        let payloads_offset = r.offset();
        // The entries must end where the header claims, since local offsets count from there.
        if payloads_offset - offset != u64::from(header_len) {
            let kind = FaultKind::Unexpected { found: header_len.into(), expected: payloads_offset - offset };
            return Err(version_at.fault("trailer: header size", kind));
        }
        let skipped = usize::try_from(payloads_len).unwrap_or(usize::MAX);
        // Payloads are skipped, but must be present, since the footer follows them.
        r.bytes("trailer: payloads", skipped)?;
        magic(&mut r, FOOTER_MAGIC)?;
        let len_at = r.clone();
        let (len, expected) = (r.u64("trailer: size")?, u64::from(header_len) + payloads_len + FOOTER_LEN);
        if len != expected {
            return Err(len_at.fault("trailer: size", FaultKind::Unexpected { found: len, expected }));
        }
        let tag_at = r.clone();
        if r.u32("trailer: tag")? != TAG {
            return Err(tag_at.fault("trailer: tag", FaultKind::BadMagic));
        }
        r.finish("trailer")?;
        Ok(Some(Self { version, offset, payloads_offset, payloads_len, entries }))
    }
}

fn magic(r: &mut Reader<'_>, expected: u64) -> Result<(), Fault> {
    let at = r.clone();
    if r.u64("trailer: magic")? == expected {
        Ok(())
    } else {
        Err(at.fault("trailer: magic", FaultKind::BadMagic))
    }
}

fn access(r: &mut Reader<'_>) -> Result<PayloadAccess, Fault> {
    let at = r.clone();
    match r.u8("trailer: access mode")? {
        0 => Ok(PayloadAccess::Local),
        1 => Ok(PayloadAccess::Referenced),
        2 => Ok(PayloadAccess::Virtualized),
        found => Err(at.fault("trailer: access mode", FaultKind::TooLarge { found: found.into(), limit: 2 })),
    }
}

fn entry(
    r: &mut Reader<'_>,
    version: TrailerVersion,
    all: Option<PayloadAccess>,
) -> Result<TrailerEntry, Fault> {
    let id = r.array("trailer entry: id")?;
    let offset = r.i64("trailer entry: offset")?;
    let (stored_len, raw_len) = (r.u64("trailer entry: stored size")?, r.u64("trailer entry: raw size")?);
    let flags = r.when(version.has_entry_flags(), |r| {
        Ok([r.u16("trailer entry: flags")?, r.u16("trailer entry: filter")?])
    })?;
    // Either one mode for all entries, or one in each.
    let access = match all {
        Some(access) => access,
        None => access(r)?,
    };
    Ok(TrailerEntry { id, offset, stored_len, raw_len, flags: flags.unwrap_or_default(), access })
}
