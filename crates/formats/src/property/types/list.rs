//! Arrays, with and without an inner tag, and sets.

use super::prelude::*;
use crate::property::json::guid;
use crate::property::tag::{InnerTag, TagGuid};
use crate::property::value::{Set, TaggedArray};

describe! {
    ArrayValue(Vec<Value>): holds(items) { Inner::Items { removed: &[], items } } { InnerMut::Items(items) };
    write(items, w) { values(w, items)?; }
    text(items, _) { items.is_empty().then_some("[]".into()) }
    shown(items, scope, s) { shown(scope, items, s) }
    tree(items, tree, tag, s) { one(s, tag, &tree.all(items)) }
    from_tree(reader, part, _) { reader.values(part).map(Value::Array) }
    assign(items, c, wish) { c.items(items, wish)?; }
    is_zero(items, _) { items.is_empty() }
}

describe! {
    TaggedArrayValue(Box<TaggedArray>): holds(array) {
        Inner::Items { removed: &[], items: &array.items }
    } {
        InnerMut::Items(&mut array.items)
    };
    write(array, w) {
        // The tag holds the size of the elements, so they are written first.
        let mut inner = Writer::new();
        array.items.iter().try_for_each(|item| item.write(&mut inner))?;
        w.i32(length(w, array.items.len())?);
        array.tag.write(w, length(w, inner.len())?);
        w.bytes(&inner.into_bytes());
    }
    text(array, _) { array.items.is_empty().then_some("[]".into()) }
    shown(array, scope, s) { shown(scope, &array.items, s) }
    tree(array, tree, tag, s) { one(s, tag, &(In(tree, &array.tag), tree.all(&array.items))) }
    from_tree(reader, part, _) {
        let tag = part.element(0, |tag| inner_tag(reader, &tag))?;
        let items = part.element(1, |items| reader.values(&items))?;
        Ok(Value::TaggedArray(Box::new(TaggedArray { tag, items })))
    }
    assign(array, c, wish) { c.items(&mut array.items, wish)?; }
    is_zero(_, _) { false }
}

describe! {
    SetValue(Box<Set>): holds(set) {
        Inner::Items { removed: &set.removed, items: &set.items }
    } {
        InnerMut::Items(&mut set.items)
    };
    write(set, w) {
        values(w, &set.removed)?;
        values(w, &set.items)?;
    }
    text(set, _) { (set.items.is_empty() && set.removed.is_empty()).then_some("[]".into()) }
    shown(set, scope, s) { shown(scope, &set.items, s) }
    tree(set, tree, tag, s) { one(s, tag, &(tree.all(&set.removed), tree.all(&set.items))) }
    from_tree(reader, part, _) {
        let [removed, items] = reader.two(part, Reader::values)?;
        Ok(Value::Set(Box::new(Set { removed, items })))
    }
    // Removed elements stay: JSON does not show them.
    assign(set, c, wish) { c.items(&mut set.items, wish)?; }
    is_zero(_, _) { false }
}

fn shown<S: Serializer>(scope: &Scope<'_>, items: &[Value], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(items.iter().map(|value| Shown { scope, value }))
}

impl Serialize for In<'_, '_, '_, InnerTag> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, tag) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &In(tree, &tag.name))?;
        map.serialize_entry("type", &[In(tree, &tag.kind), In(tree, &tag.of)])?;
        map.serialize_entry("element", &tag.element)?;
        map.serialize_entry("struct_guid", &tag.of_guid.to_string())?;
        if let TagGuid::Some(found) = tag.guid {
            map.serialize_entry("guid", &found.to_string())?;
        }
        map.end()
    }
}

fn inner_tag(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>) -> Result<InnerTag, JsonError> {
    let [kind, of] = part.member("type", |kinds| reader.two(&kinds, Reader::name))?;
    let found = part.optional("guid", |found| guid(&found))?;
    Ok(InnerTag {
        name: part.member("name", |name| reader.name(&name))?,
        kind,
        // Counted when written.
        len: 0,
        element: part.member("element", |element| element.number())?,
        of,
        of_guid: part.member("struct_guid", |found| guid(&found))?,
        guid: found.map_or_else(|| reader.no_guid(), TagGuid::Some),
    })
}
