//! The primary index: the region named by the footer.
//!
//! ```text
//! 1–9    mount point │ count u32 │ per file: path, entry in the long form
//! 10–15  mount point │ count u32 │ path hash seed u64
//!        has path-hash index u32 │ [offset u64, size u64, SHA-1 20]
//!        has directory index u32 │ [offset u64, size u64, SHA-1 20]
//!        packed entries: length u32, bytes │ long entries: count u32, … [15, CTR: 12-byte IV each]
//! ```

use super::directory::{Files, Location};
use super::{Entry, Footer, PakEncryption, Region};
use crate::{
    crypto::IV_LEN,
    wire::{Fault, FaultKind, MAX_PATH_LEN, Reader},
};

/// Smallest length of a path with its entry.
const MIN_FILE_LEN: usize = 4 + 45;

/// The primary index.
#[derive(Debug, Default, Clone)]
pub struct Primary {
    /// Base of all paths, such as `../../../`.
    pub mount_point: String,
    /// Recorded number of files.
    pub count: u32,
    /// Place of the path-hash index (from version 10).
    pub path_hash_index: Option<Region>,
    /// Place of the directory index (from version 10).
    pub directory_index: Option<Region>,
    /// Entries in the packed form.
    pub(super) packed: Vec<u8>,
    /// Entries that do not fit the packed form; up to version 9 the entries of all files.
    pub(super) long: Vec<Entry>,
    /// Files with their paths, up to version 9.
    pub(super) files: Files,
}

impl Primary {
    /// Parses the plain bytes of the region. Bytes after the index may be padding.
    pub fn parse(bytes: &[u8], footer: &Footer, file_len: u64) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        // A memory image depends on the compiler and platform that made it.
        if footer.is_frozen {
            return Err(r.fault("frozen index", FaultKind::Unsupported { found: 1 }));
        }
        let mut this = Self { mount_point: r.string("mount point")?, ..Self::default() };
        if this.mount_point.len() > MAX_PATH_LEN {
            return Err(r.fault("mount point", FaultKind::TooLong { limit: MAX_PATH_LEN as u64 }));
        }
        if footer.version.has_split_index() {
            this.read_split(&mut r, footer, file_len)?;
        } else {
            this.read_whole(&mut r, footer)?;
        }
        Ok(this)
    }

    fn read_whole(&mut self, r: &mut Reader<'_>, footer: &Footer) -> Result<(), Fault> {
        let count = r.count("file count", MIN_FILE_LEN)?;
        self.count = u32::try_from(count).unwrap_or(u32::MAX);
        for at in 0..self.count {
            let path = r.string("file path")?;
            self.long.push(Entry::read(r, footer)?);
            self.files.push_path(&path, Location::Long(at))?;
        }
        Ok(())
    }

    fn read_split(&mut self, r: &mut Reader<'_>, footer: &Footer, file_len: u64) -> Result<(), Fault> {
        self.count = r.u32("file count")?;
        // Only a writer needs the seed: files are looked up by path here.
        r.u64("path hash seed")?;
        let index = |r: &mut Reader<'_>, field| {
            let present = r.u32(field)? != 0;
            r.when(present, |r| Region::read(r, file_len))
        };
        self.path_hash_index = index(r, "path-hash index")?;
        self.directory_index = index(r, "full directory index")?;
        let len = r.count("packed entries", 1)?;
        self.packed = r.bytes("packed entries", len)?.to_vec();
        let count = r.count("long entries", MIN_FILE_LEN)?;
        self.long = r.repeat(count, |r| Entry::read(r, footer))?;
        if matches!(footer.encryption, Ok(PakEncryption::Ctr(_))) {
            for entry in &mut self.long {
                entry.iv = Some(r.array::<IV_LEN>("long entry IV")?);
            }
        }
        Ok(())
    }
}
