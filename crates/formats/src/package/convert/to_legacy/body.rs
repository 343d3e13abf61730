//! The `.uexp`: the data of all exports in index order, and the tag.
//!
//! From 5.3 on the package contains it unchanged. Before, exports are stored in the order in which bundles
//! load them, without the tag.

use super::error::ConvertError;
use crate::package::legacy::END_TAG;
use crate::package::zen::Header;
use crate::wire::{Fault, FaultKind};
use std::borrow::Cow;
use std::ops::Range;

/// Joins the data of all exports.
pub(super) fn join<'a>(header: &Header, chunk: &'a [u8]) -> Result<Cow<'a, [u8]>, ConvertError> {
    let ranges = header.export_ranges()?;
    let sound = ranges.iter().map(|range| part(chunk, range)).collect::<Result<Vec<_>, _>>()?;
    let start = usize::try_from(header.header_len).unwrap_or(usize::MAX);
    let body = chunk.get(start..).unwrap_or_default();
    let len = header.body_len()?;
    if header.generation.has_trailing_tag() && is_in_order(&ranges, header.header_len) {
        // Data between the last export and the tag belongs to cells; without cells it must not exist.
        let data = usize::try_from(len).ok().and_then(|len| body.get(..len)).unwrap_or_default();
        let cells = !header.cell_exports.is_empty();
        if body.ends_with(&END_TAG) && (cells || body.len() == data.len() + END_TAG.len()) {
            return Ok(Cow::Borrowed(body));
        }
    }
    let mut joined =
        Vec::with_capacity(sound.iter().map(|part| part.len()).sum::<usize>().min(chunk.len()) + 4);
    for part in sound {
        // Overlapping ranges could make the result far larger than the package.
        if joined.len() + part.len() > chunk.len() {
            let kind = FaultKind::TooLarge { found: len, limit: chunk.len() as u64 };
            return Err(Fault { offset: 0, field: "export map: serial size", kind }.into());
        }
        joined.extend_from_slice(part);
    }
    joined.extend_from_slice(&END_TAG);
    Ok(Cow::Owned(joined))
}

/// Returns true if exports follow each other without gaps.
fn is_in_order(ranges: &[Range<u64>], start: u64) -> bool {
    let mut end = start;
    ranges.iter().all(|range| std::mem::replace(&mut end, range.end) == range.start)
}

pub(super) fn part<'a>(chunk: &'a [u8], range: &Range<u64>) -> Result<&'a [u8], Fault> {
    let place = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    place.and_then(|(start, end)| chunk.get(start..end)).ok_or(Fault {
        offset: range.start,
        field: "export data",
        kind: FaultKind::TooLarge { found: range.end, limit: chunk.len() as u64 },
    })
}
