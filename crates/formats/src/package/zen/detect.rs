//! Generation of a zen package: the file does not record it, so it is found by fit.
//!
//! A summary has no magic number, but the name table after it has one: the id of its hash algorithm. Its
//! position gives the length of the summary and shows if cell offsets follow it; the distance from its end to
//! the first offset of the summary shows if there is a bulk data map, and in which form.

use super::{raw, versioning::Versioning};
use crate::{
    names::HASH_ALGORITHM,
    version::{PackageFileVersion, ZenGeneration},
    wire::{Fault, FaultKind, Reader},
};

/// Largest plausible number of names in a UE5 package.
const MAX_NAMES: u32 = 1 << 20;

/// Summary lengths of UE5 and presence of cell offsets, newest first.
const SHAPES: [(u64, bool); 3] = [(52, true), (52, false), (44, false)];

/// Determines the generation of a zen package from its header; the rest of the chunk is not needed.
pub fn detect(bytes: &[u8]) -> Result<ZenGeneration, Fault> {
    let start = start(bytes)?;
    if start == Start::Ue4 {
        return Ok(ZenGeneration::Ue4);
    }
    let mut nearest = None;
    for (summary_len, cells) in SHAPES {
        match probe(bytes, summary_len, cells) {
            Ok(generation) => return Ok(generation),
            // The names matched but the rest did not: the best fault to report.
            Err(fault) if fault.field != NAMES => drop(nearest.get_or_insert(fault)),
            Err(_) => {}
        }
    }
    Err(nearest.unwrap_or(Fault { offset: 0, field: "zen package", kind: FaultKind::BadMagic }))
}

const NAMES: &str = "zen name batch";

/// Families of summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Ue4,
    Ue5,
}

/// Determines the family from the summary alone.
pub(super) fn start(bytes: &[u8]) -> Result<Start, Fault> {
    let mut r = Reader::new(bytes);
    // UE4 first: its test is strict, while any small number passes as the first field of UE5.
    if is_ue4(bytes) {
        return Ok(Start::Ue4);
    }
    let summary = r.clone().record::<raw::Summary>("zen summary")?;
    // The field is a bool32.
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

/// Tests if the offsets of a UE4 summary agree; there are enough of them to be sure.
fn is_ue4(bytes: &[u8]) -> bool {
    let Ok(s) = Reader::new(bytes).record::<raw::SummaryUe4>("zen summary") else { return false };
    let (names_end, hashes) = (64 + i64::from(s.names_len.get()), i64::from(s.hashes_offset.get()));
    let (imports, exports) = (i64::from(s.imports.get()), i64::from(s.exports.get()));
    let bundles = i64::from(s.bundles.get());
    s.names_offset.get() == 64
        && s.names_len.get() > 0
        // The hashes are aligned to eight bytes after the names.
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

/// Returns the offset of the name batch if the summary has this shape, and the versioning info of the
/// package.
pub(super) fn names_at(
    bytes: &[u8],
    summary_len: u64,
    cells: bool,
) -> Result<(u64, Option<Versioning>), Fault> {
    let summary = Reader::new(bytes).record::<raw::Summary>("zen summary")?;
    let mut r = Reader::at(bytes, summary_len, NAMES)?;
    let versioned = summary.has_versioning.get() == 1;
    // A record that does not parse means that the shape is wrong, so every fault becomes one about the names.
    let versioning = r.when(versioned, Versioning::read).map_err(|fault| Fault { field: NAMES, ..fault })?;
    // Versioned packages record if they have cells, so only one shape can be right.
    if versioning.as_ref().is_some_and(|found| found.objects.has_cells() != cells) {
        return Err(r.fault(NAMES, FaultKind::BadMagic));
    }
    if cells {
        r.array::<8>(NAMES)?;
    }
    let at = r.offset();
    let count = r.u32(NAMES)?;
    r.u32(NAMES)?;
    // No package is without names: its own is always among them.
    if r.u64(NAMES)? != HASH_ALGORITHM || count == 0 || count > MAX_NAMES {
        return Err(r.fault(NAMES, FaultKind::BadMagic));
    }
    Ok((at, versioning))
}

fn probe(bytes: &[u8], summary_len: u64, cells: bool) -> Result<ZenGeneration, Fault> {
    let (at, _) = names_at(bytes, summary_len, cells)?;
    let mut r = Reader::at(bytes, at, NAMES)?;
    let (count, text) = (r.u32(NAMES)?, r.u32(NAMES)?);
    // Batch head 16, then 8 bytes of hash and 2 of header per name, then the texts.
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

/// Determines the form of the bulk data map between the names and the imported public export hashes.
fn bulk_map(bytes: &[u8], names_end: i64, hashes: i64) -> Option<BulkMap> {
    if names_end == hashes {
        return Some(BulkMap::None);
    }
    let fits = |size_at: i64| {
        let len = u64_at(bytes, size_at).and_then(|len| i64::try_from(len).ok());
        len.is_some_and(|len| size_at.checked_add(8).and_then(|at| at.checked_add(len)) == Some(hashes))
    };
    // Plain first: a map without padding whose length is below 8 would be misread as padding.
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

/// Returns the object versions to assume for a generation if a package has none.
#[must_use]
pub(crate) const fn assumed_versions(generation: ZenGeneration) -> PackageFileVersion {
    match generation {
        ZenGeneration::Ue4 => PackageFileVersion::ue4(522),
        // 5.0 and 5.1 share this form; the newer version is assumed.
        ZenGeneration::Initial => PackageFileVersion::ue5(1008),
        ZenGeneration::DataResources | ZenGeneration::DependencyBundles => PackageFileVersion::ue5(1009),
        // 5.4 and 5.5, likewise.
        ZenGeneration::PaddedBulkMap => PackageFileVersion::ue5(1013),
        ZenGeneration::Cells => PackageFileVersion::ue5(1018),
    }
}

/// Finds the name batch of a UE5 package by trying all shapes.
pub(super) fn names(bytes: &[u8]) -> Option<Reader<'_>> {
    let at = |(summary_len, cells)| names_at(bytes, summary_len, cells).ok();
    let (at, _) = SHAPES.into_iter().find_map(at)?;
    Reader::at(bytes, at, NAMES).ok()
}
