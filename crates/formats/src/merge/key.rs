//! Identity of the elements of a list.

use super::unified::Unified;
use crate::id::Guid;
use crate::package::legacy::{Name, PackageRef};
use crate::property::{List, Value};
use crate::wire::Writer;
use std::collections::HashSet;

/// Identity of an element in its list: the bytes of its id, or of the whole element.
pub(super) type Key = Box<[u8]>;

/// Identities of the elements of a list.
pub(super) struct Keys {
    /// One for each element; all are different.
    pub of: Vec<Key>,
    /// True if they are identities of their own, so that elements added by both versions do not disturb each other: ids, keys of
    /// maps, and objects of the package. Otherwise they stand for their places as well.
    pub are_ids: bool,
}

/// Bytes of a value, which decide whether two are the same: a NaN is equal to itself.
pub(super) fn bytes(value: &Value) -> Key {
    let mut w = Writer::new();
    // A value that was read can be written.
    let _ = value.write(&mut w);
    w.into_bytes().into()
}

/// True if two values are the same.
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    a == b || bytes(a) == bytes(b)
}

/// Identities of the elements of several lists: by the same member in all of them, or as wholes. `None` if a list has two
/// elements that are the same.
pub(super) fn keys<const N: usize>(unified: &Unified, lists: [&[Value]; N]) -> Option<[Keys; N]> {
    let all = || lists.iter().flat_map(|list| list.iter());
    let are_objects = all()
        .all(|item| matches!(item, Value::Object(index) if matches!(index.decode(), PackageRef::Export(_))));
    let member = if are_objects { None } else { id_member(unified, &all()) };
    let by_member = member.and_then(|member| keys_by(lists, true, |item| member.of(item).map(bytes)));
    let are_ids = are_objects || all().all(is_reference);
    by_member.or_else(|| keys_by(lists, are_ids, |item| Some(bytes(item))))
}

fn keys_by<const N: usize>(
    lists: [&[Value]; N],
    are_ids: bool,
    key: impl Fn(&Value) -> Option<Key>,
) -> Option<[Keys; N]> {
    let mut found = Vec::with_capacity(N);
    for list in lists {
        let of: Vec<Key> = list.iter().map(&key).collect::<Option<_>>()?;
        if of.iter().collect::<HashSet<_>>().len() != of.len() {
            return None;
        }
        found.push(Keys { of, are_ids });
    }
    found.try_into().ok()
}

/// True for a reference to a pin, which is one of a set.
fn is_reference(item: &Value) -> bool {
    item.record().is_some_and(|record| record.get("OwningNode").is_some() && record.get("PinName").is_none())
}

/// Number of members that are tried.
const MAX_TRIED: usize = 4;

/// A member by which structs are told apart.
enum IdMember {
    /// Field of a native struct.
    Field(&'static str),
    /// Property, by its name.
    Property(Name),
}

impl IdMember {
    fn of<'v>(&self, item: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Field(name) => item.record()?.get(name),
            Self::Property(name) => properties(item).find(|(tag, _)| tag == name).map(|found| found.1),
        }
    }
}

/// Names and values of the properties of a struct.
fn properties(item: &Value) -> impl Iterator<Item = (Name, &Value)> {
    let list = match item.properties() {
        Some(List::Tagged(list)) => list.properties.as_slice(),
        _ => &[],
    };
    list.iter().map(|property| (property.tag.name, &property.value))
}

/// The member that has another value in each struct, as far as one list is concerned: an id, or else a name.
fn id_member<'v>(unified: &Unified, items: &(impl Iterator<Item = &'v Value> + Clone)) -> Option<IdMember> {
    let first = items.clone().next()?;
    if let Some(record) = first.record() {
        // Pins, and entries of maps.
        let pairs = [("PinId", "PinName"), ("Key", "Value")];
        let found = pairs.iter().find(|(id, other)| record.get(id).is_some() && record.get(other).is_some());
        return found.map(|(id, _)| IdMember::Field(id));
    }
    let is_guid = |value: &Value| matches!(id_of(value), Some(id) if id != Guid::default());
    let by_id = properties(first).filter(|(name, value)| is_id_name(unified.text(*name)) && is_guid(value));
    let by_name = properties(first).filter(|(name, value)| {
        let is_name = ["Name", "Key"].iter().any(|end| unified.text(*name).ends_with(end));
        is_name && matches!(value, Value::Name(_) | Value::Str(_))
    });
    // A few are tried: each costs a look at every element.
    by_id
        .chain(by_name)
        .take(MAX_TRIED)
        .map(|(name, _)| IdMember::Property(name))
        .find(|member| items.clone().all(|item| member.of(item).is_some()))
}

fn is_id_name(name: &str) -> bool {
    ["Guid", "GUID", "Id", "ID"].iter().any(|end| name.ends_with(end))
}

fn id_of(value: &Value) -> Option<Guid> {
    match value {
        Value::Guid(id) => Some(*id),
        // A property of type Guid.
        Value::Struct(_) => value.record().and_then(|record| match record.fields.as_slice() {
            [(_, Value::Guid(id))] => Some(*id),
            _ => None,
        }),
        _ => None,
    }
}
