//! Names.

use super::description::describe;
use crate::package::legacy::Name;
use crate::property::Value;
use crate::property::json::{In, one};
use crate::property::list::text;
use crate::property::tag;

describe! {
    /// `FName`.
    NameValue(Name): names(name, none) { *name = none(); };
    write(name, w) { tag::name(w, *name); }
    text(name, scope) { Some(text(scope.package, *name)) }
    key(name, scope) { Some(text(scope.package, *name)) }
    shown(name, scope, s) { s.serialize_str(&text(scope.package, *name)) }
    tree(name, tree, tag, s) { one(s, tag, &In(tree, name)) }
    from_tree(reader, part, _) { reader.name(part).map(Value::Name) }
    assign(name, c, wish) {
        // The same text keeps its place in the name table.
        *name = if c.text(*name) == wish.given.text() { c.names.keep(*name) } else { c.name(wish)? };
    }
    is_zero(name, c) { c.is_none(*name) }
    property {
        min_len 8;
        read(d) { d.name("name") }
        // The package need not have the name `None`.
        zero { Value::Utf8("None".into()) }
        has_zero_bit(_, _) { true }
    }
}
