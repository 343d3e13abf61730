//! Legacy package to zen package: what the engine's packager makes of the cooker's file.
//!
//! ```text
//! legacy header ──┬─ names ─────► those that export data uses, of exports, of the package       names.rs
//!                 ├─ imports ───► import map, imported packages, public export hashes           imports.rs
//!                 ├─ exports ───► export map                                                    exports.rs
//!                 ├─ preload ───► steps of loading                                              order.rs
//!                 │               up to 5.2 arcs between bundles                                arcs.rs
//!                 │               from 5.3 lists for each export                                dependencies.rs
//!                 └─ resources ─► bulk map
//! .uexp ────────────────────────► from 5.3 as it is; before, in the order of loading            body.rs
//! ```
//!
//! Only the header is looked at; of the `.uexp`, its length is enough, and the result names the parts of it that the
//! package consists of. So a package of any size is converted in the memory that its header takes.
//!
//! UE 4.26 to 6.0. Source: the sheet on to-zen, whose rules were proved on packages of 5.0 to 6.0 and one of 4.27. Not known
//! are Verse cells, which are refused, and for which packages that import each other in a circle the packager of 5.2 and older
//! starts a second bundle: the caller says so.

mod arcs;
mod body;
mod check;
mod dependencies;
mod error;
mod exports;
mod imports;
mod names;
mod order;
mod preload;
mod source;

pub use error::ToZenError;
pub use source::Source;

use super::common::header_len;
use crate::id::PackageId;
use crate::package::legacy::{DataResource, Package};
use crate::package::zen::{Bundle, Command, Header, Neighbours, Versioning};
use crate::version::ZenGeneration;
use body::Body;
use imports::Imports;
use names::Names;
use preload::Preload;
use std::ops::Range;

/// A zen package.
#[derive(Debug, Clone)]
pub struct ZenPackage {
    /// Its id.
    pub id: PackageId,
    /// What its header says.
    pub header: Header,
    /// The bytes of the header, with which the chunk begins.
    pub bytes: Vec<u8>,
    /// What follows: parts of the `.uexp`, in this order.
    pub body: Vec<Range<u64>>,
    /// The packages that it imports from, in the order that its import map refers to.
    pub imported_packages: Vec<PackageId>,
}

impl ZenPackage {
    /// Bytes of the chunk.
    #[must_use]
    pub fn chunk_len(&self) -> u64 {
        self.body.iter().fold(self.bytes.len() as u64, |len, part| len + (part.end - part.start))
    }
}

/// Converts a package. `neighbours` are asked for script objects, and for UE4 in which bundle of another package an import is.
pub fn to_zen<N: Neighbours>(source: &Source<'_>, neighbours: &N) -> Result<ZenPackage, ToZenError> {
    let package = source.package;
    let generation = check::generation(source)?;
    check::is_cooked(package, generation)?;
    let names = Names::new(package, generation, source.name)?;
    let imports = Imports::new(package, generation, neighbours)?;
    let preload = Preload::new(package)?;
    let mut header = Header::new(generation);
    header.exports = exports::rows(source, generation, &names, &imports)?;
    header.bundle_entries = order::steps(&header.exports, &preload, generation)?;
    header.bundles = bundles(&header, source.cuts);
    header.graph = if generation.has_dependency_bundles() {
        dependencies::graph(&preload, &imports)
    } else {
        arcs::graph(&header, &preload, &imports, neighbours)
    };
    summary(&mut header, source, &names);
    header.imports = imports.map;
    header.imported_public_export_hashes = imports.hashes;
    if generation.has_imported_package_names() {
        header.imported_package_names = imports.packages.iter().map(|(_, name)| name.clone()).collect();
    }
    let Body { parts } = Body::new(source, &header)?;
    header.names = names.finish()?;
    let bytes = header.write()?;
    Ok(ZenPackage {
        id: PackageId::from_name(source.name),
        bytes,
        body: parts,
        imported_packages: imports.packages.iter().map(|(id, _)| *id).collect(),
        header,
    })
}

/// What stands in the summary, and what follows from the summary of the legacy package.
fn summary(header: &mut Header, source: &Source<'_>, names: &Names<'_>) {
    let (generation, package) = (header.generation, source.package);
    let summary = &package.summary;
    header.mapped_name = names.of_text(source.name);
    if generation.is_ue4() {
        header.source_name = Some(header.mapped_name);
    }
    header.package_flags = summary.package_flags;
    header.cooked_header_len = cooked_header_len(package);
    if !generation.is_ue4() && !summary.file_versions.is_unversioned() {
        header.versioning = Some(Versioning {
            zen: generation.package_version(),
            objects: summary.file_versions,
            licensee: summary.licensee_version,
            custom: summary.custom_versions.clone(),
        });
    }
    if generation.has_bulk_map() {
        let resources = package.data_resources.iter().flat_map(|resources| &resources.entries);
        header.bulk = resources.map(DataResource::record).collect();
    }
}

/// Bytes that the header of the legacy package has, without what the number leaves out.
fn cooked_header_len(package: &Package) -> u32 {
    let form = &package.form;
    let unrecorded = header_len::unrecorded(form.versions, form.cooked_import_names, package.imports.len());
    let unrecorded = u32::try_from(unrecorded).unwrap_or(u32::MAX);
    package.summary.total_header_len.unsigned_abs().saturating_sub(unrecorded)
}

/// One bundle, or several that begin where the caller says. Each says where its data begins (5.0 to 5.2).
fn bundles(header: &Header, cuts: &[u32]) -> Vec<Bundle> {
    let count = u32::try_from(header.bundle_entries.len()).unwrap_or(u32::MAX);
    let cuts = cuts.iter().copied().filter(|at| (1..count).contains(at) && has_bundles(header.generation));
    let mut starts: Vec<u32> = std::iter::once(0).chain(cuts).collect();
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([count]);
    let mut offset = 0_u64;
    let bundle = |(first, end): (&u32, u32)| {
        let count = end.saturating_sub(*first);
        let bundle =
            Bundle { serial_offset: (!header.generation.is_ue4()).then_some(offset), first: *first, count };
        let steps = header.bundle_entries.iter().skip(*first as usize).take(count as usize);
        let serialized = steps.filter(|step| step.command == Command::Serialize);
        let lens = serialized.filter_map(|step| header.exports.get(step.export as usize));
        offset = lens.fold(offset, |offset, export| offset.saturating_add(export.serial_len));
        bundle
    };
    starts.iter().zip(ends).map(bundle).collect()
}

/// Whether packages may have several bundles.
const fn has_bundles(generation: ZenGeneration) -> bool {
    !generation.has_dependency_bundles()
}

#[cfg(test)]
mod tests;
