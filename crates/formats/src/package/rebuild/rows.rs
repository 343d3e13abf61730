//! Exports and soft object paths that come and go in a package of the editor.
//!
//! ```text
//! exports   A │ B │ C          remove B, add D
//!           A │ C │ D          C moves up: class, outer, dependencies, owners, … of all others follow
//! ```
//!
//! References inside the data of exports are the caller's: it has to give new data for each export that refers to a moved one.

use super::changes::{Changes, ExportMoves};
use super::error::RebuildError;
use super::splice::difference;
use crate::package::legacy::{Export, Package, PackageIndex};
use crate::wire::{Fault, FaultKind};

/// Name of the table of soft object paths.
pub(super) const SOFT_PATHS: &str = "soft object paths";

/// Tables that change their length.
const TABLES: [&str; 4] = ["exports", "depends map", SOFT_PATHS, "searchable names"];

/// Refuses packages whose further tables refer to exports in ways that no real file has shown.
pub(super) fn check(package: &Package, changes: &Changes) -> Result<(), RebuildError> {
    let is_plain =
        !package.form.cooked && package.preload_dependencies.is_empty() && package.cell_exports.is_empty();
    let has_paths = changes.soft_paths.is_empty() || package.summary.soft_object_paths.is_some();
    if changes.rows.is_empty() && has_paths {
        return Ok(());
    }
    let has_table = !package.exports.is_empty() && has_paths;
    if is_plain && has_table { Ok(()) } else { Err(RebuildError::RowsOfCooked) }
}

/// Growth in bytes of each table that changes with the exports.
pub(super) fn growth(package: &Package, changes: &Changes) -> Result<Vec<(&'static str, i64)>, RebuildError> {
    if changes.rows.is_empty() && changes.soft_paths.is_empty() {
        return Ok(Vec::new());
    }
    let (mut before, mut after) = (package.clone(), package.clone());
    apply(&mut after, changes, 0)?;
    let growth = |name| Ok((name, difference(after.table_len(name)?, before.table_len(name)?)));
    TABLES.into_iter().map(growth).collect()
}

/// Removes and adds the rows of all tables. Data of new exports starts at `start` in the file.
pub(super) fn apply(package: &mut Package, changes: &Changes, mut start: i64) -> Result<(), RebuildError> {
    if changes.rows.is_empty() && changes.soft_paths.is_empty() {
        return Ok(());
    }
    let moves = changes.rows.moves(package.exports.len());
    let before = package.summary.exports.count;
    remove(package, changes, &moves)?;
    for new in &changes.rows.added {
        let serial_len = difference(new.data.len() as u64, 0);
        package.exports.push(Export { serial_offset: start, serial_len, ..new.row.clone() });
        if package.summary.depends_offset > 0 {
            package.depends.push(new.depends.clone());
        }
        start = start.saturating_add(serial_len);
    }
    package.soft_object_paths.extend(changes.soft_paths.iter().cloned());
    let (exports, paths) = (package.exports.len(), package.soft_object_paths.len());
    let summary = &mut package.summary;
    set_count(&mut summary.exports.count, exports)?;
    for generation in summary.generations.iter_mut().filter(|generation| generation.exports == before) {
        generation.exports = summary.exports.count;
    }
    if let Some(table) = &mut summary.soft_object_paths {
        set_count(&mut table.count, paths)?;
    }
    Ok(())
}

/// Removes exports, and moves what refers to the others.
fn remove(package: &mut Package, changes: &Changes, moves: &ExportMoves) -> Result<(), RebuildError> {
    let removed = &changes.rows.removed;
    let kept = |at: &usize| !removed.contains(at);
    let rows = std::mem::take(&mut package.exports).into_iter().enumerate().filter(|(at, _)| kept(at));
    package.exports = rows
        .map(|(at, row)| match changes.rows.changed.get(&at) {
            Some(new) => Ok(new_row(&row, new)),
            None => moved_row(row, at, moves),
        })
        .collect::<Result<_, _>>()?;
    let lists = std::mem::take(&mut package.depends).into_iter().enumerate().filter(|(at, _)| kept(at));
    // What the editor looks at before it loads anything needs no entry for what is gone.
    let in_place = |list: Vec<PackageIndex>| list.into_iter().filter_map(|index| moves.of(index)).collect();
    package.depends = lists.map(|(_, list)| in_place(list)).collect();
    if let Some(names) = &mut package.searchable_names {
        names.retain_mut(|entry| moves.of(entry.object).map(|object| entry.object = object).is_some());
    }
    for entry in package.data_resources.iter_mut().flat_map(|resources| &mut resources.entries) {
        entry.owner = moves.of(entry.owner).unwrap_or_default();
    }
    Ok(())
}

/// A new row, with the place of the old one in the file.
fn new_row(old: &Export, new: &Export) -> Export {
    let Export { serial_len, serial_offset, script, .. } = *old;
    Export { serial_len, serial_offset, script, ..new.clone() }
}

fn moved_row(mut row: Export, at: usize, moves: &ExportMoves) -> Result<Export, RebuildError> {
    let indices = [&mut row.class, &mut row.super_index, &mut row.outer];
    for index in indices.into_iter().chain(&mut row.template) {
        *index = moves.of(*index).ok_or(RebuildError::RefersToRemoved { export: at })?;
    }
    Ok(row)
}

/// Sets a count of the summary.
pub(super) fn set_count(count: &mut i32, len: usize) -> Result<(), Fault> {
    let kind = FaultKind::TooLarge { found: len as u64, limit: i32::MAX.unsigned_abs().into() };
    *count = i32::try_from(len).map_err(|_| Fault { offset: 0, field: "summary: count", kind })?;
    Ok(())
}
