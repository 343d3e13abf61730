//! Preload dependencies: what has to be created or serialized before an export is.
//!
//! ```text
//! zen (5.3 and later)   per export: four lists, without native objects and packages
//! legacy                per export: serialize before serialize │ create before serialize
//!                                   │ serialize before create │ create before create
//! ```
//!
//! The cooker makes the last two from the export row: class, template and the parts of a default template have to be
//! serialized, outer and super created; nothing of `/Script/CoreUObject` is listed. What it finds in the data (native
//! structs and classes that properties use) is lost, but for a few imports that nothing else explains.

use super::arcs;
use super::exports::CLASS_DEFAULT_OBJECT;
use super::imports::{Imports, Row};
use super::loss::Loss;
use crate::package::legacy::{Export, Package, PackageIndex, PreloadSlice};
use crate::package::zen::{Dependencies, Graph, Header, Neighbours};
use foldhash::HashSet;

/// Parts of default objects that are listed at most, for each import: a template with many parts could be that of many exports.
const MAX_PARTS: usize = 8;

/// The lists of an export.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Groups {
    pub serialize_before_serialize: Vec<PackageIndex>,
    pub create_before_serialize: Vec<PackageIndex>,
    pub serialize_before_create: Vec<PackageIndex>,
    pub create_before_create: Vec<PackageIndex>,
}

impl Groups {
    /// In file order.
    const fn all(&self) -> [&Vec<PackageIndex>; 4] {
        [
            &self.serialize_before_serialize,
            &self.create_before_serialize,
            &self.serialize_before_create,
            &self.create_before_create,
        ]
    }
}

impl Groups {
    const fn all_mut(&mut self) -> [&mut Vec<PackageIndex>; 4] {
        [
            &mut self.serialize_before_serialize,
            &mut self.create_before_serialize,
            &mut self.serialize_before_create,
            &mut self.create_before_create,
        ]
    }
}

/// The lists of all exports.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub groups: Vec<Groups>,
}

/// Makes the lists.
pub(super) fn lists<N: Neighbours>(
    header: &Header,
    neighbours: &N,
    imports: &Imports,
    rows: &[Export],
    losses: &mut Vec<Loss>,
) -> Lists {
    let mut groups = match &header.graph {
        Graph::Dependencies(lists) => {
            rows.iter().enumerate().map(|(at, _)| of_zen(lists.get(at))).collect::<Vec<_>>()
        }
        _ => {
            if !rows.is_empty() {
                losses.push(Loss::PreloadLists);
            }
            arcs::groups(header, neighbours, imports)
        }
    };
    groups.resize(rows.len(), Groups::default());
    // Each part of a default object belongs to one template, and mostly one export has it.
    let mut parts = MAX_PARTS.saturating_mul(imports.rows.len());
    for (row, groups) in rows.iter().zip(&mut groups) {
        complete(row, imports, groups, &mut parts);
    }
    Lists { groups }
}

fn of_zen(lists: Option<&Dependencies>) -> Groups {
    let Some(lists) = lists else { return Groups::default() };
    let indices = |list: &[i32]| list.iter().map(|index| PackageIndex(*index)).collect();
    Groups {
        serialize_before_serialize: indices(&lists.serialize_before_serialize),
        create_before_serialize: indices(&lists.create_before_serialize),
        serialize_before_create: indices(&lists.serialize_before_create),
        create_before_create: indices(&lists.create_before_create),
    }
}

/// Adds what follows from the row of an export. `parts` is how many parts of default objects may still be listed.
fn complete(row: &Export, imports: &Imports, groups: &mut Groups, parts: &mut usize) {
    let listed =
        |index: PackageIndex| index != PackageIndex::NONE && !imports.get(index).is_some_and(Row::is_core);
    let template = row.template.unwrap_or_default();
    let mut first = Vec::new();
    for index in [row.class, template].into_iter().filter(|index| listed(*index)) {
        if !first.contains(&index) {
            first.push(index);
        }
    }
    if row.object_flags & CLASS_DEFAULT_OBJECT != 0 && imports.get(template).is_some() {
        let children = imports.children(template);
        if let Some(left) = parts.checked_sub(children.len()) {
            *parts = left;
            first.extend(children.iter().filter(|index| listed(**index)));
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

impl Lists {
    /// Puts the lists into a package, one after the other.
    pub(super) fn write(&self, package: &mut Package) {
        package.preload_dependencies.clear();
        for (export, groups) in package.exports.iter_mut().zip(&self.groups) {
            let len = |list: &Vec<PackageIndex>| i32::try_from(list.len()).unwrap_or(i32::MAX);
            let [sbs, cbs, sbc, cbc] = groups.all().map(len);
            let empty = groups.all().iter().all(|list| list.is_empty());
            let first = i32::try_from(package.preload_dependencies.len()).unwrap_or(i32::MAX);
            export.preload = Some(PreloadSlice {
                first: if empty { -1 } else { first },
                serialize_before_serialize: sbs,
                create_before_serialize: cbs,
                serialize_before_create: sbc,
                create_before_create: cbc,
            });
            package.preload_dependencies.extend(groups.all().into_iter().flatten());
        }
    }

    /// Adds the imports that nothing refers to, if they are just as many as entries are missing.
    pub(super) fn add_orphans(&mut self, rows: &[Export], imports: &Imports, missing_bytes: i64) -> bool {
        let orphans = self.orphans(rows, imports);
        let on_top = rows.iter().rposition(|export| export.outer == PackageIndex::NONE);
        let Some(groups) = on_top.and_then(|at| self.groups.get_mut(at)) else { return false };
        if orphans.is_empty() || stored_len(&orphans) != missing_bytes {
            return false;
        }
        for index in orphans.into_iter().rev() {
            let is_struct = imports.get(index).is_some_and(|row| *row.class_name == *"ScriptStruct");
            let list = if is_struct {
                &mut groups.serialize_before_serialize
            } else {
                &mut groups.create_before_serialize
            };
            list.push(index);
        }
        true
    }

    /// Drops entries that only say in which order exports are gone through, from the end, if there are as many as the header is
    /// too long by: in a package up to 5.1 data has to lie where the cooker had it.
    pub(super) fn trim(&mut self, rows: &[Export], excess_bytes: i64) -> bool {
        let Ok(mut excess) = usize::try_from(excess_bytes / 4) else { return false };
        let may_go = |row: &Export, index: &PackageIndex| {
            let needed = [row.outer, row.super_index, row.class, row.template.unwrap_or_default()];
            index.0 > 0 && !needed.contains(index)
        };
        let lists = || self.groups.iter().zip(rows);
        let all = lists()
            .flat_map(|(groups, row)| groups.all().into_iter().flatten().filter(|index| may_go(row, index)));
        if excess_bytes % 4 != 0 || all.count() < excess {
            return false;
        }
        for (groups, row) in self.groups.iter_mut().zip(rows).rev() {
            for list in groups.all_mut() {
                let movable = list.iter().filter(|index| may_go(row, index)).count();
                let dropped = movable.min(excess);
                let mut left = movable - dropped;
                list.retain(|index| {
                    let stays = !may_go(row, index) || left > 0;
                    left = left.saturating_sub(usize::from(may_go(row, index)));
                    stays
                });
                excess -= dropped;
            }
        }
        true
    }

    /// Imports of objects that no export, no import and no list refers to, in the order of the table. The core is never
    /// listed.
    pub(super) fn orphans(&self, rows: &[Export], imports: &Imports) -> Vec<PackageIndex> {
        let fields = rows.iter().flat_map(|export| {
            [export.class, export.super_index, export.template.unwrap_or_default(), export.outer]
        });
        let outers = imports.rows.iter().map(|row| row.outer);
        let listed = self.groups.iter().flat_map(|groups| groups.all().into_iter().flatten().copied());
        let used: HashSet<PackageIndex> = fields.chain(outers).chain(listed).collect();
        let objects = (0_u32..).zip(&imports.rows).filter(|(_, row)| !row.is_package() && !row.is_core());
        objects.filter_map(|(at, _)| PackageIndex::import(at)).filter(|index| !used.contains(index)).collect()
    }
}

/// Bytes of a list in the table.
pub(super) fn stored_len(list: &[PackageIndex]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX / 4).saturating_mul(4)
}
