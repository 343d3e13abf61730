//! Follows an address to a value, and updates the list around it.

use super::context::Context;
use super::error::EditError;
use super::given::Given;
use super::grow::NEXT;
use super::members::{FoundMember, Wanted, field, hidden, not_found, owner};
use super::way::{SlotOf, Was, Way, no_parts};
use super::wish::Wish;
use crate::property::inner::{Inner, InnerMut};
use crate::property::json::{key_text, value_text};
use crate::property::kind::{Kind, StructName};
use crate::property::shown_names;
use crate::property::value::{Body, List, Map, Record, Text, Value};
use crate::wire::counted;
use std::sync::Arc;

impl Context<'_, '_> {
    /// Follows an address to its end, and assigns the new value there.
    pub(super) fn reach(
        &mut self,
        found: FoundMember<'_>,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let FoundMember { value, kind, leads_to, is_new } = found;
        let Some((step, _)) = way.next() else {
            if way.removes {
                return Err(no_removal(at));
            }
            // A member that was only just added had no value in the package.
            let was = (!is_new).then(|| value_text(self.scope, value));
            // Null for null changes nothing, also where the type could not be assigned.
            let is_null = way.given == "null" && was.as_deref() == Some("null");
            if is_null && !matches!(value, Value::Raw(_)) {
                return Ok(was);
            }
            let given = Given::Text(way.given);
            let of = Wish { kind: kind.as_ref(), leads_to: leads_to.as_ref(), ..Wish::of(&given, at) };
            self.assign(value, &of)?;
            return Ok(was);
        };
        let part = step.text();
        match value.inner_mut() {
            InnerMut::Struct(of) => {
                let owner = owner(of.name.as_ref(), kind.as_ref());
                match &mut of.body {
                    Body::List(list) => self.in_list(list, owner.as_ref(), way, at),
                    Body::Native(record) => {
                        let name = of.name.as_deref().unwrap_or_default();
                        self.in_record(name, record, way, at)
                    }
                    Body::Empty => Err(no_parts(part, at, "an empty struct")),
                }
            }
            InnerMut::Same(inner) => {
                self.reach(FoundMember { value: inner, kind: inner_kind(kind), leads_to, is_new }, way, at)
            }
            InnerMut::Text(text) => self.in_text(text, way, at),
            InnerMut::Map(map) => self.in_map(map, kind, way, at),
            InnerMut::Items(items) => self.in_items(items, (kind, leads_to), way, at),
            // Parts of references are no values of their own.
            InnerMut::Leaf => match value {
                Value::Bytes(bytes) => self.in_bytes(bytes, way, at),
                other => {
                    let slot = SlotOf { kind: kind.as_ref(), leads_to: leads_to.as_ref() };
                    self.in_reference(other, slot, way, at)
                }
            },
        }
    }

    /// Edits one byte of a byte array.
    fn in_bytes(&mut self, bytes: &mut [u8], way: Way<'_>, at: &mut String) -> Result<Was, EditError> {
        let Some((step, rest)) = way.next() else { return Err(no_parts("", at, "an array")) };
        let len = bytes.len();
        let byte = way.number::<usize>().and_then(|place| bytes.get_mut(place));
        let there = || [counted(len as u64, "byte", "bytes")];
        let byte = byte.ok_or_else(|| not_found(&format!("[{}]", step.text()), at, there()))?;
        at.push_str(&step.to_string());
        let mut value = Value::Byte(*byte);
        let was = self.reach(FoundMember::of(&mut value, None), rest, at)?;
        if let Value::Byte(new) = value {
            *byte = new;
        }
        Ok(was)
    }

    /// Edits a property of a list; an index may belong to its name. A value that becomes zero is recorded
    /// as the cooker would.
    pub(super) fn in_list(
        &mut self,
        list: &mut List,
        owner: Option<&StructName>,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some((step, mut rest)) = way.next() else { return Err(no_parts("", at, "a list")) };
        let name = step.text();
        let here = at.clone();
        at.push_str(&step.to_string());
        // In a static array each element is a property of its own; otherwise the index leads into the
        // value.
        let element = rest.number::<u32>().filter(|_| self.is_static(list, name));
        if let Some(element) = element {
            at.extend(["[", &element.to_string(), "]"]);
            rest = rest.rest();
        }
        let wanted = Wanted { owner, name, element: element.unwrap_or(0), at: &here };
        let before = self.before(list, &wanted);
        let found = self.member(list, &wanted)?;
        let was = self.reach(found, rest, at);
        // Also after an error, so that a member added for the attempt is settled.
        self.settle(list, &wanted, before);
        was
    }

    /// Edits a field of a native struct.
    fn in_record(
        &mut self,
        owner: &str,
        record: &mut Record,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some((step, rest)) = way.next() else { return Err(no_parts("", at, "a struct")) };
        let part = step.text();
        // The contents of an instanced struct are addressed without a step of their own.
        if let Some(place) = hidden(record, part) {
            let inner = record.fields.get_mut(place).map(|(_, value)| value);
            let inner = inner.ok_or_else(|| not_found(part, at, []))?;
            return self.reach(FoundMember::of(inner, None), way, at);
        }
        if let Some(from) = shown_names::computed(owner, record, part) {
            return Err(EditError::computed(part, at, from));
        }
        // The type of a text argument is shown by name as well.
        let is_argument = part == "Type" && matches!(record.fields.as_slice(), [("Type", _), ("Value", _)]);
        let found = field(record, part, at)?;
        at.push_str(&step.to_string());
        let names = shown_names::of_field(owner, part).or(is_argument.then_some(&shown_names::ARGUMENTS));
        let given = shown_names::number(names, rest.given);
        self.reach(found, Way { given: &given, ..rest }, at)
    }

    /// Edits a part of a text.
    fn in_text(&mut self, text: &mut Text, way: Way<'_>, at: &mut String) -> Result<Was, EditError> {
        let Some((step, rest)) = way.next() else { return Err(no_parts("", at, "a text")) };
        let part = step.text();
        let is_there = text.fields.fields.iter().any(|(known, _)| part.eq_ignore_ascii_case(known));
        if let Some(from) = computed_in_text(text, part) {
            return Err(EditError::computed(part, at, from));
        }
        let is_empty = rest.steps.is_empty() && rest.given.is_empty();
        if !is_there && is_empty && part.eq_ignore_ascii_case("CultureInvariantString") {
            return Ok(Some("\"\"".to_owned()));
        }
        let found = field(&mut text.fields, part, at)?;
        at.push_str(&step.to_string());
        // An absent string is shown as an empty one.
        if is_empty && matches!(found.value, Value::Optional(None)) {
            return Ok(Some("\"\"".to_owned()));
        }
        self.reach(found, rest, at)
    }

    /// Edits the value of a key, or an entry by its index, whose `Key` and `Value` JSON shows.
    fn in_map(
        &mut self,
        map: &mut Map,
        kind: Option<Kind>,
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some((step, rest)) = way.next() else { return Err(no_parts("", at, "a map")) };
        let part = step.text();
        let (of_key, of_value) = match kind {
            Some(Kind::Map(key, value)) => (Some(*key), Some(*value)),
            _ => (None, None),
        };
        let is_key = |key: &Value| {
            let is = |text: &str| text.eq_ignore_ascii_case(part);
            // Keys are matched in the notation of addresses, and as JSON shows them.
            is(&self.key_text(key)) || key_text(self.scope, key).is_some_and(|text| is(&text))
        };
        let by_key = map.entries.iter().position(|(key, _)| is_key(key));
        let by_place = way.number::<usize>().filter(|place| *place < map.entries.len());
        let side =
            rest.steps.first().map(super::path::Step::text).filter(|side| ["Key", "Value"].contains(side));
        if let (None, Some(key)) = (by_key, part.strip_prefix(NEXT).filter(|key| !key.is_empty()))
            && rest.steps.is_empty()
            && !way.removes
        {
            return self.new_entry(map, key, [of_key.as_ref(), of_value.as_ref()], (way, at));
        }
        at.push_str(&step.to_string());
        if let Some(place) = by_key.filter(|_| way.removes && rest.steps.is_empty()) {
            let (_, value) = map.entries.remove(place);
            return Ok(Some(value_text(self.scope, &value)));
        }
        let has_part = |place: usize, side: &str| {
            map.entries.get(place).is_some_and(|(_, value)| self.has_part(value, side))
        };
        let (place, side, rest) = match (by_key, by_place, side) {
            // A key whose value has such a part, and the index of an entry: ambiguous unless both are the
            // same entry.
            (Some(key), Some(place), Some(side)) if has_part(key, side) => {
                if key != place {
                    let expected = "a key, or the place of an entry: this may be both".to_owned();
                    return Err(EditError::Value { at: at.clone(), found: part.to_owned(), expected });
                }
                (key, "Value", rest)
            }
            (_, Some(place), Some(side)) => (place, side, rest.rest()),
            (Some(key), ..) => (key, "Value", rest),
            (None, ..) => {
                let keys: Vec<String> = map.entries.iter().map(|(key, _)| self.key_text(key)).collect();
                // The message names the map, without the step that failed.
                at.truncate(at.len() - step.to_string().len());
                return Err(not_found(part, at, keys));
            }
        };
        if side == "Value" {
            let value = map.entries.get_mut(place).map(|(_, value)| value);
            return self.reach(
                FoundMember::of(value.ok_or_else(|| not_found(part, at, []))?, of_value),
                rest,
                at,
            );
        }
        // Compared afterwards: a changed key must not equal another one.
        let keys: Vec<Value> = map.entries.iter().map(|(key, _)| key.clone()).collect();
        let key = map.entries.get_mut(place).map(|(key, _)| key);
        let key = key.ok_or_else(|| not_found(part, at, []))?;
        let was = self.reach(FoundMember::of(key, of_key), rest, at)?;
        if keys.iter().enumerate().any(|(other, known)| other != place && known == key) {
            let (found, expected) = (self.key_text(key), "a key that the map does not have".to_owned());
            return Err(EditError::Value { at: at.clone(), found, expected });
        }
        Ok(was)
    }

    /// Edits an element by its index, or a row by its name.
    fn in_items(
        &mut self,
        items: &mut Vec<Value>,
        (kind, leads_to): (Option<Kind>, Option<StructName>),
        way: Way<'_>,
        at: &mut String,
    ) -> Result<Was, EditError> {
        let Some((step, rest)) = way.next() else { return Err(no_parts("", at, "an array")) };
        let part = step.text();
        let count = items.len();
        // Rows have names. An array holds rows only, or none.
        let is_table = items.first().is_some_and(|row| self.row_name(row).is_some());
        let rows = items.iter().filter(|_| is_table).filter_map(|row| self.row_name(row));
        let rows: Vec<String> = rows.map(Into::into).collect();
        let here = at.clone();
        at.push_str(&step.to_string());
        if way.removes && rest.steps.is_empty() {
            let row = rows.iter().position(|row| row.eq_ignore_ascii_case(part));
            let place = row.or_else(|| part.parse().ok().filter(|place| *place < count));
            if let Some(place) = place {
                return Ok(Some(value_text(self.scope, &items.remove(place))));
            }
        }
        if rows.iter().any(|row| row.eq_ignore_ascii_case(part)) {
            let found = self.row(items, part).ok_or_else(|| not_found(part, &here, rows))?;
            return self.reach(found, rest, at);
        }
        if self.grow(items, is_table, kind.as_ref(), way)
            && let Some(new) = items.last_mut()
        {
            let found =
                if is_table { self.row([new], part) } else { Some(FoundMember::of(new, inner_kind(kind))) };
            let found = found.ok_or_else(|| not_found(part, &here, rows))?;
            return self.reach(FoundMember { leads_to, is_new: true, ..found }, rest, at);
        }
        let place = part.parse::<usize>().ok();
        match place.and_then(|place| items.get_mut(place)) {
            Some(value) => {
                self.reach(FoundMember { leads_to, ..FoundMember::of(value, inner_kind(kind)) }, rest, at)
            }
            None if rows.is_empty() => {
                let there = counted(count as u64, "element", "elements");
                Err(not_found(&format!("[{part}]"), &here, [there]))
            }
            None => Err(not_found(part, &here, rows)),
        }
    }

    /// True if the value has a part with this name.
    fn has_part(&self, value: &Value, name: &str) -> bool {
        match value.inner() {
            Inner::Struct(found) => match &found.body {
                Body::List(list) => {
                    let owner = owner(found.name.as_ref(), None);
                    let layout = match list {
                        List::Unversioned(list) => Some(Arc::clone(&list.layout)),
                        List::Tagged(_) => owner.and_then(|owner| self.scope.layout(&owner)),
                    };
                    list.find(self.scope.package, name).is_some()
                        || layout.is_some_and(|layout| layout.kind_of(name).is_some())
                }
                Body::Native(record) => record
                    .fields
                    .iter()
                    .any(|(field, value)| *field == name || matches!(value, Value::Sized(_))),
                Body::Empty => false,
            },
            Inner::Map(_) => true,
            Inner::Same(value) => self.has_part(value, name),
            Inner::Leaf | Inner::Text(_) | Inner::Items { .. } => false,
        }
    }

    /// A key of a map, in the notation of addresses.
    fn key_text(&self, key: &Value) -> String {
        match key {
            Value::Name(name) | Value::Enum(name) => self.text(*name),
            key => {
                let text = value_text(self.scope, key);
                text.strip_prefix('"')
                    .and_then(|text| text.strip_suffix('"'))
                    .map_or(text.clone(), str::to_owned)
            }
        }
    }
}

/// The error of removing what has to be there.
fn no_removal(at: &str) -> EditError {
    let expected = "an element, a row or a key of a map: only these can be removed".to_owned();
    EditError::Value { at: at.to_owned(), found: "a value that cannot be left out".to_owned(), expected }
}

/// The type of the value inside.
fn inner_kind(kind: Option<Kind>) -> Option<Kind> {
    match kind? {
        Kind::Array(inner) | Kind::Set(inner) | Kind::Optional(inner) => Some(*inner),
        _ => None,
    }
}

/// The source of a part of a text that JSON shows, but that is not stored; `None` for any other part.
pub(super) fn computed_in_text(text: &Text, part: &str) -> Option<&'static str> {
    let is = |known: &str| part.eq_ignore_ascii_case(known);
    match text.history_name() {
        _ if text.fields.fields.iter().any(|(known, _)| is(known)) => None,
        "Base" if is("LocalizedString") => Some("SourceString and translations"),
        "StringTableEntry" if is("SourceString") || is("LocalizedString") => Some("the string table"),
        _ => None,
    }
}
