//! Finds members of lists and records by name, for editing.

use super::context::{Context, listed_near};
use super::error::EditError;
use crate::property::decode::ReadPlace;
use crate::property::from_value::FromValue;
use crate::property::header::{Header, Member};
use crate::property::kind::{Kind, StructName};
use crate::property::value::{List, Property, Record, TaggedList, UnversionedList, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// A member, and its type if known.
pub(super) struct FoundMember<'v> {
    pub value: &'v mut Value,
    pub kind: Option<Kind>,
    /// The class or interface a reference must lead to, if known.
    pub leads_to: Option<StructName>,
    /// True if the list omitted it, so it has its class's default.
    pub is_new: bool,
}

impl<'v> FoundMember<'v> {
    pub(super) const fn of(value: &'v mut Value, kind: Option<Kind>) -> Self {
        Self { value, kind, leads_to: None, is_new: false }
    }
}

/// A property to look for in a list.
pub(super) struct Wanted<'w> {
    /// The struct or class of the list, if known.
    pub owner: Option<&'w StructName>,
    pub name: &'w str,
    /// Element number in a static array.
    pub element: u32,
    /// The address of the list.
    pub at: &'w str,
}

/// The struct of a value with this name and type.
pub(super) fn owner(name: Option<&Arc<str>>, kind: Option<&Kind>) -> Option<StructName> {
    match (kind, name) {
        // A type from a schema includes the package, which the value's own name lacks.
        (Some(Kind::Struct(of)), _) if !of.name.is_empty() => Some(of.clone()),
        (_, name) => name.map(|name| StructName { name: Arc::clone(name), package: None }),
    }
}

impl Context<'_, '_> {
    /// True if the list has a static array with this name.
    pub(super) fn is_static(&self, list: &List, name: &str) -> bool {
        // An element above 0 proves it: plain properties have element 0 only.
        let named = |found: &str, element: u32| element > 0 && found.eq_ignore_ascii_case(name);
        match list {
            List::Tagged(_) => {
                list.members(self.scope.package).any(|member| named(&member.name, member.element))
            }
            List::Unversioned(list) => {
                list.layout.slots().any(|(_, slot, element)| named(&slot.name, element))
            }
        }
    }

    /// Finds a property of a list, adding it if the list omits it.
    pub(super) fn member<'v>(
        &mut self,
        list: &'v mut List,
        wanted: &Wanted<'_>,
    ) -> Result<FoundMember<'v>, EditError> {
        match list {
            List::Tagged(list) => self.tagged(list, wanted),
            List::Unversioned(list) => self.unversioned(list, wanted),
        }
    }

    fn tagged<'v>(
        &mut self,
        list: &'v mut TaggedList,
        wanted: &Wanted<'_>,
    ) -> Result<FoundMember<'v>, EditError> {
        let is_wanted = |property: &Property| {
            let name = property.tag.name;
            property.tag.element == wanted.element && self.text(name).eq_ignore_ascii_case(wanted.name)
        };
        let known = list.properties.iter().enumerate().find(|(_, property)| is_wanted(property));
        let known = known.map(|(place, property)| (place, property.tag.kind(self.scope)));
        let is_new = known.is_none();
        let (place, kind) = match known {
            Some(known) => known,
            None => self.add_tagged(list, wanted)?,
        };
        let property = list.properties.get_mut(place);
        let property = property.ok_or_else(|| not_found(wanted.name, wanted.at, std::iter::empty()))?;
        // Tags do not say which class a reference leads to; the schema of a blueprint does.
        let layout = wanted.owner.and_then(|owner| self.scope.layout(owner));
        let leads_to = layout.and_then(|layout| layout.find(wanted.name, 0)?.1.leads_to.clone());
        Ok(FoundMember { value: &mut property.value, kind: Some(kind), leads_to, is_new })
    }

    fn unversioned<'v>(
        &mut self,
        list: &'v mut UnversionedList,
        &Wanted { name, element, at, .. }: &Wanted<'_>,
    ) -> Result<FoundMember<'v>, EditError> {
        let Some((index, slot)) = list.layout.find(name, element) else {
            let firsts = list.layout.slots().filter(|(_, _, element)| *element == 0);
            let there = firsts.map(|(_, slot, _)| slot.name.to_string());
            return Err(not_found(&numbered(name, element), at, there));
        };
        let (kind, leads_to) = ((*slot.kind).clone(), slot.leads_to.clone());
        let mut members: Vec<Member> = list.header.members().collect();
        let place = members.iter().position(|member| member.index == index);
        let is_there = place.is_some_and(|place| members.get(place).is_some_and(|member| !member.is_zero));
        // Only nonzero members have a value, so this is the value's place.
        let values_before = members.iter().filter(|member| member.index < index && !member.is_zero).count();
        if !is_there {
            let value = self.default_of(&kind, ReadPlace::Member).ok_or_else(|| EditError::Value {
                at: format!("{at}.{name}"),
                found: "no value".to_owned(),
                expected: "a property whose type is known".to_owned(),
            })?;
            // A member recorded as zero keeps its place in the header.
            match place.and_then(|place| members.get_mut(place)) {
                Some(member) => member.is_zero = false,
                None => {
                    let after = members.partition_point(|member| member.index < index);
                    members.insert(after, Member { index, is_zero: false });
                }
            }
            // The cooker's form: the old header may not be able to express the new member.
            list.header = Header::new(members.into_iter(), list.layout.len());
            list.values.insert(values_before.min(list.values.len()), value);
        }
        let value = list.values.get_mut(values_before);
        let value = value.ok_or_else(|| not_found(name, at, std::iter::empty()))?;
        Ok(FoundMember { value, kind: Some(kind), leads_to, is_new: !is_there && place.is_none() })
    }

    /// Finds a row by its name or key; returns its value.
    pub(super) fn row<'v>(
        &self,
        rows: impl IntoIterator<Item = &'v mut Value>,
        wanted: &str,
    ) -> Option<FoundMember<'v>> {
        rows.into_iter().find_map(|row| {
            let is_wanted = self.row_name(row).is_some_and(|name| name.eq_ignore_ascii_case(wanted));
            let Value::Struct(found) = row else { return None };
            let crate::property::value::Body::Native(record) = &mut found.body else { return None };
            let mut fields = record.fields.iter_mut().filter(|_| is_wanted);
            fields.find(|(field, _)| is_side(field)).map(|(_, value)| FoundMember::of(value, None))
        })
    }

    /// The name or key of a table row.
    pub(super) fn row_name<'r>(&self, row: &'r Value) -> Option<Cow<'r, str>> {
        let record = row.record()?;
        record.fields.iter().find(|(field, _)| is_side(field))?;
        match record.get("Name").or_else(|| record.get("Key"))? {
            Value::Name(name) => Some(self.text(*name).into()),
            value => <&str>::from_value(value).map(Into::into),
        }
    }
}

/// True for the value field of a row; in texts it is called an argument.
fn is_side(field: &str) -> bool {
    ["Value", "Argument"].contains(&field)
}

/// Finds a field of a record.
pub(super) fn field<'v>(record: &'v mut Record, name: &str, at: &str) -> Result<FoundMember<'v>, EditError> {
    let Some(place) = record.fields.iter().position(|(field, _)| field.eq_ignore_ascii_case(name)) else {
        return Err(not_found(name, at, record.fields.iter().map(|(field, _)| (*field).to_owned())));
    };
    let found = record.fields.get_mut(place);
    found
        .map(|(_, value)| FoundMember::of(value, None))
        .ok_or_else(|| not_found(name, at, std::iter::empty()))
}

/// The field with the contents of an instanced struct or a bag, if `name` is not a field of its own:
/// viewers show only the contents.
pub(super) fn hidden(record: &Record, name: &str) -> Option<usize> {
    if record.fields.iter().any(|(field, _)| field.eq_ignore_ascii_case(name)) {
        return None;
    }
    record.fields.iter().position(|(_, value)| matches!(value, Value::Sized(_)))
}

pub(super) fn not_found(part: &str, at: &str, there: impl IntoIterator<Item = String>) -> EditError {
    EditError::NotFound { part: part.to_owned(), at: at.to_owned(), there: listed_near(part, there) }
}

pub(super) fn numbered(name: &str, element: u32) -> String {
    if element == 0 { name.to_owned() } else { format!("{name}[{element}]") }
}
