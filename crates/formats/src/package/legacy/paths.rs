//! Full paths of objects and classes: `/Script/Engine.Actor`, `/Game/Maps/Level.Level:PersistentLevel`.

use super::{
    Package,
    form::{Name, PackageIndex, PackageRef},
    objects::Export,
};
use crate::names::{NameText, ObjectPath};
use crate::wire::MAX_PATH_LEN;

/// Outer objects above which something is wrong.
const MAX_DEPTH: usize = 256;

impl Package {
    /// The text of a name; empty if its index is out of range.
    #[must_use]
    pub fn text(&self, name: Name) -> NameText<'_> {
        let entry = self.names.get(name.index as usize);
        NameText { base: entry.map_or("", |entry| entry.text.as_str()), number: name.number }
    }

    /// Full path of what an index refers to. `None` for nothing, an index out of range, outer objects that lead in a
    /// circle, and a path that is longer than any in the engine.
    ///
    /// `own_name` stands for this package in front of its own exports.
    #[must_use]
    pub fn path(&self, index: PackageIndex, own_name: &str) -> Option<ObjectPath> {
        let (mut names, mut len) = (Vec::new(), 0_usize);
        let mut next = index;
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
            len = len.saturating_add(name.base.len());
            if len > MAX_PATH_LEN {
                return None;
            }
            names.push(name);
            next = outer;
        }
        if own {
            names.push(NameText { base: own_name, number: 0 });
        }
        let package = names.pop().filter(|_| index != PackageIndex::NONE)?.to_string();
        ObjectPath::new(package, names.iter().rev().map(ToString::to_string)).bounded()
    }

    /// Full path of an export, by the package's own name if the file records it.
    #[must_use]
    pub fn export_path(&self, export: u32) -> Option<String> {
        self.path(PackageIndex::export(export)?, self.name()).map(|path| path.to_string())
    }

    /// Full path of an import.
    #[must_use]
    pub fn import_path(&self, import: u32) -> Option<String> {
        self.path(PackageIndex::import(import)?, self.name()).map(|path| path.to_string())
    }

    /// Full path of an export's class. What has no class is a class itself.
    #[must_use]
    pub fn class_path(&self, export: &Export) -> String {
        if export.class == PackageIndex::NONE {
            return "/Script/CoreUObject.Class".to_owned();
        }
        self.path(export.class, self.name()).map_or_else(String::new, |path| path.to_string())
    }

    /// The package's own name, where the file has it (cooked 5.1 and later, editor), or empty.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.summary.package_name.as_str();
        if name.starts_with('/') { name } else { "" }
    }

    /// Exports that the asset registry lists, or (before 485) those on top that bear the file's base name.
    pub fn assets<'a>(&'a self, base_name: &'a str) -> impl Iterator<Item = (usize, &'a Export)> {
        self.exports.iter().enumerate().filter(move |(_, export)| {
            let on_top = export.outer == PackageIndex::NONE;
            let named = || on_top && self.text(export.name).to_string().eq_ignore_ascii_case(base_name);
            export.is_asset.unwrap_or_else(named)
        })
    }

    /// Names of the packages that this one imports from.
    pub fn imported_packages(&self) -> impl Iterator<Item = String> {
        let packages = self.imports.iter().filter(|import| import.outer == PackageIndex::NONE);
        packages.map(|import| self.text(import.name).to_string())
    }
}
