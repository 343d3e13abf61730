//! Preload dependencies: what has to be created or serialized before an export is.
//!
//! ```text
//! zen (5.3 and later)   per export: four lists, without native objects and packages
//! legacy                per export: serialize before serialize │ create before serialize
//!                                   │ serialize before create │ create before create
//! ```
//!
//! The cooker makes the last two from the export row: class, template and the parts of a default template have to be
//! serialized, outer and super created; nothing of `/Script/CoreUObject` is listed. From 5.3 on only native ones of these are
//! put back: all others are in the zen lists, or were in none. What it finds in the data (native structs and classes that
//! properties use) is lost, but for a few imports that nothing else explains.

use super::arcs;
use super::import_table::{ImportRow, Imports};
use super::job::ConvertJob;
use super::loss::Loss;
use super::preload_lists::{Groups, Lists};
use crate::package::convert::common::flags::CLASS_DEFAULT_OBJECT;
use crate::package::legacy::{Export, PackageIndex};
use crate::package::zen::{Dependencies, Graph, Neighbours};
use foldhash::HashSet;

/// Parts of default objects that are listed at most, for each import: a template with many parts could be that of many exports.
const MAX_PARTS: usize = 8;

/// Makes the lists.
pub(super) fn list<N: Neighbours>(job: &mut ConvertJob<'_, N>) {
    let mut groups = match &job.header.graph {
        Graph::Dependencies(lists) => {
            job.exports.iter().enumerate().map(|(at, _)| of_zen(lists.get(at))).collect::<Vec<_>>()
        }
        _ => {
            if !job.exports.is_empty() {
                job.losses.push(Loss::PreloadLists);
            }
            arcs::groups(job)
        }
    };
    let is_listed = job.header.generation.has_dependency_bundles();
    groups.resize(job.exports.len(), of_zen(None));
    // Each part of a default object belongs to one template, and mostly one export has it.
    let mut parts = MAX_PARTS.saturating_mul(job.imports.rows.len());
    // An export of which nothing is listed waits for nothing native, either.
    let open = job.exports.iter().zip(&mut groups).filter(|(_, groups)| !is_listed || !groups.is_unlisted);
    for (row, groups) in open {
        complete(row, &job.imports, groups, is_listed, &mut parts);
    }
    job.preload = Lists { groups };
}

fn of_zen(lists: Option<&Dependencies>) -> Groups {
    let Some(lists) = lists else { return Groups { is_unlisted: true, ..Groups::default() } };
    let indices = |list: &[i32]| list.iter().map(|index| PackageIndex(*index)).collect();
    Groups {
        serialize_before_serialize: indices(&lists.serialize_before_serialize),
        create_before_serialize: indices(&lists.create_before_serialize),
        serialize_before_create: indices(&lists.serialize_before_create),
        create_before_create: indices(&lists.create_before_create),
        is_unlisted: lists.is_unlisted,
    }
}

/// Adds what follows from the row of an export; if the zen lists name everything else, native objects alone. `parts` is how many parts of
/// default objects may still be listed.
fn complete(row: &Export, imports: &Imports, groups: &mut Groups, is_listed: bool, parts: &mut usize) {
    let listed = |index: PackageIndex| {
        let found = imports.get(index);
        let is_known = is_listed && !found.is_some_and(ImportRow::is_native);
        index != PackageIndex::NONE && !is_known && !found.is_some_and(ImportRow::is_core)
    };
    let template = row.template.unwrap_or_default();
    let mut first = Vec::new();
    let in_zen: HashSet<PackageIndex> = groups.serialize_before_create.iter().copied().collect();
    let listed_first = |index: PackageIndex| in_zen.contains(&index) || listed(index);
    for index in [row.class, template].into_iter().filter(|index| listed_first(*index)) {
        if !first.contains(&index) {
            first.push(index);
        }
    }
    if row.object_flags & CLASS_DEFAULT_OBJECT != 0 && imports.get(template).is_some() {
        let children = imports.children(template);
        if let Some(left) = parts.checked_sub(children.len()) {
            *parts = left;
            first.extend(children.iter().filter(|index| listed_first(**index)));
        }
    }
    let known: HashSet<PackageIndex> = first.iter().copied().collect();
    let others = std::mem::take(&mut groups.serialize_before_create);
    first.extend(others.into_iter().filter(|index| !known.contains(index)));
    groups.serialize_before_create = first;
    for index in [row.outer, row.super_index].into_iter().filter(|index| listed(*index)) {
        if !groups.create_before_create.contains(&index) {
            groups.create_before_create.push(index);
        }
    }
}
