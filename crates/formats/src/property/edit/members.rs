//! Members of lists and records by their names, to be changed.

use super::context::{Context, listed_near};
use super::error::EditError;
use crate::property::decode::ReadPlace;
use crate::property::from_value::FromValue;
use crate::property::header::{Header, Member};
use crate::property::kind::{Kind, StructName};
use crate::property::value::{List, Property, Record, TaggedList, UnversionedList, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// A value that was found, and its type as far as that is known.
pub(super) struct FoundMember<'v> {
    pub value: &'v mut Value,
    pub kind: Option<Kind>,
    /// The class or interface that a reference must lead to, if known.
    pub leads_to: Option<StructName>,
    /// It was left out of its list: it has the default of its class.
    pub is_new: bool,
}

impl<'v> FoundMember<'v> {
    pub(super) const fn of(value: &'v mut Value, kind: Option<Kind>) -> Self {
        Self { value, kind, leads_to: None, is_new: false }
    }
}

/// A property that is looked for in a list.
pub(super) struct Wanted<'w> {
    /// The struct or class that the list is of, where that is known.
    pub owner: Option<&'w StructName>,
    pub name: &'w str,
    /// Which element of a static array.
    pub element: u32,
    /// The address of the list.
    pub at: &'w str,
}

/// The struct that a value of this name and type is.
pub(super) fn owner(name: Option<&Arc<str>>, kind: Option<&Kind>) -> Option<StructName> {
    match (kind, name) {
        (Some(Kind::Struct(of)), _) if !of.name.is_empty() => Some(of.clone()),
        (_, name) => name.map(|name| StructName { name: Arc::clone(name), package: None }),
    }
}

impl Context<'_, '_> {
    /// Whether a list has a static array of this name.
    pub(super) fn is_static(&self, list: &List, name: &str) -> bool {
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

    /// A property of a list; one that is left out is added.
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
        let values_before = members.iter().filter(|member| member.index < index && !member.is_zero).count();
        if !is_there {
            let value = self.default_of(&kind, ReadPlace::Member).ok_or_else(|| EditError::Value {
                at: format!("{at}.{name}"),
                found: "no value".to_owned(),
                expected: "a property whose type is known".to_owned(),
            })?;
            match place.and_then(|place| members.get_mut(place)) {
                Some(member) => member.is_zero = false,
                None => {
                    let after = members.partition_point(|member| member.index < index);
                    members.insert(after, Member { index, is_zero: false });
                }
            }
            list.header = Header::new(members.into_iter(), list.layout.len());
            list.values.insert(values_before.min(list.values.len()), value);
        }
        let value = list.values.get_mut(values_before);
        let value = value.ok_or_else(|| not_found(name, at, std::iter::empty()))?;
        Ok(FoundMember { value, kind: Some(kind), leads_to, is_new: !is_there && place.is_none() })
    }

    /// Of rows, each with a name or a key, the value of one.
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

    /// The name or the key of a row of a table.
    pub(super) fn row_name<'r>(&self, row: &'r Value) -> Option<Cow<'r, str>> {
        let record = row.record()?;
        record.fields.iter().find(|(field, _)| is_side(field))?;
        match record.get("Name").or_else(|| record.get("Key"))? {
            Value::Name(name) => Some(self.text(*name).into()),
            value => <&str>::from_value(value).map(Into::into),
        }
    }
}

/// Recognises the value of a row; in a text it is called an argument.
fn is_side(field: &str) -> bool {
    ["Value", "Argument"].contains(&field)
}

/// A field of a record.
pub(super) fn field<'v>(record: &'v mut Record, name: &str, at: &str) -> Result<FoundMember<'v>, EditError> {
    let Some(place) = record.fields.iter().position(|(field, _)| field.eq_ignore_ascii_case(name)) else {
        return Err(not_found(name, at, record.fields.iter().map(|(field, _)| (*field).to_owned())));
    };
    let found = record.fields.get_mut(place);
    found
        .map(|(_, value)| FoundMember::of(value, None))
        .ok_or_else(|| not_found(name, at, std::iter::empty()))
}

/// Where an instanced struct or a bag has what it holds, for names that it does not have itself: who looks for a value sees only
/// that.
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
