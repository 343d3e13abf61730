//! Maps.

use super::description::describe;
use crate::property::Scope;
use crate::property::inner::{Inner, InnerMut};
use crate::property::json::{In, Reader, Shown, key_text, one};
use crate::property::value::{Map, Value};
use crate::property::write::{length, values};
use serde::ser::{Serialize, SerializeMap, Serializer};

describe! {
    /// Values by key.
    MapValue(Box<Map>): holds(map) { Inner::Map(map) } { InnerMut::Map(map) };
    write(map, w) {
        values(w, &map.removed)?;
        w.i32(length(w, map.entries.len())?);
        for (key, value) in &map.entries {
            key.write(w)?;
            value.write(w)?;
        }
    }
    text(map, _) { (map.entries.is_empty() && map.removed.is_empty()).then_some("{}".into()) }
    key(_, _) { None }
    shown(map, scope, s) { s.collect_seq(map.entries.iter().map(|(key, value)| Entry { scope, key, value })) }
    tree(map, tree, tag, s) {
        let entries: Vec<_> = map.entries.iter().map(|(key, value)| (In(tree, key), In(tree, value))).collect();
        one(s, tag, &(tree.all(&map.removed), entries))
    }
    from_tree(reader, part, _) {
        let removed = part.element(0, |removed| reader.values(&removed))?;
        let entries = part.element(1, |entries| {
            entries.each(|entry| reader.two(&entry, Reader::value).map(|[key, value]| (key, value)))
        })?;
        Ok(Value::Map(Box::new(Map { removed, entries })))
    }
    assign(map, c, wish) { c.map(map, wish)?; }
    is_zero(_, _) { false }
}

/// A key and its value, in FModel's form.
struct Entry<'s, 'a> {
    scope: &'s Scope<'a>,
    key: &'s Value,
    value: &'s Value,
}

impl Serialize for Entry<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        let mut map = serializer.serialize_map(Some(2))?;
        match key_text(scope, self.key) {
            Some(text) => map.serialize_entry("Key", &text)?,
            None => map.serialize_entry("Key", &Shown { scope, value: self.key })?,
        }
        map.serialize_entry("Value", &Shown { scope, value: self.value })?;
        map.end()
    }
}
