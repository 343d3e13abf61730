//! References of payloads to bulk data, in two forms.
//!
//! ```text
//! before 5.2   u32 flags │ i32 elements │ u32 size │ i64 offset; with 0x2000 i64 elements and size
//!              │ inline: the payload
//! since 5.2    i32 entry of the table of the package │ inline: the payload
//! ```
//!
//! Everything that is read can be written back byte for byte.

use super::payload::Payload;
use crate::package::bulk::{BulkFlags, BulkPlace, BulkRecord};
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind, Writer};

/// `FByteBulkData`: a piece of data in the export or in another file.
#[doc(alias = "FByteBulkData")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bulk<'a> {
    /// Record of the data. Its offset counts from the start of the file that holds the data.
    pub record: BulkRecord,
    /// The bytes, if they are in the export.
    pub inline: Option<&'a [u8]>,
    /// Header as stored in the export.
    pub header: BulkHeader,
}

/// Reference of an export to bulk data, without the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkHeader {
    /// Index into the package's table of bulk data.
    Entry(u32),
    /// Complete record, in packages without such a table.
    Own(OwnHeader),
}

/// Record of bulk data in a package that has no table of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnHeader {
    /// Flags as stored, including bits that readers ignore.
    pub flags: u32,
    /// Number of elements, which are bytes.
    pub elements: u64,
    /// Size in the file, in bytes.
    pub len: u64,
    /// Offset as stored: see [`OwnHeader::base`].
    pub offset: i64,
    /// Version number that some releases wrote by mistake.
    pub version: Option<u16>,
    /// Flags, size and offset of a second copy, if there is one.
    pub duplicate: Option<(u32, u64, i64)>,
}

const DUPLICATE: u32 = 0x4000;
const BAD_VERSION: u32 = 0x8000;
const LONG: u32 = 0x2000;
const NO_FIX_UP: u32 = 0x10000;

impl<'a> Payload<'_, 'a> {
    /// Reads a reference to bulk data, with the bytes if they follow.
    pub fn bulk(&mut self) -> Result<Bulk<'a>, Fault> {
        // A package with a table refers to it by index; the form is a property of the package, not of the
        // reference.
        let (record, header) = match &self.scope.package.data_resources {
            Some(table) => self.bulk_entry(&table.entries)?,
            None => self.bulk_header()?,
        };
        // Inline bytes follow the header at once; any other place leaves nothing here.
        let inline = if record.place == BulkPlace::Inline {
            Some(self.r.bytes64("inline bulk data", record.len)?)
        } else {
            None
        };
        Ok(Bulk { record, inline, header })
    }

    fn bulk_entry(
        &mut self,
        table: &[crate::package::legacy::DataResource],
    ) -> Result<(BulkRecord, BulkHeader), Fault> {
        let at = self.r.clone();
        let index = self.r.size("entry of bulk data")?;
        let entry = table.get(index as usize);
        let entry = entry
            .ok_or_else(|| at.fault("entry of bulk data", FaultKind::out_of_range(index, table.len())))?;
        Ok((entry.record(), BulkHeader::Entry(index)))
    }

    fn bulk_header(&mut self) -> Result<(BulkRecord, BulkHeader), Fault> {
        let flags = self.r.u32("flags of bulk data")?;
        // One flag widens both sizes. The offset's width depends on the release only.
        let is_long = flags & LONG != 0;
        let elements = self.bulk_len(is_long)?;
        let len = self.bulk_len(is_long)?;
        let offset = self.bulk_offset()?;
        let has_version = flags & BAD_VERSION != 0;
        let version = has_version.then(|| self.r.u16("version of bulk data")).transpose()?;
        let duplicate = if flags & DUPLICATE == 0 {
            None
        } else {
            Some((self.r.u32("flags of a duplicate")?, self.bulk_len(is_long)?, self.bulk_offset()?))
        };
        let header = OwnHeader { flags, elements, len, offset, version, duplicate };
        let start = header.base(self.scope.package.summary.bulk_data_start.unwrap_or(0));
        // The flag of the version describes the layout of this header, not the data.
        let flags = BulkFlags(flags & !BAD_VERSION);
        let record = BulkRecord {
            flags,
            place: flags.place(len),
            offset: offset.saturating_add(start),
            duplicate_offset: duplicate.map(|(.., offset)| offset),
            len,
            raw_len: elements,
            compression: flags.compression(),
            cooked_index: 0,
            owner: None,
        };
        Ok((record, BulkHeader::Own(header)))
    }

    fn bulk_len(&mut self, is_long: bool) -> Result<u64, Fault> {
        if is_long {
            self.r.long_size("size of bulk data")
        } else {
            self.r.u32("size of bulk data").map(Into::into)
        }
    }

    fn bulk_offset(&mut self) -> Result<i64, Fault> {
        if self.versions.objects.has_long_bulk_offsets() {
            self.r.i64("offset of bulk data")
        } else {
            self.r.i32("offset of bulk data").map(Into::into)
        }
    }
}

/// Positions of a written reference to bulk data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    /// Position of the recorded offset, if it is in the export.
    pub(super) offset_at: Option<usize>,
    /// Position of the bytes, if they are in the export.
    pub(super) bytes_at: usize,
}

impl OwnHeader {
    /// Returns the position that the offset counts from: the start of the bulk data at the end of the
    /// package, or of the file.
    #[must_use]
    pub const fn base(&self, bulk_data_start: i64) -> i64 {
        if self.is_absolute() { 0 } else { bulk_data_start }
    }

    /// True if the offset counts from the start of the file.
    #[must_use]
    pub const fn is_absolute(&self) -> bool {
        self.flags & NO_FIX_UP != 0
    }

    fn write(&self, w: &mut Writer, versions: &AssetVersions) -> Result<usize, Fault> {
        let is_long = self.flags & LONG != 0;
        let len = |w: &mut Writer, len: u64| -> Result<(), Fault> {
            if is_long {
                w.u64(len);
                return Ok(());
            }
            let kind = FaultKind::TooLarge { found: len, limit: u32::MAX.into() };
            let short = u32::try_from(len);
            w.u32(short.map_err(|_| Fault { offset: w.len() as u64, field: "size of bulk data", kind })?);
            Ok(())
        };
        // The widths must be those that the release reads, so a value that does not fit is an error, not a
        // wider field.
        let offset = |w: &mut Writer, offset: i64| -> Result<(), Fault> {
            if versions.objects.has_long_bulk_offsets() {
                w.i64(offset);
                return Ok(());
            }
            let kind =
                FaultKind::TooLarge { found: offset.unsigned_abs(), limit: i32::MAX.unsigned_abs().into() };
            let short = i32::try_from(offset);
            w.i32(short.map_err(|_| Fault { offset: w.len() as u64, field: "offset of bulk data", kind })?);
            Ok(())
        };
        w.u32(self.flags);
        len(w, self.elements)?;
        len(w, self.len)?;
        let offset_at = w.len();
        offset(w, self.offset)?;
        if let Some(version) = self.version {
            w.u16(version);
        }
        if let Some((flags, bytes, place)) = self.duplicate {
            w.u32(flags);
            len(w, bytes)?;
            offset(w, place)?;
        }
        Ok(offset_at)
    }
}

impl Bulk<'_> {
    /// Writes the reference, and the bytes if they are inline.
    pub(super) fn write(&self, w: &mut Writer, versions: &AssetVersions) -> Result<Written, Fault> {
        let offset_at = match &self.header {
            BulkHeader::Entry(index) => {
                w.u32(*index);
                None
            }
            BulkHeader::Own(header) => Some(header.write(w, versions)?),
        };
        let bytes_at = w.len();
        w.bytes(self.inline.unwrap_or_default());
        Ok(Written { offset_at, bytes_at })
    }
}
