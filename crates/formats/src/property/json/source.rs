//! JSON input, with a path for error messages.

use serde_json::Value as Json;
use std::fmt;

/// An error in a document, with its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The path, for example `exports[0].properties.tagged[3].value.Float`.
    pub at: String,
    /// The fault: found, expected.
    pub message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at.is_empty() { "the document" } else { &self.at };
        write!(f, "{at}: {}", self.message)
    }
}

impl std::error::Error for JsonError {}

/// A part of a document, with its path.
#[derive(Clone, Copy)]
pub(in crate::property) struct SourcePart<'j> {
    pub json: &'j Json,
    at: At<'j>,
}

/// A path. Each step links to the outer one, so that no text is built unless a message needs it.
#[derive(Clone, Copy)]
enum At<'j> {
    Root,
    Member(&'j At<'j>, &'j str),
    Element(&'j At<'j>, usize),
}

impl At<'_> {
    fn write(&self, text: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(outer, name) => {
                outer.write(text);
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Self::Element(outer, place) => {
                outer.write(text);
                text.extend(["[", &place.to_string(), "]"]);
            }
        }
    }
}

impl<'j> SourcePart<'j> {
    /// A whole document.
    pub(in crate::property) const fn root(json: &'j Json) -> Self {
        Self { json, at: At::Root }
    }

    /// Reads a member, which must exist.
    pub(in crate::property) fn member<T>(
        &self,
        name: &str,
        read: impl FnOnce(SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<T, JsonError> {
        let found = self.json.get(name);
        let json = found.ok_or_else(|| self.error(&format!("expected a member {name}")))?;
        read(SourcePart { json, at: At::Member(&self.at, name) })
    }

    /// Reads a member, if it exists and is not null.
    pub(in crate::property) fn optional<T>(
        &self,
        name: &str,
        read: impl FnOnce(SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<Option<T>, JsonError> {
        match self.json.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(json) => read(SourcePart { json, at: At::Member(&self.at, name) }).map(Some),
        }
    }

    /// Reads each element of an array.
    pub(in crate::property) fn each<T>(
        &self,
        mut read: impl FnMut(SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<Vec<T>, JsonError> {
        let items = self.json.as_array().ok_or_else(|| self.expected("an array"))?;
        let part = |(place, json)| read(SourcePart { json, at: At::Element(&self.at, place) });
        items.iter().enumerate().map(part).collect()
    }

    /// Reads one element of an array.
    pub(in crate::property) fn element<T>(
        &self,
        place: usize,
        read: impl FnOnce(SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<T, JsonError> {
        let items = self.json.as_array().ok_or_else(|| self.expected("an array"))?;
        let json =
            items.get(place).ok_or_else(|| self.expected(&format!("an array of more than {place}")))?;
        read(SourcePart { json, at: At::Element(&self.at, place) })
    }

    /// Number of elements; 0 if this is not an array.
    pub(in crate::property) fn len(&self) -> usize {
        self.json.as_array().map_or(0, Vec::len)
    }

    /// Reads the only member of an object: a type name and the contents of its value.
    pub(in crate::property) fn only<T>(
        &self,
        read: impl FnOnce(&str, SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<T, JsonError> {
        let members = self.json.as_object().filter(|members| members.len() == 1);
        let (name, json) = members
            .and_then(|members| members.iter().next())
            .ok_or_else(|| self.expected("an object with one member, which is named after a type"))?;
        read(name, SourcePart { json, at: At::Member(&self.at, name) })
    }

    /// The text of a string.
    pub(in crate::property) fn text(&self) -> Result<&'j str, JsonError> {
        self.json.as_str().ok_or_else(|| self.expected("a string"))
    }

    /// A whole number of type `N`.
    pub(in crate::property) fn number<N: TryFrom<i128>>(&self) -> Result<N, JsonError> {
        // Two attempts, because `u64` does not fit an `i64`.
        let found = self.json.as_i64().map(i128::from).or_else(|| self.json.as_u64().map(i128::from));
        let bits = size_of::<N>() * 8;
        let number = found.and_then(|number| number.try_into().ok());
        number.ok_or_else(|| self.expected(&format!("a whole number of {bits} bits")))
    }

    /// A bool.
    pub(in crate::property) fn bool(&self) -> Result<bool, JsonError> {
        self.json.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// Bytes, from hex digits.
    pub(in crate::property) fn bytes(&self) -> Result<Vec<u8>, JsonError> {
        hex::decode(self.text()?).map_err(|_| self.expected("hex digits, two for each byte"))
    }

    /// An error: this part is not what was expected.
    pub(in crate::property) fn expected(&self, expected: &str) -> JsonError {
        const SHOWN: usize = 60;
        let mut found = self.json.to_string();
        if found.chars().count() > SHOWN {
            found = found.chars().take(SHOWN).chain(['…']).collect();
        }
        self.error(&format!("found {found}, expected {expected}"))
    }

    pub(in crate::property) fn error(&self, message: &str) -> JsonError {
        let mut at = String::new();
        self.at.write(&mut at);
        JsonError { at, message: message.to_owned() }
    }
}
