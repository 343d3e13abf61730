//! Payload offsets inside export data, or relative to an export.
//!
//! ```text
//! before 5.2   u32 flags │ i32 elements │ u32 size │ i64 offset; with 0x2000 i64 elements and size │ inline: the payload
//! since 5.2    i32 entry of a table │ inline: the payload, which the entry counts from the start of the export
//! ```
//!
//! Nothing records where in an export's data a header is. An inline one is recognised by its offset, which
//! must be that of the byte after it; one with a separate payload file, by plausible flags and a size that is
//! stored twice.

use super::splice::difference;
use crate::package::bulk::{BulkFlags, BulkPlace};

const AT_END: u32 = 0x1;
const LONG: u32 = 0x2000;
const NO_FIX_UP: u32 = 0x10000;
/// Every flag seen in files.
const KNOWN: u32 = 0x1007_FFFF;
/// Exclusive limit of positions: no payload file is larger than 1 TiB.
const MAX_POSITION: i64 = 1 << 40;

/// Data of an export before and after a change, with both positions as offsets in bulk data count them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved<'a> {
    old: &'a [u8],
    old_at: u64,
    new_at: u64,
    new_len: usize,
    /// Length of the common prefix and of the common suffix.
    same: [usize; 2],
}

impl<'a> Moved<'a> {
    pub(super) fn new(old: &'a [u8], old_at: u64, new: &[u8], new_at: u64) -> Self {
        let pairs = old.iter().rev().zip(new.iter().rev());
        let end = pairs.take_while(|(a, b)| a == b).count();
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        Self { old, old_at, new_at, new_len: new.len(), same: [start, end] }
    }

    /// Maps a position in the old data to the new; `None` if the bytes there were replaced.
    ///
    /// The unchanged prefix stays and the unchanged suffix moves; in repetitive data they may overlap, and a
    /// position in both moves with the suffix.
    pub(super) fn place(&self, at: usize) -> Option<usize> {
        let [start, end] = self.same;
        if at >= self.old.len() - end {
            return Some(at + self.new_len - self.old.len());
        }
        (at <= start).then_some(at)
    }

    /// Returns the new offset of an entry's inline payload, if the payload is where its recorded offset says.
    pub(super) fn entry(&self, entry: usize, offset: i64) -> Option<i64> {
        let at = usize::try_from(offset).ok()?;
        // The entry index right before the payload proves the offset.
        let number = self.old.get(at.checked_sub(4)?..at)?;
        let is_right = u32::try_from(entry).is_ok_and(|entry| number == entry.to_le_bytes());
        let place = self.place(at).filter(|_| is_right)?;
        Some(difference(place as u64, 0))
    }

    /// Updates the offsets of the bulk data headers in `new`.
    pub(super) fn patch(&self, new: &mut [u8], base: &BulkBase) {
        let is_there = self.old_at == self.new_at && self.old.len() == self.new_len;
        // Nothing moved, so every offset is still right.
        if is_there && base.before == base.after {
            return;
        }
        // Every byte position is tried, since headers are not aligned; 20 bytes is the shortest header.
        for at in 0..self.old.len().saturating_sub(19) {
            let Some(header) = BulkHeader::read(self.old, at) else { continue };
            let Some((field, offset)) = header.moved(self, base) else { continue };
            let place = self.place(field).and_then(|field| new.get_mut(field..));
            if let Some(place) = place.and_then(<[u8]>::first_chunk_mut::<8>) {
                *place = offset.to_le_bytes();
            }
        }
    }
}

/// Base of offsets without the flag `NoOffsetFixUp`: the start of bulk data at the end of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct BulkBase {
    /// Before the change.
    pub before: i64,
    /// After it.
    pub after: i64,
    /// True if offsets into separate payload files use this base, too.
    pub for_separate: bool,
}

/// A possible bulk data header.
struct BulkHeader {
    flags: BulkFlags,
    elements: i64,
    size: i64,
    offset: i64,
    /// Position of the offset field.
    offset_at: usize,
}

impl BulkHeader {
    fn read(bytes: &[u8], at: usize) -> Option<Self> {
        let flags = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        // Unknown bits mean that these bytes are something else.
        if flags & !KNOWN != 0 {
            return None;
        }
        let long = |at: usize| Some(i64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let short = |at: usize| Some(i64::from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
        let (elements, size, offset_at) = if flags & LONG == 0 {
            (short(at + 4)?, short(at + 8)?, at + 12)
        } else {
            (long(at + 4)?, long(at + 12)?, at + 20)
        };
        Some(Self { flags: BulkFlags(flags), elements, size, offset: long(offset_at)?, offset_at })
    }

    /// Returns the position of the offset field and its new value, if the offset has to change.
    fn moved(&self, data: &Moved<'_>, base: &BulkBase) -> Option<(usize, i64)> {
        let [before, after] = if self.flags.any(NO_FIX_UP) { [0, 0] } else { [base.before, base.after] };
        let position = self.offset.checked_add(before)?;
        // An inline payload starts right after its header, which ends with the offset.
        let end = self.offset_at + 8;
        let new = match self.flags.place(self.size.unsigned_abs()) {
            BulkPlace::Inline => {
                let is_right = u64::try_from(position) == Ok(data.old_at + end as u64);
                // Zeros at the end of the last export are such a position, too: bulk data would start there.
                let is_inside = usize::try_from(self.size).is_ok_and(|size| size <= data.old.len() - end);
                let is_plain = (self.size == 0) == (self.elements == 0);
                let place = data.place(end).filter(|_| is_right && is_inside && is_plain)?;
                difference(data.new_at + place as u64, 0)
            }
            BulkPlace::Separate | BulkPlace::Optional if base.for_separate && self.flags.any(AT_END) => {
                // Weaker evidence than for inline payloads: the size stored twice, and a plausible position.
                let is_right = self.elements == self.size && (0..MAX_POSITION).contains(&position);
                is_right.then_some(position)?
            }
            _ => return None,
        };
        Some((self.offset_at, new.checked_sub(after)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data of an export that moves by 100 bytes, while bulk data, which started at 1020, moves by 200.
    fn moved(old: &[u8]) -> Vec<u8> {
        let mut new = old.to_vec();
        let base = BulkBase { before: 1020, after: 1220, for_separate: false };
        Moved::new(old, 1000, old, 1100).patch(&mut new, &base);
        new
    }

    /// The end of a real object: two references, the name that ends its properties, and no GUID. Read as a header, it has flags,
    /// a number of elements, a size, and the offset 0, which is its own end.
    #[test]
    fn zeros_at_the_end_of_the_last_export_are_no_bulk_data() {
        let old = [[0x50, 0, 0, 0], [0x4A, 0, 0, 0], [0xDB, 0, 0, 0], [0; 4], [0; 4]].concat();
        assert_eq!(moved(&old), old);
    }

    /// Four elements of one byte after a header at 1000, whose offset counts from the start of bulk data.
    #[test]
    fn offsets_of_inline_payloads_follow() {
        let data = |offset: i64| {
            let numbers = [0x40_u32, 4, 4].map(u32::to_le_bytes).concat();
            [numbers, offset.to_le_bytes().to_vec(), vec![1, 2, 3, 4]].concat()
        };
        assert_eq!(moved(&data(0)), data(-100));
    }
}
