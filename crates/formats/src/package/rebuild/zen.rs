//! Zen packages: one chunk of a container.

use super::bulk::{BulkBase, Moved};
use super::changes::Changes;
use super::error::RebuildError;
use super::imports;
use super::splice::{Splice, difference, slice};
use crate::package::bulk::{BulkFlags, BulkPlace, BulkRecord};
use crate::package::bulk_owner::BulkOwners;
use crate::package::zen::Header;
use crate::wire::{Fault, FaultKind};
use std::ops::Range;

/// Rebuilds a package. `header` was parsed from `chunk`, which must be complete.
pub fn rebuild(header: &Header, chunk: &[u8], changes: &Changes) -> Result<Vec<u8>, RebuildError> {
    changes.check_names()?;
    let source = Source::new(header, chunk)?;
    let splice = Splice::new(&source.ranges, changes)?;
    let mut data = splice.write(source.data)?;
    let mut new = header.clone();
    for name in &changes.names {
        let kind = FaultKind::TooLarge { found: u64::from(u32::MAX) + 1, limit: u32::MAX.into() };
        new.names.add(name).ok_or(Fault { offset: 0, field: "name batch: count", kind })?;
    }
    for (export, data) in &changes.exports {
        if let Some(row) = new.exports.get_mut(*export) {
            row.serial_len = data.len() as u64;
        }
    }
    // Bundle offsets exist only in 5.0 to 5.2; the other generations store none.
    for bundle in &mut new.bundles {
        let moved = |at: u64| at.saturating_add_signed(splice.shift(at));
        bundle.serial_offset = bundle.serial_offset.map(moved);
    }
    if header.generation.has_trailing_tag() {
        // From 5.3 on offsets count from the end of the header, so the splice of the data gives them
        // directly.
        let places = splice_places(&splice, &source.ranges, header);
        new.exports.iter_mut().zip(places).for_each(|(row, place)| row.serial_offset = place);
        for cell in &mut new.cell_exports {
            cell.serial_offset = cell.serial_offset.saturating_add_signed(splice.shift(cell.serial_offset));
        }
    } else {
        move_cooked(&mut new, &source, &splice, changes, &mut data)?;
    }
    imports::add_to_zen(&mut new, changes)?;
    imports::await_in_zen(&mut new, changes);
    move_bulk_map(&mut new, &source, changes)?;
    set_bulk_map(&mut new, changes)?;
    let mut out = new.write()?;
    out.extend(data);
    Ok(out)
}

/// A package before the change.
struct Source<'a> {
    header: &'a Header,
    /// Data after the header.
    data: &'a [u8],
    /// Range of each export in the data.
    ranges: Vec<Range<u64>>,
}

impl<'a> Source<'a> {
    fn new(header: &'a Header, chunk: &'a [u8]) -> Result<Self, RebuildError> {
        let len = header.header_len;
        let split = usize::try_from(len).ok().and_then(|len| chunk.split_at_checked(len));
        let kind = FaultKind::TooLarge { found: len, limit: chunk.len() as u64 };
        let (bytes, data) = split.ok_or(Fault { offset: 4, field: "zen header size", kind })?;
        // Written back once to prove that the header is fully understood; otherwise bytes would be lost.
        if header.write()? != bytes {
            return Err(RebuildError::NotUnderstood);
        }
        let ranges = header.export_ranges()?.into_iter().map(|range| range.start - len..range.end - len);
        Ok(Self { header, data, ranges: ranges.collect() })
    }

    fn export(&self, at: usize) -> Result<&'a [u8], Fault> {
        slice(self.data, self.ranges.get(at).unwrap_or(&(0..0)))
    }
}

/// Returns the new start of each export's data.
fn splice_places(splice: &Splice<'_>, ranges: &[Range<u64>], header: &Header) -> Vec<u64> {
    let places = header.exports.iter().zip(ranges).enumerate();
    places
        .map(|(at, (row, range))| if range.is_empty() { row.serial_offset } else { splice.start(at) })
        .collect()
}

/// Moves the offsets in the cooker's file, which the export map holds up to 5.2 and bulk data in export data
/// counts from.
fn move_cooked(
    new: &mut Header,
    source: &Source<'_>,
    splice: &Splice<'_>,
    changes: &Changes,
    data: &mut [u8],
) -> Result<(), RebuildError> {
    let header = source.header;
    let cooked = |row: &crate::package::zen::Export| {
        let end = row.serial_offset.checked_add(row.serial_len);
        end.map_or(0..0, |end| row.serial_offset..end)
    };
    let ranges: Vec<Range<u64>> = header.exports.iter().map(cooked).collect();
    let in_file = Splice::new(&ranges, changes)?;
    for (at, row) in new.exports.iter_mut().enumerate() {
        row.serial_offset = in_file.start(at);
    }
    if header.generation.has_bulk_map() {
        return Ok(());
    }
    // Some tools write offsets relative to the end of the header.
    let is_absolute = header.exports.iter().all(|row| row.serial_offset >= header.cooked_header_len.into());
    let base = if is_absolute { 0 } else { u64::from(header.cooked_header_len) };
    // Start of bulk data in the cooker's file: after the header and all export data.
    let [before, after] = [header, &*new].map(|header| {
        let lens = header.exports.iter().map(|row| row.serial_len);
        difference(lens.fold(header.cooked_header_len.into(), u64::saturating_add), 0)
    });
    let base_of_bulk = BulkBase { before, after, for_separate: false };
    for (at, (row, old)) in new.exports.iter().zip(&header.exports).enumerate() {
        let start = usize::try_from(splice.start(at)).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(row.serial_len).unwrap_or(usize::MAX));
        let (Ok(before), Some(after)) = (source.export(at), data.get_mut(start..end)) else { continue };
        let new_at = base.saturating_add(row.serial_offset);
        if let Some(pieces) = changes.bulk.get(&at) {
            for piece in pieces {
                piece.patch(after, new_at, base_of_bulk.after);
            }
            continue;
        }
        let moved = Moved::new(before, base.saturating_add(old.serial_offset), after, new_at);
        moved.patch(after, &base_of_bulk);
    }
    Ok(())
}

/// Moves the offsets of inline payloads, which count from the start of the export data.
fn move_bulk_map(new: &mut Header, source: &Source<'_>, changes: &Changes) -> Result<(), RebuildError> {
    if new.bulk.is_empty() || changes.exports.is_empty() {
        return Ok(());
    }
    let exports = (0..new.exports.len()).map(|at| source.export(at).unwrap_or_default()).collect();
    let mut owners = BulkOwners::new(exports);
    let known = changes.entries();
    for (at, record) in new.bulk.iter_mut().enumerate() {
        let entry = i32::try_from(at).unwrap_or(i32::MAX);
        let is_inline = record.place == BulkPlace::Inline;
        // Every entry is looked up, even if nothing of it changes: the search has to see all of them in
        // order.
        let owner = owners.find(entry, record.offset, record.len, !is_inline);
        let Some((export, data)) = owner.and_then(|export| changes.exports.get_key_value(&export)) else {
            continue;
        };
        let moved = Moved::new(source.export(*export)?, 0, data, 0);
        if let Some(offset) = moved.entry(at, record.offset).filter(|_| is_inline && !known.contains_key(&at))
        {
            record.offset = offset;
        }
    }
    Ok(())
}

/// Updates the bulk map from the changes.
fn set_bulk_map(new: &mut Header, changes: &Changes) -> Result<(), RebuildError> {
    for (entry, (_, piece)) in changes.entries() {
        let flags = BulkFlags(piece.flags);
        // A new entry takes the cooked index of the first one.
        let cooked_index =
            new.bulk.get(entry).or_else(|| new.bulk.first()).map_or(0, |record| record.cooked_index);
        let record = BulkRecord {
            flags,
            place: flags.place(piece.len),
            offset: piece.offset,
            duplicate_offset: None,
            len: piece.len,
            raw_len: piece.len,
            compression: flags.compression(),
            cooked_index,
            owner: None,
        };
        let count = new.bulk.len();
        match new.bulk.get_mut(entry) {
            Some(found) => *found = record,
            None if entry == count => new.bulk.push(record),
            None => {
                let kind = FaultKind::out_of_range(entry as u64, count);
                return Err(Fault { offset: 0, field: "bulk data map", kind }.into());
            }
        }
    }
    if let Some(count) = changes.bulk_entries {
        new.bulk.truncate(count);
    }
    Ok(())
}
