//! Legacy packages: cooked ones in two files and in one, and those of the editor.

use crate::corpus::{corpus, packages, say, shown};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use uncask_formats::package::PackageKind;
use uncask_formats::package::legacy::{END_TAG, Export, Name, NameEntry, Package, PackageIndex, saved_hash};
use uncask_formats::package::rebuild::{
    Changes, LegacyFiles, NewExport, NewImport, NewImportObject, RebuildError, TableRows, rebuild_legacy,
};

/// A package of the corpus.
pub(crate) struct Loaded {
    pub(crate) package: Package,
    pub(crate) files: LegacyFiles<'static>,
}

impl Loaded {
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let header = std::fs::read(path).unwrap();
        if !matches!(PackageKind::sniff(&header), Some(PackageKind::Legacy(_))) {
            return None;
        }
        let exports = std::fs::read(path.with_extension("uexp")).ok();
        let package = Package::parse(&header).ok()?;
        // Large export data of some packages is not in the corpus.
        let is_whole = exports.is_some() || header.len() > package.summary.total_header_len as usize;
        let files = LegacyFiles { header: Cow::Owned(header), exports: exports.map(Cow::Owned) };
        is_whole.then_some(Self { package, files })
    }

    /// The data of an export.
    pub(crate) fn export(&self, at: usize) -> &[u8] {
        let export = &self.package.exports[at];
        let (bytes, base) = match &self.files.exports {
            Some(exports) => (exports, self.package.summary.total_header_len as usize),
            None => (&self.files.header, 0),
        };
        let start = export.serial_offset as usize - base;
        &bytes[start..start + export.serial_len as usize]
    }

    pub(crate) fn all(&self) -> BTreeMap<usize, Vec<u8>> {
        let filled = (0..self.package.exports.len()).filter(|at| self.package.exports[*at].serial_len > 0);
        filled.map(|at| (at, self.export(at).to_vec())).collect()
    }

    pub(crate) fn rebuild(&self, changes: &Changes) -> Result<Self, RebuildError> {
        let files = rebuild_legacy(&self.package, &self.files, changes)?;
        let package = Package::parse(&files.header).unwrap();
        Ok(Self { package, files })
    }
}

fn each(mut check: impl FnMut(&str, &Loaded)) -> usize {
    let Some(corpus) = corpus() else { return 0 };
    let mut count = 0;
    for path in packages(&corpus) {
        if let Some(loaded) = Loaded::read(&path) {
            check(&shown(&path, &corpus), &loaded);
            count += 1;
        }
    }
    count
}

#[test]
fn unchanged_packages_come_back_byte_for_byte() {
    let mut by_form = BTreeMap::<String, usize>::new();
    let count = each(|path, loaded| {
        let same = loaded.rebuild(&Changes { exports: loaded.all(), ..Changes::default() });
        assert!(same.unwrap_or_else(|e| panic!("{path}: {e}")).files == loaded.files, "{path}");
        let form = &loaded.package.form;
        let cooked = if form.cooked { "cooked" } else { "editor" };
        let lists = if form.unversioned_properties { "without tags" } else { "tagged" };
        let split = if loaded.files.exports.is_some() { "two files" } else { "one file" };
        *by_form.entry(format!("{cooked}, {lists}, {split}")).or_default() += 1;
    });
    for (form, count) in &by_form {
        say(&format!("{count:5} {form}"));
    }
    assert!(count == 0 || count >= 600, "{count}");
}

/// A number of referenced names that cannot be, and bytes after the header that it does not count, stay as well.
#[test]
fn what_is_odd_stays_as_it_is() {
    let mut counted = 0;
    let count = each(|path, loaded| {
        let mut odd = loaded.package.clone();
        odd.summary.names_referenced = odd.summary.names_referenced.map(|_| -7);
        counted += usize::from(odd.summary.names_referenced.is_some());
        let mut header = odd.clone().write_header().unwrap();
        match &loaded.files.exports {
            Some(_) => header.extend([0x24; 56]),
            None => header.extend(&loaded.files.header[header.len()..]),
        }
        let files = LegacyFiles { header: Cow::Owned(header), exports: loaded.files.exports.clone() };
        let odd = Loaded { package: odd, files };
        let same = odd.rebuild(&Changes { exports: odd.all(), ..Changes::default() });
        assert!(same.unwrap_or_else(|e| panic!("{path}: {e}")).files == odd.files, "{path}");
    });
    say(&format!("{counted} of {count} packages count their referenced names"));
    assert!(count == 0 || counted >= 500, "{counted}");
}

/// Changes at the end of each export, taken back, leave nothing behind.
#[test]
fn what_grows_and_shrinks_again_is_as_it_was() {
    let mut hashed = 0;
    each(|path, loaded| {
        let mut grown = loaded.all();
        for (at, data) in &mut grown {
            data.splice(0..0, vec![0xA5; at % 5 + 1]);
        }
        let larger = loaded.rebuild(&Changes { exports: grown.clone(), ..Changes::default() });
        let larger = larger.unwrap_or_else(|e| panic!("{path}: {e}"));
        let found = larger.all();
        assert!(grown.iter().all(|(at, data)| found[at].len() == data.len()), "{path}");
        let summary = &larger.package.summary;
        if let (Some(hash), Some(exports)) = (summary.saved_hash, &larger.files.exports)
            && loaded.package.form.cooked
        {
            let data = exports.strip_suffix(&END_TAG).unwrap_or(exports);
            hashed += usize::from(hash == saved_hash(&larger.files.header, data));
        }
        let restored = found.iter().map(|(at, data)| (*at, data[at % 5 + 1..].to_vec())).collect();
        let again = larger.rebuild(&Changes { exports: restored, ..Changes::default() });
        let again = again.unwrap_or_else(|e| panic!("{path}: {e}"));
        // What the packages of before 5.2 hold of their own places is found by these, which must be right again.
        assert!(again.files == loaded.files, "{path}");
    });
    say(&format!("{hashed} with a new hash"));
    // A corpus that was fetched has only those that are public.
    let least = if corpus().is_some_and(|corpus| corpus.join("README.md").exists()) { 190 } else { 50 };
    assert!(hashed == 0 || hashed >= least, "{hashed}");
}

#[test]
fn names_are_added_at_the_end_and_everything_else_stays() {
    each(|path, loaded| {
        let names = vec!["Uncask_Added".to_owned(), "Größe".to_owned()];
        let new = loaded.rebuild(&Changes { names, ..Changes::default() });
        let new = new.unwrap_or_else(|e| panic!("{path}: {e}"));
        let (old, new_package) = (&loaded.package, &new.package);
        let count = old.names.len();
        assert_eq!(new_package.names[..count], old.names[..], "{path}");
        let added: Vec<&str> = new_package.names[count..].iter().map(|name| name.text.as_str()).collect();
        assert_eq!(added, ["Uncask_Added", "Größe"], "{path}");
        assert!(new_package.names[count..].iter().all(NameEntry::is_hashed_right), "{path}");
        assert_eq!(new.all(), strip_places(loaded, &new), "{path}");
        let hashes = if old.form.versions.has_name_hashes() { 8 } else { 0 };
        // Length, text and terminator: 4 + 12 + 1 and 4 + 2 × 6.
        let grown = 17 + 16 + hashes;
        let len = |package: &Package| package.summary.total_header_len;
        assert_eq!(len(new_package), len(old) + grown, "{path}");
        assert_eq!(new_package.unaccounted().len(), old.unaccounted().len(), "{path}");
        assert_eq!((&new_package.imports, &new_package.depends), (&old.imports, &old.depends), "{path}");
        assert_eq!(new_package.preload_dependencies, old.preload_dependencies, "{path}");
        assert_eq!(new_package.data_resources, old.data_resources, "{path}");
        for (new, old) in new_package.exports.iter().zip(&old.exports) {
            assert_eq!(new.serial_len, old.serial_len, "{path}");
            assert_eq!(new.serial_offset, old.serial_offset + i64::from(grown), "{path}");
        }
        if let Some(referenced) = new_package.summary.names_referenced {
            assert_eq!(referenced as usize, count + 2, "{path}");
        }
    });
}

/// An export that is added, and removed again, leaves nothing behind.
#[test]
fn exports_come_and_go() {
    let (mut count, mut refused) = (0, 0);
    each(|path, loaded| {
        let exports = loaded.package.exports.len();
        let Some(last) = loaded.package.exports.last().filter(|export| export.serial_len > 0) else { return };
        let name = Name { number: last.name.number + 900, ..last.name };
        let added = NewExport {
            row: Export { name, ..last.clone() },
            depends: vec![PackageIndex::export(0).unwrap()],
            data: loaded.export(exports - 1).to_vec(),
        };
        let rows = TableRows { added: vec![added], ..TableRows::default() };
        let larger = match loaded.rebuild(&Changes { rows, ..Changes::default() }) {
            Err(RebuildError::RowsOfCooked) => {
                refused += 1;
                return;
            }
            found => found.unwrap_or_else(|e| panic!("{path}: {e}")),
        };
        assert!(!loaded.package.form.cooked, "{path}");
        assert_eq!(larger.package.exports.len(), exports + 1, "{path}");
        assert_eq!(larger.package.text(larger.package.exports[exports].name).number, name.number, "{path}");
        let (old, new) = (strip_places(loaded, &larger), larger.all());
        // Inline payloads hold their own places.
        assert!(old.keys().all(|at| new[at].len() == old[at].len()), "{path}");
        assert_eq!(larger.export(exports).len(), loaded.export(exports - 1).len(), "{path}");
        let rows = TableRows { removed: BTreeSet::from([exports]), ..TableRows::default() };
        let again = larger.rebuild(&Changes { rows, ..Changes::default() });
        let again = again.unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(again.files == loaded.files, "{path}");
        count += 1;
    });
    say(&format!("{count} packages with one export more, and as before; {refused} cooked ones"));
    assert!(count == 0 || count >= 150, "{count}");
}

/// A mesh that no package imports.
pub(crate) fn new_import() -> NewImport {
    NewImport {
        package: "/Game/Meshes/Uncask_Added".to_owned(),
        objects: vec![NewImportObject {
            name: "Uncask_Added_7".to_owned(),
            class_package: "/Script/Engine".to_owned(),
            class: "StaticMesh".to_owned(),
        }],
    }
}

/// Every export waits for a new object.
pub(crate) fn import_for_all(exports: usize, import: usize) -> Changes {
    let awaited = (0..exports).map(|export| (export, import as u32)).collect();
    Changes { imports: vec![new_import()], awaited, ..Changes::default() }
}

#[test]
fn imports_are_added_at_the_end_and_everything_else_stays() {
    let (mut listed, mut laid_out) = (0, 0);
    each(|path, loaded| {
        let old = &loaded.package;
        let count = old.imports.len();
        let new = loaded.rebuild(&import_for_all(old.exports.len(), count + 1));
        let new = new.unwrap_or_else(|e| panic!("{path}: {e}"));
        let package = &new.package;
        assert_eq!(package.imports[..count], old.imports[..], "{path}");
        let added: Vec<String> = (count..count + 2)
            .map(|at| package.path(PackageIndex(-1 - at as i32), "").unwrap().to_string())
            .collect();
        let paths = ["/Game/Meshes/Uncask_Added", "/Game/Meshes/Uncask_Added.Uncask_Added_7"];
        assert_eq!(added, paths, "{path}");
        let row = &package.imports[count + 1];
        assert_eq!(package.text(row.class_package).to_string(), "/Script/Engine", "{path}");
        assert_eq!(package.text(row.class_name).to_string(), "StaticMesh", "{path}");
        assert_eq!(package.unaccounted().len(), old.unaccounted().len(), "{path}");
        assert_eq!(new.all(), strip_places(loaded, &new), "{path}");
        assert_eq!(package.data_resources, old.data_resources, "{path}");
        assert_eq!(package.depends, old.depends, "{path}");
        if old.form.cooked && old.form.versions.has_preload_dependencies() {
            // Without the new object, each export waits for what it waited for before.
            for (now, then) in package.exports.iter().zip(&old.exports) {
                let mut lists = preload(package, now);
                lists[1].retain(|index| index.0 != -2 - count as i32);
                assert_eq!(lists, preload(old, then), "{path}");
                assert_eq!(preload(package, now)[1].len(), lists[1].len() + 1, "{path}");
                listed += 1;
            }
        }
        // The layout of a cooker leads to the same bytes.
        let header = |package: &Package| package.clone().write_header().unwrap();
        let placed = |package: &Package| {
            let mut placed = package.clone();
            placed.lay_out_cooked(0).ok().map(|()| header(&placed))
        };
        if old.form.cooked && placed(old).is_some_and(|placed| placed == header(old)) {
            laid_out += 1;
            assert!(placed(package) == Some(header(package)), "{path}");
        }
    });
    say(&format!("{listed} exports with lists; {laid_out} packages laid out as by the cooker"));
    assert!(corpus().is_none() || (listed > 1000 && laid_out > 100), "{listed}, {laid_out}");
}

/// Objects that an export waits for, in four groups.
fn preload(package: &Package, export: &Export) -> [Vec<PackageIndex>; 4] {
    let slice = export.preload.unwrap();
    let lens = [
        slice.serialize_before_serialize,
        slice.create_before_serialize,
        slice.serialize_before_create,
        slice.create_before_create,
    ];
    let mut at = slice.first.max(0) as usize;
    lens.map(|len| {
        at += len as usize;
        package.preload_dependencies[at - len as usize..at].to_vec()
    })
}

/// The data of exports as it was, but for offsets inside it that had to move with the header: before 5.2, where bulk data is.
fn strip_places(old: &Loaded, new: &Loaded) -> BTreeMap<usize, Vec<u8>> {
    let grown = new.package.summary.total_header_len - old.package.summary.total_header_len;
    let mut all = old.all();
    for (at, data) in &mut all {
        let now = new.export(*at);
        assert_eq!(now.len(), data.len());
        for place in 0..data.len().saturating_sub(7) {
            let read = |bytes: &[u8]| i64::from_le_bytes(*bytes[place..].first_chunk().unwrap());
            let offset = old.package.exports[*at].serial_offset + place as i64 + 8;
            let differs = now[place] != data[place];
            if differs && !old.package.form.versions.has_data_resources() {
                let [before, after] = [read(data), read(now)];
                let is_place = before == offset && after == offset + i64::from(grown);
                let bulk = old.package.summary.bulk_data_start.unwrap();
                // Offsets that count from the end of exports.
                let is_relative =
                    (before + bulk == offset && after == before) || after == before - i64::from(grown);
                assert!(is_place || is_relative, "{place:#x}: {before:#x}, {after:#x}");
                data[place..place + 8].copy_from_slice(&after.to_le_bytes());
            }
        }
    }
    all
}
