//! The new value of an edit: a text or JSON, and conversions to numbers, texts and names.

use super::context::listed_near;
use super::error::EditError;
use crate::id::Guid;
use crate::property::schema::Enumeration;
use crate::property::value::Enumerator;
use crate::wire::WireString;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

/// The new value of an edit.
pub(in crate::property) enum Given<'g> {
    /// A text, as typed.
    Text(&'g str),
    /// A part of the typed JSON.
    Json(&'g Json),
}

impl Given<'_> {
    /// As text: the contents of a JSON string; other JSON in its own notation.
    pub(in crate::property) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Json(Json::String(text)) => Cow::Borrowed(text),
            Self::Json(json) => Cow::Owned(json.to_string()),
        }
    }

    /// As JSON; `None` if the text is not valid JSON.
    pub(in crate::property) fn json(&self) -> Option<Cow<'_, Json>> {
        match self {
            Self::Text(text) => serde_json::from_str(text).ok().map(Cow::Owned),
            Self::Json(json) => Some(Cow::Borrowed(json)),
        }
    }
}

pub(in crate::property) fn refused(at: &str, given: &Given<'_>, expected: &str) -> EditError {
    const SHOWN: usize = 60;
    let mut found = given.text().into_owned();
    if found.chars().count() > SHOWN {
        found = found.chars().take(SHOWN).chain(['…']).collect();
    }
    let found = if found.is_empty() { "an empty text".to_owned() } else { found };
    EditError::Value { at: at.to_owned(), found, expected: expected.to_owned() }
}

pub(in crate::property) fn bool_of(given: &Given<'_>) -> Option<bool> {
    match given.text().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Parses a whole number of type `N`.
pub(in crate::property) fn number<N>(value: &mut N, given: &Given<'_>, at: &str) -> Result<(), EditError>
where
    N: FromStr + Range,
{
    let found = given.text().trim().parse();
    *value =
        found.map_err(|_| refused(at, given, &format!("a whole number from {} to {}", N::LEAST, N::MOST)))?;
    Ok(())
}

/// The limits of a number type.
pub(in crate::property) trait Range: Display + Sized {
    const LEAST: Self;
    const MOST: Self;
}

macro_rules! ranges {
    ($($number:ident)*) => {$(
        impl Range for $number {
            const LEAST: Self = Self::MIN;
            const MOST: Self = Self::MAX;
        }
    )*};
}

ranges! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Parses a number; infinite only if the text says so, not by overflow.
pub(in crate::property) fn float<N: FromStr + Copy + Into<f64>>(given: &Given<'_>) -> Option<N> {
    let text = given.text();
    let number: N = text.trim().parse().ok()?;
    let asked = text.to_ascii_lowercase().contains("inf");
    (!number.into().is_infinite() || asked).then_some(number)
}

pub(in crate::property) fn enumerator(
    found: &mut Enumerator,
    given: &Given<'_>,
    at: &str,
) -> Result<(), EditError> {
    let text = given.text();
    let of = |short: &str| {
        let short = short.trim().rsplit("::").next().unwrap_or_default();
        let mut values = found.of.values();
        let named = values.find(|(_, name)| name.eq_ignore_ascii_case(short)).map(|(number, _)| number);
        named.or_else(|| short.parse().ok())
    };
    // Flags can be combined: `A | B`.
    let number = text.split('|').try_fold(0_i64, |sum, part| Some(sum | of(part)?));
    let bits = u32::from(found.width) * 8;
    // Both the signed and the unsigned range of the width, since the sign of an enum is not recorded.
    let fits = |number: &i64| bits >= 64 || (-(1_i64 << (bits - 1))..1_i64 << bits).contains(number);
    found.number = number.filter(fits).ok_or_else(|| refused(at, given, &members(&found.of, &text)))?;
    Ok(())
}

/// The values of an enum, for messages, with the one nearest to the given text.
pub(in crate::property) fn members(of: &Enumeration, given: &str) -> String {
    if of.values().next().is_none() {
        return "the name of a value of the enum".to_owned();
    }
    let short = given.trim().rsplit("::").next().unwrap_or_default();
    format!("a value of {}: {}", of.name, listed_near(short, of.values().map(|(_, name)| name.to_string())))
}

/// The text; JSON must be a string.
pub(in crate::property) fn plain<'g>(given: &'g Given<'_>, at: &str) -> Result<Cow<'g, str>, EditError> {
    match given {
        Given::Json(json) if !json.is_string() => Err(refused(at, given, "a JSON string")),
        given => Ok(given.text()),
    }
}

pub(in crate::property) fn string(given: &Given<'_>, at: &str) -> Result<WireString, EditError> {
    let text = plain(given, at)?;
    // In the file, a NUL is the terminator of a string.
    if text.contains('\0') {
        return Err(refused(at, given, "a text without NUL"));
    }
    Ok(text.into_owned().into())
}

pub(in crate::property) fn guid_of(given: &Given<'_>) -> Option<Guid> {
    given.text().parse().ok()
}

pub(in crate::property) fn bytes_of(given: &Given<'_>) -> Option<Box<[u8]>> {
    // As JSON shows bytes, else hex digits.
    if let Some(Json::Array(numbers)) = given.json().as_deref() {
        return numbers.iter().map(|number| u8::try_from(number.as_u64()?).ok()).collect();
    }
    hex::decode(given.text().trim()).ok().map(Into::into)
}
