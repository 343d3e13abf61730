//! Full paths of objects and classes: `/Script/Engine.Actor`, `/Game/Maps/Level.Level:PersistentLevel`.

use super::{
    Package,
    form::{Name, PackageIndex, PackageRef},
    objects::Export,
    references::SoftPackageReference,
};
use crate::names::{NameText, ObjectPath};
use crate::wire::MAX_PATH_LEN;

/// Longest chain of outer objects; longer ones are treated as cycles.
const MAX_DEPTH: usize = 256;

/// Flag of objects that other packages can see.
const RF_PUBLIC: u32 = 1;

impl Package {
    /// Returns the text of a name; empty if its index is out of range.
    #[must_use]
    pub fn text(&self, name: Name) -> NameText<'_> {
        let entry = self.names.get(name.index as usize);
        NameText { base: entry.map_or("", |entry| entry.text.as_str()), number: name.number }
    }

    /// Returns the full path of an object. `None` for the null index, an index out of range, cyclic outers,
    /// and a path longer than the engine allows.
    ///
    /// `own_name` is the name of this package, used for its own exports.
    #[must_use]
    pub fn path(&self, index: PackageIndex, own_name: &str) -> Option<ObjectPath> {
        let (mut names, mut len) = (Vec::new(), 0_usize);
        let mut next = index;
        // Import and export may alternate in a chain (one file per actor); the outermost object decides whose
        // package it is.
        let mut own = true;
        while next != PackageIndex::NONE {
            if names.len() == MAX_DEPTH {
                return None;
            }
            let (name, outer) = match next.decode() {
                PackageRef::None => break,
                PackageRef::Import(index) => {
                    let import = self.imports.get(index as usize)?;
                    own = false;
                    (import.name, import.outer)
                }
                PackageRef::Export(index) => {
                    let export = self.exports.get(index as usize)?;
                    own = true;
                    (export.name, export.outer)
                }
            };
            let name = self.text(name);
            // Checked while collecting: names repeat, and a chain of long ones would take far more memory
            // than the file.
            len = len.saturating_add(name.base.len());
            if len > MAX_PATH_LEN {
                return None;
            }
            names.push(name);
            next = outer;
        }
        // An import's outermost object is the package itself; for an export the package name has to be added.
        if own {
            names.push(NameText { base: own_name, number: 0 });
        }
        let package = names.pop().filter(|_| index != PackageIndex::NONE)?.to_string();
        ObjectPath::new(package, names.iter().rev().map(ToString::to_string)).bounded()
    }

    /// Returns the full path of an export, starting with the package's own name if the file records it.
    #[must_use]
    pub fn export_path(&self, export: u32) -> Option<String> {
        self.path(PackageIndex::export(export)?, self.name()).map(|path| path.to_string())
    }

    /// Returns the full path of an import.
    #[must_use]
    pub fn import_path(&self, import: u32) -> Option<String> {
        self.path(PackageIndex::import(import)?, self.name()).map(|path| path.to_string())
    }

    /// Returns the full path of an export's class. An export without a class is itself a class.
    #[must_use]
    pub fn class_path(&self, export: &Export) -> String {
        if export.class == PackageIndex::NONE {
            return "/Script/CoreUObject.Class".to_owned();
        }
        self.path(export.class, self.name()).map_or_else(String::new, |path| path.to_string())
    }

    /// Returns the package's own name if the file records it (cooked 5.1 and later, editor), or an empty
    /// text.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.summary.package_name.as_str();
        // Older releases write `None` or the folder in the editor's tree here.
        if name.starts_with('/') { name } else { "" }
    }

    /// Returns the exports that the asset registry lists or, before 485, the top-level ones named like the
    /// file.
    pub fn assets<'a>(&'a self, base_name: &'a str) -> impl Iterator<Item = (usize, &'a Export)> {
        self.exports.iter().enumerate().filter(move |(_, export)| {
            let on_top = export.outer == PackageIndex::NONE;
            let named = || on_top && self.text(export.name).to_string().eq_ignore_ascii_case(base_name);
            export.is_asset.unwrap_or_else(named)
        })
    }

    /// Returns the main object of a file: the top-level export with its name, with or without `_C`; otherwise the
    /// first public one.
    #[must_use]
    pub fn main_export(&self, base_name: &str) -> Option<&Export> {
        let on_top = || self.exports.iter().filter(|export| export.outer == PackageIndex::NONE);
        let named = |suffix: &str| {
            // Cooked blueprints have a generated class as their main object, named with `_C`.
            let wanted = format!("{base_name}{suffix}");
            on_top().find(|export| self.text(export.name).to_string().eq_ignore_ascii_case(&wanted))
        };
        let public = || on_top().find(|export| export.object_flags & RF_PUBLIC != 0);
        named("").or_else(|| named("_C")).or_else(public)
    }

    /// Returns the names of the packages that this one imports from.
    pub fn imported_packages(&self) -> impl Iterator<Item = String> {
        let packages = self.imports.iter().filter(|import| import.outer == PackageIndex::NONE);
        packages.map(|import| self.text(import.name).to_string())
    }

    /// Returns the names of the packages that this one refers to softly, which are loaded only on demand; packages
    /// of the editor list them.
    pub fn soft_packages(&self) -> impl Iterator<Item = String> {
        self.soft_package_references.iter().map(|reference| match reference {
            SoftPackageReference::Name(name) => self.text(*name).to_string(),
            // Up to 483 it may be the path of an object.
            SoftPackageReference::Text(text) => {
                text.as_str().split('.').next().unwrap_or_default().to_owned()
            }
        })
    }
}
