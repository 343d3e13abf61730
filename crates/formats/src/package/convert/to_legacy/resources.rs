//! The data resource table: the bulk map, and the export that each payload belongs to.
//!
//! The owner is not stored. Entries come in the order in which exports wrote them, and each export holds the number of its
//! entry: right before an inline payload, or anywhere for one in a file of its own.

use super::job::Job;
use crate::package::convert::common::flags::SEPARATE;
use crate::package::legacy::{DataResource, DataResources, PackageIndex};
use crate::package::zen::Header;
use crate::version::DataResourceVersion;

/// Bytes that are searched for owners at most, for each byte of export data: hostile tables make every search fail.
const MAX_SEARCH: usize = 16;

/// Makes the table, if the package has bulk data.
pub(super) fn list<N>(job: &mut Job<'_, N>) {
    let (header, objects) = (job.header, job.engine.objects);
    if header.bulk.is_empty() || !objects.has_data_resources() {
        return;
    }
    let version = DataResourceVersion::of(objects);
    let mut search = Search::new(header, job.body);
    let entries = (0_i32..).zip(&header.bulk).map(|(at, record)| {
        let owner = search.owner(at, record.offset, record.len, record.flags.any(SEPARATE));
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

/// Goes through export data once, export by export.
struct Search<'a> {
    exports: Vec<&'a [u8]>,
    export: usize,
    position: usize,
    /// Bytes that may still be looked at.
    budget: usize,
}

impl<'a> Search<'a> {
    fn new(header: &Header, data: &'a [u8]) -> Self {
        let mut rest = data;
        let exports = header.exports.iter().map(|export| {
            let len = usize::try_from(export.serial_len).unwrap_or(usize::MAX).min(rest.len());
            let (own, others) = rest.split_at(len);
            rest = others;
            own
        });
        let exports = exports.collect();
        Self { exports, export: 0, position: 0, budget: data.len().saturating_mul(MAX_SEARCH) }
    }

    /// The export that wrote an entry; the first one if none can be found.
    fn owner(&mut self, entry: i32, offset: i64, len: u64, separate: bool) -> PackageIndex {
        let number = entry.to_le_bytes();
        let found = if separate { self.anywhere(number) } else { self.before(number, offset, len) };
        if let Some((export, position)) = found {
            (self.export, self.position) = (export, position);
        }
        let export = found.map_or(0, |(export, _)| export);
        u32::try_from(export).ok().and_then(PackageIndex::export).unwrap_or_default()
    }

    /// Right before an inline payload.
    fn before(&mut self, number: [u8; 4], offset: i64, len: u64) -> Option<(usize, usize)> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        let fits = |own: &[u8]| {
            own.len() >= end && start.checked_sub(4).and_then(|at| own.get(at..start)) == Some(&number[..])
        };
        self.budget = self.budget.checked_sub(self.exports.len() - self.export.min(self.exports.len()))?;
        let at = self.exports.iter().skip(self.export).position(|own| fits(own))?;
        Some((self.export + at, end))
    }

    /// Anywhere after the last one that was found.
    fn anywhere(&mut self, number: [u8; 4]) -> Option<(usize, usize)> {
        let mut start = self.position;
        for (at, own) in self.exports.iter().enumerate().skip(self.export) {
            let rest = own.get(start..).unwrap_or_default();
            self.budget = self.budget.checked_sub(rest.len())?;
            if let Some(hit) = rest.windows(4).position(|window| window == number) {
                return Some((at, start + hit + 4));
            }
            start = 0;
        }
        None
    }
}
