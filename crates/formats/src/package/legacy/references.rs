//! Tables that say what a package refers to without loading it: soft object paths, soft package references,
//! searchable names, depends map, import type hierarchies.

use super::form::{Form, Name, PackageIndex};
use crate::wire::{Archive, Fault, WireString};

/// `FSoftObjectPath`: a package, an object in it, and what is inside the object.
#[doc(alias = "FSoftObjectPath")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct SoftObjectPath {
    /// The package.
    pub package: Name,
    /// The object.
    pub asset: Name,
    /// What is inside; mostly empty. UTF-8 since 5.6.
    pub sub_path: WireString,
}

/// A package that is referred to softly.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum SoftPackageReference {
    /// From 514 on.
    Name(Name),
    /// Before; from 384 to 483 it may be the path of an object.
    Text(WireString),
}

impl Default for SoftPackageReference {
    fn default() -> Self {
        Self::Name(Name::default())
    }
}

/// Names that an object can be found by.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct SearchableNames {
    /// The object.
    pub object: PackageIndex,
    /// The names.
    pub names: Vec<Name>,
}

/// The classes that an import derives from (1018).
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct ImportTypeHierarchy {
    /// The import.
    pub import: PackageIndex,
    /// Its class, the class of that, and so on.
    pub types: Vec<TypeName>,
}

/// One class in an [`ImportTypeHierarchy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct TypeName {
    /// The type.
    pub name: Name,
    /// Its package.
    pub package: Name,
    /// The class of the type.
    pub class: Name,
    /// The package of that class.
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

/// What one export depends on; always nothing in cooked packages.
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
