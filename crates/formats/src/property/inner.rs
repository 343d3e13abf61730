//! The values inside a value: every walk goes through here.
//!
//! A walk sees only a few shapes. The file of each type says which of them it has.

use super::value::{Body, List, Map, Record, Struct, Text, Value};

/// The values inside a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Inner<'v> {
    /// No values.
    Leaf,
    /// One value at the same address: an optional has no name of its own.
    Same(&'v Value),
    /// The fields of a text's history.
    Text(&'v Text),
    /// Properties or fields.
    Struct(&'v Struct),
    /// Elements, and those removed from the parent's value.
    Items { removed: &'v [Value], items: &'v [Value] },
    /// Keys and values.
    Map(&'v Map),
}

/// The values inside a value, mutably.
pub(super) enum InnerMut<'v> {
    /// No values.
    Leaf,
    /// One value at the same address.
    Same(&'v mut Value),
    /// The fields of a text's history.
    Text(&'v mut Text),
    /// Properties or fields.
    Struct(&'v mut Struct),
    /// Elements. Removed elements cannot be edited.
    Items(&'v mut Vec<Value>),
    /// Keys and values.
    Map(&'v mut Map),
}

impl Value {
    /// Calls `visit` with every value directly inside: removed elements first, keys before their values. To
    /// walk deeper, call it again for each of them; the reader bounds the depth.
    pub(crate) fn children<'v>(&'v self, visit: &mut dyn FnMut(&'v Self)) {
        match self.inner() {
            Inner::Leaf => {}
            Inner::Same(value) => visit(value),
            Inner::Text(text) => text.fields.fields.iter().for_each(|(_, value)| visit(value)),
            Inner::Struct(found) => match &found.body {
                Body::List(list) => list.values().for_each(visit),
                Body::Native(record) => record.fields.iter().for_each(|(_, value)| visit(value)),
                Body::Empty => {}
            },
            Inner::Items { removed, items } => removed.iter().chain(items).for_each(visit),
            Inner::Map(map) => {
                map.removed.iter().for_each(&mut *visit);
                map.entries.iter().flat_map(|(key, value)| [key, value]).for_each(visit);
            }
        }
    }

    /// Calls `visit` with every value directly inside that an edit may change.
    pub(super) fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        match self.inner_mut() {
            InnerMut::Leaf => {}
            InnerMut::Same(value) => visit(value),
            InnerMut::Text(text) => text.fields.fields.iter_mut().for_each(|(_, value)| visit(value)),
            InnerMut::Struct(found) => match &mut found.body {
                Body::List(List::Tagged(list)) => {
                    list.properties.iter_mut().for_each(|property| visit(&mut property.value));
                }
                Body::List(List::Unversioned(list)) => list.values.iter_mut().for_each(visit),
                Body::Native(record) => record.fields.iter_mut().for_each(|(_, value)| visit(value)),
                Body::Empty => {}
            },
            InnerMut::Items(items) => items.iter_mut().for_each(visit),
            InnerMut::Map(map) => {
                map.entries.iter_mut().flat_map(|(key, value)| [key, value]).for_each(visit);
            }
        }
    }

    /// The elements of an array or a set, without removed ones.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        match self.inner() {
            Inner::Items { items, .. } => Some(items),
            _ => None,
        }
    }

    /// The fields written by a struct's own serializer.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        match self.inner() {
            Inner::Struct(Struct { body: Body::Native(record), .. }) => Some(record),
            _ => None,
        }
    }

    /// The properties of a struct.
    #[must_use]
    pub fn properties(&self) -> Option<&List> {
        match self.inner() {
            Inner::Struct(Struct { body: Body::List(list), .. }) => Some(list),
            _ => None,
        }
    }
}
