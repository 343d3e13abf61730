//! Replaces parts of a file and maps every old offset to its new place.

use super::changes::Changes;
use super::error::RebuildError;
use crate::wire::{Fault, FaultKind};
use std::ops::Range;

/// A file whose exports may have new data.
#[derive(Debug)]
pub(super) struct Splice<'a> {
    /// Export data, in file order.
    parts: Vec<Part<'a>>,
    /// Index in `parts`, by export.
    order: Vec<usize>,
    /// End of all exports in the old file, and the data that is added there.
    end: u64,
    added: Vec<u8>,
}

/// Data of an export.
#[derive(Debug)]
struct Part<'a> {
    old: Range<u64>,
    /// Start in the new file.
    start: u64,
    new: Option<&'a [u8]>,
}

impl<'a> Splice<'a> {
    /// Takes the ranges of all exports in the old file and the changes to some of them.
    pub(super) fn new(ranges: &[Range<u64>], changes: &'a Changes) -> Result<Self, RebuildError> {
        if let Some(export) = changes.exports.keys().copied().find(|export| *export >= ranges.len()) {
            return Err(RebuildError::NoExport { export, count: ranges.len() });
        }
        let mut sorted: Vec<(usize, &Range<u64>)> = ranges.iter().enumerate().collect();
        // Ties are broken by export index, so that empty exports keep their order.
        sorted.sort_by_key(|(export, range)| (range.start, range.end, *export));
        let mut this = Self {
            parts: Vec::with_capacity(ranges.len()),
            order: vec![0; ranges.len()],
            end: 0,
            added: changes.rows.added.iter().flat_map(|export| &export.data).copied().collect(),
        };
        // End of the previous parts, and end of the last changed one: unchanged parts may overlap each other.
        let (mut end, mut changed_end, mut shift) = (0, 0, 0_i64);
        for (export, range) in sorted {
            let is_removed = changes.rows.removed.contains(&export) && !range.is_empty();
            let new = changes.exports.get(&export).map(Vec::as_slice);
            let new = if is_removed { Some([].as_slice()) } else { new };
            // Data replacing nothing has no defined place, nor has data that begins inside an earlier part.
            let is_new = new.is_some() && (range.start < end || range.is_empty());
            if range.start < changed_end || is_new {
                return Err(RebuildError::Overlap { export });
            }
            let start = range.start.checked_add_signed(shift).ok_or(RebuildError::Overlap { export })?;
            end = end.max(range.end);
            if let Some(new) = new {
                changed_end = range.end;
                shift += difference(new.len() as u64, range.end - range.start);
            }
            if let Some(place) = this.order.get_mut(export) {
                *place = this.parts.len();
            }
            this.parts.push(Part { old: range.clone(), start, new });
        }
        this.end = end;
        Ok(this)
    }

    /// Returns the new start of the data of an export.
    pub(super) fn start(&self, export: usize) -> u64 {
        self.part(export).map_or(0, |part| part.start)
    }

    /// Returns the shift of a position that begins at an old offset; what ends there counts as before it.
    pub(super) fn shift(&self, offset: u64) -> i64 {
        let before = self.parts.partition_point(|part| part.old.start < offset);
        let last = before.checked_sub(1).and_then(|at| self.parts.get(at));
        let added = if offset >= self.end { self.added.len() as u64 } else { 0 };
        difference(added, 0)
            + last.map_or(0, |part| {
                let moved = difference(part.start, part.old.start);
                match part.new {
                    Some(new) if part.old.end <= offset => {
                        moved + difference(new.len() as u64, part.old.end - part.old.start)
                    }
                    _ => moved,
                }
            })
    }

    /// Returns the new start of the data of exports that are added.
    pub(super) fn added_start(&self) -> u64 {
        let added = difference(self.added.len() as u64, 0);
        self.end.saturating_add_signed(self.shift(self.end) - added)
    }

    /// Writes the new file.
    pub(super) fn write(&self, old: &[u8]) -> Result<Vec<u8>, RebuildError> {
        let mut out = Vec::with_capacity(old.len());
        let mut at = 0;
        for part in &self.parts {
            // Unchanged parts are copied together with the bytes around them.
            let Some(new) = part.new else { continue };
            out.extend_from_slice(slice(old, &(at..part.old.start))?);
            // Only checks that the replaced range lies inside the old file.
            slice(old, &part.old)?;
            out.extend_from_slice(new);
            at = part.old.end;
        }
        out.extend_from_slice(slice(old, &(at..self.end.max(at)))?);
        out.extend_from_slice(&self.added);
        out.extend_from_slice(slice(old, &(self.end.max(at)..old.len() as u64))?);
        Ok(out)
    }

    fn part(&self, export: usize) -> Option<&Part<'a>> {
        self.parts.get(*self.order.get(export)?)
    }
}

/// Returns a range of `bytes`, or a fault.
pub(super) fn slice<'b>(bytes: &'b [u8], range: &Range<u64>) -> Result<&'b [u8], Fault> {
    let place = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    place.and_then(|(start, end)| bytes.get(start..end)).ok_or(Fault {
        offset: range.start,
        field: "export data",
        kind: FaultKind::TooLarge { found: range.end, limit: bytes.len() as u64 },
    })
}

/// Returns `to` − `from`, for lengths in memory or checked against it.
pub(super) fn difference(to: u64, from: u64) -> i64 {
    i64::try_from(i128::from(to) - i128::from(from)).unwrap_or(0)
}
