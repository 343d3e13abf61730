use crate::wire::{Fault, FaultKind, Reader};
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A byte range of a header and the name of its content.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Section {
    /// Name of the content, such as `export map`.
    pub name: &'static str,
    /// Byte range, from the start of the file.
    pub range: Range<u64>,
}

/// Cuts a header into sections and records them, so that every byte is accounted for.
#[derive(Debug)]
pub(crate) struct Sections<'a> {
    bytes: &'a [u8],
    found: Vec<Section>,
}

impl<'a> Sections<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, found: Vec::new() }
    }

    /// Returns the end of the last section.
    pub(crate) fn end(&self) -> u64 {
        self.found.last().map_or(0, |section| section.range.end)
    }

    pub(crate) fn finish(self) -> Vec<Section> {
        self.found
    }

    /// Records everything up to the reader's position as one section.
    pub(crate) fn close(&mut self, name: &'static str, r: &Reader<'_>) {
        let range = self.end()..r.offset();
        if !range.is_empty() {
            self.found.push(Section { name, range });
        }
    }

    /// Returns a reader over the section from the end of the last one to `end`.
    pub(crate) fn until(&mut self, name: &'static str, end: u64) -> Result<Reader<'a>, Fault> {
        let start = self.end();
        // Offsets of zen headers ascend; a smaller one would read bytes a second time.
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

    /// Reads a section that consists of fixed-size records only.
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
