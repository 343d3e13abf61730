//! Maps.

use super::prelude::*;
use crate::property::json::key_text;
use crate::property::value::Map;

describe! {
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
    // Removed keys are not shown.
    shown(map, scope, s) { s.collect_seq(map.entries.iter().map(|value| Shown { scope, value })) }
    tree(map, tree, tag, s) {
        let entries = map.entries.iter().map(|(key, value)| (In(tree, key), In(tree, value)));
        one(s, tag, &(tree.all(&map.removed), entries.collect::<Vec<_>>()))
    }
    from_tree(reader, part, _) {
        let removed = part.element(0, |removed| reader.values(&removed))?;
        let entries = part.element(1, |entries| {
            entries.each(|entry| reader.two(&entry, Reader::value).map(|[key, value]| (key, value)))
        })?;
        Ok(Value::Map(Box::new(Map { removed, entries })))
    }
    assign(map, c, wish) { c.map(map, wish)?; }
    // Never seen with a zero bit.
    is_zero(_, _) { false }
}

impl Serialize for Shown<'_, '_, (Value, Value)> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scope, value: (key, value) } = *self;
        let mut map = serializer.serialize_map(Some(2))?;
        match key_text(scope, key) {
            Some(text) => map.serialize_entry("Key", &text)?,
            None => map.serialize_entry("Key", &Shown { scope, value: key })?,
        }
        map.serialize_entry("Value", &Shown { scope, value })?;
        map.end()
    }
}
