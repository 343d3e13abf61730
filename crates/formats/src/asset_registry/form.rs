//! Names and texts in the form of each version.

use crate::{
    names::NameMap,
    version::AssetRegistryVersion,
    wire::{Fault, FaultKind, Reader},
};

/// A name of a registry: resolved by [`AssetRegistry::name`](super::AssetRegistry::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// Index into the names.
    pub index: u32,
    /// 0, or one more than the number shown.
    pub number: u32,
}

/// Everything needed to read a record: its layout, and the number of names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) version: AssetRegistryVersion,
    /// True if editor-only data was stripped.
    pub(super) is_filtered: bool,
    /// True if packages record their location.
    pub(super) has_location: bool,
    /// Number of names.
    pub(super) names: usize,
}

/// Bit of a name index: a number follows (8).
const NUMBERED: u32 = 1 << 31;

impl Form {
    pub(super) const fn new(version: AssetRegistryVersion, is_filtered: bool, names: &NameMap) -> Self {
        Self { version, is_filtered, has_location: version.has_location(), names: names.len() }
    }

    /// Reads a name with its number.
    pub(super) fn name(&self, r: &mut Reader<'_>, field: &'static str) -> Result<Name, Fault> {
        let at = r.clone();
        let raw = r.u32(field)?;
        // To 7 the number is always stored; since 8 only if the top bit of the index is set, which halves
        // most names.
        let (index, number) = if !self.version.has_tag_store() {
            (raw, r.u32(field)?)
        } else if raw & NUMBERED != 0 {
            (raw & !NUMBERED, r.u32(field)?)
        } else {
            (raw, 0)
        };
        // Checked here, so that resolving a name later cannot fail.
        self.check(&at, field, index)?;
        Ok(Name { index, number })
    }

    /// Rejects an index outside the name table.
    pub(super) fn check(&self, at: &Reader<'_>, field: &'static str, index: u32) -> Result<(), Fault> {
        if (index as usize) < self.names {
            return Ok(());
        }
        Err(at.fault(field, FaultKind::out_of_range(index, self.names)))
    }

    /// Returns the smallest length of a name in bytes.
    pub(super) const fn name_len(&self) -> usize {
        if self.version.has_tag_store() { 4 } else { 8 }
    }

    /// Reads a text: a string with a terminator, or (19) UTF-8 without one.
    ///
    /// Sources disagree which texts of a registry changed with version 19, but the bytes show it: a text
    /// contains no NUL, so one at the end is a terminator.
    pub(super) fn text(&self, r: &mut Reader<'_>, field: &'static str) -> Result<String, Fault> {
        let mut ahead = r.clone();
        let found = ahead.i32(field)?;
        let len = usize::try_from(found).unwrap_or(0);
        match ahead.bytes(field, len)?.split_last() {
            Some((last, _)) if *last != 0 && self.version.has_utf8_texts() => r.utf8(field),
            _ => r.string(field),
        }
    }
}
