//! Structs: property lists, or the fields of a native serializer.

use super::prelude::*;
use crate::property::value::{Body, Struct};
use std::sync::Arc;

describe! {
    StructValue(Box<Struct>): holds(found) { Inner::Struct(found) } { InnerMut::Struct(found) };
    write(found, w) {
        match &found.body {
            Body::List(list) => list.write(w)?,
            Body::Native(record) => record.write(w)?,
            Body::Empty => {}
        }
    }
    text(found, _) {
        let is_empty = match &found.body {
            Body::List(list) => list.is_empty(),
            Body::Native(record) => record.fields.is_empty(),
            Body::Empty => true,
        };
        is_empty.then_some("()".into())
    }
    shown(found, scope, s) { Shown { scope, value: &**found }.serialize(s) }
    // Documents use a type name for each of the three bodies.
    tree(found, tree, tag, s) {
        let name = found.name.as_deref();
        match &found.body {
            Body::List(list) => one(s, tag, &(name, In(tree, list))),
            Body::Native(record) => one(s, "Native", &(name, In(tree, record))),
            Body::Empty => one(s, "Empty", &name),
        }
    }
    from_tree(reader, part, tag) {
        if tag == "Empty" {
            let name = name_from(part)?;
            return Ok(Value::Struct(Box::new(Struct { name, body: Body::Empty })));
        }
        let name = part.element(0, |name| name_from(&name))?;
        let body = part.element(1, |body| match tag {
            "Native" => reader.record(&body).map(Body::Native),
            _ => {
                // Without a layout the list keeps its header, as long as no member is added.
                let layout = reader.layout(name.as_deref());
                reader.list(&body, layout).map(Body::List)
            }
        })?;
        Ok(Value::Struct(Box::new(Struct { name, body })))
    }
    assign(found, c, wish) { c.structure(found, wish)?; }
    // A list has bytes even if it is empty, so it is never zero.
    is_zero(found, c) {
        matches!(&found.body, Body::Native(record) if record.fields.iter().all(|(_, value)| value.is_zero(c)))
    }
}

fn name_from(part: &SourcePart<'_>) -> Result<Option<Arc<str>>, JsonError> {
    if part.json.is_null() { Ok(None) } else { part.text().map(|name| Some(name.into())) }
}
