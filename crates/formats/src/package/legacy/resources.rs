//! The data resource table (1009): all bulk data of the package.
//!
//! ```text
//! u32 version │ i32 n │ n × { u32 flags │ (2) u8 cooked index │ i64 offset, duplicate offset, size, raw size
//!                             │ i32 owner │ u32 bulk data flags }
//! ```
//!
//! Version 1 in files of 5.3 and 5.4, 2 from 5.5 on.

use super::form::{Form, PackageIndex};
use crate::{
    package::bulk::{BulkFlags, BulkRecord},
    version::DataResourceVersion,
    wire::{Archive, Fault, FaultKind},
};

/// The data resource table.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct DataResources {
    /// Version of the table: 1 or 2.
    pub version: DataResourceVersion,
    /// The entries.
    pub entries: Vec<DataResource>,
}

/// One payload (`FObjectDataResource`).
#[doc(alias = "FObjectDataResource")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct DataResource {
    /// 1 inline, 2 streaming, 4 optional, 8 duplicate, 0x10 memory-mapped, 0x20 derived data; 0 in cooked packages.
    pub flags: u32,
    /// Index of the cooked variant (2).
    pub cooked_index: Option<u8>,
    /// Offset of the payload.
    pub serial_offset: i64,
    /// Offset of a second copy; −1 if there is none.
    pub duplicate_offset: i64,
    /// Stored length in bytes.
    pub serial_len: i64,
    /// Decompressed length in bytes.
    pub raw_len: i64,
    /// Owning export.
    pub owner: PackageIndex,
    /// Bulk data flags (`EBulkDataFlags`).
    pub bulk_flags: u32,
}

impl DataResources {
    /// Returns the length of an entry in bytes.
    #[must_use]
    pub const fn entry_len(&self) -> usize {
        44 + self.version.has_cooked_index() as usize
    }
}

impl DataResource {
    /// Returns the entry in the form shared by all packages.
    #[must_use]
    pub fn record(&self) -> BulkRecord {
        let flags = BulkFlags(self.bulk_flags);
        // Negative sizes are damage; such a payload counts as empty.
        let len = u64::try_from(self.serial_len).unwrap_or(0);
        BulkRecord {
            flags,
            place: flags.place(len),
            offset: self.serial_offset,
            duplicate_offset: (self.duplicate_offset != -1).then_some(self.duplicate_offset),
            len,
            raw_len: u64::try_from(self.raw_len).unwrap_or(0),
            compression: flags.compression(),
            cooked_index: self.cooked_index.unwrap_or(0),
            owner: (self.owner.0 != 0).then_some(self.owner.0),
        }
    }
}

pub(super) fn data_resources<A: Archive>(
    a: &mut A,
    form: &Form,
    resources: &mut DataResources,
) -> Result<(), Fault> {
    let at = a.offset();
    a.u32("data resources: version", &mut resources.version.0)?;
    // An unknown version may have entries of another length.
    if !resources.version.is_supported() {
        let kind = FaultKind::Unsupported { found: resources.version.0.into() };
        return Err(Fault { offset: at, field: "data resources: version", kind });
    }
    let cooked_index = resources.version.has_cooked_index();
    // 44 bytes without the cooked index, the smallest form.
    a.list("data resources: count", &mut resources.entries, 44, |a, entry| {
        a.u32("data resource: flags", &mut entry.flags)?;
        a.optional(cooked_index, &mut entry.cooked_index, |a, index| {
            a.u8("data resource: cooked index", index)
        })?;
        a.i64("data resource: offset", &mut entry.serial_offset)?;
        a.i64("data resource: duplicate offset", &mut entry.duplicate_offset)?;
        a.i64("data resource: size", &mut entry.serial_len)?;
        a.i64("data resource: raw size", &mut entry.raw_len)?;
        form.index(a, "data resource: owner", &mut entry.owner)?;
        a.u32("data resource: bulk data flags", &mut entry.bulk_flags)
    })
}
