//! Consistency checks between the tables of a library, in either form.

use super::range::IndexRange;
use crate::{
    version::ShaderLibraryForm,
    wire::{Archive, Fault, FaultKind},
};

/// A table: the offset of its first entry, and the length of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    pub(super) at: u64,
    pub(super) entry_len: u64,
}

impl Table {
    /// Returns a fault at one of the entries.
    pub(super) const fn fault(self, field: &'static str, number: usize, kind: FaultKind) -> Fault {
        Fault { offset: self.at + number as u64 * self.entry_len, field, kind }
    }

    /// Returns the table after `count` entries of this one and its own count.
    pub(super) const fn next(self, count: usize, entry_len: u64) -> Self {
        Self { at: self.at + count as u64 * self.entry_len + 4, entry_len }
    }

    /// Compares the number of entries with that of a related table.
    pub(super) fn same_count(self, field: &'static str, found: usize, expected: usize) -> Result<(), Fault> {
        if found == expected {
            return Ok(());
        }
        let kind = FaultKind::Unexpected { found: found as u64, expected: expected as u64 };
        Err(Fault { offset: self.at - 4, field, kind })
    }

    /// Checks that shader numbers are in range.
    pub(super) fn check_indices(self, indices: &[u32], shaders: usize) -> Result<(), Fault> {
        let bad = indices.iter().enumerate().find(|(_, shader)| **shader as usize >= shaders);
        bad.map_or(Ok(()), |(place, shader)| {
            // The place in the index table, where a reader can look it up.
            Err(self.fault("shader index", place, FaultKind::out_of_range(*shader, shaders)))
        })
    }

    /// Checks that ranges lie in a table of `len` entries, and that together they do not exceed it many times
    /// over: following each of them takes no more work than the size of the file justifies.
    pub(super) fn check_ranges(
        self,
        field: &'static str,
        ranges: impl Iterator<Item = IndexRange>,
        len: usize,
    ) -> Result<(), Fault> {
        let mut left = MAX_SHARING * len as u64;
        for (number, range) in ranges.enumerate() {
            let end = u64::from(range.first) + u64::from(range.count);
            if end > len as u64 {
                return Err(self.fault(field, number, FaultKind::TooLarge { found: end, limit: len as u64 }));
            }
            let count = range.count.into();
            let too_many = FaultKind::TooLarge { found: count, limit: left };
            // The limit is an average, so one range may exceed it if others stay below.
            left = left.checked_sub(count).ok_or_else(|| self.fault(field, number, too_many))?;
        }
        Ok(())
    }
}

/// Average number of ranges that may share an entry of a table; in known libraries none do.
const MAX_SHARING: u64 = 4;

/// Archives the number of the form that follows.
pub(super) fn form<A: Archive>(a: &mut A, form: ShaderLibraryForm) -> Result<(), Fault> {
    const FIELD: &str = "shader library version";
    let offset = a.offset();
    let mut found = form.to_wire();
    a.u32(FIELD, &mut found)?;
    if ShaderLibraryForm::from_wire(found) == Some(form) {
        return Ok(());
    }
    let kind = FaultKind::Unexpected { found: found.into(), expected: form.to_wire().into() };
    Err(Fault { offset, field: FIELD, kind })
}
