//! Imports that new values need: the objects are looked up in the packages of the game, and their packages imported.

use super::rebuilding::rebuild;
use crate::error::Result;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::legacy::{Export, Package, PackageIndex};
use crate::package::rebuild::{Changes, NewImport, NewImportObject};
use crate::package::zen::Neighbours;
use crate::store::package_path;
use crate::values::inputs::PackageInput;
use crate::values::library::Library;
use crate::values::loaded::Loaded;
use crate::values::raw_package::RawPackage;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Object flag of what other packages may refer to (`RF_Public`).
const PUBLIC: u32 = 1;

/// Prefix of packages of native objects.
const SCRIPT: &str = "/Script/";

/// Prefix of the names of class default objects.
const DEFAULT: &str = "Default__";

/// A package with more imports than before.
pub(super) struct WithImports {
    pub raw: RawPackage,
    /// Number of imported objects that are new.
    pub added: usize,
    pub new: NewImports,
}

/// The imports that are new in a package.
pub(super) struct NewImports {
    /// Index of the first one: the number of imports that there were before.
    pub first: u32,
    /// For packages of UE4 in containers, packages and their bundles that create the objects.
    pub created_by: BTreeMap<u32, (PackageId, i32)>,
}

impl Library {
    /// Makes a package import some objects, as far as they can be found; `None` if none can.
    pub(super) fn with_imports(
        &self,
        item: &PackageInput,
        raw: &RawPackage,
        loaded: &Loaded,
        paths: &BTreeSet<String>,
    ) -> Result<Option<WithImports>> {
        // Sorted by path, so that each package is read once.
        let mut others = Others { beside: item, last: None };
        let imports: Vec<NewImport> =
            paths.iter().filter_map(|path| self.import(path, &mut others)).collect();
        if imports.is_empty() {
            return Ok(None);
        }
        let added = imports.len();
        let (before, imported_packages) = self.imported(raw, loaded, &imports)?;
        let is_listed = !imported_packages.is_empty();
        let first = u32::try_from(before).unwrap_or(u32::MAX);
        let new = NewImports { first, created_by: self.created_by(raw, loaded, (first, &imports))? };
        let changes = Changes { imports, imported_packages, ..Changes::default() };
        let listed = is_listed.then(|| changes.imported_packages.clone());
        let mut raw = rebuild(raw.clone(), loaded, &changes)?;
        if let RawPackage::Zen(zen) = &mut raw {
            zen.imported = listed;
        }
        Ok(Some(WithImports { raw, added, new }))
    }

    /// Packages, and bundles of them, that create the objects of new imports, if that is what the package would wait for.
    fn created_by(
        &self,
        raw: &RawPackage,
        loaded: &Loaded,
        (first, imports): (u32, &[NewImport]),
    ) -> Result<BTreeMap<u32, (PackageId, i32)>> {
        let mut found = BTreeMap::new();
        let RawPackage::Zen(zen) = raw else { return Ok(found) };
        if !zen.header(&loaded.path)?.generation.is_ue4() {
            return Ok(found);
        }
        let mut row = first;
        for import in imports {
            if !import.package.starts_with(SCRIPT) {
                // The row of the package comes first.
                row = row.saturating_add(1);
                let id = PackageId::from_name(&import.package);
                let other = self.packages().package(id);
                let bundle = other.and_then(|other| other.bundle_that_creates(&import.path()));
                found.insert(row, (id, bundle.unwrap_or_default()));
            }
            row = row.saturating_add(1);
        }
        Ok(found)
    }

    /// The number of imports of a package, and, for one of UE4 to 5.2 in a container, the packages it is to import.
    fn imported(
        &self,
        raw: &RawPackage,
        loaded: &Loaded,
        imports: &[NewImport],
    ) -> Result<(usize, Vec<PackageId>)> {
        let RawPackage::Zen(zen) = raw else { return Ok((loaded.package.imports.len(), Vec::new())) };
        let header = zen.header(&loaded.path)?;
        if header.generation.has_imported_package_names() {
            return Ok((header.imports.len(), Vec::new()));
        }
        let known = || self.packages().imported_packages(header.id());
        // Without a container header, UE4's packages still list those that their bundles wait for.
        let own = || header.imported_packages();
        let mut listed = zen.imported.clone().or_else(known).unwrap_or_else(own);
        for import in imports.iter().filter(|import| !import.package.starts_with(SCRIPT)) {
            let id = PackageId::from_name(&import.package);
            if !listed.contains(&id) {
                listed.push(id);
            }
        }
        Ok((header.imports.len(), listed))
    }

    /// The object at a full path, as another package imports it; `None` if it is not there or not public.
    fn import(&self, path: &str, others: &mut Others<'_>) -> Option<NewImport> {
        let path = ObjectPath::from_text(path);
        if path.package().starts_with(SCRIPT) {
            return self.native_import(&path);
        }
        // Documents in FModel's form name the file of a package in place of the package.
        let is_file = !path.package().starts_with('/');
        let names = if is_file { package_path::to_package_names(path.package()) } else { Vec::new() };
        let mut names = names.into_iter().chain((!is_file).then(|| path.package().to_owned()));
        names.find_map(|name| {
            let other = others.get(self, &name)?;
            import_of(&other.package, &other.name(), path.names())
        })
    }

    /// A native class or default object that the game is known to have.
    fn native_import(&self, path: &ObjectPath) -> Option<NewImport> {
        let [name] = path.names() else { return None };
        let packages = self.packages();
        let facts = packages.script_facts(PackageObjectIndex::script(&path.to_string()));
        let class = match name.strip_prefix(DEFAULT) {
            Some(class) => [path.package(), class],
            None if facts.is_some_and(|facts| facts.is_class) => ["/Script/CoreUObject", "Class"],
            None => return None,
        };
        let [class_package, class] = class.map(str::to_owned);
        let object = NewImportObject { name: name.to_string(), class_package, class };
        Some(NewImport { package: path.package().to_owned(), objects: vec![object] })
    }
}

/// Packages that objects are imported from; the last one is kept.
struct Others<'i> {
    /// A package of the same game.
    beside: &'i PackageInput,
    last: Option<(String, Option<Loaded>)>,
}

impl Others<'_> {
    fn get(&mut self, library: &Library, name: &str) -> Option<&Loaded> {
        if self.last.as_ref().is_none_or(|(last, _)| last != name) {
            self.last = Some((name.to_owned(), library.anywhere(name, self.beside)));
        }
        self.last.as_ref()?.1.as_ref()
    }
}

/// The object with these names in a package, outermost first, with all that it lies in.
fn import_of(package: &Package, name: &str, names: &[Arc<str>]) -> Option<NewImport> {
    let mut outer = PackageIndex::NONE;
    let mut objects = Vec::new();
    for wanted in names {
        let is_it = |export: &Export| {
            export.outer == outer && package.text(export.name).to_string().eq_ignore_ascii_case(wanted)
        };
        let at = package.exports.iter().position(is_it)?;
        let export = package.exports.get(at)?;
        if export.object_flags & PUBLIC == 0 {
            return None;
        }
        let class = package.class_path(export);
        let (class_package, class) = class.rsplit_once('.')?;
        objects.push(NewImportObject {
            name: package.text(export.name).to_string(),
            class_package: class_package.to_owned(),
            class: class.to_owned(),
        });
        outer = u32::try_from(at).ok().and_then(PackageIndex::export)?;
    }
    (!objects.is_empty()).then(|| NewImport { package: name.to_owned(), objects })
}

/// The new imports that new data of exports refers to. Data that only looks as if it did is harmless: the export then waits for
/// an object that another one needs.
pub(super) fn awaited(exports: &BTreeMap<usize, Vec<u8>>, new: Range<u32>) -> BTreeSet<(usize, u32)> {
    let indices = new.filter_map(|import| Some((PackageIndex::import(import)?.0.to_le_bytes(), import)));
    let indices: BTreeMap<[u8; 4], u32> = indices.collect();
    let mut awaited = BTreeSet::new();
    if indices.is_empty() {
        return awaited;
    }
    for (export, data) in exports {
        let found = data.windows(4).filter_map(|bytes| indices.get(bytes.first_chunk::<4>()?));
        awaited.extend(found.map(|import| (*export, *import)));
    }
    awaited
}
