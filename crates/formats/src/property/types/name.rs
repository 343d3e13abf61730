//! Names: `FName`, and enum values stored as names.

use super::prelude::*;

describe! {
    NameValue(Name): indices(name, visit) { visit.name(name); };
    write(name, w) { tag::name(w, *name); }
    text(name, scope) { Some(text(scope.package, *name)) }
    key(name, scope) { Some(text(scope.package, *name)) }
    shown(name, scope, s) { text(scope.package, *name).serialize(s) }
    tree(name, tree, tag, s) { one(s, tag, &In(tree, name)) }
    from_tree(reader, part, _) { reader.name(part).map(Value::Name) }
    // The same text keeps its entry in the name table: several entries may differ only in letter case.
    assign(name, c, wish) {
        *name = if wish.is(&c.text(*name)) { c.names.keep(*name) } else { c.name(wish)? };
    }
    is_zero(name, c) { c.is_none(*name) }
    // The package need not have the name `None`, so zero is shown as a string.
    property { 8, d => d.name("name"), Value::Utf8("None".into()), (_, _) => true }
}

describe! {
    EnumNameValue(Name): indices(name, visit) { visit.name(name); };
    write(name, w) { tag::name(w, *name); }
    text(name, scope) { Some(text(scope.package, *name)) }
    key(name, scope) { Some(text(scope.package, *name)) }
    shown(name, scope, s) { text(scope.package, *name).serialize(s) }
    tree(name, tree, tag, s) { one(s, tag, &In(tree, name)) }
    from_tree(reader, part, _) { reader.name(part).map(Value::Enum) }
    assign(name, c, wish) {
        *name = if wish.is(&c.text(*name)) { c.names.keep(*name) } else { c.enum_name(*name, wish)? };
    }
    // Without the enum, nothing tells which name has the number 0.
    is_zero(_, _) { false }
}
