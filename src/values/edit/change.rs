//! A package changed in memory.

use crate::asset::texture::FileKey;
use crate::error::{ChangeProblem, Error, ReadBackProblem, Result};
use crate::package::rebuild::{Changes, LegacyFiles, rebuild_legacy, rebuild_zen};
use crate::property::edit::{Address, Editor, Names, check_again};
use crate::property::json::{Tree, from_tree};
use crate::property::{Object, Scope};
use crate::store::packages::Packages;
use crate::values::inputs::{PackageInput, PackageInputs};
use crate::values::library::Library;
use crate::values::load::{Loaded, RawPackage, ZenPackage};
use crate::values::options::ValueOptions;
use crate::values::string_tables::{StringTable, in_package, set_entries};
use crate::wire::Writer;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What is to be changed.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// Values, by their addresses.
    Values(Vec<(Address, String)>),
    /// Everything that a document of the package says, in the form that keeps everything.
    Document(serde_json::Value),
    /// Texts of string tables: for each table the place of its export, and texts by the places of their entries.
    Entries(Vec<(usize, Vec<(usize, String)>)>),
}

/// New content of files beside a package.
pub(super) type Files = BTreeMap<FileKey, Vec<u8>>;

/// Packages that can be changed.
pub struct Editing {
    pub(super) library: Library,
    inputs: Arc<PackageInputs>,
    options: ValueOptions,
}

/// A package that was changed.
#[derive(Debug)]
pub struct Edited {
    /// Its path.
    pub path: String,
    /// What became of each value that was named.
    pub changes: Vec<Changed>,
    /// Exports whose data is not what it was.
    pub exports: usize,
    /// Names that were added.
    pub names: usize,
    /// Values that could not be checked: their addresses, and the reason.
    pub unchecked: Vec<(String, String)>,
    /// Textures that were to be changed, if they were there, and are not.
    pub missing: usize,
    pub(super) raw: RawPackage,
    pub(super) item: PackageInput,
    /// New content of the files beside it.
    pub(super) files: Files,
}

/// A value that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its address; the name of an object that is a texture.
    pub address: String,
    /// What it was, as JSON; `None` if its class decided. A texture is described.
    pub from: Option<String>,
    /// What it is.
    pub to: String,
}

impl Editing {
    /// Some packages, and all others that can be reached.
    #[must_use]
    pub fn new(packages: impl Into<Arc<Packages>>, inputs: PackageInputs, options: ValueOptions) -> Self {
        let inputs = Arc::new(inputs);
        let library = Library::new(packages, Arc::clone(&inputs), &options);
        Self { library, inputs, options }
    }

    /// The place of a package by its name, in any letter case.
    #[must_use]
    pub fn find(&self, package: &str) -> Option<usize> {
        self.library.find(package)
    }

    /// The string tables of one of the packages.
    pub fn string_tables(&self, input: usize) -> Result<Vec<StringTable>> {
        let Some(item) = self.inputs.items().get(input) else { return Ok(Vec::new()) };
        let loaded = self.library.load(item)?;
        Ok(in_package(&self.scope(&loaded)))
    }

    /// Changes one of the packages. Nothing is written.
    pub fn edit(&self, input: usize, wanted: &Wanted) -> Result<Edited> {
        let (item, raw) = self.raw(input)?;
        let files = Files::new();
        let loaded = self.opened(&raw, &item)?;
        let scope = self.scope(&loaded);
        let New { objects, names, changes, unchecked } = new_objects(&scope, &raw, &loaded, wanted)?;
        let changed = of_exports(&scope, &objects, &names, &loaded)?;
        let (exports, added) = (changed.exports.len(), changed.names.len());
        let path = item.name.clone();
        if changed.exports.is_empty() {
            return Ok(Edited { path, changes, exports, names: 0, unchecked, missing: 0, raw, item, files });
        }
        let raw = rebuild(raw, &loaded, &changed)?;
        let again = self.library.open(&raw, &item)?;
        let read_back = ReadBack { before: &scope, after: &self.scope(&again), loaded: &loaded };
        read_back.check(&objects, changed.exports.keys().copied(), matches!(wanted, Wanted::Values(_)))?;
        Ok(Edited { path, changes, exports, names: added, unchecked, missing: 0, raw, item, files })
    }

    /// One of the packages, which has to be sound.
    pub(super) fn raw(&self, input: usize) -> Result<(PackageInput, RawPackage)> {
        let item = self.inputs.items().get(input).cloned().ok_or_else(|| Error::Internal {
            message: "there is no such package".to_owned(),
            path: PathBuf::new(),
        })?;
        let (raw, mismatch) = self.library.read(&item)?;
        match mismatch {
            Some(damage) => Err(damage),
            None => Ok((item, raw)),
        }
    }

    /// A package with its exports.
    pub(super) fn opened(&self, raw: &RawPackage, item: &PackageInput) -> Result<Loaded> {
        let loaded = self.library.open(raw, item)?;
        if loaded.has_no_exports() {
            return Err(refused(ChangeProblem::ExportsMissing, &loaded));
        }
        Ok(loaded)
    }

    /// Whether lists without tags can be read.
    #[must_use]
    pub const fn has_mappings(&self) -> bool {
        self.options.mappings.is_some()
    }

    /// What kept references from being resolved.
    pub fn take_problems(&self) -> Vec<Error> {
        self.library.packages().take_problems()
    }

    pub(super) fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        loaded.scope().with_mappings(self.options.mappings.as_deref()).with_world(&self.library)
    }
}

/// Objects as they are to be.
struct New {
    objects: BTreeMap<usize, Object>,
    names: Names,
    changes: Vec<Changed>,
    unchecked: Vec<(String, String)>,
}

fn new_objects(scope: &Scope<'_>, raw: &RawPackage, loaded: &Loaded, wanted: &Wanted) -> Result<New> {
    let names = names(raw, loaded)?;
    match wanted {
        Wanted::Document(document) => {
            let document = changed_only(scope, document);
            let found = from_tree(scope, names, &document).map_err(|error| refused(error, loaded))?;
            let (changes, unchecked) = (Vec::new(), Vec::new());
            Ok(New { objects: found.objects, names: found.names, changes, unchecked })
        }
        Wanted::Entries(tables) => {
            let mut objects = BTreeMap::new();
            for (at, texts) in tables {
                let Some(export) = scope.package.exports.get(*at) else { continue };
                let object = objects.entry(*at).or_insert_with(|| Object::read(scope, export));
                set_entries(object, texts);
            }
            Ok(New { objects, names, changes: Vec::new(), unchecked: Vec::new() })
        }
        Wanted::Values(values) => {
            let (mut objects, mut changes) = (BTreeMap::new(), Vec::new());
            let mut editor = Editor::new(scope, names);
            for (address, text) in values {
                let at = editor.export(&address.export).map_err(|error| refused(error, loaded))?;
                let Some(export) = scope.package.exports.get(at) else { continue };
                let object = objects.entry(at).or_insert_with(|| Object::read(scope, export));
                let change = editor.set(object, address, text).map_err(|error| refused(error, loaded))?;
                let address = address.to_string();
                changes.push(Changed { address, from: change.from, to: change.to });
            }
            let unchecked = editor.unchecked().to_vec();
            Ok(New { objects, names: editor.into_names(), changes, unchecked })
        }
    }
}

/// A document without the exports that are as they were: what of these is not understood need not be.
fn changed_only(scope: &Scope<'_>, document: &serde_json::Value) -> serde_json::Value {
    let (tree, mut document) = (Tree::new(scope), document.clone());
    let exports = document.get_mut("exports").and_then(serde_json::Value::as_array_mut);
    for export in exports.into_iter().flatten() {
        let place = export.get("index").and_then(serde_json::Value::as_u64);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let row = place.and_then(|place| Some((place, scope.package.exports.get(place)?)));
        let now = row.and_then(|(place, row)| tree.export_text(place, &Object::read(scope, row)));
        // As text: numbers may have more digits in memory.
        let now = now.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        if now.as_ref() == Some(export) {
            *export = serde_json::Value::Null;
        }
    }
    document
}

/// The names that the data of exports refers to.
pub(super) fn names(raw: &RawPackage, loaded: &Loaded) -> Result<Names> {
    match raw {
        RawPackage::Zen(zen) => {
            let header = zen.header(&loaded.path)?;
            // In its legacy form the package counts them.
            let referenced = loaded.package.summary.names_referenced;
            let known = referenced.map_or(usize::MAX, |count| count.unsigned_abs() as usize);
            Ok(Names::new(header.names.iter(), known))
        }
        RawPackage::Legacy(..) => {
            Ok(Names::new(loaded.package.names.iter().map(|name| name.text.as_str()), usize::MAX))
        }
    }
}

/// The data of all exports that is not what it was.
fn of_exports(
    scope: &Scope<'_>,
    objects: &BTreeMap<usize, Object>,
    names: &Names,
    loaded: &Loaded,
) -> Result<Changes> {
    let mut exports = BTreeMap::new();
    for (at, object) in objects {
        let Some(export) = scope.package.exports.get(*at) else { continue };
        let mut w = Writer::new();
        object.write(&mut w).map_err(|fault| refused(fault, loaded))?;
        let data = w.into_bytes();
        if scope.bytes(export) != Some(&data) {
            exports.insert(*at, data);
        }
    }
    Ok(Changes { names: names.added().to_vec(), names_used: names.used(), exports, ..Changes::default() })
}

pub(super) fn rebuild(raw: RawPackage, loaded: &Loaded, changes: &Changes) -> Result<RawPackage> {
    match raw {
        RawPackage::Zen(zen) => {
            let chunk = rebuild_zen(zen.header(&loaded.path)?, &zen.chunk, changes);
            let chunk = chunk.map_err(|error| refused(error, loaded))?;
            Ok(RawPackage::Zen(ZenPackage::new(chunk, zen.container)))
        }
        RawPackage::Legacy(header, exports) => {
            let files = LegacyFiles { header: Cow::Owned(header), exports: exports.map(Cow::Owned) };
            let files = rebuild_legacy(&loaded.package, &files, changes);
            let files = files.map_err(|error| refused(error, loaded))?;
            Ok(RawPackage::Legacy(files.header.into_owned(), files.exports.map(Cow::into_owned)))
        }
    }
}

/// A package before and after a change.
struct ReadBack<'c, 'a, 'b> {
    before: &'c Scope<'a>,
    after: &'c Scope<'b>,
    loaded: &'c Loaded,
}

impl ReadBack<'_, '_, '_> {
    /// What was written has to be what is read. A value of another type than its place has is found here.
    fn check(
        &self,
        objects: &BTreeMap<usize, Object>,
        exports: impl Iterator<Item = usize>,
        by_value: bool,
    ) -> Result<()> {
        let tree = Tree::new(self.after);
        for at in exports {
            let pair = self.before.package.exports.get(at).zip(self.after.package.exports.get(at));
            let Some(((before, after), wanted)) = pair.zip(objects.get(&at)) else { continue };
            let (before, found) = (Object::read(self.before, before), Object::read(self.after, after));
            let same = !by_value || tree.export_text(at, &found) == tree.export_text(at, wanted);
            let sound = check_again(&before, &found).map_err(ReadBackProblem::from);
            let sound = sound.and(if same { Ok(()) } else { Err(ReadBackProblem::Values) });
            let object = || self.after.package.text(after.name).to_string();
            sound.map_err(|source| {
                refused(ChangeProblem::ReadBack { object: object(), source }, self.loaded)
            })?;
        }
        Ok(())
    }
}

pub(super) fn refused(problem: impl Into<ChangeProblem>, loaded: &Loaded) -> Error {
    Error::CannotChange { problem: Box::new(problem.into()), path: loaded.path.clone() }
}
