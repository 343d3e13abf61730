//! The indices by which an object refers to the tables of its package: names, objects, soft object paths.
//!
//! A value moves to another package, or to another place in its own, when these are replaced.

use super::object::Object;
use super::reference::{Delegate, FieldPath};
use super::tag::{BareKind, BareMore, CompleteType, InnerTag, Tag, TagKind};
use super::value::{Body, List, Record, TaggedList, Value};
use crate::package::legacy::{Name, PackageIndex};
use std::sync::Arc;

/// A visitor of indices, which may replace them.
pub trait TableIndices {
    /// Visits an index into the name table.
    fn name(&mut self, name: &mut Name);
    /// Visits a reference to an import or export.
    fn object(&mut self, index: &mut PackageIndex);
    /// Visits an index into the table of soft object paths.
    fn soft_path(&mut self, index: &mut i32);
}

impl Object {
    /// Calls `visit` with every index. Bytes that are not understood, and the bytecode of functions, are left out.
    pub fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        self.head.visit_indices(visit);
        if let Some(list) = &mut self.properties {
            list.visit_indices(visit);
        }
        self.tail.visit_indices(visit);
    }
}

impl Value {
    /// Calls `visit` with every index in the value, and in the values inside.
    pub(crate) fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        self.own_indices(visit);
        match self {
            // The tags of the properties, and what is removed from the value of a parent, are no values inside.
            Self::Struct(found) => match &mut found.body {
                Body::List(list) => list.visit_indices(visit),
                Body::Native(record) => record.visit_indices(visit),
                Body::Empty => {}
            },
            Self::Set(set) => {
                set.removed.iter_mut().chain(&mut set.items).for_each(|value| value.visit_indices(visit));
            }
            Self::Map(map) => {
                let entries = map.entries.iter_mut().flat_map(|(key, value)| [key, value]);
                map.removed.iter_mut().chain(entries).for_each(|value| value.visit_indices(visit));
            }
            Self::TaggedArray(array) => {
                array.tag.visit_indices(visit);
                array.items.iter_mut().for_each(|value| value.visit_indices(visit));
            }
            value => value.children_mut(&mut |inner| inner.visit_indices(visit)),
        }
    }
}

impl Record {
    fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        self.fields.iter_mut().for_each(|(_, value)| value.visit_indices(visit));
    }
}

impl List {
    fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        match self {
            Self::Tagged(TaggedList { properties, end, .. }) => {
                for property in properties {
                    property.tag.visit_indices(visit);
                    property.value.visit_indices(visit);
                }
                if let Some(end) = end {
                    visit.name(end);
                }
            }
            Self::Unversioned(list) => list.values.iter_mut().for_each(|value| value.visit_indices(visit)),
        }
    }
}

impl Tag {
    fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        visit.name(&mut self.name);
        match &mut self.kind {
            TagKind::Bare(BareKind { name, more }) => {
                visit.name(name);
                match more {
                    BareMore::None | BareMore::Bool(_) => {}
                    BareMore::Struct(one, _) | BareMore::One(one) => visit.name(one),
                    BareMore::Two(one, two) => {
                        visit.name(one);
                        visit.name(two);
                    }
                }
            }
            TagKind::Complete { of, .. } => {
                let mut nodes: Vec<(Name, i32)> = of.nodes().collect();
                for (name, _) in &mut nodes {
                    visit.name(name);
                }
                // Types are shared; most visits change none.
                if !nodes.iter().copied().eq(of.nodes()) {
                    *of = Arc::new(CompleteType::new(&nodes, of.kind.clone()));
                }
            }
        }
    }
}

impl InnerTag {
    fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        for name in [&mut self.name, &mut self.kind, &mut self.of] {
            visit.name(name);
        }
    }
}

impl Delegate {
    pub(super) fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        visit.object(&mut self.object);
        visit.name(&mut self.function);
    }
}

impl FieldPath {
    pub(crate) fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        for name in &mut self.path {
            visit.name(name);
        }
        if let Some(owner) = &mut self.owner {
            visit.object(owner);
        }
    }
}
