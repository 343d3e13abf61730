//! Reading: the summary, then each table at its offset.
//!
//! A package without versions is tried in the layout of each release that its summary allows, newest first.
//! The first layout that accounts for every byte of the header is taken; if none does, the closest one.

use super::{
    form::FILTER_EDITOR_ONLY,
    package::{Package, Tables, VersionEvidence},
    summary::{self, Summary},
};
use crate::{
    package::{Partial, Section},
    version::{DataResourceVersion, PackageFileVersion, Release},
    wire::{Archive, Fault, FaultKind, Reader},
};

impl Package {
    /// Reads the header of a package: a `.uasset` or `.umap`, with or without export data after it.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes, None)?.complete()
    }

    /// Reads the header of a package as a given release wrote it; versions in the file take precedence.
    pub fn parse_as(bytes: &[u8], release: &Release) -> Result<Self, Fault> {
        Self::parse_partial(bytes, Some(release))?.complete()
    }

    /// Reads as much as is sound. Fails only if there is no summary.
    pub fn parse_partial(bytes: &[u8], release: Option<&Release>) -> Result<Partial<Self>, Fault> {
        let start = start(bytes)?;
        if !start.file_versions.is_unversioned() {
            return Ok(best(bytes, versioned(&start)));
        }
        if let Some(release) = release {
            return Ok(attempt(bytes, Assumption::from(release, VersionEvidence::Given(release.name))));
        }
        let candidates = Release::candidates(start.legacy);
        let assumptions = candidates.map(|r| Assumption::from(r, VersionEvidence::Probed(r.name)));
        Ok(best(bytes, assumptions.collect()))
    }
}

/// Assumptions about a file.
#[derive(Debug, Clone, Copy)]
struct Assumption {
    versions: Option<PackageFileVersion>,
    cooked_import_names: bool,
    evidence: VersionEvidence,
}

impl Assumption {
    const fn from(release: &Release, evidence: VersionEvidence) -> Self {
        Self {
            versions: Some(release.objects),
            cooked_import_names: release.cooked_import_package_name,
            evidence,
        }
    }
}

/// Returns the assumptions for a versioned file: only the size of cooked imports of the newest object version
/// is ambiguous.
fn versioned(start: &Summary) -> Vec<Assumption> {
    let two = start.file_versions.has_import_type_hierarchies();
    // With the third name first: 5.8 is newer than 5.7.
    let flags: &[bool] = if two { &[true, false] } else { &[false] };
    let assume =
        |&names| Assumption { versions: None, cooked_import_names: names, evidence: VersionEvidence::File };
    flags.iter().map(assume).collect()
}

/// Reads the leading numbers, which every form has.
pub(super) fn start(bytes: &[u8]) -> Result<Summary, Fault> {
    let mut start = Summary::default();
    let mut r = Reader::new(bytes);
    // Any supported version gets past the version check; the rest is read again later.
    match summary::summary(&mut r, &mut start, Some(PackageFileVersion::ue4(PackageFileVersion::NEWEST_UE4)))
    {
        // The leading fields end at offset 20; faults after them come from the arbitrary version.
        Err(fault) if fault.offset < 20 => Err(fault),
        _ => Ok(start),
    }
}

/// Returns the result of the assumption that leaves the fewest bytes unexplained.
fn best(bytes: &[u8], assumptions: Vec<Assumption>) -> Partial<Package> {
    let mut best: Option<((bool, u64), Partial<Package>)> = None;
    for assumption in assumptions {
        let found = attempt(bytes, assumption);
        let cost = cost(&found);
        let perfect = cost == (false, 0);
        // Strictly less: among equals the first and thus newest stays.
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, found));
        }
        if perfect {
            break;
        }
    }
    best.map_or_else(|| attempt(bytes, NO_RELEASE), |(_, found)| found)
}

/// Returns the cost of an assumption: a fault, and the number of bytes left unexplained.
pub(super) fn cost(found: &Partial<Package>) -> (bool, u64) {
    let gaps = found.value.unaccounted().iter().map(|gap| gap.end - gap.start).sum::<u64>();
    let overlaps = overlaps(&found.value.sections);
    // 5.4 and 5.5 differ only in the form of this table.
    let resources = found.value.data_resources.as_ref();
    let expected = DataResourceVersion::of(found.value.form.versions);
    let odd = u64::from(resources.is_some_and(|resources| resources.version != expected));
    (found.fault.is_some(), gaps + overlaps + odd)
}

/// Assumption for a summary form that no release wrote without versions.
const NO_RELEASE: Assumption =
    Assumption { versions: None, cooked_import_names: false, evidence: VersionEvidence::File };

fn overlaps(sections: &[Section]) -> u64 {
    let pairs = sections.iter().zip(sections.iter().skip(1));
    pairs.map(|(first, second)| first.range.end.saturating_sub(second.range.start)).sum()
}

fn attempt(bytes: &[u8], assumption: Assumption) -> Partial<Package> {
    let mut package = Package { evidence: assumption.evidence, ..Package::default() };
    let mut tables = Read { bytes, sections: Vec::new() };
    let result = whole(&mut package, &mut tables, assumption);
    // Tables are read in dependency order, but gaps and overlaps show only in file order.
    tables.sections.sort_by_key(|section| (section.range.start, section.range.end));
    package.sections = tables.sections;
    Partial { value: package, fault: result.err() }
}

fn whole(package: &mut Package, tables: &mut Read<'_>, assumption: Assumption) -> Result<(), Fault> {
    let mut header_len_at = 0;
    // The third name exists in editor packages too, but there the object version decides.
    tables.at("summary", 0, |a| {
        (package.form, header_len_at) = summary::summary(a, &mut package.summary, assumption.versions)?;
        Ok(())
    })?;
    package.form.cooked_import_names = assumption.cooked_import_names && package.form.cooked;
    let len = package.summary.total_header_len;
    let header = usize::try_from(len).ok().and_then(|len| tables.bytes.get(..len));
    let kind = match u64::try_from(len) {
        Ok(found) => FaultKind::TooLarge { found, limit: tables.bytes.len() as u64 },
        Err(_) => FaultKind::Negative { found: len.into() },
    };
    // Tables must not reach into the export data, so readers only see the header.
    tables.bytes = header.ok_or(Fault { offset: header_len_at, field: summary::TOTAL_HEADER_LEN, kind })?;
    package.tables(tables)
}

/// Reads records at offsets.
struct Read<'a> {
    bytes: &'a [u8],
    sections: Vec<Section>,
}

impl<'a> Tables for Read<'a> {
    type Archive = Reader<'a>;

    fn at(
        &mut self,
        name: &'static str,
        offset: i64,
        records: impl FnOnce(&mut Reader<'a>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let kind = FaultKind::Negative { found: offset };
        let start = u64::try_from(offset).map_err(|_| Fault { offset: 0, field: name, kind })?;
        let mut r = Reader::at(self.bytes, start, name)?;
        records(&mut r)?;
        self.sections.push(Section { name, range: start..Archive::offset(&r) });
        Ok(())
    }
}

impl Summary {
    /// Returns true if the package is cooked, independent of its files.
    #[must_use]
    pub(crate) const fn is_cooked(&self) -> bool {
        self.package_flags & FILTER_EDITOR_ONLY != 0
    }
}
