//! Parts of the `.uexp` that form the package's data.

use super::error::ToZenError;
use super::source::Source;
use crate::package::legacy::END_TAG;
use crate::package::zen::{Command, Header};
use std::ops::Range;

/// Ranges of the `.uexp` that follow the header, in order.
#[derive(Debug)]
pub(super) struct Body {
    pub parts: Vec<Range<u64>>,
}

impl Body {
    pub(super) fn new(source: &Source<'_>, header: &Header) -> Result<Self, ToZenError> {
        let len = data_len(source)?;
        // From 5.3 on the file is copied, tag included.
        if header.generation.has_trailing_tag() {
            follow_each_other(source)?;
            return Ok(Self { parts: std::iter::once(0..source.exports_len).collect() });
        }
        let mut this = Self { parts: Vec::new() };
        let mut left = len;
        let serialized = header.bundle_entries.iter().filter(|step| step.command == Command::Serialize);
        for step in serialized {
            let export = step.export as usize;
            let range = part(source, export).filter(|range| range.end <= len);
            let range = range.ok_or(ToZenError::Overlap { export })?;
            // Overlapping parts could make the package far larger than the file.
            left = left.checked_sub(range.end - range.start).ok_or(ToZenError::Overlap { export })?;
            this.add(range);
        }
        // Data after the last export belongs to no export and is kept: old cooks store bulk data there.
        let end =
            (0..source.package.exports.len()).filter_map(|at| part(source, at)).map(|range| range.end).max();
        this.add(end.unwrap_or(0)..len);
        Ok(this)
    }

    fn add(&mut self, range: Range<u64>) {
        match self.parts.last_mut() {
            _ if range.is_empty() => {}
            // Adjacent parts become one, so that a package in index order is a single copy.
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.parts.push(range),
        }
    }
}

/// Returns the length of the `.uexp` without its trailing tag.
fn data_len(source: &Source<'_>) -> Result<u64, ToZenError> {
    let lens =
        source.package.exports.iter().map(|export| u64::try_from(export.serial_len).unwrap_or(u64::MAX));
    let tag = END_TAG.len() as u64;
    let expected = lens.fold(tag, u64::saturating_add);
    let found = source.exports_len;
    if found < expected { Err(ToZenError::ExportsTooShort { found, expected }) } else { Ok(found - tag) }
}

/// Returns the range of an export in the `.uexp`.
fn part(source: &Source<'_>, export: usize) -> Option<Range<u64>> {
    let row = source.package.exports.get(export)?;
    let start = row.serial_offset.checked_sub(source.package.summary.total_header_len.into())?;
    let start = u64::try_from(start).ok()?;
    Some(start..start.checked_add(u64::try_from(row.serial_len).ok()?)?)
}

/// Checks that exports follow each other without gaps: from 5.3 on the `.uexp` is copied unchanged, and
/// offsets are derived from sizes.
fn follow_each_other(source: &Source<'_>) -> Result<(), ToZenError> {
    let mut expected = i64::from(source.package.summary.total_header_len);
    for (export, row) in source.package.exports.iter().enumerate() {
        if row.serial_offset != expected {
            return Err(ToZenError::Gap { export, found: row.serial_offset, expected });
        }
        expected = expected.saturating_add(row.serial_len);
    }
    Ok(())
}
