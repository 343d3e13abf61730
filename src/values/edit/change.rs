//! Edits a package in memory.

use super::apply_rules::{self, Applied};
use super::code::{self, CodeEdit};
use super::edited::{Changed, Edited};
use super::kept::{Files, KeptPackage};
use super::rebuilding::{ReadBack, names, of_exports, rebuild, refused};
use super::rules::{RuleOutcome, RuleSet};
use crate::error::{ChangeProblem, Error, Result};
use crate::job::{Budget, block_on};
use crate::property::edit::{Address, Editor, Names};
use crate::property::json::{Tree, from_tree};
use crate::property::{Object, Scope};
use crate::source::Shelf;
use crate::store::packages::Packages;
use crate::values::differences::{Between, IgnoredValues, ValueDifference, between};
use crate::values::inputs::{PackageInput, PackageInputs};
use crate::values::library::Library;
use crate::values::load::{Loaded, RawPackage};
use crate::values::options::ValueOptions;
use crate::values::shown_value::ShownValue;
use crate::values::string_tables::{StringTable, in_package, set_entries};
use crate::version::Release;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Requested changes.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// Values, by address.
    Values(Vec<(Address, String)>),
    /// All values of a document in the lossless form.
    Document(serde_json::Value),
    /// Texts of string tables: for each table the index of its export, and texts by entry position.
    Entries(Vec<(usize, Vec<(usize, String)>)>),
    /// Functions of blueprints.
    Code(Vec<CodeEdit>),
    /// All values that fit some rules.
    Rules(Vec<Arc<RuleSet>>),
}

/// Share of the memory in which edited packages are kept, as its inverse; those beyond it go to a temporary file.
const SHELF_SHARE: u64 = 8;

/// Packages open for editing.
pub struct Editing {
    pub(super) library: Library,
    inputs: Arc<PackageInputs>,
    options: ValueOptions,
    budget: Budget,
    /// Keeps the edited packages.
    pub(super) shelf: Shelf,
}

impl Editing {
    /// Opens packages for editing; references may lead to all others.
    #[must_use]
    pub fn new(packages: impl Into<Arc<Packages>>, inputs: PackageInputs, options: ValueOptions) -> Self {
        let inputs = Arc::new(inputs);
        let library = Library::new(packages, Arc::clone(&inputs), &options);
        let limit = library.packages().limit();
        let (budget, shelf) = (Budget::new(limit), Shelf::new(limit / SHELF_SHARE));
        Self { library, inputs, options, budget, shelf }
    }

    /// Does some work when this many bytes of memory are free. Work that takes more than there is waits until it is alone.
    pub fn when_paid<T>(&self, bytes: u64, work: impl FnOnce() -> T) -> T {
        let _paid = block_on(self.budget.lease(bytes));
        work()
    }

    /// The packages, as they were given.
    #[must_use]
    pub fn inputs(&self) -> &[PackageInput] {
        self.inputs.items()
    }

    /// Index of a package by its name, in any letter case.
    #[must_use]
    pub fn find(&self, package: &str) -> Option<usize> {
        self.library.find(package)
    }

    /// The name of a package: the one that it records, or else the one that its path stands for.
    pub fn name(&self, input: usize) -> Result<String> {
        let Some(item) = self.inputs.items().get(input) else { return Ok(String::new()) };
        let loaded = self.library.load(item)?;
        Ok(self.scope(&loaded).name().to_owned())
    }

    /// The string tables of a package.
    pub fn string_tables(&self, input: usize) -> Result<Vec<StringTable>> {
        let Some(item) = self.inputs.items().get(input) else { return Ok(Vec::new()) };
        let loaded = self.library.load(item)?;
        Ok(in_package(&self.scope(&loaded)))
    }

    /// Edits a package in memory.
    pub fn edit(&self, input: usize, wanted: &Wanted) -> Result<Edited> {
        let (item, raw) = self.raw(input)?;
        self.edit_raw(item, raw, wanted)
    }

    /// Edits a package further that was edited before.
    pub fn edit_again(&self, before: Edited, wanted: &Wanted) -> Result<Edited> {
        let raw = before.raw()?;
        let item = before.item.clone();
        Ok(before.and(self.edit_raw(item, raw, wanted)?))
    }

    fn edit_raw(&self, item: PackageInput, raw: RawPackage, wanted: &Wanted) -> Result<Edited> {
        let loaded = self.opened(&raw, &item)?;
        let scope = self.scope(&loaded);
        let New { objects, names, changes, unchecked, rules, unread } =
            new_objects(&scope, &raw, &loaded, wanted)?;
        let new_data = of_exports(&scope, &objects, &names, &loaded)?;
        let is_of_other_build = matches!(wanted, Wanted::Document(json) if is_of_other_build(&scope, json));
        // Setting a value to what it is already leaves nothing to rebuild.
        if new_data.exports.is_empty() {
            // Rules go over whole games, and packages that they leave alone are not kept.
            let is_kept = !matches!(wanted, Wanted::Rules(_));
            let raw = if is_kept { raw } else { RawPackage::Legacy(Vec::new(), None) };
            return Ok(Edited {
                changes,
                is_of_other_build,
                unchecked,
                rules,
                unread,
                ..self.keep(item, raw, Files::new())?
            });
        }
        let raw = rebuild(raw, &loaded, &new_data)?;
        // Read the result again before anyone can write it: an edit must never produce a package that a game misreads.
        let again = self.library.open(&raw, &item)?;
        let after = self.scope(&again);
        let read_back = ReadBack { before: &scope, after: &after, loaded: &loaded };
        let by_value = matches!(wanted, Wanted::Values(_) | Wanted::Rules(_));
        read_back.check(&objects, new_data.exports.keys().copied(), by_value)?;
        let (changes, cut) = match wanted {
            // A document does not say what in it is new, so that is found by comparing.
            Wanted::Document(_) => differences([&scope, &after]),
            _ => (changes, false),
        };
        let (exports, names) = (new_data.exports.len(), new_data.names.len());
        let edited = self.keep(item, raw, Files::new())?;
        Ok(Edited { changes, cut, is_of_other_build, exports, names, unchecked, rules, unread, ..edited })
    }

    /// Keeps a package in which nothing is said to have changed yet.
    pub(super) fn keep(&self, item: PackageInput, raw: RawPackage, files: Files) -> Result<Edited> {
        Ok(Edited {
            path: item.name.clone(),
            changes: Vec::new(),
            cut: false,
            is_of_other_build: false,
            exports: 0,
            names: 0,
            unchecked: Vec::new(),
            missing: 0,
            rules: Vec::new(),
            unread: 0,
            content: KeptPackage::new(&self.shelf, raw, files)?,
            item,
        })
    }

    /// Reads a package, which has to be undamaged.
    pub(super) fn raw(&self, input: usize) -> Result<(PackageInput, RawPackage)> {
        let item = self.inputs.items().get(input).cloned().ok_or_else(|| Error::Internal {
            message: "there is no such package".to_owned(),
            path: PathBuf::new(),
        })?;
        let (raw, mismatch) = self.library.read(&item)?;
        // Editing would give damaged content a new, valid hash and hide the damage for good.
        match mismatch {
            Some(damage) => Err(damage),
            None => Ok((item, raw)),
        }
    }

    /// Parses a package, and makes sure that its exports are present.
    pub(super) fn opened(&self, raw: &RawPackage, item: &PackageInput) -> Result<Loaded> {
        let loaded = self.library.open(raw, item)?;
        if loaded.has_no_exports() {
            return Err(refused(ChangeProblem::ExportsMissing, &loaded));
        }
        Ok(loaded)
    }

    /// True if untagged properties can be read.
    #[must_use]
    pub const fn has_mappings(&self) -> bool {
        self.options.mappings.is_some()
    }

    /// The release of the built-in schemas by which packages were read, for lack of mappings.
    #[must_use]
    pub fn engine_classes(&self) -> Option<&'static Release> {
        self.library.engine_classes()
    }

    /// Errors that kept references from being resolved.
    pub fn take_problems(&self) -> Vec<Error> {
        self.library.packages().take_problems()
    }

    pub(super) fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        self.library.scope(loaded)
    }
}

/// True if a document was made from other content than the package has now. One that does not name its build is taken as
/// it is.
fn is_of_other_build(scope: &Scope<'_>, document: &serde_json::Value) -> bool {
    document.get("build").and_then(serde_json::Value::as_str).is_some_and(|build| build != scope.build())
}

/// The values in which a package differs from before, and true if some are not listed.
fn differences(scopes: [&Scope<'_>; 2]) -> (Vec<Changed>, bool) {
    let Between { values, cut, .. } = between(scopes, [&|_, _| (), &|_, _| ()], &IgnoredValues::default());
    let text = |shown: Option<ShownValue>| shown.map(|shown| shown.text);
    let changed = |value: ValueDifference| {
        let property = value.property.map_or_else(String::new, |property| format!(".{property}"));
        Changed { address: value.export + &property, from: text(value.from), to: text(value.to) }
    };
    (values.into_iter().map(changed).collect(), cut)
}

/// The edited objects.
struct New {
    objects: BTreeMap<usize, Object>,
    names: Names,
    changes: Vec<Changed>,
    unchecked: Vec<(String, String)>,
    rules: Vec<RuleOutcome>,
    unread: usize,
}

impl New {
    const fn of(objects: BTreeMap<usize, Object>, names: Names, changes: Vec<Changed>) -> Self {
        Self { objects, names, changes, unchecked: Vec::new(), rules: Vec::new(), unread: 0 }
    }
}

fn new_objects(scope: &Scope<'_>, raw: &RawPackage, loaded: &Loaded, wanted: &Wanted) -> Result<New> {
    let names = names(raw, loaded)?;
    match wanted {
        Wanted::Document(document) => {
            let document = changed_only(scope, document);
            let found = from_tree(scope, names, &document).map_err(|error| refused(error, loaded))?;
            Ok(New::of(found.objects, found.names, Vec::new()))
        }
        Wanted::Entries(tables) => {
            let mut objects = BTreeMap::new();
            for (at, texts) in tables {
                let Some(export) = scope.package.exports.get(*at) else { continue };
                let object = objects.entry(*at).or_insert_with(|| Object::read(scope, export));
                set_entries(object, texts);
            }
            Ok(New::of(objects, names, Vec::new()))
        }
        Wanted::Code(edits) => {
            let (objects, changes) = code::edit(scope, edits).map_err(|error| refused(error, loaded))?;
            let changes = changes.into_iter();
            let changes = changes.map(|(address, change)| Changed {
                address,
                from: Some(change.from),
                to: Some(change.to),
            });
            Ok(New::of(objects, names, changes.collect()))
        }
        Wanted::Rules(sets) => {
            let mut editor = Editor::new(scope, names);
            let applied = apply_rules::apply(scope, &mut editor, sets);
            let unchecked = editor.unchecked().to_vec();
            let Applied { objects, changes, outcomes, unread } = applied;
            Ok(New { unchecked, rules: outcomes, unread, ..New::of(objects, editor.into_names(), changes) })
        }
        Wanted::Values(values) => {
            let (mut objects, mut changes) = (BTreeMap::new(), Vec::new());
            let mut editor = Editor::new(scope, names);
            // Several values of one object are set one after the other on the same copy.
            for (address, text) in values {
                let at = editor.export(&address.export).map_err(|error| refused(error, loaded))?;
                let Some(export) = scope.package.exports.get(at) else { continue };
                let object = objects.entry(at).or_insert_with(|| Object::read(scope, export));
                let change = editor.set(object, address, text).map_err(|error| refused(error, loaded))?;
                let address = address.to_string();
                changes.push(Changed { address, from: change.from, to: Some(change.to) });
            }
            let unchecked = editor.unchecked().to_vec();
            Ok(New { unchecked, ..New::of(objects, editor.into_names(), changes) })
        }
    }
}

/// The document without unchanged exports, which then may contain parts that could not be decoded. Only what changed is
/// copied.
fn changed_only(scope: &Scope<'_>, document: &serde_json::Value) -> serde_json::Value {
    let tree = Tree::new(scope);
    let Some((members, exports)) =
        document.as_object().zip(document.get("exports").and_then(|exports| exports.as_array()))
    else {
        return document.clone();
    };
    let changed = |export: &serde_json::Value| {
        let place = export.get("index").and_then(serde_json::Value::as_u64);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let row = place.and_then(|place| Some((place, scope.package.exports.get(place)?)));
        let now = row.and_then(|(place, row)| tree.export_text(place, &Object::read(scope, row)));
        // Compared as parsed from text, because floats in memory may have more digits than their text.
        let now = now.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        if now.as_ref() == Some(export) { serde_json::Value::Null } else { export.clone() }
    };
    let exports = serde_json::Value::Array(exports.iter().map(changed).collect());
    let others = members.iter().filter(|(name, _)| *name != "exports");
    let others = others.map(|(name, value)| (name.clone(), value.clone()));
    others.chain([("exports".to_owned(), exports)]).collect::<serde_json::Map<_, _>>().into()
}
