//! Preload dependencies: objects to create or serialize before an export.
//!
//! ```text
//! zen (5.3 and later)   per export: four lists, without native objects and packages
//! legacy                per export: serialize before serialize │ create before serialize
//!                                   │ serialize before create │ create before create
//! ```
//!
//! The cooker derives the last two lists from the export row: class, template and the parts of a default
//! template must be serialized, outer and super created; objects of `/Script/CoreUObject` are never listed.
//! From 5.3 on only the native ones among them are restored: all others are in the zen lists, or were in
//! none. Entries from the data itself (native structs and classes used by properties) are lost, except for a
//! few imports that nothing else explains.

use super::arcs;
use super::import_table::{ImportRow, Imports};
use super::job::ConvertJob;
use super::loss::Loss;
use super::preload_lists::{Groups, Lists};
use crate::package::convert::common::CLASS_DEFAULT_OBJECT;
use crate::package::legacy::{Export, PackageIndex};
use crate::package::zen::{Dependencies, Graph, Neighbours};
use foldhash::HashSet;

/// Limit on the listed parts of default objects per import: in a hostile file, one template with many parts
/// could be that of many exports.
const MAX_PARTS: usize = 8;

/// Builds the lists.
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
    // Each part of a default object belongs to one template, and usually one export has it.
    let mut parts = MAX_PARTS.saturating_mul(job.imports.rows.len());
    // An export without any listed dependency has no native ones either.
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

/// Adds the entries that follow from the row of an export; if the zen lists name everything else, only native
/// objects. `parts` is the number of parts of default objects that may still be listed.
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
    // Class and template come first, in this order; the other entries keep theirs.
    for index in [row.class, template].into_iter().filter(|index| listed_first(*index)) {
        if !first.contains(&index) {
            first.push(index);
        }
    }
    if row.object_flags & CLASS_DEFAULT_OBJECT != 0 && imports.get(template).is_some() {
        let children = imports.children(template);
        // If the limit is reached, the parts of this template are left out altogether.
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
