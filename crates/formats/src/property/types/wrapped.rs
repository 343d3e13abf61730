//! Values that wrap one other: optionals, and values with their size in bytes in front.

use super::prelude::*;

describe! {
    OptionalValue(Option<Box<Value>>): holds(found) {
        found.as_deref().map_or(Inner::Leaf, Inner::Same)
    } {
        found.as_deref_mut().map_or(InnerMut::Leaf, InnerMut::Same)
    };
    write(found, w) {
        w.u32(found.is_some().into());
        found.iter().try_for_each(|value| value.write(w))?;
    }
    text(found, _) { found.is_none().then_some("None".into()) }
    shown(found, scope, s) { found.as_deref().map(|value| Shown { scope, value }).serialize(s) }
    tree(found, tree, tag, s) { one(s, tag, &found.as_deref().map(|value| In(tree, value))) }
    from_tree(reader, part, _) {
        if part.json.is_null() {
            return Ok(Value::Optional(None));
        }
        reader.value(part).map(|value| Value::Optional(Some(Box::new(value))))
    }
    assign(found, c, wish) { c.optional(found, wish)?; }
    is_zero(_, _) { false }
}

describe! {
    SizedValue(Box<Value>): holds(value) { Inner::Same(value) } { InnerMut::Same(value) };
    write(value, w) {
        // The length stands first but is known last.
        let mut inner = Writer::new();
        value.write(&mut inner)?;
        counted(w, &inner.into_bytes())?;
    }
    text(_, _) { None }
    shown(value, scope, s) { Shown { scope, value: &**value }.serialize(s) }
    tree(value, tree, tag, s) { one(s, tag, &In(tree, &**value)) }
    from_tree(reader, part, _) { reader.value(part).map(|value| Value::Sized(Box::new(value))) }
    // Address and type are those of the wrapping value.
    assign(value, c, wish) { c.assign(value, &wish.inner(wish.kind))?; }
    is_zero(_, _) { false }
}
