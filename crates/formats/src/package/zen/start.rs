//! Facts from the first bytes of a zen package, for callers that have no more.

use super::detect::{self, Start};
use super::{exports, raw};
use crate::names::{NameMap, NameTable};
use crate::wire::Reader;

/// Reads only the name of a zen package, from a prefix that includes the name table.
///
/// Meant for packages whose path the container does not record. `None` if the bytes are not a zen package, or
/// too few.
///
/// ```
/// # use uncask_formats as uncask;
/// assert_eq!(uncask::package::zen::package_name(b"too short"), None);
/// ```
#[must_use]
pub fn package_name(prefix: &[u8]) -> Option<String> {
    let (names, name) = match detect::start(prefix).ok()? {
        Start::Ue4 => {
            let summary = Reader::new(prefix).record::<raw::SummaryUe4>("zen summary").ok()?;
            let part = |start: i32, len: i32| {
                let start = u64::try_from(start).ok()?;
                Reader::section(prefix, start, start + u64::try_from(len).ok()?, "names").ok()
            };
            let names = part(64, summary.names_len.get())?;
            let hashes = part(summary.hashes_offset.get(), summary.hashes_len.get())?;
            (NameMap::parse_parts(names, hashes).ok()?, exports::name(summary.name))
        }
        Start::Ue5 => {
            let summary = Reader::new(prefix).record::<raw::Summary>("zen summary").ok()?;
            let mut r = detect::names(prefix)?;
            (NameMap::parse_batch(&mut r).ok()?, exports::name(summary.name))
        }
    };
    // A name of another table would be resolved against the wrong texts.
    (name.table() == NameTable::Package).then(|| names.resolve(name).map(|text| text.to_string()))?
}

/// Reads the package flag `PKG_ContainsMap` from the first twenty bytes of a zen package.
#[must_use]
pub fn contains_map(start: &[u8]) -> bool {
    const CONTAINS_MAP: u32 = 0x2_0000;
    // Both summaries have the package flags at offset 16.
    let mut r = Reader::new(start);
    r.bytes("zen summary", 16)
        .and_then(|_| r.u32("package flags"))
        .is_ok_and(|flags| flags & CONTAINS_MAP != 0)
}

/// Reads the header length of a zen package from its first 64 bytes; 44 are enough for UE5.
#[must_use]
pub fn header_len(start: &[u8]) -> Option<u64> {
    // Fewer tests than in detection: these bytes do not reach the name hashes.
    let looks_ue4 = Reader::new(start)
        .record::<raw::SummaryUe4>("zen summary")
        .ok()
        .filter(|summary| summary.names_offset.get() == 64 && summary.imports.get() > 64);
    if let Some(summary) = looks_ue4 {
        return u64::try_from(i64::from(summary.graph.get()) + i64::from(summary.graph_len.get())).ok();
    }
    let summary = Reader::new(start).record::<raw::Summary>("zen summary").ok()?;
    (summary.has_versioning.get() <= 1).then(|| summary.header_len.get().into())
}
