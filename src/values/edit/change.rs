//! Edits a package in memory.

use super::edited::{Changed, Edited};
use super::fmodel::ShownChanges;
use super::importing::{NewImports, WithImports, awaited};
use super::kept::{Files, KeptPackage};
use super::new_objects::{New, new_objects};
use super::rebuilding::{ReadBack, of_exports, rebuild, refused};
use super::wanted::Wanted;
use crate::error::{ChangeProblem, Error, Result};
use crate::job::{Budget, block_on};
use crate::property::Scope;
use crate::source::Shelf;
use crate::store::packages::Packages;
use crate::values::differences::{Between, IgnoredValues, ValueDifference, between};
use crate::values::inputs::{PackageInput, PackageInputs};
use crate::values::library::Library;
use crate::values::loaded::Loaded;
use crate::values::options::ValueOptions;
use crate::values::raw_package::RawPackage;
use crate::values::shown_value::ShownValue;
use crate::values::string_tables::{StringTable, in_package};
use crate::version::Release;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

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
        let mut missing = BTreeSet::new();
        let new = new_objects(&self.scope(&loaded), &raw, &loaded, wanted, Some(&mut missing));
        if missing.is_empty() {
            return self.rebuilt(item, raw, &loaded, wanted, (new?, None));
        }
        // What refers to objects that are not imported has to be set again, now that they are, or be refused.
        let with_imports = self.library.with_imports(&item, &raw, &loaded, &missing)?;
        let new_objects =
            |raw: &RawPackage, loaded: &Loaded| new_objects(&self.scope(loaded), raw, loaded, wanted, None);
        let Some(WithImports { raw, added, new: imports }) = with_imports else {
            let new = new_objects(&raw, &loaded)?;
            return self.rebuilt(item, raw, &loaded, wanted, (new, None));
        };
        let loaded = self.opened(&raw, &item)?;
        let new = new_objects(&raw, &loaded)?;
        let edited = self.rebuilt(item, raw, &loaded, wanted, (new, Some(imports)))?;
        Ok(Edited { imports: added, ..edited })
    }

    /// Rebuilds a package with new objects.
    fn rebuilt(
        &self,
        item: PackageInput,
        raw: RawPackage,
        loaded: &Loaded,
        wanted: &Wanted,
        (new, new_imports): (New, Option<NewImports>),
    ) -> Result<Edited> {
        let scope = self.scope(loaded);
        let New { objects, names, changes, unchecked, rules, unread } = new;
        let mut new_data = of_exports(&scope, &objects, &names, loaded)?;
        if let Some(NewImports { first, created_by }) = new_imports {
            let end = u32::try_from(scope.package.imports.len()).unwrap_or(u32::MAX);
            new_data.awaited = awaited(&new_data.exports, first..end);
            new_data.created_by = created_by;
        }
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
        let raw = rebuild(raw, loaded, &new_data)?;
        // Read the result again before anyone can write it: an edit must never produce a package that a game misreads.
        let again = self.library.open(&raw, &item)?;
        let after = self.scope(&again);
        let read_back = ReadBack { before: &scope, after: &after, loaded };
        let by_value = matches!(wanted, Wanted::Values(_) | Wanted::Rules(_) | Wanted::Shown(_));
        read_back.check(&objects, new_data.exports.keys().copied(), by_value)?;
        if let Wanted::Shown(document) = wanted {
            ShownChanges::none_left(&after, document).map_err(|error| refused(error, loaded))?;
        }
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
            imports: 0,
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
