//! Bulk data described by a package.

use crate::package::bulk::BulkRecord;
use crate::wire::counted;

/// Formats the place and length of bulk data.
pub(super) fn shown(record: &BulkRecord) -> String {
    let place = match record.place.extension(record.cooked_index) {
        Some(extension) => format!(".{extension}"),
        None => format!("{:?}", record.place),
    };
    // Equal lengths are shown once.
    let raw = if record.raw_len == record.len { String::new() } else { format!(", {} raw", record.raw_len) };
    let len = counted(record.len, "byte", "bytes");
    format!("{place}  {len} at {:#x}{raw}, flags {}", record.offset, record.flags)
}
