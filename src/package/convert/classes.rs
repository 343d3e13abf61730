//! Classes of imports, which zen packages do not hold.
//!
//! A native object is a class if it has a default object; a default object has its class's name behind `Default__`; what
//! lies in a class is a function; the rest are structs and enums, told apart by where they stand in the sorted table. An
//! object of another package has the class that its export has there; where that package is not at hand, the likeliest
//! one is taken (`likely.rs`).

use super::imports::{CORE, Imports, Row};
use super::likely::{DEFAULT, Likely};
use crate::package::ObjectPath;
use crate::package::zen::{Header, Neighbours, Resolved, Resolver, ScriptFacts};
use std::collections::BTreeSet;

/// Ends the names of delegate signatures.
const SIGNATURE: &str = "__DelegateSignature";

/// A class: its package and its name.
pub(super) type Class = (String, String);

/// Gives every import its class.
pub(super) fn assign<N: Neighbours>(
    imports: &mut Imports,
    header: &Header,
    resolver: &Resolver<'_, N>,
    neighbours: &N,
) {
    let first_package = imports.rows.iter().position(Row::is_package).unwrap_or(usize::MAX);
    let mut open = BTreeSet::new();
    for at in 0..imports.rows.len() {
        let Some(row) = imports.rows.get(at) else { break };
        let found = if row.is_package() {
            Some(core("Package"))
        } else if row.path.package().starts_with("/Script/") {
            script(imports, at, at < first_package, header, resolver, neighbours)
        } else {
            target(row, resolver, neighbours)
        };
        match found {
            Some(class) => set(imports, at, class),
            None => drop(open.insert(at)),
        }
    }
    if open.is_empty() {
        return;
    }
    // What is certain bounds the rest, so it comes first.
    for found in Likely::new(imports, header, resolver, neighbours, &open).certain() {
        open.remove(&found.0);
        set(imports, found.0, found.1);
    }
    let guesses = Likely::new(imports, header, resolver, neighbours, &open).all();
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

pub(super) fn core(name: &str) -> Class {
    (CORE.to_owned(), name.to_owned())
}

/// Class of a native object.
fn script<N: Neighbours>(
    imports: &Imports,
    at: usize,
    before_packages: bool,
    header: &Header,
    resolver: &Resolver<'_, N>,
    neighbours: &N,
) -> Option<Class> {
    let row = imports.rows.get(at)?;
    let Some(facts) = neighbours.script_facts(row.index) else { return Some(by_name(imports, row, header)) };
    let on_top = row.path.names().len() == 1;
    let function = if row.name().ends_with(SIGNATURE) { "DelegateFunction" } else { "Function" };
    match facts {
        ScriptFacts { is_class: true, .. } => Some(core("Class")),
        ScriptFacts { default_of: Some(class), .. } if on_top => split(&class),
        ScriptFacts { default_of: Some(_), .. } => {
            by_use(row, header, resolver).or_else(|| Some(core("Object")))
        }
        ScriptFacts { in_class: true, .. } => Some(core(function)),
        _ if on_top && row.name().ends_with(SIGNATURE) => Some(core("DelegateFunction")),
        _ if on_top && before_packages => Some(core("Enum")),
        _ if on_top => Some(core("ScriptStruct")),
        _ => None,
    }
}

/// Without script objects: by the names around it. A UE4 package has the names of all classes that it imports.
fn by_name(imports: &Imports, row: &Row, header: &Header) -> Class {
    if let Some(class) = row.name().strip_prefix(DEFAULT) {
        return (row.path.package().to_owned(), class.to_owned());
    }
    let default = ObjectPath::new(row.path.package(), [format!("{DEFAULT}{}", row.name())]);
    let is_class = row.index.is_null()
        || imports.find(&default).is_some()
        || header.exports.iter().any(|export| export.class == row.index);
    let likely = match row.path.names().len() {
        1 if is_class => "Class",
        1 => "ScriptStruct",
        _ => "Function",
    };
    core(if is_class || may_be(likely, header) { likely } else { "Object" })
}

/// Whether the package can have an import of a class: UE4 packages have its name.
fn may_be(class: &str, header: &Header) -> bool {
    header.generation.is_ue4() && header.names.position(class).is_some()
}

/// Part of a default object: the class of the export that has it as its template.
fn by_use<N: Neighbours>(row: &Row, header: &Header, resolver: &Resolver<'_, N>) -> Option<Class> {
    let export = header.exports.iter().find(|export| export.template == row.index)?;
    match resolver.class_of(export) {
        Resolved::Object { path, .. } => split(&path.to_string()),
        _ => None,
    }
}

/// Class of an export of another package.
fn target<N: Neighbours>(row: &Row, resolver: &Resolver<'_, N>, neighbours: &N) -> Option<Class> {
    let (package, export) = resolver.target(row.index)?;
    let export = package.exports.get(export)?;
    match Resolver::new(&package, neighbours).class_of(export) {
        Resolved::Object { path, .. } => split(&path.to_string()),
        _ => None,
    }
}

/// Package and name of a class.
pub(super) fn split(path: &str) -> Option<Class> {
    let (package, names) = path.split_once('.')?;
    let name = names.rsplit(['.', ':']).next()?;
    Some((package.to_owned(), name.to_owned()))
}
