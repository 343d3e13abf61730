//! One set of tables for all versions: names, imports, soft object paths, and a slot for each object.
//!
//! Slots and imports of ours keep their indices; those that only other versions have follow them. Once all versions refer to
//! these tables, equal values have equal bytes.

use crate::id::Guid;
use crate::package::legacy::{Import, Name, Package, PackageIndex, PackageRef, SoftObjectPath};
use crate::property::edit::Names;
use crate::wire::MAX_PATH_LEN;
use std::collections::HashMap;

/// Identity of an object across versions: where it is, and its id, or else its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SlotKey {
    pub outer: PackageIndex,
    pub id: Option<Guid>,
    /// `None` for an object with an id, as that may get another name.
    pub name: Option<Name>,
    /// Tells several apart that share all of this.
    pub nth: u32,
}

/// The tables.
#[derive(Default)]
pub(super) struct Unified {
    names: Names,
    /// The texts of `names`, as far as they were asked for.
    texts: HashMap<Name, String>,
    pub imports: Vec<Import>,
    import_places: HashMap<(PackageIndex, Name, Name), PackageIndex>,
    pub soft_paths: Vec<SoftObjectPath>,
    soft_places: HashMap<(Name, Name, String), i32>,
    slots: HashMap<SlotKey, u32>,
    /// The outer object and the name of each slot, as the first version has it.
    names_of_slots: Vec<(PackageIndex, Name)>,
}

impl Unified {
    /// Starts with the names of ours, so that these keep their indices.
    pub(super) fn new(ours: &Package) -> Self {
        let table = ours.names.iter().map(|name| name.text.as_str());
        Self { names: Names::new(table, usize::MAX), ..Self::default() }
    }

    /// The name with a text.
    pub(super) fn name(&mut self, text: &str) -> Name {
        let name = self.names.find_or_add_exact(text);
        self.texts.entry(name).or_insert_with(|| text.to_owned());
        name
    }

    /// The text of a name.
    pub(super) fn text(&self, name: Name) -> &str {
        self.texts.get(&name).map_or("", String::as_str)
    }

    /// The import with this row, which refers to these tables.
    pub(super) fn import(&mut self, import: Import) -> PackageIndex {
        let key = (import.outer, import.name, import.class_name);
        if let Some(index) = self.import_places.get(&key) {
            return *index;
        }
        let index = u32::try_from(self.imports.len()).ok().and_then(PackageIndex::import).unwrap_or_default();
        self.imports.push(import);
        self.import_places.insert(key, index);
        index
    }

    /// Adds an import of ours at its own index, even if another row says the same.
    pub(super) fn own_import(&mut self, import: Import) -> PackageIndex {
        let index = u32::try_from(self.imports.len()).ok().and_then(PackageIndex::import).unwrap_or_default();
        self.import_places.entry((import.outer, import.name, import.class_name)).or_insert(index);
        self.imports.push(import);
        index
    }

    /// Index of a soft object path; `is_own` gives each path of ours its own.
    pub(super) fn soft_path(&mut self, path: SoftObjectPath, is_own: bool) -> i32 {
        let key = (path.package, path.asset, path.sub_path.as_str().to_owned());
        if let Some(index) = self.soft_places.get(&key)
            && !is_own
        {
            return *index;
        }
        let index = i32::try_from(self.soft_paths.len()).unwrap_or(i32::MAX);
        self.soft_paths.push(path);
        self.soft_places.entry(key).or_insert(index);
        index
    }

    /// The slot of an object, which may be new.
    pub(super) fn slot(&mut self, key: SlotKey, name: Name) -> u32 {
        if let Some(slot) = self.slots.get(&key) {
            return *slot;
        }
        let slot = u32::try_from(self.names_of_slots.len()).unwrap_or(u32::MAX);
        self.names_of_slots.push((key.outer, name));
        self.slots.insert(key, slot);
        slot
    }

    /// Path of an object in the package, such as `BP_Door:EventGraph.K2Node_Event_0`.
    pub(super) fn path(&self, slot: u32) -> String {
        let (mut names, mut len) = (Vec::new(), 0);
        let mut next = Some(slot);
        while let Some((outer, name)) = next.and_then(|slot| self.names_of_slots.get(slot as usize)) {
            let name = self.text(*name);
            len += name.len() + 1;
            // A chain of long names would take far more memory than the file.
            if len > MAX_PATH_LEN {
                break;
            }
            names.push(name);
            next = match outer.decode() {
                PackageRef::Export(outer) => Some(outer),
                _ => None,
            };
        }
        let mut path = String::new();
        for (depth, name) in names.into_iter().rev().enumerate() {
            path.push_str(["", ":"].get(depth).copied().unwrap_or("."));
            path.push_str(name);
        }
        path
    }

    /// Name of the class at an index.
    pub(super) fn class_name(&self, class: PackageIndex) -> &str {
        match class.decode() {
            PackageRef::None => "Class",
            PackageRef::Import(at) => {
                self.imports.get(at as usize).map_or("", |import| self.text(import.name))
            }
            PackageRef::Export(slot) => {
                self.names_of_slots.get(slot as usize).map_or("", |(_, name)| self.text(*name))
            }
        }
    }
}
