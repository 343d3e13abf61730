//! Names: `FName`, and values of enums by their names.

use super::prelude::*;

describe! {
    NameValue(Name): names(name, none) { *name = none(); };
    write(name, w) { tag::name(w, *name); }
    text(name, scope) { Some(text(scope.package, *name)) }
    key(name, scope) { Some(text(scope.package, *name)) }
    shown(name, scope, s) { text(scope.package, *name).serialize(s) }
    tree(name, tree, tag, s) { one(s, tag, &In(tree, name)) }
    from_tree(reader, part, _) { reader.name(part).map(Value::Name) }
    // The same text keeps its place in the name table: several places may have it, in other letter cases.
    assign(name, c, wish) {
        *name = if wish.is(&c.text(*name)) { c.names.keep(*name) } else { c.name(wish)? };
    }
    is_zero(name, c) { c.is_none(*name) }
    // The package need not have the name `None`.
    property { 8, d => d.name("name"), Value::Utf8("None".into()), (_, _) => true }
}

describe! {
    EnumNameValue(Name): names(name, none) { *name = none(); };
    write(name, w) { tag::name(w, *name); }
    text(name, scope) { Some(text(scope.package, *name)) }
    key(name, scope) { Some(text(scope.package, *name)) }
    shown(name, scope, s) { text(scope.package, *name).serialize(s) }
    tree(name, tree, tag, s) { one(s, tag, &In(tree, name)) }
    from_tree(reader, part, _) { reader.name(part).map(Value::Enum) }
    assign(name, c, wish) {
        *name = if wish.is(&c.text(*name)) { c.names.keep(*name) } else { c.enum_name(*name, wish)? };
    }
    // Nothing tells which name is that of the number 0 without the enum.
    is_zero(_, _) { false }
}
