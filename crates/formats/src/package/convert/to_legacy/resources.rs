//! The data resource table: the bulk map, extended by the owner of each payload.
//!
//! The owner is not stored; it is found in the export data.

use super::job::ConvertJob;
use crate::package::bulk_owner::BulkOwners;
use crate::package::convert::common::SEPARATE;
use crate::package::legacy::{DataResource, DataResources, PackageIndex};
use crate::package::zen::Header;
use crate::version::DataResourceVersion;

/// Builds the table if the package has bulk data.
pub(super) fn list<N>(job: &mut ConvertJob<'_, N>) {
    let (header, objects) = (job.header, job.engine.objects);
    if header.bulk.is_empty() || !objects.has_data_resources() {
        return;
    }
    let version = DataResourceVersion::of(objects);
    let mut owners = BulkOwners::new(exports(header, job.body));
    let entries = (0_i32..).zip(&header.bulk).map(|(at, record)| {
        // Falls back to the first export.
        let owner = owners.find(at, record.offset, record.len, record.flags.any(SEPARATE)).unwrap_or(0);
        let owner = u32::try_from(owner).ok().and_then(PackageIndex::export).unwrap_or_default();
        let len = i64::try_from(record.len).unwrap_or(i64::MAX);
        DataResource {
            flags: 0,
            cooked_index: version.has_cooked_index().then_some(record.cooked_index),
            serial_offset: record.offset,
            duplicate_offset: record.duplicate_offset.unwrap_or(-1),
            serial_len: len,
            raw_len: len,
            owner,
            bulk_flags: record.flags.0,
        }
    });
    let entries = entries.collect();
    job.resources = Some(DataResources { version, entries });
}

/// Splits the data into exports.
fn exports<'a>(header: &Header, data: &'a [u8]) -> Vec<&'a [u8]> {
    let mut rest = data;
    let exports = header.exports.iter().map(|export| {
        let len = usize::try_from(export.serial_len).unwrap_or(usize::MAX).min(rest.len());
        let (own, others) = rest.split_at(len);
        rest = others;
        own
    });
    exports.collect()
}
