//! Classes of imports, which zen packages do not hold.
//!
//! A native object is a class if it has a default object; a default object has its class's name after `Default__`; what
//! lies in a class is a function; the rest are structs and enums, told apart by where they stand in the sorted table. An
//! object of another package has the class that its export has there; where that package is not available, or nothing is
//! known about native objects, the likeliest one is taken (`likely.rs`).

use super::imports::{CORE, Imports, Row};
use super::likely::{DEFAULT, Likely};
use super::uses::Uses;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::package::zen::{Header, Neighbours, Resolved, Resolver, ScriptFacts};
use foldhash::HashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// Ends the names of delegate signatures.
const SIGNATURE: &str = "__DelegateSignature";

/// A class: its package and its name.
pub(super) type Class = (Arc<str>, Arc<str>);

/// Gives every import its class.
pub(super) fn assign<N: Neighbours>(
    imports: &mut Imports,
    header: &Header,
    resolver: &Resolver<'_, N>,
    neighbours: &N,
) {
    let uses = Uses::new(header);
    let native = Native { imports, uses: &uses, resolver, neighbours };
    let mut targets = Targets { resolver, neighbours, known: HashMap::default() };
    let classes: Vec<Option<Class>> = (0..imports.rows.len())
        .map(|at| {
            let row = imports.rows.get(at)?;
            match row.is_package() {
                true => Some(core("Package")),
                false if row.is_native() => native.class(at, row),
                false => targets.class(row),
            }
        })
        .collect();
    let mut open = BTreeSet::new();
    for (at, class) in classes.into_iter().enumerate() {
        match class {
            Some(class) => set(imports, at, class),
            None => drop(open.insert(at)),
        }
    }
    if open.is_empty() {
        return;
    }
    // What is certain bounds the rest, so it comes first.
    for found in Likely::new(imports, header, resolver, neighbours, &uses, &open).certain() {
        open.remove(&found.0);
        set(imports, found.0, found.1);
    }
    let guesses = Likely::new(imports, header, resolver, neighbours, &uses, &open).all();
    for guess in &guesses {
        if let Some(class) = guess.best() {
            set(imports, guess.at, class.clone());
        }
    }
    imports.guesses = guesses.into_iter().filter(|guess| !guess.is_certain()).collect();
}

fn set(imports: &mut Imports, at: usize, (package, name): Class) {
    if let Some(row) = imports.rows.get_mut(at) {
        (row.class_package, row.class_name) = (package, name);
    }
}

/// A class of the core. Nearly every import has one of a few, which are shared.
pub(super) fn core(name: &str) -> Class {
    static NAMES: LazyLock<[Arc<str>; 9]> = LazyLock::new(|| CORE_CLASSES.map(Arc::from));
    let shared =
        |name: &str| NAMES.iter().find(|known| ***known == *name).map_or_else(|| name.into(), Arc::clone);
    (shared(CORE), shared(name))
}

/// Classes that imports mostly have, and their package.
const CORE_CLASSES: [&str; 9] = [
    CORE,
    "Package",
    "Class",
    "Object",
    "Function",
    "ScriptStruct",
    "Enum",
    "DelegateFunction",
    "SparseDelegateFunction",
];

/// Classes of native objects.
struct Native<'a, N> {
    imports: &'a Imports,
    uses: &'a Uses<'a>,
    resolver: &'a Resolver<'a, N>,
    neighbours: &'a N,
}

impl<N: Neighbours> Native<'_, N> {
    fn class(&self, at: usize, row: &Row) -> Option<Class> {
        let Some(facts) = self.neighbours.script_facts(row.index) else { return self.by_name(at, row) };
        let (on_top, first_package) = (row.path.names().len() == 1, self.imports.first_package);
        let signature = row.name().ends_with(SIGNATURE);
        // The sorted table has `DelegateFunction` and `Enum` before `Package`, `SparseDelegateFunction` and `ScriptStruct` after it.
        let before_packages = at < first_package;
        let delegate = if before_packages { "DelegateFunction" } else { "SparseDelegateFunction" };
        match facts {
            ScriptFacts { is_class: true, .. } => Some(core("Class")),
            ScriptFacts { default_of: Some(class), .. } if on_top => ObjectPath::from_text(&class).ends(),
            ScriptFacts { default_of: Some(_), .. } => self.by_template(row).or_else(|| Some(core("Object"))),
            ScriptFacts { in_class: true, .. } if signature => Some(core(delegate)),
            ScriptFacts { in_class: true, .. } => Some(core("Function")),
            _ if on_top && signature => Some(core(delegate)),
            _ if on_top && before_packages => Some(core("Enum")),
            _ if on_top => Some(core("ScriptStruct")),
            _ => None,
        }
    }

    /// Without script objects: by its name, and by what it is used for. What this does not tell is left to `likely.rs`.
    fn by_name(&self, at: usize, row: &Row) -> Option<Class> {
        if let Some(class) = row.name().strip_prefix(DEFAULT) {
            return Some((row.path.ends()?.0, class.into()));
        }
        let on_top = row.path.names().len() == 1;
        let default = || ObjectPath::new(row.path.package(), [format!("{DEFAULT}{}", row.name())]);
        let own = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
        // A row that was added is the outer of another one, as classes are.
        let is_class = row.index.is_null()
            || self.uses.is_class(row.index)
            || on_top && (self.imports.find(&default()).is_some() || !self.imports.children(own).is_empty());
        match is_class {
            true if on_top => Some(core("Class")),
            true => Some(core("Object")),
            false if row.is_unknown() => Some(core("Object")),
            false => None,
        }
    }

    /// Part of a default object: the class of the export that has it as its template.
    fn by_template(&self, row: &Row) -> Option<Class> {
        class_in(self.resolver.class_of(self.uses.of_template(row.index)?))
    }
}

/// Classes of exports of other packages.
struct Targets<'a, N> {
    resolver: &'a Resolver<'a, N>,
    neighbours: &'a N,
    /// By package, and what the package has as the class: mostly many exports are of one.
    known: HashMap<(PackageId, PackageObjectIndex), Option<Class>>,
}

impl<N: Neighbours> Targets<'_, N> {
    fn class(&mut self, row: &Row) -> Option<Class> {
        let (package, export) = self.resolver.target(row.index)?;
        let export = package.exports.get(export)?;
        let find = || class_in(Resolver::new(&package, self.neighbours).class_of(export));
        self.known.entry((package.id(), export.class)).or_insert_with(find).clone()
    }
}

/// The class at a path.
pub(super) fn class_in(found: Resolved) -> Option<Class> {
    match found {
        Resolved::Object { path, .. } => path.ends(),
        _ => None,
    }
}
