//! Bools: one byte, or four in what native serializers write.

use super::description::describe;
use crate::property::Value;
use crate::property::edit::bool_of;
use crate::property::json::one;
use serde::ser::Serialize;

const fn word(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

describe! {
    /// One byte, or nothing at all where a tag says it.
    BoolValue(bool): leaf;
    write(value, w) { w.u8((*value).into()); }
    text(value, _) { Some(word(*value).into()) }
    key(value, _) { Some(if *value { "True" } else { "False" }.into()) }
    shown(value, _, s) { value.serialize(s) }
    tree(value, _, tag, s) { one(s, tag, value) }
    from_tree(_, part, _) { part.bool().map(Value::Bool) }
    assign(value, _, wish) { *value = bool_of(wish.given).ok_or_else(|| wish.refused("true or false"))?; }
    is_zero(value, _) { !value }
    property {
        min_len 1;
        read(d) { d.bool() }
        zero { Value::Bool(false) }
        has_zero_bit(_, _) { true }
    }
}

describe! {
    /// Four bytes.
    Bool32Value(bool): leaf;
    write(value, w) { w.u32((*value).into()); }
    text(value, _) { Some(word(*value).into()) }
    key(_, _) { None }
    shown(value, _, s) { value.serialize(s) }
    tree(value, _, tag, s) { one(s, tag, value) }
    from_tree(_, part, _) { part.bool().map(Value::Bool32) }
    assign(value, _, wish) { *value = bool_of(wish.given).ok_or_else(|| wish.refused("true or false"))?; }
    is_zero(value, _) { !value }
}
