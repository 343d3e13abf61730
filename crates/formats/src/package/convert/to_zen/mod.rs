//! Legacy package to zen package, as the engine's packager converts it.
//!
//! ```text
//! legacy header ──┬─ names ─────► those used by export data, export names, the package name     names.rs
//!                 ├─ imports ───► import map, imported packages, public export hashes           imports.rs
//!                 ├─ exports ───► export map                                                    exports.rs
//!                 ├─ preload ───► steps of loading                                              order.rs
//!                 │               up to 5.2 bundles of them, and arcs between these             bundles.rs, arcs.rs
//!                 │               from 5.3 lists for each export                                mod.rs
//!                 └─ resources ─► bulk map
//! .uexp ────────────────────────► from 5.3 unchanged; before, in loading order                  body.rs
//! ```
//!
//! Only the header is read; of the `.uexp` the length suffices, and the result names the parts of it that
//! form the package. So a package of any size is converted in the memory that its header takes.
//!
//! UE 4.26 to 6.0. Source: the sheet on to-zen, whose rules were proved on packages of 5.0 to 6.0 and one of
//! 4.27. Verse cells are rejected. Up to 5.2, packages that wait for each other need several bundles, which a
//! single package does not reveal: [`circles`].

mod arcs;
mod body;
mod bundles;
mod check;
pub mod circles;
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
use crate::package::legacy::{DataResource, PackageIndex};
use crate::package::zen::{Dependencies, Graph, Header, Neighbours, Versioning};
use body::Body;
use imports::Imports;
use names::Names;
use parts::Parts;
use preload::{Lists, Preload};

/// Converts a package. `neighbours` supply script objects and, for UE4, the bundle of an import in another
/// package.
pub fn to_zen<N: Neighbours>(source: &Source<'_>, neighbours: &N) -> Result<ZenPackage, ToZenError> {
    if let Some(bytes) = source.remainder.and_then(|remainder| remainder.header.as_ref()) {
        return kept::package(source, &bytes.0);
    }
    let Parts { mut header, names, imports, preload } = Parts::new(source, neighbours)?;
    let generation = header.generation;
    // Bundles before arcs, which connect them.
    bundles::divide(&mut header, source.bundles)?;
    header.graph = if generation.has_dependency_bundles() {
        dependencies(&preload, &imports)
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
    // A kept loading order replaces the computed one; it is checked against it, so it has to come after.
    if let Some(loading) = source.remainder.and_then(|remainder| remainder.loading.as_ref()) {
        header.set_loading(loading).map_err(ToZenError::Remainder)?;
    }
    let Body { parts } = Body::new(source, &header)?;
    // Last: every other table may add names.
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

/// Returns the dependencies of each export, from 5.3 on: the cooker's lists without native objects and packages.
fn dependencies(preload: &Preload<'_>, imports: &Imports) -> Graph {
    let awaited = |list: &[PackageIndex]| {
        list.iter().filter(|index| imports.is_awaited(**index)).map(|index| index.0).collect()
    };
    let of = |lists: &Lists<'_>| Dependencies {
        create_before_create: awaited(lists.create_before_create),
        serialize_before_create: awaited(lists.serialize_before_create),
        create_before_serialize: awaited(lists.create_before_serialize),
        serialize_before_serialize: awaited(lists.serialize_before_serialize),
        is_unlisted: lists.is_unlisted,
    };
    Graph::Dependencies(preload.iter().map(of).collect())
}

/// Fills in the summary.
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
