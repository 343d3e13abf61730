//! References to objects in FModel's form: class, name and path.

use crate::package::ObjectPath;
use crate::package::legacy::{Name, PackageIndex, PackageRef};
use crate::property::Scope;
use crate::property::remembered::Texts;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Keys of a reference.
pub(in crate::property) const OBJECT_NAME: &str = "ObjectName";
pub(in crate::property) const OBJECT_PATH: &str = "ObjectPath";

/// A reference to an object: `null`, or its name and path.
pub(crate) struct Reference<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub index: PackageIndex,
}

impl Serialize for Reference<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(texts) = texts(self.scope, self.index) else { return serializer.serialize_none() };
        let [name, path, _] = &*texts;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry(OBJECT_NAME, name)?;
        map.serialize_entry(OBJECT_PATH, path)?;
        map.end()
    }
}

/// The displayed name and path of an object, and its path by the name of the package; `None` for a null reference.
fn texts(scope: &Scope<'_>, index: PackageIndex) -> Texts {
    scope.references.get(index.0, || {
        let path = scope.package.path(index, scope.name())?;
        let at = place(scope, index, &path);
        let numbered = |package: &str| at.map_or_else(|| package.to_owned(), |at| format!("{package}.{at}"));
        let shown = numbered(&shown_package(scope, path.package()));
        Some([quoted(scope, index, &path), shown, numbered(path.package())])
    })
}

/// Compares the displayed name or path of an object with a text; `part` is the key.
pub(in crate::property) fn is_shown_as(
    scope: &Scope<'_>,
    index: PackageIndex,
    part: &str,
    text: &str,
) -> bool {
    let is = |shown: &str| shown.eq_ignore_ascii_case(text);
    texts(scope, index).is_some_and(|texts| {
        let [name, path, by_name] = &*texts;
        if part == OBJECT_NAME { is(name) } else { is(path) || is(by_name) }
    })
}

/// `Class'Outer:Sub.Name'`; empty for a null reference.
pub(in crate::property) fn object_name(scope: &Scope<'_>, index: PackageIndex) -> String {
    let path = scope.package.path(index, scope.name());
    path.map_or_else(String::new, |path| quoted(scope, index, &path))
}

fn quoted(scope: &Scope<'_>, index: PackageIndex, path: &ObjectPath) -> String {
    format!("{}'{}'", class_of(scope, index), inner(path))
}

/// The path inside a package, or the package's own name.
fn inner(path: &ObjectPath) -> String {
    let Some((first, others)) = path.names().split_first() else { return path.package().to_owned() };
    let mut text = first.to_string();
    for (depth, name) in others.iter().enumerate() {
        // The first separator is a colon, all others are dots.
        text.push(if depth == 0 { ':' } else { '.' });
        text.push_str(name);
    }
    text
}

/// A package as FModel shows it: by the path of its file, if that is known.
pub(in crate::property) fn shown_package(scope: &Scope<'_>, package: &str) -> String {
    scope.world.file_of(package).unwrap_or_else(|| package.to_owned())
}

/// The object's export index, if known.
fn place(scope: &Scope<'_>, index: PackageIndex, path: &ObjectPath) -> Option<u32> {
    let package = path.package();
    match index.decode() {
        PackageRef::Export(at) => Some(at),
        // Native objects and packages have no index.
        _ if package.starts_with("/Script/") || path.names().is_empty() => None,
        // The index in another package is known only if that package is at hand.
        _ => scope.world.export_index(package, path.names()),
    }
}

/// The name of an object's class.
pub(in crate::property) fn class_of(scope: &Scope<'_>, index: PackageIndex) -> String {
    let text = |name: Name| scope.package.text(name).to_string();
    match index.decode() {
        PackageRef::None => String::new(),
        PackageRef::Import(at) => {
            scope.package.imports.get(at as usize).map_or_else(String::new, |import| text(import.class_name))
        }
        PackageRef::Export(at) => {
            // An export without a class is a class itself.
            let class = scope.package.exports.get(at as usize).and_then(|export| scope.class_name(export));
            class.map_or_else(|| "Class".to_owned(), |class| class.to_string())
        }
    }
}

/// A class, with its own class in front: `UScriptClass'Texture2D'`, `BlueprintGeneratedClass'BP_Foo_C'`.
pub(in crate::property) fn class_text(scope: &Scope<'_>, class: PackageIndex) -> String {
    let Some(path) = scope.package.path(class, scope.name()) else {
        return "UScriptClass'Class'".to_owned();
    };
    if path.package().starts_with("/Script/") {
        return format!("UScriptClass'{}'", inner(&path));
    }
    quoted(scope, class, &path)
}
