//! Which generation a zen package is of: the file does not say, so what fits must.
//!
//! A summary has no magic number, but the name table after it has: its hash algorithm. Its place gives the length
//! of the summary and whether cell offsets follow it; where it ends, compared with the first offset of the summary,
//! tells whether a bulk data map lies in between, and in which form.

use super::{raw, versioning::Versioning};
use crate::{
    names::HASH_ALGORITHM,
    version::{PackageFileVersion, ZenGeneration},
    wire::{Fault, FaultKind, Reader},
};

/// The most names that a UE5 package may plausibly have.
const MAX_NAMES: u32 = 1 << 20;

/// Start of the UE5 summaries, from the newest.
const SHAPES: [(u64, bool); 3] = [(52, true), (52, false), (44, false)];

/// Tells the generation of a zen package from its header; the rest of the chunk is not needed.
pub fn detect(bytes: &[u8]) -> Result<ZenGeneration, Fault> {
    let start = start(bytes)?;
    if start == Start::Ue4 {
        return Ok(ZenGeneration::Ue4);
    }
    let mut nearest = None;
    for (summary_len, cells) in SHAPES {
        match probe(bytes, summary_len, cells) {
            Ok(generation) => return Ok(generation),
            // The names were there, but what follows them was not.
            Err(fault) if fault.field != NAMES => drop(nearest.get_or_insert(fault)),
            Err(_) => {}
        }
    }
    Err(nearest.unwrap_or(Fault { offset: 0, field: "zen package", kind: FaultKind::BadMagic }))
}

const NAMES: &str = "zen name batch";

/// The two families of summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Ue4,
    Ue5,
}

/// Tells the family from the summary alone.
pub(super) fn start(bytes: &[u8]) -> Result<Start, Fault> {
    let mut r = Reader::new(bytes);
    if is_ue4(bytes) {
        return Ok(Start::Ue4);
    }
    let summary = r.clone().record::<raw::Summary>("zen summary")?;
    if summary.has_versioning.get() > 1 {
        return Err(r.fault("zen package", FaultKind::BadMagic));
    }
    r.u32("versioning flag")?;
    if summary.header_len.get() < ZenGeneration::Initial.summary_len() {
        let limit = ZenGeneration::Initial.summary_len().into();
        return Err(r.fault(
            "zen header size",
            FaultKind::TooSmall { found: summary.header_len.get().into(), limit },
        ));
    }
    Ok(Start::Ue5)
}

/// The UE4 summary holds enough offsets that depend on each other to be sure.
fn is_ue4(bytes: &[u8]) -> bool {
    let Ok(s) = Reader::new(bytes).record::<raw::SummaryUe4>("zen summary") else { return false };
    let (names_end, hashes) = (64 + i64::from(s.names_len.get()), i64::from(s.hashes_offset.get()));
    let (imports, exports) = (i64::from(s.imports.get()), i64::from(s.exports.get()));
    let bundles = i64::from(s.bundles.get());
    s.names_offset.get() == 64
        && s.names_len.get() > 0
        && hashes == (names_end + 7) & !7
        && s.hashes_len.get() % 8 == 0
        && imports == hashes + i64::from(s.hashes_len.get())
        && exports >= imports
        && bundles >= exports
        && (bundles - exports).unsigned_abs().is_multiple_of(size_of::<raw::Export>() as u64)
        && s.graph.get() >= s.bundles.get()
        && s.graph_len.get() >= 4
        && u64_at(bytes, hashes) == Some(HASH_ALGORITHM)
}

/// Where the name batch begins if the summary has this shape, and what the package says about its versions.
pub(super) fn names_at(
    bytes: &[u8],
    summary_len: u64,
    cells: bool,
) -> Result<(u64, Option<Versioning>), Fault> {
    let summary = Reader::new(bytes).record::<raw::Summary>("zen summary")?;
    let mut r = Reader::at(bytes, summary_len, NAMES)?;
    let versioned = summary.has_versioning.get() == 1;
    let versioning = r.when(versioned, Versioning::read).map_err(|fault| Fault { field: NAMES, ..fault })?;
    if versioning.as_ref().is_some_and(|found| found.objects.has_cells() != cells) {
        return Err(r.fault(NAMES, FaultKind::BadMagic));
    }
    if cells {
        r.array::<8>(NAMES)?;
    }
    let at = r.offset();
    let count = r.u32(NAMES)?;
    r.u32(NAMES)?;
    if r.u64(NAMES)? != HASH_ALGORITHM || count == 0 || count > MAX_NAMES {
        return Err(r.fault(NAMES, FaultKind::BadMagic));
    }
    Ok((at, versioning))
}

fn probe(bytes: &[u8], summary_len: u64, cells: bool) -> Result<ZenGeneration, Fault> {
    let (at, _) = names_at(bytes, summary_len, cells)?;
    let mut r = Reader::at(bytes, at, NAMES)?;
    let (count, text) = (r.u32(NAMES)?, r.u32(NAMES)?);
    let end = i64::try_from(at).unwrap_or(i64::MAX) + 16 + 10 * i64::from(count) + i64::from(text);
    let summary = Reader::new(bytes).record::<raw::Summary>("zen summary")?;
    let hashes = i64::from(summary.public_export_hashes.get());
    let long = summary_len > ZenGeneration::Initial.summary_len().into();
    match (long, cells, bulk_map(bytes, end, hashes)) {
        (false, false, Some(BulkMap::None)) => Ok(ZenGeneration::Initial),
        (false, false, Some(BulkMap::Plain)) => Ok(ZenGeneration::DataResources),
        (true, false, Some(BulkMap::Plain)) => Ok(ZenGeneration::DependencyBundles),
        (true, false, Some(BulkMap::Padded)) => Ok(ZenGeneration::PaddedBulkMap),
        (true, true, Some(BulkMap::Padded)) => Ok(ZenGeneration::Cells),
        _ => {
            let kind = FaultKind::Unexpected { found: end.unsigned_abs(), expected: hashes.unsigned_abs() };
            Err(r.fault("zen bulk data map", kind))
        }
    }
}

enum BulkMap {
    None,
    Plain,
    Padded,
}

/// What lies between the names and the imported public export hashes.
fn bulk_map(bytes: &[u8], names_end: i64, hashes: i64) -> Option<BulkMap> {
    if names_end == hashes {
        return Some(BulkMap::None);
    }
    let fits = |size_at: i64| {
        let len = u64_at(bytes, size_at).and_then(|len| i64::try_from(len).ok());
        len.is_some_and(|len| size_at.checked_add(8).and_then(|at| at.checked_add(len)) == Some(hashes))
    };
    if fits(names_end) {
        return Some(BulkMap::Plain);
    }
    let padding = u64_at(bytes, names_end).and_then(|padding| i64::try_from(padding).ok());
    padding
        .filter(|padding| (0..8).contains(padding) && fits(names_end + 8 + padding))
        .map(|_| BulkMap::Padded)
}

fn u64_at(bytes: &[u8], at: i64) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The object versions that a generation goes with, where a package does not say.
#[must_use]
pub(crate) const fn assumed_versions(generation: ZenGeneration) -> PackageFileVersion {
    match generation {
        ZenGeneration::Ue4 => PackageFileVersion::ue4(522),
        ZenGeneration::Initial => PackageFileVersion::ue5(1008),
        ZenGeneration::DataResources | ZenGeneration::DependencyBundles => PackageFileVersion::ue5(1009),
        ZenGeneration::PaddedBulkMap => PackageFileVersion::ue5(1013),
        ZenGeneration::Cells => PackageFileVersion::ue5(1018),
    }
}

/// The name batch of a UE5 package, wherever it is.
pub(super) fn names(bytes: &[u8]) -> Option<Reader<'_>> {
    let at = |(summary_len, cells)| names_at(bytes, summary_len, cells).ok();
    let (at, _) = SHAPES.into_iter().find_map(at)?;
    Reader::at(bytes, at, NAMES).ok()
}
