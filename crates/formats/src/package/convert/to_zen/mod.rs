//! Legacy package to zen package: what the engine's packager makes of the cooker's file.
//!
//! ```text
//! legacy header ──┬─ names ─────► those that export data uses, of exports, of the package       names.rs
//!                 ├─ imports ───► import map, imported packages, public export hashes           imports.rs
//!                 ├─ exports ───► export map                                                    exports.rs
//!                 ├─ preload ───► steps of loading                                              order.rs
//!                 │               up to 5.2 bundles of them, and arcs between these             bundles.rs, arcs.rs
//!                 │               from 5.3 lists for each export                                dependencies.rs
//!                 └─ resources ─► bulk map
//! .uexp ────────────────────────► from 5.3 as it is; before, in the order of loading            body.rs
//! ```
//!
//! Only the header is looked at; of the `.uexp`, its length is enough, and the result names the parts of it that the
//! package consists of. So a package of any size is converted in the memory that its header takes.
//!
//! UE 4.26 to 6.0. Source: the sheet on to-zen, whose rules were proved on packages of 5.0 to 6.0 and one of 4.27. Verse cells
//! are refused. Up to 5.2 packages that wait for each other need several bundles, which no package shows by itself: [`circles`].

mod arcs;
mod body;
mod bundles;
mod check;
pub mod circles;
mod dependencies;
mod error;
mod exports;
mod imports;
mod kept;
mod names;
mod order;
mod parts;
mod preload;
mod source;
mod zen_package;

pub use error::ToZenError;
pub use source::Source;
pub use zen_package::ZenPackage;

use crate::id::PackageId;
use crate::package::legacy::DataResource;
use crate::package::zen::{Header, Neighbours, Versioning};
use body::Body;
use names::Names;
use parts::Parts;

/// Converts a package. `neighbours` are asked for script objects, and for UE4 in which bundle of another package an import is.
pub fn to_zen<N: Neighbours>(source: &Source<'_>, neighbours: &N) -> Result<ZenPackage, ToZenError> {
    if let Some(bytes) = source.remainder.and_then(|remainder| remainder.header.as_ref()) {
        return kept::package(source, &bytes.0);
    }
    let Parts { mut header, names, imports, preload } = Parts::new(source, neighbours)?;
    let generation = header.generation;
    bundles::divide(&mut header, source.bundles)?;
    header.graph = if generation.has_dependency_bundles() {
        dependencies::graph(&preload, &imports)
    } else {
        arcs::graph(&header, &preload, &imports, neighbours)
    };
    summary(&mut header, source, &names);
    let imported_objects = imports.objects().collect();
    header.imports = imports.map;
    header.imported_public_export_hashes = imports.hashes;
    if generation.has_imported_package_names() {
        header.imported_package_names = imports.packages.iter().map(|(_, name)| name.clone()).collect();
    }
    if let Some(loading) = source.remainder.and_then(|remainder| remainder.loading.as_ref()) {
        header.set_loading(loading).map_err(ToZenError::Remainder)?;
    }
    let Body { parts } = Body::new(source, &header)?;
    header.names = names.finish()?;
    let bytes = header.write()?;
    Ok(ZenPackage {
        id: PackageId::from_name(source.name),
        bytes,
        body: parts,
        imported_packages: imports.packages.iter().map(|(id, _)| *id).collect(),
        imported_objects,
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
    header.cooked_header_len = source.cooked_header_len();
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

#[cfg(test)]
mod tests;
