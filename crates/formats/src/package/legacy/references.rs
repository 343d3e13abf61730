//! References that do not load anything: soft object paths, soft package references, searchable names,
//! depends map, import type hierarchies.

use super::form::{Form, Name, PackageIndex};
use crate::wire::{Archive, Fault, WireString};

/// A path to an object or part of one (`FSoftObjectPath`).
#[doc(alias = "FSoftObjectPath")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct SoftObjectPath {
    /// The package.
    pub package: Name,
    /// Top-level object.
    pub asset: Name,
    /// Path inside the object; usually empty. UTF-8 since 5.6.
    pub sub_path: WireString,
}

/// A soft reference to a package.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum SoftPackageReference {
    /// A package name (from 514).
    Name(Name),
    /// A text (before 514); from 384 to 483 it may be an object path.
    Text(WireString),
}

impl Default for SoftPackageReference {
    fn default() -> Self {
        Self::Name(Name::default())
    }
}

/// Names by which an object can be searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct SearchableNames {
    /// The object.
    pub object: PackageIndex,
    /// The names.
    pub names: Vec<Name>,
}

/// Class hierarchy of an import (1018).
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct ImportTypeHierarchy {
    /// The import.
    pub import: PackageIndex,
    /// Its class, followed by each parent class.
    pub types: Vec<TypeName>,
}

/// One class in an [`ImportTypeHierarchy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct TypeName {
    /// Type name.
    pub name: Name,
    /// Package of the type.
    pub package: Name,
    /// Class of the type.
    pub class: Name,
    /// Package of that class.
    pub class_package: Name,
}

pub(super) fn soft_object_path<A: Archive>(
    a: &mut A,
    form: &Form,
    path: &mut SoftObjectPath,
) -> Result<(), Fault> {
    form.name(a, "soft object path: package", &mut path.package)?;
    form.name(a, "soft object path: asset", &mut path.asset)?;
    if !form.utf8_sub_paths {
        return a.string("soft object path: sub-path", &mut path.sub_path);
    }
    // Both encodings share one field, so that a package can be rewritten for another release.
    let mut text = path.sub_path.as_str().to_owned();
    a.utf8("soft object path: sub-path", &mut text)?;
    path.sub_path = text.into();
    Ok(())
}

pub(super) fn soft_package_reference<A: Archive>(
    a: &mut A,
    form: &Form,
    reference: &mut SoftPackageReference,
) -> Result<(), Fault> {
    // The value decides the layout when writing, so it must have the form of this version when reading.
    if !form.versions.has_soft_references_as_names() && matches!(reference, SoftPackageReference::Name(_)) {
        *reference = SoftPackageReference::Text(WireString::default());
    }
    match reference {
        SoftPackageReference::Name(name) => form.name(a, "soft package reference", name),
        SoftPackageReference::Text(text) => a.string("soft package reference", text),
    }
}

pub(super) fn searchable_names<A: Archive>(
    a: &mut A,
    form: &Form,
    searchable: &mut Vec<SearchableNames>,
) -> Result<(), Fault> {
    a.list("searchable names", searchable, 8, |a, entry| {
        form.index(a, "searchable names: object", &mut entry.object)?;
        a.list("searchable names: count", &mut entry.names, 8, |a, name| {
            form.name(a, "searchable name", name)
        })
    })
}

/// Archives the dependencies of one export; always empty in cooked packages.
pub(super) fn depends<A: Archive>(a: &mut A, form: &Form, list: &mut Vec<PackageIndex>) -> Result<(), Fault> {
    a.list("depends map: count", list, 4, |a, index| form.index(a, "depends map: object", index))
}

pub(super) fn import_type_hierarchy<A: Archive>(
    a: &mut A,
    form: &Form,
    hierarchy: &mut ImportTypeHierarchy,
) -> Result<(), Fault> {
    form.index(a, "import type hierarchy: import", &mut hierarchy.import)?;
    a.list("import type hierarchy: types", &mut hierarchy.types, 32, |a, class| {
        form.name(a, "import type hierarchy: name", &mut class.name)?;
        form.name(a, "import type hierarchy: package", &mut class.package)?;
        form.name(a, "import type hierarchy: class", &mut class.class)?;
        form.name(a, "import type hierarchy: class package", &mut class.class_package)
    })
}
