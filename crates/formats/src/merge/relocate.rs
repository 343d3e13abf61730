//! A version of the package, as it refers to the tables of all.

use super::unified::Unified;
use crate::package::legacy::{Import, Name, Package, PackageIndex, PackageRef, SoftObjectPath};
use crate::property::TableIndices;
use std::collections::HashMap;

/// Indices of a version in the tables of all.
pub(super) struct Relocation<'p> {
    package: &'p Package,
    names: HashMap<Name, Name>,
    imports: Vec<PackageIndex>,
    pub is_ours: bool,
    /// Slots of the exports.
    pub exports: Vec<PackageIndex>,
    soft_paths: Vec<i32>,
}

impl<'p> Relocation<'p> {
    /// Brings imports and soft object paths into the tables; exports follow once their slots are known.
    pub(super) fn new(package: &'p Package, is_ours: bool, unified: &mut Unified) -> Self {
        let mut this = Self {
            package,
            is_ours,
            names: HashMap::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            soft_paths: Vec::new(),
        };
        if is_ours {
            // Their indices stay, so that they can refer to each other in any order.
            this.imports =
                (0..).zip(&package.imports).filter_map(|(at, _)| PackageIndex::import(at)).collect();
        } else {
            this.imports = vec![PackageIndex::NONE; package.imports.len()];
        }
        for at in this.outer_first() {
            let Some(import) = package.imports.get(at) else { continue };
            let row = this.import(import, unified);
            let index = if is_ours { unified.own_import(row) } else { unified.import(row) };
            if let Some(place) = this.imports.get_mut(at) {
                *place = index;
            }
        }
        for path in &package.soft_object_paths {
            let row = SoftObjectPath {
                package: this.of_name(path.package, unified),
                asset: this.of_name(path.asset, unified),
                sub_path: path.sub_path.clone(),
            };
            this.soft_paths.push(unified.soft_path(row, is_ours));
        }
        this
    }

    /// Indices of the imports: of ours in their order, else each after its outer object.
    fn outer_first(&self) -> Vec<usize> {
        let imports = &self.package.imports;
        if self.imports.iter().any(|index| *index != PackageIndex::NONE) {
            return (0..imports.len()).collect();
        }
        let (mut order, mut is_done) = (Vec::new(), vec![false; imports.len()]);
        for at in 0..imports.len() {
            let (mut chain, mut next) = (Vec::new(), Some(at));
            // Marked at once, so that a cycle ends where it began.
            while let Some(at) = next.filter(|at| is_done.get(*at) == Some(&false)) {
                if let Some(done) = is_done.get_mut(at) {
                    *done = true;
                }
                chain.push(at);
                next = match imports.get(at).map(|import| import.outer.decode()) {
                    Some(PackageRef::Import(outer)) => Some(outer as usize),
                    _ => None,
                };
            }
            order.extend(chain.into_iter().rev());
        }
        order
    }

    fn import(&mut self, import: &Import, unified: &mut Unified) -> Import {
        Import {
            class_package: self.of_name(import.class_package, unified),
            class_name: self.of_name(import.class_name, unified),
            outer: self.of_object(import.outer),
            name: self.of_name(import.name, unified),
            package_name: import.package_name.map(|name| self.of_name(name, unified)),
            optional: import.optional,
        }
    }

    pub(super) fn of_name(&mut self, name: Name, unified: &mut Unified) -> Name {
        let package = self.package;
        *self.names.entry(name).or_insert_with(|| unified.name(&package.text(name).to_string()))
    }

    /// The index in the tables of all; null for one that leads nowhere.
    pub(super) fn of_object(&self, index: PackageIndex) -> PackageIndex {
        let found = match index.decode() {
            PackageRef::None => None,
            PackageRef::Import(at) => self.imports.get(at as usize),
            PackageRef::Export(at) => self.exports.get(at as usize),
        };
        found.copied().unwrap_or_default()
    }

    pub(super) fn of_soft_path(&self, index: i32) -> i32 {
        let found = usize::try_from(index).ok().and_then(|at| self.soft_paths.get(at));
        found.copied().unwrap_or(index)
    }
}

/// Relocates what it visits.
pub(super) struct Relocate<'r, 'p, 'u> {
    pub of: &'r mut Relocation<'p>,
    pub unified: &'u mut Unified,
}

impl TableIndices for Relocate<'_, '_, '_> {
    fn name(&mut self, name: &mut Name) {
        *name = self.of.of_name(*name, self.unified);
    }

    fn object(&mut self, index: &mut PackageIndex) {
        *index = self.of.of_object(*index);
    }

    fn soft_path(&mut self, index: &mut i32) {
        *index = self.of.of_soft_path(*index);
    }
}
