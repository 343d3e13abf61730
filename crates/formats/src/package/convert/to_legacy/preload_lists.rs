//! Lists of preload dependencies in file form.

use super::import_table::{ImportRow, Imports};
use crate::package::legacy::{Export, Package, PackageIndex, PreloadSlice};
use foldhash::HashSet;

/// Dependency lists of one export.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Groups {
    pub serialize_before_serialize: Vec<PackageIndex>,
    pub create_before_serialize: Vec<PackageIndex>,
    pub serialize_before_create: Vec<PackageIndex>,
    pub create_before_create: Vec<PackageIndex>,
    /// True if the cooker listed nothing.
    pub is_unlisted: bool,
}

impl Groups {
    /// Returns the lists in file order.
    const fn all(&self) -> [&Vec<PackageIndex>; 4] {
        [
            &self.serialize_before_serialize,
            &self.create_before_serialize,
            &self.serialize_before_create,
            &self.create_before_create,
        ]
    }

    const fn all_mut(&mut self) -> [&mut Vec<PackageIndex>; 4] {
        [
            &mut self.serialize_before_serialize,
            &mut self.create_before_serialize,
            &mut self.serialize_before_create,
            &mut self.create_before_create,
        ]
    }
}

/// Dependency lists of all exports.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub groups: Vec<Groups>,
}

impl Lists {
    /// Writes the lists into a package, one after the other.
    pub(super) fn write(&self, package: &mut Package) {
        package.preload_dependencies.clear();
        for (export, groups) in package.exports.iter_mut().zip(&self.groups) {
            let len = |list: &Vec<PackageIndex>| i32::try_from(list.len()).unwrap_or(i32::MAX);
            let [sbs, cbs, sbc, cbc] = groups.all().map(len);
            // If all entries were lost, the start still shows that there were some.
            let empty = groups.is_unlisted && groups.all().iter().all(|list| list.is_empty());
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

    /// Adds the unreferenced imports if they match the number of missing entries.
    pub(super) fn add_orphans(&mut self, rows: &[Export], imports: &Imports, missing_bytes: i64) -> bool {
        let orphans = self.orphans(rows, imports);
        let may_have =
            |(row, groups): (&Export, &Groups)| row.outer == PackageIndex::NONE && !groups.is_unlisted;
        // The cooker lists them with the last top-level export, in descending import order.
        let on_top = rows.iter().zip(&self.groups).rposition(may_have);
        let Some(groups) = on_top.and_then(|at| self.groups.get_mut(at)) else { return false };
        // Any other number means that some of them belong elsewhere; a guess could be wrong.
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

    /// Drops entries that only define the order of exports, from the end, if they account for the excess
    /// length of the header: in a package up to 5.1 the data has to keep the cooker's offsets.
    pub(super) fn trim(&mut self, rows: &[Export], excess_bytes: i64) -> bool {
        let Ok(mut excess) = usize::try_from(excess_bytes / 4) else { return false };
        let may_go = |row: &Export, index: &PackageIndex| {
            // Outer, super, class and template must exist before the export, whatever the order is.
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

    /// Returns the native imports that no export, import or list refers to, in table order: zen packages list
    /// all others. The core package is never listed.
    pub(super) fn orphans(&self, rows: &[Export], imports: &Imports) -> Vec<PackageIndex> {
        let fields = rows.iter().flat_map(|export| {
            [export.class, export.super_index, export.template.unwrap_or_default(), export.outer]
        });
        let outers = imports.rows.iter().map(|row| row.outer);
        let listed = self.groups.iter().flat_map(|groups| groups.all().into_iter().flatten().copied());
        let used: HashSet<PackageIndex> = fields.chain(outers).chain(listed).collect();
        let is_lost = |row: &ImportRow| row.is_native() && !row.is_package() && !row.is_core();
        let objects = (0_u32..).zip(&imports.rows).filter(|(_, row)| is_lost(row));
        objects.filter_map(|(at, _)| PackageIndex::import(at)).filter(|index| !used.contains(index)).collect()
    }
}

/// Returns the length of a list in the table, in bytes.
pub(super) fn stored_len(list: &[PackageIndex]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX / 4).saturating_mul(4)
}
