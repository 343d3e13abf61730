//! New values for old ones: what a text or a JSON value means where a value of some type is.

use super::context::Context;
use super::error::EditError;
use super::given::{
    Given, bool_of, bytes_of, enumerator, float, guid_of, members, number, plain, refused, string,
};
use super::members::{field, hidden};
use crate::package::legacy::{Name, PackageIndex};
use crate::property::decode::Place;
use crate::property::kind::Kind;
use crate::property::reference::SoftPath;
use crate::property::value::{Body, Map, Text, Value};
use serde_json::Value as Json;
use std::borrow::Cow;

/// Deepest JSON that is taken apart; the values that were read are not deeper.
const MAX_DEPTH: usize = 64;

impl Context<'_, '_> {
    /// Gives a value what was given. `at` is its address.
    pub(super) fn assign(
        &mut self,
        value: &mut Value,
        kind: Option<&Kind>,
        given: &Given<'_>,
        at: &str,
    ) -> Result<(), EditError> {
        self.assign_at(value, kind, given, at, 0)
    }

    fn assign_at(
        &mut self,
        value: &mut Value,
        kind: Option<&Kind>,
        given: &Given<'_>,
        at: &str,
        depth: usize,
    ) -> Result<(), EditError> {
        let refuse = |expected: &str| refused(at, given, expected);
        if depth > MAX_DEPTH {
            return Err(refuse("fewer values in one another"));
        }
        match value {
            Value::Bool(value) | Value::Bool32(value) => {
                *value = bool_of(given).ok_or_else(|| refuse("true or false"))?;
            }
            Value::Int8(value) => number(value, given, at)?,
            Value::Int16(value) => number(value, given, at)?,
            Value::Int(value) => number(value, given, at)?,
            Value::Int64(value) => number(value, given, at)?,
            Value::Byte(value) => number(value, given, at)?,
            Value::UInt16(value) => number(value, given, at)?,
            Value::UInt32(value) => number(value, given, at)?,
            Value::UInt64(value) => number(value, given, at)?,
            Value::Float(value) => *value = float(given).ok_or_else(|| refuse("a float"))?,
            Value::Double(value) => *value = float(given).ok_or_else(|| refuse("a double"))?,
            Value::Name(name) => *name = self.name(given, at)?,
            Value::Enum(name) => *name = self.enum_name(*name, kind, given, at)?,
            Value::Enumerator(found) => enumerator(found, given, at)?,
            Value::Str(text) => **text = string(given, at)?,
            Value::Utf8(text) => *text = plain(given, at)?.into(),
            Value::Ansi(bytes) => {
                let text = plain(given, at)?;
                if !text.is_ascii() {
                    return Err(refuse("a text of ASCII characters"));
                }
                *bytes = text.as_bytes().into();
            }
            Value::Text(text) => self.text_value(text, given, at)?,
            Value::Object(index) => *index = self.object(given, at)?,
            Value::Guid(guid) => *guid = guid_of(given).ok_or_else(|| refuse("a GUID: 32 hex digits"))?,
            Value::SoftPath(path) => self.soft_path(path, given, at)?,
            Value::Bytes(bytes) => {
                *bytes = bytes_of(given).ok_or_else(|| refuse("hex digits, or a list of numbers to 255"))?;
            }
            Value::Array(items) => self.items(items, kind, given, at, depth)?,
            Value::TaggedArray(array) => self.items(&mut array.items, kind, given, at, depth)?,
            Value::Set(set) => self.items(&mut set.items, kind, given, at, depth)?,
            Value::Map(map) => self.map(map, kind, given, at, depth)?,
            Value::Optional(inner) => self.optional(inner, kind, given, at, depth)?,
            Value::Sized(inner) => self.assign_at(inner, kind, given, at, depth + 1)?,
            Value::Struct(found) => self.structure(&mut found.body, given, at, depth)?,
            Value::Delegate(_) | Value::Multicast(_) | Value::FieldPath(_) => {
                return Err(refuse("a value of another property: delegates and fields cannot be set"));
            }
            Value::Fixed(_) | Value::Raw(_) => {
                return Err(refuse("a value of another property: this one is kept as bytes"));
            }
        }
        Ok(())
    }

    fn name(&mut self, given: &Given<'_>, at: &str) -> Result<Name, EditError> {
        let text = plain(given, at)?;
        if text.is_empty() || text.encode_utf16().count() > crate::wire::MAX_NAME_LEN {
            return Err(refused(at, given, "a name of 1 to 1023 characters; None for no name"));
        }
        Ok(self.names.find_or_add(&text))
    }

    /// The name of an enum value, with that of the enum in front where the old one has it.
    fn enum_name(
        &mut self,
        old: Name,
        kind: Option<&Kind>,
        given: &Given<'_>,
        at: &str,
    ) -> Result<Name, EditError> {
        let old = self.text(old);
        let prefix = old.rsplit_once("::").map(|(prefix, _)| prefix);
        let of = match kind {
            Some(Kind::Enum(of, _) | Kind::Byte(of)) => of.clone(),
            _ => None,
        };
        let known = self.scope.enumeration(of.as_ref());
        let text = given.text();
        let number = text.parse::<i64>().ok().and_then(|number| known.name_of(number));
        let short = number.unwrap_or_else(|| text.rsplit("::").next().unwrap_or_default());
        let member = known.values().find(|(_, name)| name.eq_ignore_ascii_case(short));
        if short.is_empty() || (member.is_none() && known.values().next().is_some()) {
            return Err(refused(at, given, &members(&known)));
        }
        let short = member.map_or(short, |(_, name)| name);
        let full = prefix.map_or_else(|| short.to_owned(), |prefix| format!("{prefix}::{short}"));
        Ok(self.names.find_or_add(&full))
    }

    /// A text that players see: its source. The key stays, so that a translation of it still wins.
    fn text_value(&mut self, text: &mut Text, given: &Given<'_>, at: &str) -> Result<(), EditError> {
        if let Given::Json(Json::Object(fields)) = given {
            for (name, json) in fields {
                let found = field(&mut text.fields, name, at)?;
                self.assign(found.value, None, &Given::Json(json), &format!("{at}.{name}"))?;
            }
            return Ok(());
        }
        let source = Value::Str(Box::new(string(given, at)?));
        let mut fields = text.fields.fields.iter_mut();
        match fields.find(|(name, _)| ["SourceString", "CultureInvariantString"].contains(name)) {
            Some((_, Value::Optional(inner))) => *inner = Some(Box::new(source)),
            Some((_, value)) => *value = source,
            None => {
                let expected = "an address of a part of it: the text is put together when the game runs";
                return Err(refused(at, given, expected));
            }
        }
        Ok(())
    }

    /// An object of this package, or one that it imports.
    fn object(&self, given: &Given<'_>, at: &str) -> Result<PackageIndex, EditError> {
        let text = given.text();
        // `Class'Path'`, as editors copy it.
        let path = text.split('\'').nth(1).unwrap_or(&text).trim();
        if path.is_empty() || path.eq_ignore_ascii_case("None") || path == "null" {
            return Ok(PackageIndex::NONE);
        }
        let package = self.scope.package;
        let exports = (0..).take(package.exports.len()).filter_map(PackageIndex::export);
        let imports = (0..).take(package.imports.len()).filter_map(PackageIndex::import);
        let mut by_name = None;
        for index in exports.chain(imports) {
            let Some(found) = package.path(index, self.scope.name()) else { continue };
            if found.to_string().eq_ignore_ascii_case(path) {
                return Ok(index);
            }
            let own = index.0 > 0 && found.names().last().is_some_and(|name| name.eq_ignore_ascii_case(path));
            by_name = by_name.or(own.then_some(index));
        }
        let expected =
            "an object of this package or one that it imports already, by its path; imports cannot be added";
        by_name.ok_or_else(|| refused(at, given, expected))
    }

    fn soft_path(&mut self, path: &mut SoftPath, given: &Given<'_>, at: &str) -> Result<(), EditError> {
        let text = plain(given, at)?;
        let none = text.is_empty() || text.eq_ignore_ascii_case("None");
        let (asset, sub) = text.split_once(':').unwrap_or((&text, ""));
        let two =
            asset.split_once('.').filter(|(package, asset)| package.starts_with('/') && !asset.is_empty());
        if !none && two.is_none() {
            return Err(refused(at, given, "the path of an asset, such as /Game/Items/Sword.Sword, or None"));
        }
        let (package, object) = two.unwrap_or(("None", "None"));
        match path {
            SoftPath::Text(found) => *found = if none { "".into() } else { text.as_ref().into() },
            SoftPath::Asset(found, found_sub) => {
                *found = self.names.find_or_add(if none { "None" } else { asset });
                *found_sub = sub.into();
            }
            SoftPath::TopLevel(found, found_object, found_sub) => {
                *found = self.names.find_or_add(package);
                *found_object = self.names.find_or_add(object);
                *found_sub = sub.into();
            }
            SoftPath::Utf8(found, found_object, found_sub) => {
                *found = self.names.find_or_add(package);
                *found_object = self.names.find_or_add(object);
                *found_sub = sub.into();
            }
            SoftPath::Listed(_) => {
                return Err(refused(at, given, "a cooked package: this one lists its soft paths elsewhere"));
            }
        }
        Ok(())
    }

    /// Elements: those that are there keep what JSON does not name, new ones begin with zeros.
    fn items(
        &mut self,
        items: &mut Vec<Value>,
        kind: Option<&Kind>,
        given: &Given<'_>,
        at: &str,
        depth: usize,
    ) -> Result<(), EditError> {
        let json = given.json();
        let Some(Json::Array(wanted)) = json.as_deref() else {
            return Err(refused(at, given, "a JSON array"));
        };
        let inner = match kind {
            Some(Kind::Array(inner) | Kind::Set(inner)) => Some(&**inner),
            _ => None,
        };
        items.truncate(wanted.len());
        for (place, json) in wanted.iter().enumerate() {
            let at = format!("{at}[{place}]");
            if place >= items.len() {
                let new = self.new_like(items.last(), inner);
                items.push(new.ok_or_else(|| {
                    refused(&at, given, "as many elements as there are: their type is not known")
                })?);
            }
            if let Some(item) = items.get_mut(place) {
                self.assign_at(item, inner, &Given::Json(json), &at, depth + 1)?;
            }
        }
        Ok(())
    }

    /// A map: values by their keys, or a list of `{ "Key": …, "Value": … }`.
    fn map(
        &mut self,
        map: &mut Map,
        kind: Option<&Kind>,
        given: &Given<'_>,
        at: &str,
        depth: usize,
    ) -> Result<(), EditError> {
        let json = given.json();
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
        let pairs = pairs.ok_or_else(|| refused(at, given, expected))?;
        let (of_key, of_value) = match kind {
            Some(Kind::Map(key, value)) => (Some(&**key), Some(&**value)),
            _ => (None, None),
        };
        let old = std::mem::take(&mut map.entries);
        for (key, json) in pairs {
            let at = format!("{at}[{key}]");
            let like = old.last().map(|(key, value)| (Some(key), Some(value))).unwrap_or_default();
            let new = self.new_like(like.0, of_key).zip(self.new_like(like.1, of_value));
            let expected = "the keys that are there: the type of new ones is not known";
            let (mut new_key, mut value) = new.ok_or_else(|| refused(&at, given, expected))?;
            self.assign_at(&mut new_key, of_key, &Given::Json(&key), &at, depth + 1)?;
            if let Some((_, known)) = old.iter().find(|(key, _)| *key == new_key) {
                value = known.clone();
            }
            self.assign_at(&mut value, of_value, &Given::Json(json), &at, depth + 1)?;
            map.entries.push((new_key, value));
        }
        Ok(())
    }

    fn optional(
        &mut self,
        inner: &mut Option<Box<Value>>,
        kind: Option<&Kind>,
        given: &Given<'_>,
        at: &str,
        depth: usize,
    ) -> Result<(), EditError> {
        if given.text() == "null" {
            *inner = None;
            return Ok(());
        }
        let of = match kind {
            Some(Kind::Optional(of)) => Some(&**of),
            _ => None,
        };
        if inner.is_none() {
            let new = of.and_then(|of| self.default_of(of, Place::Member));
            let expected = "null: the type of a value is not known";
            *inner = Some(Box::new(new.ok_or_else(|| refused(at, given, expected))?));
        }
        inner.as_mut().map_or(Ok(()), |value| self.assign_at(value, of, given, at, depth + 1))
    }

    /// The members that JSON names; all others stay.
    fn structure(
        &mut self,
        body: &mut Body,
        given: &Given<'_>,
        at: &str,
        depth: usize,
    ) -> Result<(), EditError> {
        let json = given.json();
        let Some(Json::Object(members)) = json.as_deref() else {
            return Err(refused(at, given, "a JSON object with the members that change"));
        };
        if let (Body::Native(record), Some(first)) = (&mut *body, members.keys().next())
            && let Some((_, inner)) = hidden(record, first).and_then(|place| record.fields.get_mut(place))
        {
            return self.assign_at(inner, None, given, at, depth + 1);
        }
        for (name, json) in members {
            let inner = format!("{at}.{name}");
            let (plain, element) = split_element(name);
            let found = match body {
                Body::List(list) => self.member(list, plain, element, at)?,
                Body::Native(record) => field(record, name, at)?,
                Body::Empty => return Err(refused(at, given, "nothing: the struct is empty")),
            };
            let kind = found.kind;
            self.assign_at(found.value, kind.as_ref(), &Given::Json(json), &inner, depth + 1)?;
        }
        Ok(())
    }

    /// A value for a new element: the zero of its type, or of what a neighbour is.
    fn new_like(&mut self, neighbour: Option<&Value>, kind: Option<&Kind>) -> Option<Value> {
        let is_named = !matches!(kind, Some(Kind::Struct(name)) if name.name.is_empty());
        let new = kind.filter(|_| is_named).and_then(|kind| self.default_of(kind, Place::Element));
        match (new, neighbour) {
            // Old tags do not say which struct, or whether enums are names.
            (Some(new), Some(old)) if std::mem::discriminant(&new) == std::mem::discriminant(old) => {
                Some(new)
            }
            (_, Some(old)) => Some(old.clone()),
            (new, None) => new,
        }
    }
}

/// `Name[2]` as a name and an element.
fn split_element(name: &str) -> (&str, u32) {
    let split = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    let element = split.and_then(|(name, element)| Some((name, element.parse().ok()?)));
    element.unwrap_or((name, 0))
}
