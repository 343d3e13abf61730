//! The footer at the end of a pak.
//!
//! ```text
//! [≥7 key GUID 16] [≥4 encrypted u8] magic u32 │ version u32 │ index offset u64 │ index size u64 │ SHA-1 20
//! [9 frozen u8] [≥8 method names, 4 or 5 × 32] [≥14 pakchunk i32] [≥15 method u8, three IVs 3 × 12]
//! ```
//!
//! Versions 8A (UE 4.22) and 8B (4.23) share a number: one has four method names, the other five.

use super::Region;
use crate::{
    crypto::IV_LEN,
    id::Guid,
    version::PakVersion,
    wire::{Fault, FaultKind, Reader},
};

/// Magic, which follows the encryption fields.
const MAGIC: u32 = 0x5A6F_12E1;

/// Length of a method name in bytes.
const NAME_LEN: usize = 32;

/// Lengths of footers and their numbers of method names, longest first.
const FORMS: [(usize, usize); 8] =
    [(262, 5), (225, 5), (222, 5), (221, 5), (189, 4), (61, 0), (45, 0), (44, 0)];

/// Encryption of files and indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PakEncryption {
    /// Every 16 bytes are encrypted separately.
    Ecb,
    /// A key stream, with the IVs of the index, the path-hash index and the full directory index.
    Ctr([[u8; IV_LEN]; 3]),
}

/// The footer (`FPakInfo`).
#[doc(alias = "FPakInfo")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footer {
    /// Version of the file.
    pub version: PakVersion,
    /// Id of the encryption key; zero is the main key.
    pub key_guid: Guid,
    /// True if the indices are encrypted.
    pub is_index_encrypted: bool,
    /// Place of the primary index.
    pub index: Region,
    /// True if the index is a memory image of the engine that wrote it.
    pub is_frozen: bool,
    /// Names of compression methods; entries refer to them from 1. Empty before version 8.
    pub methods: Vec<String>,
    /// True if old entries store the method in one byte (8A).
    pub(super) has_short_methods: bool,
    /// Number of the pakchunk (from version 14).
    pub pakchunk: Option<i32>,
    /// Encryption method; `Err` holds an undocumented method byte.
    pub encryption: Result<PakEncryption, u8>,
}

impl Footer {
    /// Length of the longest footer in bytes.
    pub const MAX_LEN: usize = 262;

    /// Parses the end of a file of `file_len` bytes. `tail` holds its last [`MAX_LEN`](Self::MAX_LEN) bytes,
    /// or the whole file.
    pub fn parse(tail: &[u8], file_len: u64) -> Result<Self, Fault> {
        let mut nearest = None;
        for (len, names) in FORMS {
            let Some(start) = tail.len().checked_sub(len) else { continue };
            let bytes = tail.get(start..).unwrap_or_default();
            match Self::parse_form(bytes, names, file_len) {
                Ok(footer) => return Ok(footer),
                // The magic matched but a later field is wrong: the best fault to report.
                Err(fault) if fault.kind != FaultKind::BadMagic => drop(nearest.get_or_insert(fault)),
                Err(_) => {}
            }
        }
        let offset = file_len.saturating_sub(44);
        Err(nearest.unwrap_or(Fault { offset, field: "pak footer", kind: FaultKind::BadMagic }))
    }

    fn parse_form(bytes: &[u8], names: usize, file_len: u64) -> Result<Self, Fault> {
        let form_len = bytes.len();
        let mut r = Reader::with_base(bytes, file_len.saturating_sub(form_len as u64));
        let wrong = r.fault("pak footer", FaultKind::BadMagic);
        let key_guid = r.when(form_len >= 61, |r| r.array("key guid"))?.unwrap_or_default();
        let encrypted = r.when(form_len >= 45, |r| r.u8("encrypted index"))?.unwrap_or(0);
        if r.u32("magic")? != MAGIC {
            return Err(wrong);
        }
        let version = PakVersion::from_wire(r.u32("version")?).ok_or(wrong)?;
        // Only one length belongs to each version, so a magic found by chance fails here.
        if form_len != footer_len(version, names) {
            return Err(wrong);
        }
        let index = Region::read(&mut r, file_len)?;
        let frozen = r.when(version.has_frozen_flag(), |r| r.u8("frozen"))?.unwrap_or(0);
        let methods = r.repeat(names, |r| r.array::<NAME_LEN>("method name").map(name))?;
        let pakchunk = r.when(version.has_pakchunk_index(), |r| r.i32("pakchunk index"))?;
        let encryption = encryption(&mut r, version)?;
        Ok(Self {
            version,
            key_guid: Guid(key_guid),
            is_index_encrypted: encrypted != 0,
            index,
            is_frozen: frozen != 0,
            methods,
            has_short_methods: names == 4,
            pakchunk,
            encryption,
        })
    }
}

/// Returns the length of a version's footer in bytes.
fn footer_len(version: PakVersion, names: usize) -> usize {
    let when = |present: bool, len: usize| if present { len } else { 0 };
    44 + when(version.has_encrypted_index_flag(), 1)
        + when(version.has_key_guid(), 16)
        + when(version.has_frozen_flag(), 1)
        + when(version.has_method_names(), names * NAME_LEN)
        + when(version.has_pakchunk_index(), 4)
        + when(version.has_encryption_method(), 1 + 3 * IV_LEN)
}

/// Decodes a name, which ends at its first NUL.
fn name(bytes: [u8; NAME_LEN]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(NAME_LEN);
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

fn encryption(r: &mut Reader<'_>, version: PakVersion) -> Result<Result<PakEncryption, u8>, Fault> {
    if !version.has_encryption_method() {
        return Ok(Ok(PakEncryption::Ecb));
    }
    let method = r.u8("encryption method")?;
    let ivs = [r.array("index IV")?, r.array("path-hash index IV")?, r.array("full directory index IV")?];
    Ok(match method {
        // Method 0 means that nothing is encrypted, which the entries record themselves.
        0 | 1 => Ok(PakEncryption::Ecb),
        2 => Ok(PakEncryption::Ctr(ivs)),
        unknown => Err(unknown),
    })
}
