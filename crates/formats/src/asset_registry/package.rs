//! Data of packages as files.
//!
//! ```text
//! name │ i64 size on disk │ 16-byte GUID, or (20) 20-byte hash of the saved file
//!   │ (6)  u32 present, 16-byte MD5 of the cooked file
//!   │ (13) i32 n, n × { 12-byte chunk id, 20-byte hash }
//!   │ (9)  i32 version of UE4 │ (11) i32 version of UE5 │ i32 version of the licensee │ u32 flags
//!          │ i32 n, n × { 16-byte key, i32 custom version }
//!   │ (10) i32 n, n × name of an imported class
//!   │ (17) text: extension │ (18) u8 location
//! ```

use super::form::{Form, Name};
use crate::{
    id::{Guid, RawChunkId},
    version::PackageFileVersion,
    wire::{Fault, FaultKind, Reader},
};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, little_endian::I32};

/// A package as a file (`FAssetPackageData`).
#[doc(alias = "FAssetPackageData")]
#[derive(Debug, Clone)]
pub struct PackageData<'a> {
    /// Package name.
    pub name: Name,
    /// Length of the uncooked file in bytes; negative if unknown.
    pub disk_size: i64,
    /// GUID that changes with each saving (to 19).
    pub guid: Option<Guid>,
    /// Hash of the saved file (20).
    pub saved_hash: Option<[u8; 20]>,
    /// MD5 of the cooked file, if present (6).
    pub cooked_hash: Option<[u8; 16]>,
    /// Hashes of its chunks (13).
    pub chunk_hashes: &'a [RegistryChunkHash],
    /// Versions of the last saving (9).
    pub saved_with: Option<SavedWith<'a>>,
    /// Extension of the file (17).
    pub extension: Option<String>,
    /// Location, as the stored number (18).
    pub location: Option<u8>,
    classes: Reader<'a>,
}

/// Versions of a package.
#[derive(Debug, Clone, Copy)]
pub struct SavedWith<'a> {
    /// Object versions.
    pub objects: PackageFileVersion,
    /// Licensee version.
    pub licensee: i32,
    /// Flags, whose meaning is not public.
    pub flags: u32,
    /// Custom versions.
    pub custom_versions: &'a [RegistryCustomVersion],
}

/// Hash of a chunk of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct RegistryChunkHash {
    /// Chunk id.
    pub id: RawChunkId,
    /// Hash.
    pub hash: [u8; 20],
}

/// A custom version: a number counted by one part of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct RegistryCustomVersion {
    key: [u8; 16],
    number: I32,
}

const _: () = assert!(size_of::<RegistryChunkHash>() == 32 && size_of::<RegistryCustomVersion>() == 20);

impl RegistryCustomVersion {
    /// Returns the key of the engine part.
    #[must_use]
    pub const fn key(&self) -> Guid {
        Guid(self.key)
    }

    /// Returns the version number.
    #[must_use]
    pub const fn number(&self) -> i32 {
        self.number.get()
    }
}

impl<'a> PackageData<'a> {
    /// Returns the smallest length of a package in bytes.
    pub(super) const fn min_len(form: Form) -> usize {
        // The size on disk and the GUID; the hash that replaces the GUID is longer.
        form.name_len() + 24
    }

    pub(super) fn read(form: Form, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let version = form.version;
        let name = form.name(r, "package: name")?;
        let disk_size = r.i64("package: size")?;
        let guid = r.when(!version.has_saved_hash(), |r| r.array("package: guid").map(Guid))?;
        let saved_hash = r.when(version.has_saved_hash(), |r| r.array("package: saved hash"))?;
        let cooked_hash = r.when(version.has_cooked_hash(), md5)?.flatten();
        let chunk_hashes = r.when(version.has_chunk_hashes(), |r| table(r, "package: chunk hashes", 32))?;
        let saved_with = r.when(version.has_file_versions(), |r| SavedWith::read(form, r))?;
        // Classes are skipped now and decoded on demand.
        let classes = r.clone();
        r.when(version.has_imported_classes(), |r| self::classes(form, r).map(drop))?;
        let extension = r.when(version.has_extension(), |r| form.text(r, "package: extension"))?;
        let location = r.when(form.has_location, |r| r.u8("package: location"))?;
        Ok(Self {
            name,
            disk_size,
            guid,
            saved_hash,
            cooked_hash,
            chunk_hashes: chunk_hashes.unwrap_or_default(),
            saved_with,
            extension,
            location,
            classes,
        })
    }

    /// Returns the imported classes (10).
    pub(super) fn imported_classes(&self, form: Form) -> Vec<Name> {
        if !form.version.has_imported_classes() {
            return Vec::new();
        }
        // The classes were read once with the record, so a fault cannot occur here.
        classes(form, &mut self.classes.clone()).unwrap_or_default()
    }
}

impl<'a> SavedWith<'a> {
    fn read(form: Form, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let ue4 = r.i32("package: file version")?;
        let ue5 = r.when(form.version.has_ue5_file_version(), |r| r.i32("package: UE5 file version"))?;
        Ok(Self {
            objects: PackageFileVersion { ue4, ue5: ue5.unwrap_or(0) },
            licensee: r.i32("package: licensee version")?,
            flags: r.u32("package: flags")?,
            // 20 bytes per custom version, as asserted above.
            custom_versions: table(r, "package: custom versions", 20)?,
        })
    }
}

/// Reads a hash that is preceded by its presence flag.
fn md5(r: &mut Reader<'_>) -> Result<Option<[u8; 16]>, Fault> {
    let at = r.clone();
    match r.u32("package: presence of the cooked hash")? {
        0 => Ok(None),
        1 => r.array("package: cooked hash").map(Some),
        found => {
            let kind = FaultKind::TooLarge { found: found.into(), limit: 1 };
            Err(at.fault("package: presence of the cooked hash", kind))
        }
    }
}

fn table<'a, T>(r: &mut Reader<'a>, field: &'static str, len: usize) -> Result<&'a [T], Fault>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let count = r.count(field, len)?;
    r.table(field, count)
}

fn classes(form: Form, r: &mut Reader<'_>) -> Result<Vec<Name>, Fault> {
    r.list("package: imported classes", form.name_len(), |r| form.name(r, "package: imported class"))
}
