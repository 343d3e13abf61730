//! Values inside values: the one place that walks go through.
//!
//! A walk asks a value what lies in it and decides by a few shapes; which type has which of them is said once, where the type is.

use super::value::{Body, List, Map, Record, Struct, Text, Value};

/// The values inside a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Inner<'v> {
    /// None.
    Leaf,
    /// One, which is at the same address: an optional has no name of its own.
    Same(&'v Value),
    /// Fields of the history of a text.
    Text(&'v Text),
    /// Properties or fields.
    Struct(&'v Struct),
    /// Elements, and those that are taken away from the elements of a parent.
    Items { removed: &'v [Value], items: &'v [Value] },
    /// Keys and values.
    Map(&'v Map),
}

/// The values inside a value, to be changed.
pub(super) enum InnerMut<'v> {
    /// None.
    Leaf,
    /// One, which is at the same address.
    Same(&'v mut Value),
    /// Fields of the history of a text.
    Text(&'v mut Text),
    /// Properties or fields.
    Struct(&'v mut Struct),
    /// Elements; those that are taken away stay as they are.
    Items(&'v mut [Value]),
    /// Keys and values.
    Map(&'v mut Map),
}

impl Value {
    /// Calls `visit` with every value directly inside: removed elements first, keys before their values. A walk over everything
    /// calls it again for each of them; values are no deeper in one another than the reader allows.
    pub(super) fn children<'v>(&'v self, visit: &mut dyn FnMut(&'v Self)) {
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

    /// The elements of an array or a set.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        match self.inner() {
            Inner::Items { items, .. } => Some(items),
            _ => None,
        }
    }

    /// What the own serializer of a struct wrote.
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
