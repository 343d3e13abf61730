//! Elements, rows and keys that an address adds: `Levels[+]`, `Prices[+Gold]`, and a name that no row of a table has.

use super::context::Context;
use super::error::EditError;
use super::given::Given;
use super::way::{Was, Way};
use super::wish::Wish;
use crate::property::header::Header;
use crate::property::inner::InnerMut;
use crate::property::kind::Kind;
use crate::property::value::{Body, List, Map as Entries, Record, Value};
use serde_json::{Map, Value as Json};

/// Stands for the place after the last element, and before the new key of a map.
pub(super) const NEXT: &str = "+";

impl Context<'_, '_> {
    /// Adds an element or row at the end, if the address asks for one; false if not, or if its type is not known.
    pub(super) fn grow(
        &mut self,
        items: &mut Vec<Value>,
        is_table: bool,
        kind: Option<&Kind>,
        way: Way<'_>,
    ) -> bool {
        let Some((step, rest)) = way.next().filter(|_| !way.removes) else { return false };
        if !is_table {
            let inner = match kind {
                Some(Kind::Array(inner) | Kind::Set(inner)) => Some(&**inner),
                _ => None,
            };
            let new = (step.text() == NEXT).then(|| self.new_like(items.last(), inner)).flatten();
            let is_new = new.is_some();
            items.extend(new);
            return is_new;
        }
        // A row has to be given as a whole: a part of one that does not exist is a misspelt name.
        let text = Given::Text(rest.given);
        let given = text.json();
        let Some(Json::Object(members)) = given.as_deref().filter(|_| rest.steps.is_empty()) else {
            return false;
        };
        let new = items.last().and_then(|last| self.row_like(last, step.text(), members));
        let is_new = new.is_some();
        items.extend(new);
        is_new
    }

    /// Adds a key with its value to a map.
    pub(super) fn new_entry(
        &mut self,
        map: &mut Entries,
        key: &str,
        [of_key, of_value]: [Option<&Kind>; 2],
        (way, at): (Way<'_>, &mut String),
    ) -> Result<Was, EditError> {
        let here = format!("{at}[{key}]");
        let like = map.entries.last().map(|(key, value)| (Some(key), Some(value))).unwrap_or_default();
        let new = self.new_like(like.0, of_key).zip(self.new_like(like.1, of_value));
        let (as_key, given) = (Given::Text(key), Given::Text(way.given));
        let wish = Wish { kind: of_key, ..Wish::of(&as_key, &here) };
        let expected = "a key that is there: the type of new ones is not known";
        let (mut new_key, mut value) = new.ok_or_else(|| wish.refused(expected))?;
        self.assign(&mut new_key, &wish)?;
        if map.entries.iter().any(|(known, _)| *known == new_key) {
            return Err(wish.refused("a key that the map does not have"));
        }
        self.assign(&mut value, &Wish { kind: of_value, ..Wish::of(&given, &here) })?;
        map.entries.push((new_key, value));
        Ok(None)
    }

    /// A row of this name with the members of another one that are given; all others have the defaults of their struct.
    fn row_like(&mut self, last: &Value, name: &str, members: &Map<String, Json>) -> Option<Value> {
        let mut new = last.clone();
        let InnerMut::Struct(row) = new.inner_mut() else { return None };
        let Body::Native(record) = &mut row.body else { return None };
        let named = record.fields.iter_mut().find(|(field, _)| *field == "Name")?;
        named.1 = Value::Name(self.names.find_or_add(name));
        self.keep(record, members);
        Some(new)
    }

    /// Keeps the members of a row's value that are given.
    fn keep(&self, row: &mut Record, members: &Map<String, Json>) {
        let value = row.fields.iter_mut().find(|(field, _)| *field == "Value");
        let Some(InnerMut::Struct(of)) = value.map(|(_, value)| value.inner_mut()) else { return };
        match &mut of.body {
            Body::List(List::Tagged(list)) => list.properties.retain(|property| {
                let name = self.text(property.tag.name);
                members.keys().any(|known| {
                    let plain = known.split('[').next().unwrap_or(known);
                    plain.eq_ignore_ascii_case(&name)
                })
            }),
            Body::List(List::Unversioned(list)) => {
                list.header = Header::new(std::iter::empty(), list.layout.len());
                list.values.clear();
            }
            Body::Native(_) | Body::Empty => {}
        }
    }
}
