//! The objects of the merged package.

use super::side::{SideObject, Sides};
use super::unified::Unified;
use crate::names::split_number;
use crate::package::legacy::{Name, PackageIndex, PackageRef};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The version that an object is taken from.
#[derive(Debug, Clone)]
pub(super) enum Chosen {
    /// As it is in ours.
    Ours,
    /// As it is in theirs.
    Theirs,
    /// Made of both.
    Merged(Box<SideObject>),
}

/// The objects, by slot.
pub(super) struct Slots<'s> {
    sides: &'s Sides,
    chosen: BTreeMap<u32, Chosen>,
    names: HashMap<u32, Name>,
}

impl<'s> Slots<'s> {
    pub(super) fn new(sides: &'s Sides) -> Self {
        Self { sides, chosen: BTreeMap::new(), names: HashMap::new() }
    }

    pub(super) fn choose(&mut self, slot: u32, chosen: Chosen) {
        self.chosen.insert(slot, chosen);
    }

    /// The objects, in the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &SideObject)> {
        self.chosen.keys().filter_map(|slot| Some((*slot, self.get(*slot)?)))
    }

    pub(super) fn get(&self, slot: u32) -> Option<&SideObject> {
        match self.chosen.get(&slot)? {
            Chosen::Ours => self.sides.ours.get(&slot),
            Chosen::Theirs => self.sides.theirs.get(&slot),
            Chosen::Merged(object) => Some(object),
        }
    }

    /// The objects of ours, and of theirs.
    pub(super) fn sides(&self) -> [impl Iterator<Item = &'s SideObject>; 2] {
        [&self.sides.ours, &self.sides.theirs].map(BTreeMap::values)
    }

    /// Gives an object the name of the version that renamed it.
    pub(super) fn set_name(&mut self, slot: u32, [base, ours, theirs]: [Option<Name>; 3]) {
        let name = if ours.is_none() || ours == base { theirs.or(ours) } else { ours };
        let own = self.get(slot).map(|object| object.row.name);
        self.names.extend(name.filter(|name| own != Some(*name)).map(|name| (slot, name)));
    }

    /// An object, to be changed.
    pub(super) fn edit(&mut self, slot: u32) -> Option<&mut SideObject> {
        let object = self.get(slot)?.clone();
        let chosen = self.chosen.get_mut(&slot)?;
        *chosen = Chosen::Merged(Box::new(object));
        match chosen {
            Chosen::Merged(object) => Some(object),
            _ => None,
        }
    }

    /// Removes the objects that are inside others which do not stay, and returns them.
    pub(super) fn remove_inner(&mut self) -> Vec<u32> {
        let mut inside: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut open = Vec::new();
        for (slot, object) in self.iter() {
            if let PackageRef::Export(outer) = object.row.outer.decode() {
                inside.entry(outer).or_default().push(slot);
                if !self.chosen.contains_key(&outer) {
                    open.push(slot);
                }
            }
        }
        let mut removed = Vec::new();
        while let Some(slot) = open.pop() {
            if self.chosen.remove(&slot).is_some() {
                removed.push(slot);
                open.extend(inside.remove(&slot).unwrap_or_default());
            }
        }
        removed
    }

    /// True if the object is that of ours, byte for byte.
    pub(super) fn is_of_ours(&self, slot: u32) -> bool {
        matches!(self.chosen.get(&slot), Some(Chosen::Ours)) && !self.names.contains_key(&slot)
    }

    /// The name of an object, which may be a new one.
    pub(super) fn name(&self, slot: u32, object: &SideObject) -> Name {
        self.names.get(&slot).copied().unwrap_or(object.row.name)
    }

    /// Gives a new name to each object whose name another one inside the same object has, too: both versions added one.
    pub(super) fn rename(&mut self, unified: &mut Unified) {
        let mut greatest: HashMap<(PackageIndex, String), u32> = HashMap::new();
        let mut taken: HashSet<(PackageIndex, Name)> = HashSet::new();
        let mut twice = Vec::new();
        for (slot, object) in self.iter() {
            let name = self.name(slot, object);
            let text = unified.text(name).to_owned();
            let (base, number) = split_number(&text);
            let last = greatest.entry((object.row.outer, base.to_owned())).or_default();
            *last = number.max(*last);
            // Those of ours have the lower slots, and keep their names.
            if !taken.insert((object.row.outer, name)) {
                twice.push((slot, object.row.outer, base.to_owned()));
            }
        }
        for (slot, outer, base) in twice {
            let last = greatest.entry((outer, base.clone())).or_default();
            *last = last.saturating_add(1);
            // The number in a text is one less than that in the package.
            let name = unified.name(&format!("{base}_{}", last.saturating_sub(1)));
            self.names.insert(slot, name);
        }
    }
}
