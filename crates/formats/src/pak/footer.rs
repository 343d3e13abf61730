//! The end of the file.
//!
//! ```text
//! [≥7 key GUID 16] [≥4 encrypted u8] magic u32 │ version u32 │ index offset u64 │ index size u64 │ SHA-1 20
//! [9 frozen u8] [≥8 method names, 4 or 5 × 32] [≥14 pakchunk i32] [≥15 method u8, three IVs 3 × 12]
//! ```
//!
//! Versions 8A (UE 4.22) and 8B (4.23) share a number: the one has four method names, the other five.

use super::Region;
use crate::{
    crypto::IV_LEN,
    id::Guid,
    version::PakVersion,
    wire::{Fault, FaultKind, Reader},
};

/// First four bytes after the encryption fields.
const MAGIC: u32 = 0x5A6F_12E1;

/// Bytes of a method name.
const NAME_LEN: usize = 32;

/// Lengths of footers with the number of method names, longest first.
const FORMS: [(usize, usize); 8] =
    [(262, 5), (225, 5), (222, 5), (221, 5), (189, 4), (61, 0), (45, 0), (44, 0)];

/// How the files and indices of a pak are encrypted, where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PakEncryption {
    /// Each 16 bytes on their own.
    Ecb,
    /// As a stream; with the IVs of the index, the path-hash index and the full directory index.
    Ctr([[u8; IV_LEN]; 3]),
}

/// The footer.
#[doc(alias = "FPakInfo")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footer {
    /// Layout of the file.
    pub version: PakVersion,
    /// Which key it is encrypted with; zero is the main key.
    pub key_guid: Guid,
    /// Whether the indices are encrypted.
    pub is_index_encrypted: bool,
    /// Where the primary index is.
    pub index: Region,
    /// Whether the index is a memory image of the engine that wrote it.
    pub is_frozen: bool,
    /// Names of compression methods; entries count them from 1. Empty before version 8.
    pub methods: Vec<String>,
    /// Whether methods are a byte in entries of the old form (8A).
    pub(super) has_short_methods: bool,
    /// Number of the pakchunk (from 14).
    pub pakchunk: Option<i32>,
    /// How it is encrypted; `Err` holds a method byte that nobody has documented.
    pub encryption: Result<PakEncryption, u8>,
}

impl Footer {
    /// Length of the longest footer, in bytes.
    pub const MAX_LEN: usize = 262;

    /// Parses the end of a file of `file_len` bytes. `tail` holds its last bytes, [`MAX_LEN`](Self::MAX_LEN) of them or
    /// the whole file.
    pub fn parse(tail: &[u8], file_len: u64) -> Result<Self, Fault> {
        let mut nearest = None;
        for (len, names) in FORMS {
            let Some(start) = tail.len().checked_sub(len) else { continue };
            let bytes = tail.get(start..).unwrap_or_default();
            match Self::parse_form(bytes, names, file_len) {
                Ok(footer) => return Ok(footer),
                // The magic was there, but something after it is wrong.
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

/// Bytes of the footer of a version.
fn footer_len(version: PakVersion, names: usize) -> usize {
    let when = |present: bool, len: usize| if present { len } else { 0 };
    44 + when(version.has_encrypted_index_flag(), 1)
        + when(version.has_key_guid(), 16)
        + when(version.has_frozen_flag(), 1)
        + when(version.has_method_names(), names * NAME_LEN)
        + when(version.has_pakchunk_index(), 4)
        + when(version.has_encryption_method(), 1 + 3 * IV_LEN)
}

/// A name that ends at its first NUL.
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
        0 | 1 => Ok(PakEncryption::Ecb),
        2 => Ok(PakEncryption::Ctr(ivs)),
        unknown => Err(unknown),
    })
}
