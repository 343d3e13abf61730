//! Objects that stay, come and go.

use super::conflict::{ConflictKind, ConflictList, MergeConflict, MergeSide};
use super::side::{SideObject, Sides};
use super::slots::{Chosen, Slots};
use super::unified::Unified;
use crate::package::legacy::Export;
use crate::property::{List, Object, Property};
use crate::review::noise;
use crate::wire::{MAX_PATH_LEN, Writer};
use std::collections::BTreeSet;

/// A merge under way.
pub(super) struct Merger<'u, 's> {
    pub unified: &'u Unified,
    pub sides: &'s Sides,
    pub prefer: Option<MergeSide>,
    pub conflicts: ConflictList,
    pub settled: ConflictList,
    pub taken: usize,
    /// The object that is being merged, and the path of the part in it.
    object: u32,
    class: String,
    path: Vec<String>,
}

/// A state of the counts, to which they can go back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    conflicts: usize,
    settled: usize,
    taken: usize,
}

impl<'u, 's> Merger<'u, 's> {
    pub(super) const fn new(unified: &'u Unified, sides: &'s Sides, prefer: Option<MergeSide>) -> Self {
        Self {
            unified,
            sides,
            prefer,
            conflicts: ConflictList { listed: Vec::new(), total: 0 },
            settled: ConflictList { listed: Vec::new(), total: 0 },
            taken: 0,
            object: 0,
            class: String::new(),
            path: Vec::new(),
        }
    }

    /// Notes a conflict at the present part, and returns the version that it is taken from.
    pub(super) fn conflict(&mut self, kind: ConflictKind) -> MergeSide {
        let Self { unified, object, class, path, prefer, .. } = self;
        let list = if prefer.is_some() { &mut self.settled } else { &mut self.conflicts };
        list.push(|| MergeConflict {
            object: unified.path(*object),
            class: class.clone(),
            // Structs in structs may have long names.
            part: path.concat().chars().take(MAX_PATH_LEN).collect(),
            kind,
        });
        prefer.unwrap_or(MergeSide::Ours)
    }

    /// Notes a conflict that no preference can settle.
    pub(super) fn hard_conflict(&mut self, slot: u32, part: &str, kind: ConflictKind) {
        let found = self.conflict_at(slot, part, kind);
        self.conflicts.push(|| found);
    }

    /// Notes a conflict that the preference has settled.
    pub(super) fn settled_at(&mut self, slot: u32, part: &str, kind: ConflictKind) {
        let found = self.conflict_at(slot, part, kind);
        self.settled.push(|| found);
    }

    fn conflict_at(&self, slot: u32, part: &str, kind: ConflictKind) -> MergeConflict {
        let sides = [&self.sides.ours, &self.sides.theirs, &self.sides.base];
        let row = sides.into_iter().find_map(|side| side.get(&slot)).map(|object| &object.row);
        let class = row.map(|row| self.unified.class_name(row.class).to_owned()).unwrap_or_default();
        MergeConflict { object: self.unified.path(slot), class, part: part.to_owned(), kind }
    }

    /// Notes a conflict, and takes the part from one version.
    pub(super) fn choose<T: Clone>(&mut self, kind: ConflictKind, ours: &T, theirs: &T) -> T {
        match self.conflict(kind) {
            MergeSide::Ours => ours.clone(),
            MergeSide::Theirs => theirs.clone(),
        }
    }

    /// Merges a part inside the present one.
    pub(super) fn inside<T>(&mut self, step: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        let dot = if self.path.is_empty() || step.starts_with('[') { "" } else { "." };
        self.path.push(format!("{dot}{step}"));
        let found = run(self);
        self.path.pop();
        found
    }

    pub(super) const fn mark(&self) -> Mark {
        Mark { conflicts: self.conflicts.total, settled: self.settled.total, taken: self.taken }
    }

    /// True if there are conflicts that were not there.
    pub(super) const fn has_conflicts_since(&self, mark: Mark) -> bool {
        self.conflicts.total > mark.conflicts || self.settled.total > mark.settled
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.conflicts.truncate(mark.conflicts);
        self.settled.truncate(mark.settled);
        self.taken = mark.taken;
    }

    /// Merges all objects.
    pub(super) fn slots(&mut self) -> Slots<'s> {
        let sides = self.sides;
        let all: BTreeSet<u32> = [&sides.base, &sides.ours, &sides.theirs]
            .into_iter()
            .flat_map(|side| side.keys().copied())
            .collect();
        let mut slots = Slots::new(sides);
        for slot in all {
            let versions = [&sides.base, &sides.ours, &sides.theirs].map(|side| side.get(&slot));
            if let Some(one) = versions.into_iter().flatten().next() {
                self.object = slot;
                self.unified.class_name(one.row.class).clone_into(&mut self.class);
            }
            if let Some(chosen) = self.slot(versions) {
                slots.choose(slot, chosen);
                slots.set_name(slot, versions.map(|version| version.map(|version| version.row.name)));
            }
        }
        // What was added inside an object that goes is gone with it, if that was decided.
        if self.prefer.is_some() {
            for slot in slots.remove_inner() {
                self.settled_at(slot, "", ConflictKind::RefersToRemoved);
            }
        }
        slots
    }

    fn slot(&mut self, [base, ours, theirs]: [Option<&SideObject>; 3]) -> Option<Chosen> {
        match (base, ours, theirs) {
            (_, None, None) => None,
            (None, Some(_), None) => Some(Chosen::Ours),
            (None, None, Some(theirs)) => Some(self.theirs(theirs)),
            (Some(base), Some(ours), None) => {
                if self.is_alike(base, ours) {
                    self.taken += 1;
                    return None;
                }
                // Compiled again from what is left; what may refer to it finds it.
                if self.is_compiled() || noise::is_settled_class(&self.class) {
                    return Some(Chosen::Ours);
                }
                match self.conflict(ConflictKind::RemovedByTheirs) {
                    MergeSide::Ours => Some(Chosen::Ours),
                    MergeSide::Theirs => None,
                }
            }
            (Some(base), None, Some(theirs)) => {
                if self.is_alike(base, theirs) {
                    return None;
                }
                if self.is_compiled() || noise::is_settled_class(&self.class) {
                    return Some(Chosen::Theirs);
                }
                match self.conflict(ConflictKind::RemovedByOurs) {
                    MergeSide::Ours => None,
                    MergeSide::Theirs => Some(Chosen::Theirs),
                }
            }
            (base, Some(ours), Some(theirs)) => Some(self.both(base, ours, theirs)),
        }
    }

    fn both(&mut self, base: Option<&SideObject>, ours: &SideObject, theirs: &SideObject) -> Chosen {
        if is_same_object(ours, theirs) || base.is_some_and(|base| is_same_object(base, theirs)) {
            return Chosen::Ours;
        }
        if base.is_some_and(|base| is_same_object(base, ours)) && !theirs.is_opaque {
            return self.theirs(theirs);
        }
        // Nobody decides about these.
        if self.is_function() || noise::is_settled_class(&self.class) {
            return Chosen::Ours;
        }
        // What is not understood stays where it is, if it is the same in all versions.
        let is_kept =
            ours.has_same_opaque_parts(theirs) && base.is_none_or(|base| base.has_same_opaque_parts(ours));
        if !is_kept {
            return match self.conflict(ConflictKind::NotUnderstood) {
                MergeSide::Theirs if !theirs.is_opaque => Chosen::Theirs,
                _ => Chosen::Ours,
            };
        }
        Chosen::Merged(Box::new(self.merged(base, ours, theirs)))
    }

    /// Takes an object of theirs, if it can be moved.
    fn theirs(&mut self, theirs: &SideObject) -> Chosen {
        if theirs.is_opaque {
            self.hard_conflict(self.object, "", ConflictKind::NotUnderstood);
            return Chosen::Ours;
        }
        self.taken += 1;
        Chosen::Theirs
    }

    fn merged(&mut self, base: Option<&SideObject>, ours: &SideObject, theirs: &SideObject) -> SideObject {
        let row = self.row(base.map(|base| &base.row), &ours.row, &theirs.row);
        let of = base.map(|base| &base.object);
        let head = self.record(of.map(|of| &of.head), &ours.object.head, &theirs.object.head);
        let properties = match (&ours.object.properties, &theirs.object.properties) {
            (Some(List::Tagged(ours)), Some(List::Tagged(theirs))) => {
                let base = of.and_then(|of| {
                    if let Some(List::Tagged(list)) = &of.properties { Some(list) } else { None }
                });
                Some(List::Tagged(self.properties(base, ours, theirs)))
            }
            (ours, theirs) if ours == theirs => ours.clone(),
            (ours, theirs) => self.choose(ConflictKind::BothChange, ours, theirs),
        };
        // The editor compiles classes again when it loads them, so nobody decides about their tails.
        let before = self.mark();
        let tail = self.record(of.map(|of| &of.tail), &ours.object.tail, &theirs.object.tail);
        if self.is_compiled() {
            self.back_to(before);
        }
        let known: BTreeSet<_> = ours.depends.iter().collect();
        let new = theirs.depends.iter().filter(|one| !known.contains(one));
        let depends = ours.depends.iter().chain(new);
        SideObject {
            object: Object {
                head,
                properties,
                tail,
                rest: ours.object.rest.clone(),
                problem: ours.object.problem.clone(),
            },
            row,
            script: ours.script.clone(),
            is_opaque: ours.is_opaque,
            depends: depends.copied().collect(),
        }
    }

    fn row(&mut self, base: Option<&Export>, ours: &Export, theirs: &Export) -> Export {
        let facts = |row: &Export| (row.class, row.super_index, row.template, row.outer);
        if facts(ours) == facts(theirs) || base.is_some_and(|base| facts(base) == facts(theirs)) {
            return ours.clone();
        }
        if base.is_some_and(|base| facts(base) == facts(ours)) {
            return theirs.clone();
        }
        self.inside("Class", |this| this.choose(ConflictKind::BothChange, ours, theirs))
    }

    /// True if an object differs in nothing that a person changes.
    fn is_alike(&self, a: &SideObject, b: &SideObject) -> bool {
        if is_same_object(a, b) {
            return true;
        }
        let shown = |of: &SideObject| -> Option<Vec<Property>> {
            let Some(List::Tagged(list)) = &of.object.properties else { return None };
            let is_shown =
                |property: &&Property| !noise::settles_itself(self.unified.text(property.tag.name));
            Some(list.properties.iter().filter(is_shown).cloned().collect())
        };
        let is_same_tail = self.is_compiled() || record_bytes(a) == record_bytes(b);
        is_same_tail && shown(a).is_some() && shown(a) == shown(b) && a.object.rest == b.object.rest
    }

    /// True if the editor computes the present object from others.
    fn is_compiled(&self) -> bool {
        noise::is_compiled(&self.class)
    }

    fn is_function(&self) -> bool {
        self.is_compiled() && !self.class.ends_with("GeneratedClass")
    }
}

/// True if two objects are the same, but for their names and for flags of the editor's session.
fn is_same_object(a: &SideObject, b: &SideObject) -> bool {
    let facts = |row: &Export| (row.class, row.super_index, row.template, row.outer);
    facts(&a.row) == facts(&b.row) && a.script == b.script && (a.object == b.object || bytes(a) == bytes(b))
}

fn bytes(of: &SideObject) -> Vec<u8> {
    let mut w = Writer::new();
    // An object that was read can be written.
    let _ = of.object.write(&mut w);
    w.into_bytes()
}

fn record_bytes(of: &SideObject) -> Vec<u8> {
    let tail = Object { tail: of.object.tail.clone(), ..Object::default() };
    let mut w = Writer::new();
    let _ = tail.write(&mut w);
    w.into_bytes()
}
