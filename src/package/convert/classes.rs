//! Classes of imports, which zen packages do not hold.
//!
//! A native object is a class if it has a default object; a default object has its class's name behind `Default__`; what
//! lies in a class is a function; the rest are structs and enums, told apart by where they stand in the sorted table. An
//! object of another package has the class that its export has there. Where that package is not at hand, the name, the
//! use and the place in the table leave few classes, and one of them is taken and reported.

use super::imports::{CORE, Imports, Row};
use super::loss::Loss;
use crate::id::PackageObjectIndex;
use crate::package::ObjectPath;
use crate::package::zen::{Header, Neighbours, Resolved, Resolver, ScriptFacts};
use std::collections::HashSet;

/// Ends the names of delegate signatures.
const SIGNATURE: &str = "__DelegateSignature";

/// Starts the names of class default objects.
const DEFAULT: &str = "Default__";

/// Classes that assets of other packages have, with the prefix that their names bear as a rule.
const USUAL: [(&str, &str, &str); 25] = [
    ("T_", "/Script/Engine", "Texture2D"),
    ("MI_", "/Script/Engine", "MaterialInstanceConstant"),
    ("MF_", "/Script/Engine", "MaterialFunction"),
    ("MPC_", "/Script/Engine", "MaterialParameterCollection"),
    ("M_", "/Script/Engine", "Material"),
    ("SM_", "/Script/Engine", "StaticMesh"),
    ("SK_", "/Script/Engine", "SkeletalMesh"),
    ("SKM_", "/Script/Engine", "SkeletalMesh"),
    ("SKEL_", "/Script/Engine", "Skeleton"),
    ("PHYS_", "/Script/Engine", "PhysicsAsset"),
    ("PM_", "/Script/PhysicsCore", "PhysicalMaterial"),
    ("A_", "/Script/Engine", "AnimSequence"),
    ("DT_", "/Script/Engine", "DataTable"),
    ("C_", "/Script/Engine", "CurveFloat"),
    ("NS_", "/Script/Niagara", "NiagaraSystem"),
    ("IA_", "/Script/EnhancedInput", "InputAction"),
    ("IMC_", "/Script/EnhancedInput", "InputMappingContext"),
    ("", "/Script/Engine", "Material"),
    ("", "/Script/Engine", "StaticMesh"),
    ("", "/Script/Engine", "Texture2D"),
    ("", "/Script/Engine", "SoundWave"),
    ("", "/Script/Engine", "SoundCue"),
    ("", "/Script/Engine", "Font"),
    ("", "/Script/Engine", "TextureCube"),
    ("", "/Script/Engine", "DataTable"),
];

/// Classes that blueprints make.
const GENERATED: [(&str, &str, &str); 6] = [
    ("ABP_", "/Script/Engine", "AnimBlueprintGeneratedClass"),
    ("WBP_", "/Script/UMG", "WidgetBlueprintGeneratedClass"),
    ("W_", "/Script/UMG", "WidgetBlueprintGeneratedClass"),
    ("", "/Script/Engine", "BlueprintGeneratedClass"),
    ("", "/Script/UMG", "WidgetBlueprintGeneratedClass"),
    ("", "/Script/Engine", "AnimBlueprintGeneratedClass"),
];

/// A class: its package and its name.
type Class = (String, String);

/// Gives every import its class.
pub(super) fn assign<N: Neighbours>(
    imports: &mut Imports,
    header: &Header,
    resolver: &Resolver<'_, N>,
    neighbours: &N,
    losses: &mut Vec<Loss>,
) {
    let classes: HashSet<_> = header.exports.iter().map(|export| export.class).collect();
    let first_package = imports.rows.iter().position(Row::is_package).unwrap_or(usize::MAX);
    let mut open = Vec::new();
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
            None => open.push((at, classes.contains(&row.index) && !row.index.is_null())),
        }
    }
    for (at, used_as_class) in open {
        let class = guess(imports, at, used_as_class, header, neighbours);
        let Some(row) = imports.rows.get(at) else { continue };
        losses.push(Loss::ImportClass {
            import: row.path.to_string(),
            class: format!("{}.{}", class.0, class.1),
        });
        set(imports, at, class);
    }
}

fn set(imports: &mut Imports, at: usize, (package, name): Class) {
    if let Some(row) = imports.rows.get_mut(at) {
        (row.class_package, row.class_name) = (package, name);
    }
}

fn core(name: &str) -> Class {
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
fn split(path: &str) -> Option<Class> {
    let (package, names) = path.split_once('.')?;
    let name = names.rsplit(['.', ':']).next()?;
    Some((package.to_owned(), name.to_owned()))
}

/// A likely class: by use, by name, by the classes around it in the sorted table.
fn guess<N: Neighbours>(
    imports: &Imports,
    at: usize,
    used_as_class: bool,
    header: &Header,
    neighbours: &N,
) -> Class {
    let Some(row) = imports.rows.get(at) else { return core("Object") };
    let name = row.name();
    if let Some(class) = name.strip_prefix(DEFAULT) {
        return (row.path.package().to_owned(), class.to_owned());
    }
    let (before, after) = bracket(imports, at);
    let key = |class: &str| format!("{class} {}", row.path).to_ascii_lowercase();
    let fits = |class: &str| {
        let key = key(class);
        before.as_ref().is_none_or(|before| *before <= key)
            && after.as_ref().is_none_or(|after| key <= *after)
            && (!header.generation.is_ue4() || may_be(class, header))
    };
    let upper = name.to_ascii_uppercase();
    let likely = |classes: &[(&str, &'static str, &'static str)]| {
        let found = classes.iter().find(|(prefix, _, class)| upper.starts_with(prefix) && fits(class));
        found.map(|(_, package, class)| (*package, *class))
    };
    if used_as_class || name.ends_with("_C") {
        let found = likely(&GENERATED).unwrap_or(("/Script/Engine", "BlueprintGeneratedClass"));
        return (found.0.to_owned(), found.1.to_owned());
    }
    let usual = likely(&USUAL);
    let same = || neighbours_agree(imports, at).filter(|class| fits(&class.1));
    let named = || named_after(name, neighbours).filter(|class| fits(&class.1));
    named().or_else(same).unwrap_or_else(|| match usual {
        Some((package, class)) => (package.to_owned(), class.to_owned()),
        None => core("Object"),
    })
}

/// The native class that an asset is named after: `DefaultPhysicalMaterial`.
fn named_after<N: Neighbours>(name: &str, neighbours: &N) -> Option<Class> {
    let class = name.strip_prefix("Default")?;
    let is_class = |package: &&str| {
        let index = PackageObjectIndex::script(&format!("{package}.{class}"));
        neighbours.script_facts(index).is_some_and(|facts| facts.is_class)
    };
    let package = ["/Script/Engine", "/Script/PhysicsCore"].into_iter().find(is_class)?;
    Some((package.to_owned(), class.to_owned()))
}

/// Sort keys of the nearest imports of known class on both sides.
fn bracket(imports: &Imports, at: usize) -> (Option<String>, Option<String>) {
    let key = |row: &Row| format!("{} {}", row.class_name, row.path).to_ascii_lowercase();
    let known = |row: &&Row| !row.class_name.is_empty() && !row.index.is_null() || row.is_package();
    let (before, after) = imports.rows.split_at(at.min(imports.rows.len()));
    (before.iter().rev().find(known).map(key), after.iter().skip(1).find(known).map(key))
}

/// The class of both neighbours, if it is one.
fn neighbours_agree(imports: &Imports, at: usize) -> Option<Class> {
    let class = |at: Option<usize>| {
        let row = imports.rows.get(at?).filter(|row| !row.class_name.is_empty())?;
        Some((row.class_package.clone(), row.class_name.clone()))
    };
    let (before, after) = (class(at.checked_sub(1)), class(at.checked_add(1)));
    before.filter(|before| after.as_ref() == Some(before))
}
