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

mod adjust;
mod arcs;
mod body;
mod check;
mod classes;
mod dictionary;
mod engine;
mod exports;
mod imports;
mod likely;
mod loss;
mod names;
mod preload;
mod properties;
mod resources;
pub mod to_zen;
mod uses;
mod usual;

pub use check::{CheckFault, check};
pub use engine::{Clue, Evidence, How, is_settled};
pub use loss::Loss;

use super::legacy::{self, Package, Summary};
use super::zen::{Header, Neighbours};
use crate::id::crc;
use crate::version::{PackageFileVersion, Release, Releases};
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
    /// What is known from outside about the engine that wrote it.
    pub evidence: Evidence<'a>,
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
    /// All releases that fit, if they write different layouts, so that the one that was taken may be wrong.
    pub fitting: Option<Releases>,
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
    let imports = Imports::new(header, neighbours, &mut losses);
    let rows = exports::rows(header, &engine, &imports, &exports, &mut losses);
    let lists = preload::lists(header, neighbours, &imports, &rows, &mut losses);
    let resources = resources::table(header, &engine, &exports);
    let mut parts = Parts { input, engine, imports, rows, lists, resources };
    let mut bytes = parts.settle(&mut losses)?.write_header()?;
    parts.imports.report_guesses(&mut losses);
    finish(&mut bytes, &exports, &parts.engine, &mut losses);
    Ok(Asset {
        is_map: header.package_flags & CONTAINS_MAP != 0,
        header: bytes,
        exports,
        release: parts.engine.release,
        how: parts.engine.how,
        fitting: parts.engine.fitting,
        losses,
    })
}

/// What a header is made of.
struct Parts<'a> {
    input: &'a Input<'a>,
    engine: Engine,
    imports: Imports,
    rows: Vec<legacy::Export>,
    lists: preload::Lists,
    resources: Option<legacy::DataResources>,
}

impl Parts<'_> {
    /// Puts the parts together, so that they come out as long as the cooker's header was, if there is a way: by other
    /// classes where these are not certain, and by dependencies that nothing else accounts for.
    fn settle(&mut self, losses: &mut Vec<Loss>) -> Result<Package, Fault> {
        let header = self.input.header;
        let mut package = self.assemble()?;
        if self.missing(&package) != 0 && header.generation.has_dependency_bundles() {
            let missing = self.missing(&package);
            let orphans = preload::stored_len(&self.lists.orphans(&self.rows, &self.imports));
            let is_open = missing != orphans && !self.imports.guesses.is_empty();
            if is_open && adjust::adjust(&mut self.imports, header, &[missing - orphans, missing]) {
                package = self.assemble()?;
            }
            if self.lists.add_orphans(&self.rows, &self.imports, self.missing(&package)) {
                package = self.assemble()?;
            }
        }
        if !self.engine.objects.has_data_resources()
            && header.cooked_header_len > 0
            && self.lists.trim(&self.rows, self.missing(&package).saturating_neg())
        {
            package = self.assemble()?;
        }
        self.pad(&mut package, losses)?;
        Ok(package)
    }

    /// The header as far as it is known, without gaps.
    fn assemble(&self) -> Result<Package, Fault> {
        let header = self.input.header;
        let mut names = Names::new(header);
        names.finish(header, &self.imports);
        let mut package = Package {
            summary: summary(self.input, &self.engine),
            imports: self.imports.rows(&names, &self.engine),
            exports: self.rows.clone(),
            data_resources: self.resources.clone(),
            names: names.entries(),
            ..Package::default()
        };
        package.form.versions = self.engine.objects;
        package.form.cooked_import_names = self.engine.release.cooked_import_package_name;
        package.summary.names_referenced = Some(names.referenced());
        exports::name(header, &names, &mut package.exports);
        self.lists.write(&mut package);
        package.lay_out_cooked(0)?;
        Ok(package)
    }

    /// Bytes that the cooker's header had more.
    fn missing(&self, package: &Package) -> i64 {
        self.engine.header_len(self.input.header) - i64::from(package.summary.total_header_len)
    }

    /// Gives everything the place that export data counts on (up to 5.1), and says what is missing.
    fn pad(&self, package: &mut Package, losses: &mut Vec<Loss>) -> Result<(), Fault> {
        let (header, missing) = (self.input.header, self.missing(package));
        if self.engine.objects.has_data_resources() {
            if missing > 0 && header.generation.has_dependency_bundles() {
                losses.push(Loss::PreloadEntries { missing: missing.unsigned_abs() / 4 });
            }
            return Ok(());
        }
        // The number is the file's word: no more is believed than a header of this size may need.
        let most = u32::try_from(header.header_len.saturating_mul(16)).unwrap_or(u32::MAX);
        let least = header.cooked_header_len.min(most);
        if least > 0 {
            let (bytes, cooked) =
                (i64::from(package.summary.total_header_len), i64::from(header.cooked_header_len));
            if bytes > i64::from(least) {
                losses.push(Loss::HeaderTooLong { bytes, cooked });
            }
            package.lay_out_cooked(least)?;
        }
        Ok(())
    }
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
