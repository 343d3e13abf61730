//! Zen package to legacy package: what the container builder took away, put back.
//!
//! ```text
//! zen header ──┬─ names ───────► A: used by export data, as they are │ B: needed by the tables, sorted
//!              ├─ import map ──► imports: paths from neighbours, classes by rule         imports.rs, classes.rs
//!              ├─ export map ──► exports: rows, flags by rule                            exports.rs
//!              ├─ bundles ─────► preload dependencies                                    preload.rs, arcs.rs
//!              └─ bulk map ────► data resources                                          resources.rs
//! zen body ────┬─ from 5.3 the `.uexp` itself; before, put in order of exports           body.rs
//!              └─ property tags ► where script properties end                            properties.rs
//! ```
//!
//! The result is the cooker's own file, byte for byte, wherever the zen package still holds what that file held. Where it
//! does not, the asset is complete and loads, and a [`Loss`] says what is missing.
//!
//! UE 4.26 to 6.0. Source: the package sheet, sections 2 to 4, whose rules were drawn from pairs of zen and cooked files.

mod arcs;
mod body;
mod check;
mod classes;
mod dictionary;
mod engine;
mod exports;
mod imports;
mod loss;
mod names;
mod preload;
mod properties;
mod resources;

pub use check::{CheckFault, check};
pub use engine::{Evidence, How};
pub use loss::Loss;

use super::legacy::{self, Package, Summary};
use super::zen::{Header, Neighbours};
use crate::id::crc;
use crate::version::{PackageFileVersion, Release};
use crate::wire::Fault;
use engine::Engine;
use imports::Imports;
use names::Names;
use std::borrow::Cow;

/// Package flag: the package holds a map.
const CONTAINS_MAP: u32 = 0x2_0000;

/// The number that cooked packages with versions have for that of UE3.
const UE3_VERSION: i32 = 864;

/// What packages are converted for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Target {
    /// The release whose layout is written; without it, it is found out.
    pub release: Option<&'static Release>,
}

/// A zen package and what is known about it from outside.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Its header.
    pub header: &'a Header,
    /// All of it, header included.
    pub chunk: &'a [u8],
    /// Name of the file that it becomes, without extension; without it, the last part of the package's name.
    pub file_stem: Option<&'a str>,
    /// What its container says about the engine.
    pub evidence: Evidence,
}

/// A legacy package, as files.
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// It is a map: the header goes into a `.umap`.
    pub is_map: bool,
    /// The `.uasset` or `.umap`.
    pub header: Vec<u8>,
    /// The `.uexp`, with the tag at its end.
    pub exports: Cow<'a, [u8]>,
    /// The release whose layout was written.
    pub release: &'static Release,
    /// How it was found out.
    pub how: How,
    /// What could not be brought back.
    pub losses: Vec<Loss>,
}

/// Why a package cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// Its data does not fit its header.
    #[error("{0}")]
    Malformed(#[from] Fault),
    /// Its object versions are newer than any that is known.
    #[error("object version {found} is not known (newest: {newest})", newest = PackageFileVersion::NEWEST_UE5)]
    UnknownVersion {
        /// The versions in the package.
        found: PackageFileVersion,
    },
    /// The release that was asked for does not write packages of this form.
    #[error("it is a package of {found}, which {wanted} does not write")]
    WrongRelease {
        /// The releases that do.
        found: &'static str,
        /// The release.
        wanted: &'static Release,
    },
}

/// Converts a package. `neighbours` are asked for script objects and other packages.
pub fn convert<'a, N: Neighbours>(
    input: &Input<'a>,
    neighbours: &N,
    target: &Target,
) -> Result<Asset<'a>, ConvertError> {
    let header = input.header;
    let engine = Engine::choose(header, target.release, input.evidence)?;
    let mut losses = Vec::new();
    let exports = body::exports(header, input.chunk)?;
    let mut names = Names::new(header);
    let imports = Imports::new(header, neighbours, &mut losses);
    let rows = exports::rows(header, &engine, &imports, &exports, &mut losses);
    let lists = preload::lists(header, neighbours, &imports, &rows, &mut losses);
    let mut package = Package { summary: summary(input, &engine), ..Package::default() };
    package.form.versions = engine.objects;
    package.form.cooked_import_names = engine.release.cooked_import_package_name;
    package.exports = rows;
    package.data_resources = resources::table(header, &engine, &exports);
    names.finish(header, &imports);
    package.imports = imports.rows(&names, &engine);
    exports::name(header, &names, &mut package.exports);
    package.names = names.entries();
    package.summary.names_referenced = Some(names.referenced());
    lay_out(&mut package, header, &engine, lists, &imports, &mut losses)?;
    let mut bytes = package.write_header()?;
    finish(&mut bytes, &exports, &engine, &mut losses);
    Ok(Asset {
        is_map: header.package_flags & CONTAINS_MAP != 0,
        header: bytes,
        exports,
        release: engine.release,
        how: engine.how,
        losses,
    })
}

/// The summary, as far as it does not follow from the tables.
fn summary(input: &Input<'_>, engine: &Engine) -> Summary {
    let header = input.header;
    let name = header.source_name.map_or_else(|| header.name(), |name| header.text(name)).to_string();
    let own = header.name().to_string();
    let stem = input.file_stem.unwrap_or_else(|| own.rsplit('/').next().unwrap_or_default());
    let (file_versions, licensee_version, custom_versions) =
        header.versioning.as_ref().map_or_else(Default::default, |versioning| {
            (versioning.objects, versioning.licensee, versioning.custom.clone())
        });
    let versioned = !file_versions.is_unversioned();
    Summary {
        legacy: engine.release.legacy,
        ue3_version: Some(if versioned { UE3_VERSION } else { 0 }),
        file_versions,
        licensee_version,
        custom_versions,
        package_name: if engine.objects.has_soft_object_paths() { name } else { "None".to_owned() }.into(),
        package_flags: header.package_flags,
        package_source: crc::package_source(stem),
        payload_toc_offset: Some(-1),
        ..Summary::default()
    }
}

/// Gives everything its place. Where the header comes out shorter than the cooker's was, dependencies that nothing else
/// accounts for are put back, if they are as many as are missing.
fn lay_out(
    package: &mut Package,
    header: &Header,
    engine: &Engine,
    mut lists: preload::Lists,
    imports: &Imports,
    losses: &mut Vec<Loss>,
) -> Result<(), Fault> {
    lists.write(package);
    let least = if engine.objects.has_data_resources() { 0 } else { header.cooked_header_len };
    let least = least.min(u32::try_from(header.header_len.saturating_mul(16)).unwrap_or(u32::MAX));
    package.lay_out_cooked(0)?;
    let expected = engine.header_len(header);
    let built = i64::from(package.summary.total_header_len);
    if built < expected && lists.add_orphans(package, imports, expected - built) {
        lists.write(package);
        package.lay_out_cooked(0)?;
    }
    let built = i64::from(package.summary.total_header_len);
    if least > 0 {
        if built > i64::from(least) {
            losses.push(Loss::HeaderTooLong { bytes: built, cooked: i64::from(header.cooked_header_len) });
        }
        package.lay_out_cooked(least)?;
    }
    if engine.objects.has_data_resources() && built < expected && header.generation.has_dependency_bundles() {
        losses.push(Loss::PreloadEntries { missing: u64::try_from((expected - built) / 4).unwrap_or(0) });
    }
    Ok(())
}

/// Puts the saved hash in, where there is one.
fn finish(header: &mut [u8], exports: &[u8], engine: &Engine, losses: &mut Vec<Loss>) {
    if !engine.objects.has_saved_hash() {
        losses.push(Loss::PackageGuid);
        return;
    }
    let data = exports.strip_suffix(&legacy::END_TAG).unwrap_or(exports);
    legacy::set_saved_hash(header, data);
}

#[cfg(test)]
mod tests;
