//! Parts of a file replaced by others: where everything else is then.

use super::changes::Changes;
use super::error::RebuildError;
use crate::wire::{Fault, FaultKind};
use std::ops::Range;

/// A file whose exports may have new data.
#[derive(Debug)]
pub(super) struct Splice<'a> {
    /// By their place in the file.
    parts: Vec<Part<'a>>,
    /// Where each export is in `parts`.
    order: Vec<usize>,
}

/// The data of an export.
#[derive(Debug)]
struct Part<'a> {
    old: Range<u64>,
    /// Where it begins now.
    start: u64,
    new: Option<&'a [u8]>,
}

impl<'a> Splice<'a> {
    /// The ranges of all exports in the old file, and what becomes of some of them.
    pub(super) fn new(ranges: &[Range<u64>], changes: &'a Changes) -> Result<Self, RebuildError> {
        if let Some(export) = changes.exports.keys().copied().find(|export| *export >= ranges.len()) {
            return Err(RebuildError::NoExport { export, count: ranges.len() });
        }
        let mut sorted: Vec<(usize, &Range<u64>)> = ranges.iter().enumerate().collect();
        sorted.sort_by_key(|(export, range)| (range.start, range.end, *export));
        let mut this = Self { parts: Vec::with_capacity(ranges.len()), order: vec![0; ranges.len()] };
        // The end of what came before, and whether any of it changes: parts that stay may lie in one another.
        let (mut end, mut changed_end, mut shift) = (0, 0, 0_i64);
        for (export, range) in sorted {
            let new = changes.exports.get(&export).map(Vec::as_slice);
            // Data that was not there before has no place.
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
        Ok(this)
    }

    /// Where the data of an export begins now.
    pub(super) fn start(&self, export: usize) -> u64 {
        self.part(export).map_or(0, |part| part.start)
    }

    /// How far what begins at an old offset has moved. What ends there counts as before it.
    pub(super) fn shift(&self, offset: u64) -> i64 {
        let before = self.parts.partition_point(|part| part.old.start < offset);
        let last = before.checked_sub(1).and_then(|at| self.parts.get(at));
        last.map_or(0, |part| {
            let moved = difference(part.start, part.old.start);
            match part.new {
                Some(new) if part.old.end <= offset => {
                    moved + difference(new.len() as u64, part.old.end - part.old.start)
                }
                _ => moved,
            }
        })
    }

    /// The new file.
    pub(super) fn write(&self, old: &[u8]) -> Result<Vec<u8>, RebuildError> {
        let mut out = Vec::with_capacity(old.len());
        let mut at = 0;
        for part in &self.parts {
            let Some(new) = part.new else { continue };
            out.extend_from_slice(slice(old, &(at..part.old.start))?);
            slice(old, &part.old)?;
            out.extend_from_slice(new);
            at = part.old.end;
        }
        out.extend_from_slice(slice(old, &(at..old.len() as u64))?);
        Ok(out)
    }

    fn part(&self, export: usize) -> Option<&Part<'a>> {
        self.parts.get(*self.order.get(export)?)
    }
}

/// A part of a file.
pub(super) fn slice<'b>(bytes: &'b [u8], range: &Range<u64>) -> Result<&'b [u8], Fault> {
    let place = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    place.and_then(|(start, end)| bytes.get(start..end)).ok_or(Fault {
        offset: range.start,
        field: "export data",
        kind: FaultKind::TooLarge { found: range.end, limit: bytes.len() as u64 },
    })
}

/// `to` − `from`, of lengths that are in memory or were checked against it.
pub(super) fn difference(to: u64, from: u64) -> i64 {
    i64::try_from(i128::from(to) - i128::from(from)).unwrap_or(0)
}
