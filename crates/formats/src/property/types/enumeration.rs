//! Values of enums: by name where a list has tags, and inside arrays, sets and maps; else by number.

use super::description::describe;
use crate::package::legacy::Name;
use crate::property::edit::enumerator;
use crate::property::json::{In, JsonError, Reader, SourcePart, one};
use crate::property::list::text;
use crate::property::schema::Enumeration;
use crate::property::tag;
use crate::property::value::{Enumerator, Value};
use crate::property::words::enumerator_text;
use serde::ser::Serialize;
use std::sync::Arc;

describe! {
    /// A value of an enum, by its name.
    EnumValueName(Name): names(name, none) { *name = none(); };
    write(name, w) { tag::name(w, *name); }
    text(name, scope) { Some(text(scope.package, *name)) }
    key(name, scope) { Some(text(scope.package, *name)) }
    shown(name, scope, s) { s.serialize_str(&text(scope.package, *name)) }
    tree(name, tree, tag, s) { one(s, tag, &In(tree, name)) }
    from_tree(reader, part, _) { reader.name(part).map(Value::Enum) }
    assign(name, c, wish) {
        // The same text keeps its place in the name table.
        let is_same = c.text(*name) == wish.given.text();
        *name = if is_same { c.names.keep(*name) } else { c.enum_name(*name, wish)? };
    }
    is_zero(_, _) { false }
}

describe! {
    /// A value of an enum, by its number.
    EnumeratorValue(Enumerator): leaf;
    write(found, w) {
        let bytes = found.number.to_le_bytes();
        w.bytes(bytes.get(..found.width.into()).unwrap_or(&bytes));
    }
    text(found, _) {
        Some(if found.of.name.is_empty() { found.number.to_string() } else { enumerator_text(found) }.into())
    }
    key(found, _) { Some(enumerator_text(found).into()) }
    shown(found, _, s) {
        if found.of.name.is_empty() { found.number.serialize(s) } else { s.serialize_str(&enumerator_text(found)) }
    }
    tree(found, _, tag, s) {
        one(s, tag, &(&*found.of.name, found.of.name_of(found.number), found.number, found.width))
    }
    from_tree(reader, part, _) { from_tree(reader, part).map(Value::Enumerator) }
    assign(found, _, wish) { enumerator(found, wish.given, wish.at)?; }
    is_zero(found, _) { found.number == 0 }
}

/// The value of an enum: its number, or its name if that was changed.
fn from_tree(reader: &Reader<'_, '_>, part: &SourcePart<'_>) -> Result<Enumerator, JsonError> {
    let of = part.element(0, |of| Ok(Arc::<str>::from(of.text()?)))?;
    let number = part.element(2, |number| number.number::<i64>())?;
    let width: u8 = part.element(3, |width| width.number())?;
    if ![1, 2, 4, 8].contains(&width) {
        return Err(
            part.error(&format!("found {width} bytes for the value of an enum, expected 1, 2, 4 or 8"))
        );
    }
    let of: Arc<Enumeration> = reader.scope.enumeration(Some(&of));
    let number = part.element(1, |name| match name.json.as_str() {
        Some(text) if of.name_of(number) != Some(text) => {
            let named = of.values().find(|(_, known)| known.eq_ignore_ascii_case(text));
            named.map(|(number, _)| number).ok_or_else(|| name.expected(&format!("a value of {}", of.name)))
        }
        _ => Ok(number),
    })?;
    Ok(Enumerator { of, number, width })
}
