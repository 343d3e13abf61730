//! The export table: indices and sizes copied, flags by rule.
//!
//! | flag | set for |
//! |---|---|
//! | asset | public top-level objects except default objects (UE5); public and standalone ones (UE4) |
//! | inherited instance | default subobjects |
//! | not always loaded for the editor's game | everything except classes and their contents, default objects,
//! and distributions of particle systems |
//! | not for client, not for server | the zen package records only one of them: exports not loaded by clients
//! are not loaded by servers either |

use super::import_table::ImportRow;
use super::job::ConvertJob;
use super::loss::Loss;
use super::names::Names;
use super::properties;
use crate::id::{ObjectRef, PackageObjectIndex};
use crate::package::convert::common::{CLASS_DEFAULT_OBJECT, DEFAULT_SUBOBJECT, PUBLIC, STANDALONE};
use crate::package::legacy::{Export, UNVERSIONED_PROPERTIES};
use crate::package::zen::{self, ExportFilter, Header};
use foldhash::HashSet;

/// Longest chain of outer objects; longer ones are treated as cycles.
const MAX_DEPTH: usize = 64;

/// Builds the rows, without names and offsets.
pub(super) fn list<N>(job: &mut ConvertJob<'_, N>) {
    let header = job.header;
    let classes = class_exports(job);
    let versions = job.engine.objects;
    // Only tagged packages since 5.4 record the range of the properties.
    let walks = versions.has_script_offsets() && header.package_flags & UNVERSIONED_PROPERTIES == 0;
    let mut rows = Vec::with_capacity(header.exports.len());
    let mut start = 0;
    for (at, export) in (0_u32..).zip(&header.exports) {
        let len = usize::try_from(export.serial_len).unwrap_or(usize::MAX);
        let own = job.body.get(start..).and_then(|rest| rest.get(..len)).unwrap_or_default();
        start = start.saturating_add(len);
        let in_class = lies_in_class(PackageObjectIndex::export(at), header, &classes);
        let mut row = row(job, export, in_class);
        if walks {
            let end = properties::end(own, &header.names, versions);
            // The whole data then counts as properties, which is what other tools write, too.
            if end.is_none() && !own.is_empty() {
                job.losses.push(Loss::ScriptOffset { export: header.text(export.name).to_string() });
            }
            row.script = Some([0, i64::try_from(end.unwrap_or(own.len())).unwrap_or(i64::MAX)]);
        }
        rows.push(row);
    }
    job.exports = rows;
    guessed(job);
}

/// Reports the number of exports with guessed flags, for which zen packages have no field.
fn guessed<N>(job: &mut ConvertJob<'_, N>) {
    let count = |is_it: &dyn Fn(&zen::Export) -> bool| {
        job.header.exports.iter().filter(|export| is_it(export)).count() as u64
    };
    let filtered = count(&|export| export.filter == ExportFilter::NotForClient);
    let instances = count(&|export| export.object_flags & DEFAULT_SUBOBJECT != 0);
    let has_instances = job.engine.objects.has_is_inherited();
    if filtered > 0 {
        job.losses.push(Loss::ServerFilter { exports: filtered });
    }
    if instances > 0 && has_instances {
        job.losses.push(Loss::InheritedInstances { exports: instances });
    }
}

fn row<N>(job: &ConvertJob<'_, N>, export: &zen::Export, in_class: bool) -> Export {
    let (imports, versions) = (&job.imports, job.engine.objects);
    let flag = |bit: u32| export.object_flags & bit != 0;
    let on_top = export.outer.is_null();
    let is_asset = if job.header.generation.is_ue4() {
        on_top && flag(PUBLIC) && flag(STANDALONE)
    } else {
        on_top && flag(PUBLIC) && !flag(CLASS_DEFAULT_OBJECT)
    };
    let always = flag(CLASS_DEFAULT_OBJECT) || in_class || is_distribution(job, export);
    Export {
        class: imports.index_of(export.class),
        super_index: imports.index_of(export.super_index),
        template: versions.has_template_index().then(|| imports.index_of(export.template)),
        outer: imports.index_of(export.outer),
        object_flags: export.object_flags,
        serial_len: i64::try_from(export.serial_len).unwrap_or(i64::MAX),
        not_for_client: export.filter == ExportFilter::NotForClient,
        // In four cooked games, no export excluded from clients was loaded by servers.
        // The reverse does not hold: exports excluded from servers are loaded by clients.
        not_for_server: export.filter != ExportFilter::None,
        is_inherited: versions.has_is_inherited().then(|| flag(DEFAULT_SUBOBJECT)),
        not_always_loaded: Some(!always),
        is_asset: Some(is_asset),
        generate_public_hash: versions.has_optional_resources().then_some(false),
        ..Export::default()
    }
}

/// Returns true for the curves and numbers of a particle system (`UDistribution`).
fn is_distribution<N>(job: &ConvertJob<'_, N>, export: &zen::Export) -> bool {
    let class = job.imports.get(job.imports.index_of(export.class));
    class.is_some_and(|row| row.path.package() == "/Script/Engine" && row.name().starts_with("Distribution"))
}

/// Collects the exports that are classes: native ones, and those generated by blueprints.
fn class_exports<N>(job: &ConvertJob<'_, N>) -> HashSet<PackageObjectIndex> {
    let (header, imports) = (job.header, &job.imports);
    let is_class = |export: &zen::Export| {
        let class = match export.class.decode() {
            ObjectRef::Null => return true,
            ObjectRef::Export(index) => {
                let name = header.exports.get(index as usize).map(|class| header.text(class.name));
                // A name with a number ends in that number.
                name.filter(|name| name.number == 0).map(|name| name.base)
            }
            _ => imports.get(imports.index_of(export.class)).map(ImportRow::name),
        };
        class.is_some_and(|class| class == "Class" || class.ends_with("GeneratedClass"))
    };
    let indexed = (0_u32..).zip(&header.exports);
    indexed.filter(|(_, export)| is_class(export)).map(|(at, _)| PackageObjectIndex::export(at)).collect()
}

/// Returns true if an export is a class or lies inside one.
fn lies_in_class(export: PackageObjectIndex, header: &Header, classes: &HashSet<PackageObjectIndex>) -> bool {
    let mut next = export;
    for _ in 0..MAX_DEPTH {
        if classes.contains(&next) {
            return true;
        }
        let ObjectRef::Export(index) = next.decode() else { return false };
        let Some(export) = header.exports.get(index as usize) else { return false };
        next = export.outer;
    }
    false
}

/// Assigns names to the rows once the table is known.
pub(super) fn name(header: &Header, names: &Names<'_>, rows: &mut [Export]) {
    for (row, export) in rows.iter_mut().zip(&header.exports) {
        row.name = names.find_parts(header.text(export.name).base, export.name.number);
    }
}
