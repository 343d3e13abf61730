//! Names, and their use by index.

use crate::wire::{Fault, FaultKind, Reader};
use std::borrow::Cow;

/// Place of every [`MARK`](Self::MARK)th name, from which the others are found.
#[derive(Debug, Default, Clone)]
pub(super) struct NameTable {
    marks: Vec<u32>,
    count: usize,
    /// True if lengths have 16 bits.
    has_long_names: bool,
}

/// Index of a name, or none.
pub(super) type NameIndex = Option<u32>;

/// Access to names for everything that refers to them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) table: &'a NameTable,
    /// Flags that properties refer to by index.
    pub(super) flags: &'a [u64],
    /// Data of the names; `None` while entries are only checked, because a long name may be used often.
    pub(super) data: Option<&'a [u8]>,
}

impl NameTable {
    /// Distance between names with a recorded place.
    const MARK: usize = 16;

    pub(super) fn fill(&mut self, r: &mut Reader<'_>, has_long_names: bool) -> Result<(), Fault> {
        self.has_long_names = has_long_names;
        let names = r.count("name count", if has_long_names { 2 } else { 1 })?;
        self.marks.reserve_exact(names.div_ceil(Self::MARK));
        for index in 0..names {
            let at = place(r)?;
            self.read(r)?;
            if index.is_multiple_of(Self::MARK) {
                self.marks.push(at);
            }
            self.count += 1;
        }
        Ok(())
    }

    /// Returns the number of names.
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// Returns a name by its index. Bytes that are not UTF-8 are decoded as Latin-1.
    pub(super) fn get<'a>(&self, data: &'a [u8], index: usize) -> Option<Cow<'a, str>> {
        let mark = *self.marks.get(index / Self::MARK).filter(|_| index < self.count)?;
        let mut r = Reader::at(data, mark.into(), "name").ok()?;
        // At most fifteen names are skipped, which saves a table of all positions.
        for _ in 0..index % Self::MARK {
            self.read(&mut r).ok()?;
        }
        let bytes = self.read(&mut r).ok()?;
        Some(match std::str::from_utf8(bytes) {
            Ok(name) => name.into(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        })
    }

    fn read<'a>(&self, r: &mut Reader<'a>) -> Result<&'a [u8], Fault> {
        let len =
            if self.has_long_names { r.u16("name length")?.into() } else { r.u8("name length")?.into() };
        r.bytes("name", len)
    }
}

impl<'a> Names<'a> {
    /// Reads an index of a name; −1 means none.
    pub(super) fn index(self, r: &mut Reader<'_>, field: &'static str) -> Result<NameIndex, Fault> {
        let at = r.clone();
        match r.u32(field)? {
            // −1, as an unsigned number.
            u32::MAX => Ok(None),
            index if (index as usize) < self.table.len() => Ok(Some(index)),
            index => Err(at.fault(field, FaultKind::out_of_range(index, self.table.len()))),
        }
    }

    /// Reads an index of a name that must exist.
    pub(super) fn needed(self, r: &mut Reader<'_>, field: &'static str) -> Result<u32, Fault> {
        let at = r.clone();
        let absent = FaultKind::out_of_range(u32::MAX, self.table.len());
        self.index(r, field)?.ok_or_else(|| at.fault(field, absent))
    }

    /// Reads an optional name.
    pub(super) fn read(self, r: &mut Reader<'_>, field: &'static str) -> Result<Option<Cow<'a, str>>, Fault> {
        Ok(self.index(r, field)?.map(|index| self.get(index)))
    }

    /// Returns a name by a checked index.
    pub(super) fn get(self, index: u32) -> Cow<'a, str> {
        self.data.and_then(|data| self.table.get(data, index as usize)).unwrap_or_default()
    }
}

/// Returns the reader's position as stored in rows. Data lengths have 32 bits.
pub(super) fn place(r: &Reader<'_>) -> Result<u32, Fault> {
    let kind = FaultKind::TooLarge { found: r.offset(), limit: u32::MAX.into() };
    u32::try_from(r.offset()).map_err(|_| r.fault("mappings", kind))
}
