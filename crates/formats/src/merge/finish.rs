//! The merged objects as changes to the package of ours.
//!
//! Exports that stay keep their order, and new ones follow. Names, imports and soft object paths are added where new data needs
//! them. Objects that nothing changes keep their bytes, unless exports before them are gone and their references move.

use super::conflict::{ConflictKind, ConflictList, MergeConflict, MergeRefusal};
use super::side::{SideObject, put_script};
use super::slots::Slots;
use super::unified::Unified;
use crate::package::legacy::{Export, Import, Name, PackageIndex, PackageRef, SoftObjectPath};
use crate::package::rebuild::{Changes, NewExport, TableRows};
use crate::property::edit::Names;
use crate::property::{Object, Scope, TableIndices, Value};
use crate::review::noise;
use crate::wire::Writer;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Makes the changes. Objects that cannot be moved go to `conflicts`.
pub(super) fn changes(
    unified: &Unified,
    slots: &Slots<'_>,
    ours: &Scope<'_>,
    conflicts: &mut ConflictList,
) -> Result<Changes, MergeRefusal> {
    let count = ours.package.exports.len();
    let staying: BTreeMap<u32, u32> = slots.iter().map(|(slot, _)| slot).zip(0..).collect();
    let removed: BTreeSet<usize> = (0..)
        .zip(&ours.package.exports)
        .map(|(slot, _)| slot)
        .filter(|slot| !staying.contains_key(slot))
        .map(|slot| slot as usize)
        .collect();
    let is_moved = !removed.is_empty();
    let mut rows = TableRows { removed, ..TableRows::default() };
    let mut last = Finish::new(unified, ours, staying);
    let (mut exports, mut scripts) = (BTreeMap::new(), BTreeMap::new());
    for (slot, object) in slots.iter() {
        let is_old = (slot as usize) < count;
        if is_old && slots.is_of_ours(slot) && !is_moved {
            continue;
        }
        if object.is_opaque && (is_moved || !is_old) {
            conflicts.push(|| conflict(unified, slot, object, ConflictKind::NotUnderstood));
            continue;
        }
        last.is_dangling = false;
        let class = unified.class_name(object.row.class);
        last.is_lenient = noise::is_settled_class(class) || noise::is_compiled(class);
        let (data, script) = last.data(object)?;
        let row = last.row(object, slots.name(slot, object), script);
        if last.is_dangling {
            conflicts.push(|| conflict(unified, slot, object, ConflictKind::RefersToRemoved));
            continue;
        }
        if is_old {
            // Without a change there is nothing to write.
            let export = ours.package.exports.get(slot as usize);
            if export.and_then(|export| ours.bytes(export)) != Some(&data) {
                scripts.insert(slot as usize, script);
                exports.insert(slot as usize, data);
            }
            rows.changed.insert(slot as usize, row);
        } else {
            let depends = object.depends.iter().filter_map(|index| last.existing(*index)).collect();
            rows.added.push(NewExport { row, depends, data });
        }
    }
    let Finish { names, names_used, soft_paths, imports, .. } = last;
    rows.imports = imports;
    let names = names.added().to_vec();
    Ok(Changes { names, names_used, exports, soft_paths, rows, scripts, ..Changes::default() })
}

fn conflict(unified: &Unified, slot: u32, object: &SideObject, kind: ConflictKind) -> MergeConflict {
    let class = unified.class_name(object.row.class).to_owned();
    MergeConflict { object: unified.path(slot), class, part: String::new(), kind }
}

/// The tables of the merged package, while objects are written for it.
struct Finish<'u> {
    unified: &'u Unified,
    names: Names,
    /// Names of the tables of all versions, in the new table.
    name_places: HashMap<Name, Name>,
    /// Indices of slots in the new table.
    staying: BTreeMap<u32, u32>,
    own_imports: usize,
    import_places: HashMap<u32, PackageIndex>,
    imports: Vec<Import>,
    own_paths: usize,
    path_places: HashMap<i32, i32>,
    soft_paths: Vec<SoftObjectPath>,
    /// Length of the shortest start of the name table that holds all names in data; packages record it.
    names_used: u32,
    /// True while data is written, not a row.
    is_data: bool,
    /// True while references that lead nowhere are cleared: in metadata, and in what the editor compiles again.
    is_lenient: bool,
    /// True once a reference led to an object that does not stay.
    is_dangling: bool,
}

impl<'u> Finish<'u> {
    fn new(unified: &'u Unified, ours: &Scope<'_>, staying: BTreeMap<u32, u32>) -> Self {
        Self {
            unified,
            names: Names::new(ours.package.names.iter().map(|name| name.text.as_str()), usize::MAX),
            name_places: HashMap::new(),
            staying,
            own_imports: ours.package.imports.len(),
            import_places: HashMap::new(),
            imports: Vec::new(),
            own_paths: ours.package.soft_object_paths.len(),
            path_places: HashMap::new(),
            soft_paths: Vec::new(),
            names_used: 0,
            is_data: false,
            is_lenient: false,
            is_dangling: false,
        }
    }

    /// The data of an object, and the range of its properties in it.
    fn data(&mut self, of: &SideObject) -> Result<(Vec<u8>, [i64; 2]), MergeRefusal> {
        let mut object = of.object.clone();
        self.is_data = true;
        if self.is_lenient {
            self.prune(&mut object);
        }
        object.visit_indices(self);
        if let Some(script) = &of.script {
            let mut script = script.clone();
            script.visit_indices(self);
            put_script(&mut object, &script);
        }
        self.is_data = false;
        let range = property_range(&object)?;
        let mut w = Writer::new();
        object.write(&mut w)?;
        Ok((w.into_bytes(), range))
    }

    /// Takes the elements out of the lists after the properties that refer to objects which are gone.
    fn prune(&mut self, object: &mut Object) {
        for (_, value) in &mut object.tail.fields {
            if let Value::Array(items) = value {
                items.retain(|item| !self.refers_to_nothing(item));
            }
        }
    }

    fn refers_to_nothing(&mut self, item: &Value) -> bool {
        let mut open = vec![item];
        while let Some(value) = open.pop() {
            if let Value::Object(index) = value
                && self.existing(*index).is_none()
            {
                return true;
            }
            value.children(&mut |inner| open.push(inner));
        }
        false
    }

    fn row(&mut self, of: &SideObject, mut name: Name, script: [i64; 2]) -> Export {
        let mut row = of.row.clone();
        self.name(&mut name);
        row.name = name;
        row.script = row.script.map(|_| script);
        for index in
            [&mut row.class, &mut row.super_index, &mut row.outer].into_iter().chain(&mut row.template)
        {
            self.object(index);
        }
        row
    }

    /// Index of an object that is there.
    fn existing(&mut self, index: PackageIndex) -> Option<PackageIndex> {
        match index.decode() {
            PackageRef::None => Some(index),
            PackageRef::Export(slot) => self.staying.get(&slot).copied().and_then(PackageIndex::export),
            PackageRef::Import(at) if (at as usize) < self.own_imports => Some(index),
            PackageRef::Import(at) => self.import(at),
        }
    }

    /// Index of an import that only theirs has.
    fn import(&mut self, at: u32) -> Option<PackageIndex> {
        // The object itself, and those around it that are new as well; outermost first.
        let (mut chain, mut next) = (Vec::new(), Some(at));
        while let Some(at) =
            next.filter(|at| *at as usize >= self.own_imports && !self.import_places.contains_key(at))
        {
            chain.push(at);
            // An object that others lie in comes before them, so this ends.
            next = match self.unified.imports.get(at as usize)?.outer.decode() {
                PackageRef::Import(outer) => Some(outer),
                _ => None,
            };
        }
        for at in chain.into_iter().rev() {
            let mut row = self.unified.imports.get(at as usize)?.clone();
            for name in [&mut row.class_package, &mut row.class_name, &mut row.name]
                .into_iter()
                .chain(&mut row.package_name)
            {
                self.name(name);
            }
            if let PackageRef::Import(outer) = row.outer.decode() {
                row.outer = self.import_places.get(&outer).copied().unwrap_or(row.outer);
            }
            let index =
                u32::try_from(self.own_imports + self.imports.len()).ok().and_then(PackageIndex::import)?;
            self.imports.push(row);
            self.import_places.insert(at, index);
        }
        self.import_places.get(&at).copied()
    }
}

impl TableIndices for Finish<'_> {
    fn name(&mut self, name: &mut Name) {
        let (unified, names) = (self.unified, &mut self.names);
        *name =
            *self.name_places.entry(*name).or_insert_with(|| names.find_or_add_exact(unified.text(*name)));
        if self.is_data {
            self.names_used = self.names_used.max(name.index.saturating_add(1));
        }
    }

    fn object(&mut self, index: &mut PackageIndex) {
        match self.existing(*index) {
            Some(found) => *index = found,
            None if self.is_lenient => *index = PackageIndex::NONE,
            None => self.is_dangling = true,
        }
    }

    fn soft_path(&mut self, index: &mut i32) {
        let is_new = usize::try_from(*index).is_ok_and(|at| at >= self.own_paths);
        let found =
            usize::try_from(*index).ok().and_then(|at| self.unified.soft_paths.get(at)).filter(|_| is_new);
        let Some(path) = found else { return };
        if let Some(place) = self.path_places.get(index) {
            *index = *place;
            return;
        }
        let mut path = path.clone();
        for name in [&mut path.package, &mut path.asset] {
            self.name(name);
        }
        let place = i32::try_from(self.own_paths + self.soft_paths.len()).unwrap_or(i32::MAX);
        self.soft_paths.push(path);
        self.path_places.insert(*index, place);
        *index = place;
    }
}

/// Start and end of the properties in the data of an object.
fn property_range(object: &Object) -> Result<[i64; 2], MergeRefusal> {
    let len = |object: &Object| -> Result<i64, MergeRefusal> {
        let mut w = Writer::new();
        object.write(&mut w)?;
        Ok(i64::try_from(w.len()).unwrap_or(i64::MAX))
    };
    let head = Object { head: object.head.clone(), ..Object::default() };
    let both = Object { properties: object.properties.clone(), ..head.clone() };
    Ok([len(&head)?, len(&both)?])
}
