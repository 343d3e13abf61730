//! Enum values stored as numbers: only members of unversioned lists.

use super::prelude::*;
use crate::property::edit::enumerator;
use crate::property::schema::Enumeration;
use crate::property::value::Enumerator;
use crate::property::words::enumerator_text;
use std::sync::Arc;

describe! {
    EnumeratorValue(Enumerator): leaf;
    write(found, w) {
        // In little-endian order, a narrow number is a prefix of a wide one.
        let bytes = found.number.to_le_bytes();
        w.bytes(bytes.get(..found.width.into()).unwrap_or(&bytes));
    }
    text(found, _) {
        Some(if found.of.name.is_empty() { found.number.to_string() } else { enumerator_text(found) }.into())
    }
    key(found, _) { Some(enumerator_text(found).into()) }
    shown(found, _, s) {
        // The number of an unknown enum stays a number in JSON, so that it can be assigned back.
        if found.of.name.is_empty() {
            return found.number.serialize(s);
        }
        s.serialize_str(&enumerator_text(found))
    }
    tree(found, _, tag, s) {
        one(s, tag, &(&*found.of.name, found.of.name_of(found.number), found.number, found.width))
    }
    from_tree(reader, part, _) { from_tree(reader, part).map(Value::Enumerator) }
    assign(found, _, wish) { enumerator(found, wish.given, wish.at)?; }
    is_zero(found, _) { found.number == 0 }
}

/// Reads an enum value: its number, or its name if that was edited.
fn from_tree(reader: &Reader<'_, '_>, part: &SourcePart<'_>) -> Result<Enumerator, JsonError> {
    let of = part.element(0, |of| Ok(Arc::<str>::from(of.text()?)))?;
    let number = part.element(2, |number| number.number::<i64>())?;
    let width: u8 = part.element(3, |width| width.number())?;
    // Documents are edited by hand: another width would shift everything that follows.
    if ![1, 2, 4, 8].contains(&width) {
        return Err(
            part.error(&format!("found {width} bytes for the value of an enum, expected 1, 2, 4 or 8"))
        );
    }
    let of: Arc<Enumeration> = reader.scope.enumeration(Some(&of));
    let number = part.element(1, |name| match name.json.as_str() {
        // The document holds number and name. If they differ, the name was edited.
        Some(text) if of.name_of(number) != Some(text) => {
            let named = of.values().find(|(_, known)| known.eq_ignore_ascii_case(text));
            named.map(|(number, _)| number).ok_or_else(|| name.expected(&format!("a value of {}", of.name)))
        }
        _ => Ok(number),
    })?;
    Ok(Enumerator { of, number, width })
}
