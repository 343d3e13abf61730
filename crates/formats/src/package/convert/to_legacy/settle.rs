//! Assembles the package so that its header is as long as the cooker's, if possible.

use super::adjust;
use super::converted::Input;
use super::engine::Engine;
use super::exports;
use super::import_table::{ImportRow, Imports};
use super::job::ConvertJob;
use super::loss::Loss;
use super::names::Names;
use super::preload_lists::stored_len;
use crate::id::crc;
use crate::package::convert::note::NOTE_LEN;
use crate::package::legacy::{Import, Package, Summary, VersionEvidence};
use crate::wire::Fault;

/// Constant UE3 version of cooked packages with versions.
const UE3_VERSION: i32 = 864;

/// Assembles the package. If the header length differs from the cooker's, first other classes are tried for
/// uncertain imports, then unexplained dependencies are added.
///
/// The result equals the result of reading its written header.
pub(super) fn settle<N>(job: &mut ConvertJob<'_, N>) -> Result<Package, Fault> {
    let header = job.header;
    let mut package = assemble(job)?;
    if missing(job, &package) != 0 && header.generation.has_dependency_bundles() {
        let missing_bytes = missing(job, &package);
        let orphans = stored_len(&job.preload.orphans(&job.exports, &job.imports));
        // If the unreferenced imports explain the difference exactly, the classes are already right.
        let is_open = missing_bytes != orphans && !job.imports.guesses.is_empty();
        if is_open && adjust::adjust(&mut job.imports, header, &[missing_bytes - orphans, missing_bytes]) {
            package = assemble(job)?;
        }
        let missing_bytes = missing(job, &package);
        if job.preload.add_orphans(&job.exports, &job.imports, missing_bytes) {
            lay_out(job, &mut package)?;
        }
    }
    // Only here the data relies on the header length; later packages may have any.
    if !job.engine.objects.has_data_resources() && header.cooked_header_len > 0 {
        let excess = missing(job, &package).saturating_neg();
        if job.preload.trim(&job.exports, excess) {
            lay_out(job, &mut package)?;
        }
    }
    pad(job, &mut package)?;
    assume_import_names(&mut package);
    Ok(package)
}

/// Sets the assumption that a reader makes about package names of imports, which files do not record: in
/// uncooked packages versions decide, and without imports as evidence a file of newer versions is taken to
/// have them.
const fn assume_import_names(package: &mut Package) {
    let is_versioned = matches!(package.evidence, VersionEvidence::File);
    let form = &mut package.form;
    let is_open = is_versioned && form.versions.has_import_type_hierarchies() && package.imports.is_empty();
    form.cooked_import_names = form.cooked && (form.cooked_import_names || is_open);
}

/// Returns the length of the cooker's header, to be noted if the package's own is longer.
pub(super) fn noted_len<N>(job: &ConvertJob<'_, N>, package: &Package) -> Option<u32> {
    let cooked = job.header.cooked_header_len;
    (cooked > 0 && missing(job, package) < 0).then_some(cooked)
}

/// Assembles the header from known parts, without gaps.
fn assemble<N>(job: &ConvertJob<'_, N>) -> Result<Package, Fault> {
    let header = job.header;
    let mut names = Names::new(header);
    names.finish(header, &job.imports);
    let mut package = Package {
        summary: summary(job.input, &job.engine),
        imports: import_rows(&job.imports, &names, &job.engine),
        exports: job.exports.clone(),
        data_resources: job.resources.clone(),
        names: names.entries(),
        ..Package::default()
    };
    let objects = job.engine.objects;
    package.form.versions = objects;
    package.form.cooked_import_names = job.engine.release.cooked_import_package_name;
    if package.summary.file_versions.is_unversioned() {
        package.evidence = VersionEvidence::Given(job.engine.release.name);
    }
    package.summary.names_referenced = objects.has_names_referenced_count().then_some(names.referenced());
    exports::name(header, &names, &mut package.exports);
    lay_out(job, &mut package)?;
    Ok(package)
}

/// Writes the preload dependencies and places all tables.
fn lay_out<N>(job: &ConvertJob<'_, N>, package: &mut Package) -> Result<(), Fault> {
    job.preload.write(package);
    package.lay_out_cooked(0)
}

/// Converts the import table to its file form.
fn import_rows(imports: &Imports, names: &Names<'_>, engine: &Engine) -> Vec<Import> {
    let row = |row: &ImportRow| {
        let name = names.find(row.name());
        Import {
            class_package: names.find(&row.class_package),
            class_name: names.find(&row.class_name),
            outer: row.outer,
            name,
            package_name: engine.release.cooked_import_package_name.then_some(name),
            optional: engine.objects.has_optional_resources().then_some(false),
        }
    };
    imports.rows.iter().map(row).collect()
}

/// Returns the difference in length between the cooker's header and this one.
fn missing<N>(job: &ConvertJob<'_, N>, package: &Package) -> i64 {
    job.engine.header_len(job.header) - i64::from(package.summary.total_header_len)
}

/// Pads the header to the cooker's length, which zen packages record and on which export data relies up to
/// 5.1. A longer header gets room for a note instead. Reports what is missing.
fn pad<N>(job: &mut ConvertJob<'_, N>, package: &mut Package) -> Result<(), Fault> {
    let (header, missing) = (job.header, missing(job, package));
    let (bytes, cooked) = (i64::from(package.summary.total_header_len), i64::from(header.cooked_header_len));
    if cooked == 0 || missing == 0 {
        return Ok(());
    }
    if missing > 0 && header.generation.has_dependency_bundles() {
        job.losses.push(Loss::PreloadEntries { missing: missing.unsigned_abs() / 4 });
    }
    if missing < 0 && !job.engine.objects.has_data_resources() {
        job.losses.push(Loss::HeaderTooLong { bytes, cooked });
    }
    // The number comes from the file: it is trusted only up to a multiple of the header's size.
    let most = i64::try_from(header.header_len.saturating_mul(16)).unwrap_or(i64::MAX);
    let note = i64::try_from(NOTE_LEN).unwrap_or_default();
    let least = if missing > 0 { (bytes + missing).min(most) } else { bytes + note };
    package.lay_out_cooked(u32::try_from(least).unwrap_or_default())
}

/// Builds the parts of the summary that do not follow from the tables.
fn summary(input: &Input<'_>, engine: &Engine) -> Summary {
    let header = input.header;
    // A localized package carries the name of its original in the legacy header.
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
        // Before 5.1 the cooker writes `None` instead of the name.
        package_name: if engine.objects.has_soft_object_paths() { name } else { "None".to_owned() }.into(),
        package_flags: header.package_flags,
        package_source: crc::package_source(stem),
        payload_toc_offset: engine.objects.has_payload_toc().then_some(-1),
        ..Summary::default()
    }
}
