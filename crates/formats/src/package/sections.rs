use crate::wire::{Fault, FaultKind, Reader};
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A stretch of a header and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Section {
    /// Such as `export map`.
    pub name: &'static str,
    /// The bytes, from the start of the file.
    pub range: Range<u64>,
}

/// Cuts a header into sections and remembers them, so that every byte is accounted for.
#[derive(Debug)]
pub(crate) struct Sections<'a> {
    bytes: &'a [u8],
    found: Vec<Section>,
}

impl<'a> Sections<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, found: Vec::new() }
    }

    /// Where the last section ended.
    pub(crate) fn end(&self) -> u64 {
        self.found.last().map_or(0, |section| section.range.end)
    }

    pub(crate) fn finish(self) -> Vec<Section> {
        self.found
    }

    /// Notes that everything up to a reader's position belongs to one section.
    pub(crate) fn close(&mut self, name: &'static str, r: &Reader<'_>) {
        let range = self.end()..r.offset();
        if !range.is_empty() {
            self.found.push(Section { name, range });
        }
    }

    /// The section from the end of the last one to `end`.
    pub(crate) fn until(&mut self, name: &'static str, end: u64) -> Result<Reader<'a>, Fault> {
        let start = self.end();
        if end < start {
            let kind = FaultKind::TooSmall { found: end, limit: start };
            return Err(Fault { offset: start, field: name, kind });
        }
        let r = Reader::section(self.bytes, start, end, name)?;
        if start < end {
            self.found.push(Section { name, range: start..end });
        }
        Ok(r)
    }

    /// A section that consists of fixed records only.
    pub(crate) fn table<T>(&mut self, name: &'static str, end: u64) -> Result<(&'a [T], u64), Fault>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let mut r = self.until(name, end)?;
        let (at, len, unit) = (r.offset(), r.remaining(), size_of::<T>());
        if !len.is_multiple_of(unit) {
            return Err(r.fault(name, FaultKind::NotMultiple { found: len as u64, unit: unit as u64 }));
        }
        Ok((r.table(name, len / unit)?, at))
    }
}
