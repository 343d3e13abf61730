//! Bools: one byte in properties, four in native structs.

use super::prelude::*;
use crate::property::edit::bool_of;

const fn word(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

describe! {
    BoolValue(bool): leaf;
    write(value, w) { w.u8((*value).into()); }
    text(value, _) { Some(word(*value).into()) }
    // Keys are spelled as .NET prints bools, which is what FModel shows.
    key(value, _) { Some(if *value { "True" } else { "False" }.into()) }
    shown(value, _, s) { value.serialize(s) }
    tree(value, _, tag, s) { one(s, tag, value) }
    from_tree(_, part, _) { part.bool().map(Value::Bool) }
    assign(value, _, wish) { *value = bool_of(wish.given).ok_or_else(|| wish.refused("true or false"))?; }
    is_zero(value, _) { !value }
    property { 1, d => d.bool(), Value::Bool(false), (_, _) => true }
}

describe! {
    Bool32Value(bool): leaf;
    write(value, w) { w.u32((*value).into()); }
    text(value, _) { Some(word(*value).into()) }
    shown(value, _, s) { value.serialize(s) }
    tree(value, _, tag, s) { one(s, tag, value) }
    from_tree(_, part, _) { part.bool().map(Value::Bool32) }
    assign(value, _, wish) { *value = bool_of(wish.given).ok_or_else(|| wish.refused("true or false"))?; }
    is_zero(value, _) { !value }
}
