//! Bulk data as payloads refer to it: in two forms.
//!
//! ```text
//! before 5.2   u32 flags │ i32 elements │ u32 size │ i64 offset; with 0x2000 i64 elements and size │ inline: the payload
//! since 5.2    i32 entry of the table of the package │ inline: the payload
//! ```

use super::payload::Payload;
use crate::package::bulk::{BulkFlags, BulkPlace, BulkRecord};
use crate::wire::{Fault, FaultKind};

/// `FByteBulkData`: a piece of data in the export or in a file of its own.
#[doc(alias = "FByteBulkData")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bulk<'a> {
    /// What is recorded about it. The offset counts from the start of the file that it is in.
    pub record: BulkRecord,
    /// The bytes, if they are in the export.
    pub inline: Option<&'a [u8]>,
}

const DUPLICATE: u32 = 0x4000;
const BAD_VERSION: u32 = 0x8000;
const LONG: u32 = 0x2000;
const NO_FIX_UP: u32 = 0x10000;

impl<'a> Payload<'_, 'a> {
    /// Reads what is recorded about a piece of bulk data, with its bytes if they follow.
    pub fn bulk(&mut self) -> Result<Bulk<'a>, Fault> {
        let record = match &self.scope.package.data_resources {
            Some(table) => self.bulk_entry(&table.entries)?,
            None => self.bulk_header()?,
        };
        let inline = if record.place == BulkPlace::Inline {
            Some(self.r.bytes("inline bulk data", usize::try_from(record.len).unwrap_or(usize::MAX))?)
        } else {
            None
        };
        Ok(Bulk { record, inline })
    }

    fn bulk_entry(&mut self, table: &[crate::package::legacy::DataResource]) -> Result<BulkRecord, Fault> {
        let at = self.r.clone();
        let index = self.r.size("entry of bulk data")?;
        let entry = table.get(index as usize);
        let entry = entry
            .ok_or_else(|| at.fault("entry of bulk data", FaultKind::out_of_range(index, table.len())))?;
        Ok(entry.record())
    }

    fn bulk_header(&mut self) -> Result<BulkRecord, Fault> {
        let flags = self.r.u32("flags of bulk data")?;
        let is_long = flags & LONG != 0;
        let raw_len = self.bulk_len(is_long)?;
        let len = self.bulk_len(is_long)?;
        let offset = self.bulk_offset()?;
        if flags & BAD_VERSION != 0 {
            self.r.u16("version of bulk data")?;
        }
        let mut duplicate_offset = None;
        if flags & DUPLICATE != 0 {
            self.r.u32("flags of a duplicate")?;
            self.bulk_len(is_long)?;
            duplicate_offset = Some(self.bulk_offset()?);
        }
        let flags = BulkFlags(flags & !BAD_VERSION);
        let start =
            if flags.any(NO_FIX_UP) { 0 } else { self.scope.package.summary.bulk_data_start.unwrap_or(0) };
        Ok(BulkRecord {
            flags,
            place: flags.place(len),
            offset: offset.saturating_add(start),
            duplicate_offset,
            len,
            raw_len,
            compression: flags.compression(),
            cooked_index: 0,
            owner: None,
        })
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
