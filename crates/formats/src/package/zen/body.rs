//! Ranges of the data of each export in the chunk.
//!
//! From 5.3 on they are in the export map. Before, exports lie in the order in which bundles serialize them:
//! bundles of UE4 follow each other, and those of 5.0 to 5.2 have a recorded start.

use super::{Command, Header};
use crate::wire::{Fault, FaultKind};
use std::ops::Range;

impl Header {
    /// Returns the byte range of each export from the start of the chunk, by export index.
    ///
    /// An export that no bundle serializes has an empty range. The ranges are not checked against the length
    /// of the chunk, which only the caller knows.
    pub fn export_ranges(&self) -> Result<Vec<Range<u64>>, Fault> {
        if self.generation.has_trailing_tag() {
            let range = |export: &super::Export| self.range(Some(export.serial_offset), export.serial_len);
            return self.exports.iter().map(range).collect();
        }
        let mut ranges = vec![self.header_len..self.header_len; self.exports.len()];
        let mut at = Some(0);
        for bundle in &self.bundles {
            // Without a recorded offset the bundle starts where the previous one ended.
            at = bundle.serial_offset.or(at);
            let steps = self.bundle_entries.iter().skip(bundle.first as usize).take(bundle.count as usize);
            // Create steps have no data.
            for step in steps.filter(|step| step.command == Command::Serialize) {
                let index = step.export as usize;
                let (Some(export), Some(range)) = (self.exports.get(index), ranges.get_mut(index)) else {
                    continue;
                };
                // An export may be named twice in a damaged file; the last range wins, and lengths are
                // checked by the caller.
                *range = self.range(at, export.serial_len)?;
                at = at.and_then(|at| at.checked_add(export.serial_len));
            }
        }
        Ok(ranges)
    }

    /// Returns the length in bytes of all export data, without the tag that may follow.
    pub fn body_len(&self) -> Result<u64, Fault> {
        let sum = self.exports.iter().try_fold(0u64, |sum, export| sum.checked_add(export.serial_len));
        sum.ok_or_else(|| self.overflow(u64::MAX))
    }

    fn range(&self, offset: Option<u64>, len: u64) -> Result<Range<u64>, Fault> {
        let start = offset.and_then(|offset| offset.checked_add(self.header_len));
        let range = start.and_then(|start| Some(start..start.checked_add(len)?));
        range.ok_or_else(|| self.overflow(len))
    }

    const fn overflow(&self, found: u64) -> Fault {
        let kind = FaultKind::TooLarge { found, limit: u64::MAX - self.header_len };
        Fault { offset: 0, field: "export map: serial size", kind }
    }
}
