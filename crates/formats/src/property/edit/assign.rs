//! Assignment: turns a text or JSON into a new value of the old value's type.

use super::context::Context;
use super::error::EditError;
use super::given::{Given, string};
use super::members::{Wanted, field, hidden, owner};
use super::reach::computed_in_text;
use super::wish::Wish;
use crate::property::decode::ReadPlace;
use crate::property::json::value_text;
use crate::property::kind::Kind;
use crate::property::shown_names;
use crate::property::value::{Body, Map, Struct, Text, Value};
use serde_json::Value as Json;
use std::borrow::Cow;

/// Deepest JSON that is followed. Values from a file are never deeper.
const MAX_DEPTH: usize = 64;

impl Context<'_, '_> {
    /// Assigns the wished value to `value`.
    pub(in crate::property) fn assign(
        &mut self,
        value: &mut Value,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        if wish.depth > MAX_DEPTH {
            return Err(wish.refused("fewer values in one another"));
        }
        value.assign(self, wish)
    }

    /// Assigns to a localized text: its source changes, its key stays, so an existing translation still
    /// wins.
    pub(in crate::property) fn text_value(
        &mut self,
        text: &mut Text,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let Wish { given, at, .. } = *wish;
        if let Given::Json(Json::Object(fields)) = given {
            for (name, json) in fields {
                // JSON shows computed fields, too; they are skipped when pasted back.
                if computed_in_text(text, name).is_some() {
                    continue;
                }
                let found = field(&mut text.fields, name, at)?;
                let (given, at) = (Given::Json(json), format!("{at}.{name}"));
                self.assign(found.value, &wish.part(None, &given, &at))?;
            }
            return Ok(());
        }
        let source = Value::Str(Box::new(string(given, at)?));
        let mut fields = text.fields.fields.iter_mut();
        // The part that the author writes; formats and numbers have none of these.
        match fields.find(|(name, _)| ["SourceString", "CultureInvariantString"].contains(name)) {
            Some((_, Value::Optional(inner))) => *inner = Some(Box::new(source)),
            Some((_, value)) => *value = source,
            None => {
                let expected = "an address of a part of it: the text is put together when the game runs";
                return Err(wish.refused(expected));
            }
        }
        Ok(())
    }

    /// Assigns to elements: existing ones keep what the JSON omits, new ones start from zero.
    pub(in crate::property) fn items(
        &mut self,
        items: &mut Vec<Value>,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let json = wish.given.json();
        let wanted = match json.as_deref() {
            Some(Json::Array(wanted)) => wanted,
            Some(Json::Object(rows)) => return self.rows(items, rows, wish),
            _ => return Err(wish.refused("a JSON array")),
        };
        let inner = match wish.kind {
            Some(Kind::Array(inner) | Kind::Set(inner)) => Some(&**inner),
            _ => None,
        };
        // Fewer elements in the JSON remove the last ones.
        items.truncate(wanted.len());
        for (place, json) in wanted.iter().enumerate() {
            let (given, at) = (Given::Json(json), format!("{}[{place}]", wish.at));
            let wish = wish.element(inner, &given, &at);
            // A new element resembles the last one where its type alone is not enough.
            if place >= items.len() {
                let new = self.new_like(items.last(), inner);
                let expected = "as many elements as there are: their type is not known";
                items.push(new.ok_or_else(|| wish.refused(expected))?);
            }
            if let Some(item) = items.get_mut(place) {
                self.assign(item, &wish)?;
            }
        }
        Ok(())
    }

    /// Assigns to rows by name, as JSON shows them; other rows stay.
    fn rows(
        &mut self,
        items: &mut [Value],
        rows: &serde_json::Map<String, Json>,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        for (name, json) in rows {
            let (given, at) = (Given::Json(json), format!("{}[{name}]", wish.at));
            let row = self
                .row(items.iter_mut(), name)
                .ok_or_else(|| wish.refused("a JSON array, or rows by name"))?;
            self.assign(row.value, &wish.part(None, &given, &at))?;
        }
        Ok(())
    }

    /// Assigns to a map: an object of values by key, or an array of `{ "Key": …, "Value": … }`.
    pub(in crate::property) fn map(&mut self, map: &mut Map, wish: &Wish<'_>) -> Result<(), EditError> {
        let json = wish.given.json();
        // Object keys are strings, so both forms become pairs of JSON values.
        let pairs: Option<Vec<(Cow<'_, Json>, &Json)>> = match json.as_deref() {
            Some(Json::Object(members)) => Some(
                members.iter().map(|(key, value)| (Cow::Owned(Json::String(key.clone())), value)).collect(),
            ),
            Some(Json::Array(rows)) => {
                rows.iter().map(|row| Some((Cow::Borrowed(row.get("Key")?), row.get("Value")?))).collect()
            }
            _ => None,
        };
        let expected = "a JSON object, or an array of { \"Key\": …, \"Value\": … }";
        let pairs = pairs.ok_or_else(|| wish.refused(expected))?;
        let (of_key, of_value) = match wish.kind {
            Some(Kind::Map(key, value)) => (Some(&**key), Some(&**value)),
            _ => (None, None),
        };
        // The JSON lists the whole map: keys that it omits are removed.
        let old = std::mem::take(&mut map.entries);
        for (key, json) in pairs {
            let at = format!("{}[{key}]", wish.at);
            let (as_key, as_value) = (Given::Json(&key), Given::Json(json));
            let like = old.last().map(|(key, value)| (Some(key), Some(value))).unwrap_or_default();
            let new = self.new_like(like.0, of_key).zip(self.new_like(like.1, of_value));
            let expected = "the keys that are there: the type of new ones is not known";
            let (mut new_key, mut value) = new.ok_or_else(|| wish.refused(expected))?;
            self.assign(&mut new_key, &wish.part(of_key, &as_key, &at))?;
            // An existing key keeps the parts of its value that the JSON omits.
            if let Some((_, known)) = old.iter().find(|(key, _)| *key == new_key) {
                value = known.clone();
            }
            self.assign(&mut value, &wish.part(of_value, &as_value, &at))?;
            map.entries.push((new_key, value));
        }
        Ok(())
    }

    pub(in crate::property) fn optional(
        &mut self,
        inner: &mut Option<Box<Value>>,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        if wish.given.text() == "null" {
            *inner = None;
            return Ok(());
        }
        let of = match wish.kind {
            Some(Kind::Optional(of)) => Some(&**of),
            _ => None,
        };
        if inner.is_none() {
            let new = of.and_then(|of| self.default_of(of, ReadPlace::Member));
            let expected = "null: the type of a value is not known";
            *inner = Some(Box::new(new.ok_or_else(|| wish.refused(expected))?));
        }
        inner.as_mut().map_or(Ok(()), |value| self.assign(value, &wish.inner(of)))
    }

    /// Assigns to the members that the JSON names; others stay.
    pub(in crate::property) fn structure(
        &mut self,
        found: &mut Struct,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let json = wish.given.json();
        // An instanced struct that is empty is shown as null.
        if matches!(json.as_deref(), Some(Json::Null)) && self.is_shown_as_null(found) {
            return Ok(());
        }
        let Some(Json::Object(members)) = json.as_deref() else {
            return Err(wish.refused("a JSON object with the members that change"));
        };
        // An instanced struct or a bag is shown as its contents, so members not its own belong inside.
        if let (Body::Native(record), Some(first)) = (&mut found.body, members.keys().next())
            && let Some((_, inner)) = hidden(record, first).and_then(|place| record.fields.get_mut(place))
        {
            return self.assign(inner, &wish.inner(None));
        }
        let owner = owner(found.name.as_ref(), wish.kind);
        for (name, json) in members {
            let (given, at) = (Given::Json(json), format!("{}.{name}", wish.at));
            let (plain, element) = split_element(name);
            match &mut found.body {
                Body::List(list) => {
                    let wanted = Wanted { owner: owner.as_ref(), name: plain, element, at: wish.at };
                    // Taken before the change: it decides whether a zero is recorded as a bit.
                    let before = self.before(list, &wanted);
                    let member = self.member(list, &wanted)?;
                    let leads_to = member.leads_to.as_ref();
                    let part = wish.part(member.kind.as_ref(), &given, &at);
                    self.assign(member.value, &Wish { leads_to, ..part })?;
                    self.settle(list, &wanted, before);
                }
                Body::Native(record) => {
                    let of = found.name.as_deref().unwrap_or_default();
                    // JSON shows computed fields, too; they are skipped when pasted back.
                    if shown_names::computed(of, record, name).is_some() {
                        continue;
                    }
                    // Some numbers are shown by name; turn the name back.
                    let text =
                        shown_names::number(shown_names::of_field(of, name), &given.text()).into_owned();
                    let number = Json::String(text);
                    let given =
                        if shown_names::of_field(of, name).is_some() { Given::Json(&number) } else { given };
                    self.assign(field(record, name, wish.at)?.value, &wish.part(None, &given, &at))?;
                }
                Body::Empty => return Err(wish.refused("nothing: the struct is empty")),
            }
        }
        Ok(())
    }

    fn is_shown_as_null(&self, found: &Struct) -> bool {
        value_text(self.scope, &Value::Struct(Box::new(found.clone()))) == "null"
    }

    /// Returns a value for a new element: the zero of its type, or a copy of a neighbour.
    pub(super) fn new_like(&mut self, neighbour: Option<&Value>, kind: Option<&Kind>) -> Option<Value> {
        let is_named = !matches!(kind, Some(Kind::Struct(name)) if name.name.is_empty());
        let new = kind.filter(|_| is_named).and_then(|kind| self.default_of(kind, ReadPlace::Element));
        match (new, neighbour) {
            // Old tags omit the struct and do not tell enum bytes from names, so the zero counts only if it
            // looks like its neighbour.
            (Some(new), Some(old)) if std::mem::discriminant(&new) == std::mem::discriminant(old) => {
                Some(new)
            }
            (_, Some(old)) => Some(old.clone()),
            (new, None) => new,
        }
    }
}

/// Splits `Name[2]` into name and element.
fn split_element(name: &str) -> (&str, u32) {
    let split = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    let element = split.and_then(|(name, element)| Some((name, element.parse().ok()?)));
    element.unwrap_or((name, 0))
}
