//! Legacy packages, with header and export data in one file or two.

use super::bulk::{BulkBase, Moved};
use super::changes::Changes;
use super::error::RebuildError;
use super::imports;
use super::rows::{self, set_count};
use super::splice::{Splice, difference, slice};
use crate::package::bulk::{BulkFlags, BulkPlace};
use crate::package::legacy::{
    DataResource, END_TAG, Export, NameEntry, Package, PackageIndex, PackageRef, import_len, saved_hash,
    set_saved_hash,
};
use crate::wire::{Fault, FaultKind};
use std::borrow::Cow;
use std::ops::Range;

/// Files of a legacy package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyFiles<'a> {
    /// The `.uasset` or `.umap`.
    pub header: Cow<'a, [u8]>,
    /// The `.uexp`; without it, export data follows the header in the same file.
    pub exports: Option<Cow<'a, [u8]>>,
}

/// Rebuilds a package. `package` was parsed from the header in `files`.
pub fn rebuild(
    package: &Package,
    files: &LegacyFiles<'_>,
    changes: &Changes,
) -> Result<LegacyFiles<'static>, RebuildError> {
    changes.check_names()?;
    rows::check(package, changes)?;
    let source = Source::new(package, files)?;
    let ranges: Vec<Range<u64>> = package.exports.iter().map(|export| source.range(export)).collect();
    let splice = Splice::new(&ranges, changes)?;
    let mut data = splice.write(source.data)?;
    let mut new = package.clone();
    let grown = grow(&mut new, &source, changes)?;
    use_names(&mut new, changes);
    // Header offsets move before exports, which need the new length of the header.
    move_places(&mut new, &source, &splice, &grown);
    keep_starts(&mut new, package, &grown);
    for (at, export) in new.exports.iter_mut().enumerate() {
        move_export(export, at, &source, &splice, changes, &grown)?;
    }
    move_resources(&mut new, &source, changes)?;
    if !package.form.versions.has_data_resources() {
        patch_bulk_headers(&new, &source, &ranges, changes, &mut data);
    }
    // A hash that was already wrong is left alone: tools write zeros there.
    let hashed = source.is_hashed();
    let added_at = splice.added_start().saturating_add(new.header_len());
    rows::apply(&mut new, changes, difference(added_at, 0))?;
    let mut header = new.write_header()?;
    if hashed {
        set_saved_hash(&mut header, data.strip_suffix(&END_TAG).unwrap_or(&data));
    }
    Ok(source.files(header, data))
}

/// A package before the change.
struct Source<'a> {
    package: &'a Package,
    /// Header, without anything that follows it in the same file.
    header: &'a [u8],
    /// Data after the header.
    data: &'a [u8],
    /// Bytes after the header in the header's file, if export data has its own file.
    between: Option<&'a [u8]>,
}

impl<'a> Source<'a> {
    fn new(package: &'a Package, files: &'a LegacyFiles<'_>) -> Result<Self, RebuildError> {
        let len = package.summary.total_header_len;
        let split = usize::try_from(len).ok().and_then(|len| files.header.split_at_checked(len));
        let (header, rest) = split.ok_or(Fault {
            offset: 0,
            field: "summary: total header size",
            kind: FaultKind::Unexpected {
                found: files.header.len() as u64,
                expected: len.unsigned_abs().into(),
            },
        })?;
        // Bytes that no table accounts for would be lost.
        if package.clone().write_header()? != header {
            return Err(RebuildError::NotUnderstood);
        }
        let (data, between) = match &files.exports {
            Some(exports) => (&**exports, Some(rest)),
            None => (rest, None),
        };
        Ok(Self { package, header, data, between })
    }

    const fn header_len(&self) -> u64 {
        self.header.len() as u64
    }

    /// Returns the range of an export in the data; empty if it has none.
    fn range(&self, export: &Export) -> Range<u64> {
        let start = u64::try_from(export.serial_offset).ok().and_then(|at| at.checked_sub(self.header_len()));
        let range = start.zip(u64::try_from(export.serial_len).ok());
        range.and_then(|(start, len)| Some(start..start.checked_add(len)?)).unwrap_or(0..0)
    }

    /// Returns the end of the name table.
    fn names_end(&self) -> u64 {
        let offset = self.package.summary.names.offset.unsigned_abs();
        self.section_end("names").unwrap_or(offset.into())
    }

    /// Returns the end of a section of the header.
    fn section_end(&self, name: &str) -> Option<u64> {
        let section = self.package.sections.iter().find(|section| section.name == name);
        section.map(|section| section.range.end)
    }

    /// Returns true if the header holds the hash that cookers write.
    fn is_hashed(&self) -> bool {
        let data = self.data.strip_suffix(&END_TAG).unwrap_or(self.data);
        self.package.summary.saved_hash.is_some_and(|hash| hash == saved_hash(self.header, data))
    }

    fn files(&self, mut header: Vec<u8>, data: Vec<u8>) -> LegacyFiles<'static> {
        let exports = match self.between {
            Some(between) => {
                header.extend_from_slice(between);
                Some(Cow::Owned(data))
            }
            None => {
                header.extend(data);
                None
            }
        };
        LegacyFiles { header: Cow::Owned(header), exports }
    }
}

/// Adds rows to the tables of the header.
fn grow(new: &mut Package, source: &Source<'_>, changes: &Changes) -> Result<Grown, RebuildError> {
    // A table at no place cannot grow there.
    let has_imports = !(changes.imports.is_empty() && changes.rows.imports.is_empty());
    if has_imports && new.summary.imports.offset <= 0 {
        return Err(RebuildError::NotUnderstood);
    }
    let for_imports = imports::add_to_legacy(new, &changes.imports, &changes.names);
    new.imports.extend(changes.rows.imports.iter().cloned());
    let names = add_names(new, &[&*changes.names, &*for_imports].concat())?;
    let rows = |package: &Package| package.imports.len() * import_len(&package.form);
    let imports = difference(rows(new) as u64, rows(source.package) as u64);
    imports::await_in_legacy(new, changes);
    let rows = |package: &Package| size_of::<i32>() * package.preload_dependencies.len();
    let preload = difference(rows(new) as u64, rows(source.package) as u64);
    set_count(&mut new.summary.imports.count, new.imports.len())?;
    if let Some(table) = &mut new.summary.preload_dependencies
        && preload > 0
    {
        set_count(&mut table.count, new.preload_dependencies.len())?;
    }
    let more = rows::growth(new, changes)?;
    let all: i64 = more.iter().map(|(_, grown)| grown).sum();
    add_to_header_len(new, imports.saturating_add(preload).saturating_add(all))?;
    let summary = &source.package.summary;
    let preload_at = summary.preload_dependencies.map_or(0, |table| table.offset.unsigned_abs().into());
    let paths_at = summary.soft_object_paths.map_or(0, |table| table.offset.unsigned_abs().into());
    let soft_paths = more.iter().find(|(name, _)| *name == rows::SOFT_PATHS).map_or(0, |(_, grown)| *grown);
    let more = more.into_iter().map(|(name, grown)| (source.section_end(name).unwrap_or(paths_at), grown));
    let tables = [
        (source.names_end(), names),
        (source.section_end("imports").unwrap_or(summary.imports.offset.unsigned_abs().into()), imports),
        (source.section_end("preload dependencies").unwrap_or(preload_at), preload),
        (source.section_end("data resources").unwrap_or(source.header_len()), set_resources(new, changes)?),
    ];
    Ok(Grown { imports, preload, soft_paths, tables: tables.into_iter().chain(more).collect() })
}

fn add_to_header_len(package: &mut Package, grown: i64) -> Result<(), Fault> {
    let total = i64::from(package.summary.total_header_len).saturating_add(grown);
    let kind = FaultKind::TooLarge { found: total.unsigned_abs(), limit: i32::MAX.unsigned_abs().into() };
    let fault = Fault { offset: 0, field: "summary: total header size", kind };
    package.summary.total_header_len = i32::try_from(total).map_err(|_| fault)?;
    Ok(())
}

/// Adds names; returns the growth of the table in bytes.
fn add_names(package: &mut Package, names: &[String]) -> Result<i64, RebuildError> {
    if names.is_empty() {
        return Ok(0);
    }
    let before = package.summary.names.count;
    let entries: Vec<NameEntry> = names.iter().map(|name| NameEntry::new(name)).collect();
    let grown: usize = entries.iter().map(|entry| entry.stored_len(&package.form)).sum();
    package.names.extend(entries);
    add_to_header_len(package, difference(grown as u64, 0))?;
    let summary = &mut package.summary;
    set_count(&mut summary.names.count, package.names.len())?;
    // Only the present generation equals the old count; older ones record the past.
    for generation in summary.generations.iter_mut().filter(|generation| generation.names == before) {
        generation.names = summary.names.count;
    }
    Ok(difference(grown as u64, 0))
}

/// Raises the count of names that export data uses; packagers require those to precede all others.
fn use_names(package: &mut Package, changes: &Changes) {
    let count = package.summary.names.count;
    let used = if changes.names.is_empty() { changes.names_used } else { count.unsigned_abs() };
    let used = i32::try_from(used).unwrap_or(i32::MAX).min(count);
    // If none is used, the count stays as it was, even if it is odd.
    if used == 0 {
        return;
    }
    package.summary.names_referenced = package.summary.names_referenced.map(|before| before.max(used));
}

/// Moves every offset except those of exports: for several empty exports, their old offsets decide the order.
fn move_places(package: &mut Package, source: &Source<'_>, splice: &Splice<'_>, grown: &Grown) {
    let header_len = source.header_len();
    package.move_places(|place| {
        let at = place.unsigned_abs();
        // Offsets inside the header lie before the export data and are not shifted by it.
        let moved = at.checked_sub(header_len).map_or(0, |at| splice.shift(at));
        place.saturating_add(grown.before(at)).saturating_add(moved)
    });
}

/// A table that was empty ended where it starts, and its start does not move with its own growth.
fn keep_starts(new: &mut Package, old: &Package, grown: &Grown) {
    let Grown { imports, preload, soft_paths, .. } = *grown;
    if old.imports.is_empty() {
        let offset = &mut new.summary.imports.offset;
        *offset = offset.saturating_sub(i32::try_from(imports).unwrap_or_default());
    }
    if let Some(table) =
        new.summary.preload_dependencies.as_mut().filter(|_| old.preload_dependencies.is_empty())
    {
        table.offset = table.offset.saturating_sub(i32::try_from(preload).unwrap_or_default());
    }
    if let Some(table) = new.summary.soft_object_paths.as_mut().filter(|_| old.soft_object_paths.is_empty()) {
        table.offset = table.offset.saturating_sub(i32::try_from(soft_paths).unwrap_or_default());
    }
}

/// Growth of tables of the header, in bytes.
struct Grown {
    imports: i64,
    preload: i64,
    soft_paths: i64,
    /// The end of each table, and its growth.
    tables: Vec<(u64, i64)>,
}

impl Grown {
    /// Returns the bytes by which what lies at an offset moves. A table grows at its end, so what lies before that stays.
    fn before(&self, at: u64) -> i64 {
        self.tables.iter().filter(|(end, _)| *end <= at).map(|(_, grown)| grown).sum()
    }
}

/// Updates the bulk data table from the changes; returns its growth in bytes.
fn set_resources(package: &mut Package, changes: &Changes) -> Result<i64, RebuildError> {
    let Some(resources) = &mut package.data_resources else { return Ok(0) };
    let before = resources.entries.len();
    for (entry, (export, piece)) in changes.entries() {
        // New entries copy the first one for the fields that only the cooker knows.
        let like = resources.entries.first().copied().unwrap_or_default();
        if entry == resources.entries.len() {
            let index = u32::try_from(export).ok().and_then(PackageIndex::export);
            resources.entries.push(DataResource {
                owner: index.unwrap_or_default(),
                duplicate_offset: -1,
                ..like
            });
        }
        let count = resources.entries.len();
        let Some(found) = resources.entries.get_mut(entry) else {
            let kind = FaultKind::out_of_range(entry as u64, count);
            return Err(Fault { offset: 0, field: "entry of bulk data", kind }.into());
        };
        let len = i64::try_from(piece.len).unwrap_or(i64::MAX);
        (found.serial_offset, found.serial_len, found.raw_len) = (piece.offset, len, len);
        found.bulk_flags = piece.flags;
    }
    if let Some(count) = changes.bulk_entries {
        resources.entries.truncate(count);
    }
    let len = resources.entry_len();
    let grown = difference((resources.entries.len() * len) as u64, (before * len) as u64);
    add_to_header_len(package, grown)?;
    Ok(grown)
}

fn move_export(
    export: &mut Export,
    at: usize,
    source: &Source<'_>,
    splice: &Splice<'_>,
    changes: &Changes,
    grown: &Grown,
) -> Result<(), RebuildError> {
    let Some(old) = source.package.exports.get(at) else { return Ok(()) };
    let range = source.range(old);
    // An export without data keeps its offset: it may point anywhere.
    if !range.is_empty() {
        let start = splice.start(at).saturating_add(source.header_len());
        export.serial_offset = difference(start, 0).saturating_add(grown.before(source.header_len()));
    }
    let Some(new) = changes.exports.get(&at) else { return Ok(()) };
    export.serial_len = difference(new.len() as u64, 0);
    if let Some(places) = changes.scripts.get(&at) {
        export.script = export.script.map(|_| *places);
        return Ok(());
    }
    let moved = Moved::new(slice(source.data, &range)?, 0, new, 0);
    // Script offsets mark the end of the properties; one inside the replaced bytes cannot be mapped and
    // stays.
    for place in export.script.iter_mut().flatten() {
        let to = usize::try_from(*place).ok().filter(|at| *at as u64 <= range.end - range.start);
        if let Some(to) = to.and_then(|at| moved.place(at)) {
            *place = difference(to as u64, 0);
        }
    }
    Ok(())
}

/// Moves the offsets of inline payloads, which count from the start of the export data.
fn move_resources(package: &mut Package, source: &Source<'_>, changes: &Changes) -> Result<(), RebuildError> {
    let end_moves = package.summary.bulk_data_start != source.package.summary.bulk_data_start;
    let entries = package.data_resources.iter_mut().flat_map(|resources| &mut resources.entries);
    let known = changes.entries();
    for (resource, entry) in entries.enumerate().filter(|(resource, _)| !known.contains_key(resource)) {
        let flags = BulkFlags(entry.bulk_flags);
        match flags.place(entry.serial_len.unsigned_abs()) {
            // With flag 0x10000 the offset is absolute, and moving it correctly could not be tested.
            BulkPlace::EndOfFile if end_moves && flags.any(0x10000) => {
                return Err(RebuildError::BulkAtEnd { resource });
            }
            BulkPlace::Inline => {}
            _ => continue,
        }
        let PackageRef::Export(owner) = entry.owner.decode() else { continue };
        let Some((export, new)) = changes.exports.get_key_value(&(owner as usize)) else { continue };
        let Some(old) = source.package.exports.get(*export) else { continue };
        let moved = Moved::new(slice(source.data, &source.range(old))?, 0, new, 0);
        if let Some(offset) = moved.entry(resource, entry.serial_offset) {
            entry.serial_offset = offset;
        }
    }
    Ok(())
}

/// Updates the bulk data headers in export data, which hold the offsets before data resources existed.
fn patch_bulk_headers(
    new: &Package,
    source: &Source<'_>,
    ranges: &[Range<u64>],
    changes: &Changes,
    data: &mut [u8],
) {
    let [before, after] = [source.package, new].map(|package| package.summary.bulk_data_start.unwrap_or(0));
    let for_separate = new.form.cooked && !new.form.versions.has_plain_bulk_offsets();
    let base = BulkBase { before, after, for_separate };
    let header_len = new.header_len();
    for (at, ((export, old), range)) in
        new.exports.iter().zip(&source.package.exports).zip(ranges).enumerate()
    {
        if range.is_empty() {
            continue;
        }
        let [old_at, new_at] = [old, export].map(|export| export.serial_offset.unsigned_abs());
        let start = new_at.checked_sub(header_len).and_then(|start| usize::try_from(start).ok());
        let start = start.unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(export.serial_len).unwrap_or(usize::MAX));
        // Exports outside the file have no headers to update.
        let (Ok(old), Some(new)) = (slice(source.data, range), data.get_mut(start..end)) else { continue };
        // Known places need no search, and the search could not find them: their data is new.
        if let Some(pieces) = changes.bulk.get(&at) {
            for piece in pieces {
                piece.patch(new, new_at, after);
            }
            continue;
        }
        Moved::new(old, old_at, new, new_at).patch(new, &base);
    }
}
