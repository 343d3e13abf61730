//! Places of payloads that export data itself holds, or that count from the start of an export.
//!
//! ```text
//! before 5.2   u32 flags │ i32 elements │ u32 size │ i64 offset; with 0x2000 i64 elements and size │ inline: the payload
//! since 5.2    i32 entry of a table │ inline: the payload, which the entry counts from the start of the export
//! ```
//!
//! Nothing says where in an export's data a header is. An inline one is known by its offset, which has to be that of the byte
//! after it; one whose payload has a file of its own, by flags that make sense and a size that is there twice.

use super::splice::difference;
use crate::package::bulk::{BulkFlags, BulkPlace};

const AT_END: u32 = 0x1;
const LONG: u32 = 0x2000;
const NO_FIX_UP: u32 = 0x10000;
/// All flags that files have.
const KNOWN: u32 = 0x1007_FFFF;
/// No payload file is larger.
const MAX_POSITION: i64 = 1 << 40;

/// The data of an export before and after a change, and where both lie, as offsets in bulk data count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved<'a> {
    old: &'a [u8],
    old_at: u64,
    new_at: u64,
    new_len: usize,
    /// Bytes that both have in common at the start and at the end.
    same: [usize; 2],
}

impl<'a> Moved<'a> {
    pub(super) fn new(old: &'a [u8], old_at: u64, new: &[u8], new_at: u64) -> Self {
        let pairs = old.iter().rev().zip(new.iter().rev());
        let end = pairs.take_while(|(a, b)| a == b).count();
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        Self { old, old_at, new_at, new_len: new.len(), same: [start, end] }
    }

    /// Where something of the old data is in the new; `None` if that was replaced.
    ///
    /// What lies in front of a change and what follows it are told apart by what did not change around them; data that repeats
    /// itself may count to both, and then follows.
    pub(super) fn place(&self, at: usize) -> Option<usize> {
        let [start, end] = self.same;
        if at >= self.old.len() - end {
            return Some(at + self.new_len - self.old.len());
        }
        (at <= start).then_some(at)
    }

    /// Where the inline payload of an entry of the bulk data table is now, if it is where its offset says.
    pub(super) fn entry(&self, entry: usize, offset: i64) -> Option<i64> {
        let at = usize::try_from(offset).ok()?;
        let number = self.old.get(at.checked_sub(4)?..at)?;
        let is_right = u32::try_from(entry).is_ok_and(|entry| number == entry.to_le_bytes());
        let place = self.place(at).filter(|_| is_right)?;
        Some(difference(place as u64, 0))
    }

    /// Gives the headers of bulk data in `new` the offsets that they have now.
    pub(super) fn patch(&self, new: &mut [u8], base: &BulkBase) {
        let is_there = self.old_at == self.new_at && self.old.len() == self.new_len;
        if is_there && base.before == base.after {
            return;
        }
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

/// What offsets without a certain flag count from: where bulk data at the end of the file starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct BulkBase {
    /// Before the change.
    pub before: i64,
    /// After it.
    pub after: i64,
    /// This holds for payloads in files of their own, too.
    pub for_separate: bool,
}

/// What may be a header.
struct BulkHeader {
    flags: BulkFlags,
    elements: i64,
    size: i64,
    offset: i64,
    /// Where the offset is.
    offset_at: usize,
}

impl BulkHeader {
    fn read(bytes: &[u8], at: usize) -> Option<Self> {
        let flags = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
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

    /// The offset that has to change: where it is, and what it becomes.
    fn moved(&self, data: &Moved<'_>, base: &BulkBase) -> Option<(usize, i64)> {
        let [before, after] = if self.flags.any(NO_FIX_UP) { [0, 0] } else { [base.before, base.after] };
        let position = self.offset.checked_add(before)?;
        let end = self.offset_at + 8;
        let new = match self.flags.place(self.size.unsigned_abs()) {
            BulkPlace::Inline => {
                let is_right = u64::try_from(position) == Ok(data.old_at + end as u64);
                let place = data.place(end).filter(|_| is_right)?;
                difference(data.new_at + place as u64, 0)
            }
            BulkPlace::Separate | BulkPlace::Optional if base.for_separate && self.flags.any(AT_END) => {
                let is_right = self.elements == self.size && (0..MAX_POSITION).contains(&position);
                is_right.then_some(position)?
            }
            _ => return None,
        };
        Some((self.offset_at, new.checked_sub(after)?))
    }
}
