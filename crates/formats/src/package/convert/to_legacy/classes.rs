//! Classes of imports, which zen packages do not record.
//!
//! A native object is a class if it has a default object; a default object is named after its class with the
//! prefix `Default__`; objects inside a class are functions; the rest are structs and enums, distinguished by
//! their position in the sorted table. An object of another package has the class of its export there; if
//! that package is unavailable, or nothing is known about native objects, the likeliest class is taken
//! (`class_heuristics.rs`).

use super::class::{Class, DEFAULT, class_in, core};
use super::class_heuristics::Heuristics;
use super::import_table::ImportRow;
use super::job::ConvertJob;
use super::uses::Uses;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::package::zen::{Neighbours, Resolver, ScriptFacts};
use foldhash::HashMap;
use std::collections::BTreeSet;

/// Suffix of delegate signatures.
const SIGNATURE: &str = "__DelegateSignature";

/// Assigns a class to every import.
pub(super) fn assign<N: Neighbours>(job: &mut ConvertJob<'_, N>) {
    let uses = Uses::new(job.header);
    let mut open = by_rule(job, &uses);
    if open.is_empty() {
        return;
    }
    // Certain classes bracket the unknown ones, so they are assigned first.
    for (at, class) in Heuristics::new(job, &uses, &open).certain() {
        open.remove(&at);
        job.imports.set_class(at, class);
    }
    let guesses = Heuristics::new(job, &uses, &open).all();
    for guess in &guesses {
        if let Some(class) = guess.best() {
            job.imports.set_class(guess.at, class.clone());
        }
    }
    // Only these are reported as guesses, and only these may be changed to fit the header length.
    job.imports.guesses = guesses.into_iter().filter(|guess| !guess.certain).collect();
}

/// Assigns the classes that follow by rule; returns the other imports.
fn by_rule<N: Neighbours>(job: &mut ConvertJob<'_, N>, uses: &Uses<'_>) -> BTreeSet<usize> {
    let native = Native { job, uses };
    let mut targets = Targets { job, known: HashMap::default() };
    let class = |(at, row): (usize, &ImportRow)| match row.is_package() {
        true => Some(core("Package")),
        false if row.is_native() => native.class(at, row),
        false => targets.class(row),
    };
    let classes: Vec<Option<Class>> = job.imports.rows.iter().enumerate().map(class).collect();
    let mut open = BTreeSet::new();
    for (at, class) in classes.into_iter().enumerate() {
        match class {
            Some(class) => job.imports.set_class(at, class),
            None => drop(open.insert(at)),
        }
    }
    open
}

/// Classes of native objects.
struct Native<'j, 'a, N> {
    job: &'j ConvertJob<'a, N>,
    uses: &'j Uses<'a>,
}

impl<N: Neighbours> Native<'_, '_, N> {
    fn class(&self, at: usize, row: &ImportRow) -> Option<Class> {
        let Some(facts) = self.job.world.neighbours.script_facts(row.index) else {
            return self.by_name(at, row);
        };
        let (on_top, first_package) = (row.path.names().len() == 1, self.job.imports.first_package);
        let signature = row.name().ends_with(SIGNATURE);
        // Class names sort before and after `Package`: `DelegateFunction` and `Enum` before,
        // `SparseDelegateFunction` and `ScriptStruct` after.
        let before_packages = at < first_package;
        let delegate = if before_packages { "DelegateFunction" } else { "SparseDelegateFunction" };
        match facts {
            ScriptFacts { is_class: true, .. } => Some(core("Class")),
            ScriptFacts { default_of: Some(class), .. } if on_top => class.ends(),
            // On a subobject the recorded class is that of the outermost default object, not its own.
            ScriptFacts { default_of: Some(_), .. } => self.by_template(row).or_else(|| Some(core("Object"))),
            ScriptFacts { in_class: true, .. } if signature => Some(core(delegate)),
            ScriptFacts { in_class: true, .. } => Some(core("Function")),
            _ if on_top && signature => Some(core(delegate)),
            _ if on_top && before_packages => Some(core("Enum")),
            _ if on_top => Some(core("ScriptStruct")),
            _ => None,
        }
    }

    /// Classifies without script objects: by name and use. The rest is left to `class_heuristics.rs`.
    fn by_name(&self, at: usize, row: &ImportRow) -> Option<Class> {
        if let Some(class) = row.name().strip_prefix(DEFAULT) {
            return Some((row.path.ends()?.0, class.into()));
        }
        let on_top = row.path.names().len() == 1;
        let default = || ObjectPath::new(row.path.package(), [format!("{DEFAULT}{}", row.name())]);
        let own = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
        // An added row is the outer of another one, as classes are.
        let is_class = row.index.is_null()
            || self.uses.is_class(row.index)
            || on_top
                && (self.job.imports.find(&default()).is_some()
                    || !self.job.imports.children(own).is_empty());
        match is_class {
            true if on_top => Some(core("Class")),
            true => Some(core("Object")),
            // A placeholder name says nothing about its kind.
            false if row.is_unknown() => Some(core("Object")),
            false => None,
        }
    }

    /// Classifies a part of a default object by the export that uses it as its template.
    fn by_template(&self, row: &ImportRow) -> Option<Class> {
        self.job.world.class_of(self.uses.of_template(row.index)?)
    }
}

/// Classes of exports of other packages.
struct Targets<'j, 'a, N> {
    job: &'j ConvertJob<'a, N>,
    /// By package and class index there: usually many exports share one class.
    known: HashMap<(PackageId, PackageObjectIndex), Option<Class>>,
}

impl<N: Neighbours> Targets<'_, '_, N> {
    fn class(&mut self, row: &ImportRow) -> Option<Class> {
        let (package, export) = self.job.world.resolver.target(row.index)?;
        let export = package.exports.get(export)?;
        let find = || class_in(Resolver::new(&package, self.job.world.neighbours).class_of(export));
        self.known.entry((package.id(), export.class)).or_insert_with(find).clone()
    }
}
