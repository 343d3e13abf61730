//! Queries for values.

use super::needle::Needle;
use crate::extract::PatternError;
use crate::package::legacy::Package;
use crate::package::name_map::split_number;
use crate::property::{Place, Scope, Value};
use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};

/// A query in text form. An empty spec matches every value.
#[derive(Debug, Clone, Default)]
pub struct QuerySpec {
    /// Name of a property, or a glob with `*`, `?`, `[…]` or `{…}`; values nested in such a property match, too.
    pub property: Option<String>,
    /// Regular expression to match anywhere in the name of a property.
    pub property_regex: Option<String>,
    /// Text contained in the value, or a number equal to it.
    pub value: Option<String>,
    /// Regular expression to match anywhere in the value's text.
    pub value_regex: Option<String>,
}

/// A compiled [`QuerySpec`]. Matching ignores letter case.
#[derive(Debug, Clone, Default)]
pub struct Query {
    names: Vec<NamePattern>,
    values: Vec<ValuePattern>,
    /// Byte pattern of packages that can match.
    needle: Option<Needle>,
}

/// A pattern for names: of properties, or of functions.
#[derive(Debug, Clone)]
pub(crate) enum NamePattern {
    Name(String),
    Glob(GlobMatcher),
    Regex(Regex),
}

#[derive(Debug, Clone)]
enum ValuePattern {
    Number(Number),
    Text(Regex),
}

/// A number, with its text as typed.
#[derive(Debug, Clone)]
struct Number {
    text: String,
    float: f64,
    whole: Option<i128>,
}

impl Query {
    /// Compiles a spec.
    pub fn new(spec: &QuerySpec) -> Result<Self, PatternError> {
        let mut this = Self::default();
        if let Some(text) = &spec.property {
            this.names.push(NamePattern::new(text)?);
        }
        if let Some(text) = &spec.property_regex {
            this.names.push(NamePattern::Regex(regex(text)?));
        }
        // Text that parses as a number is compared as one, so `1` finds 1.0, but not 10.
        if let Some(text) = &spec.value {
            let number = Number::parse(text);
            this.needle = match &number {
                Some(number) => Needle::of_number(text, number.float, number.whole),
                None => Needle::of_text(text),
            };
            this.values.push(match number {
                Some(number) => ValuePattern::Number(number),
                None => ValuePattern::Text(regex(&regex::escape(text))?),
            });
        }
        if let Some(text) = &spec.value_regex {
            this.values.push(ValuePattern::Text(regex(text)?));
        }
        Ok(this)
    }

    /// True if a value matches. A query for a name only matches the property itself, not the values nested in it.
    pub(super) fn matches(&self, scope: &Scope<'_>, place: &Place<'_>, value: &Value) -> bool {
        if self.values.is_empty() {
            return place.is_property() && self.names_match(&place.properties().take(1));
        }
        self.values.iter().all(|pattern| pattern.matches(scope, value))
            && self.names_match(&place.properties())
    }

    /// True if values nested in a matching value may match, too.
    pub(super) const fn goes_on(&self) -> bool {
        !self.values.is_empty()
    }

    /// True if a package's raw bytes allow a match.
    pub(super) fn can_be_in(&self, package: &Package, name: &str, data: &[u8]) -> bool {
        self.needle.as_ref().is_none_or(|needle| needle.can_be_in(package, name, data))
    }

    fn names_match<'n>(&self, names: &(impl Iterator<Item = &'n str> + Clone)) -> bool {
        self.names.iter().all(|pattern| names.clone().any(|name| pattern.matches(name)))
    }

    /// True if a package with tagged properties can match, judging by its name table, which contains the names of its
    /// properties.
    pub(super) fn can_match<'n>(&self, names: &(impl Iterator<Item = &'n str> + Clone)) -> bool {
        self.names.iter().all(|pattern| match pattern {
            NamePattern::Name(name) => {
                // `Name_3` is stored as `Name` and a number, unless its writer kept it whole.
                let base = split_number(name).0;
                names.clone().any(|text| text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(base))
            }
            // The trailing number of a name is not in the table, so a pattern for whole names cannot be tried on it.
            NamePattern::Glob(_) | NamePattern::Regex(_) => true,
        })
    }
}

impl NamePattern {
    /// A name, or a glob with `*`, `?`, `[…]` or `{…}`.
    pub(crate) fn new(text: &str) -> Result<Self, PatternError> {
        if !text.contains(['*', '?', '[', '{']) {
            return Ok(Self::Name(text.to_owned()));
        }
        let error = |error: globset::Error| PatternError {
            what: "pattern",
            text: text.to_owned(),
            reason: error.kind().to_string(),
        };
        let glob = GlobBuilder::new(text).case_insensitive(true).build().map_err(error)?;
        Ok(Self::Glob(glob.compile_matcher()))
    }

    /// True if a name matches, in any letter case.
    pub(crate) fn matches(&self, name: &str) -> bool {
        match self {
            Self::Name(wanted) => name.eq_ignore_ascii_case(wanted),
            Self::Glob(glob) => glob.is_match(name),
            Self::Regex(regex) => regex.is_match(name),
        }
    }
}

impl ValuePattern {
    fn matches(&self, scope: &Scope<'_>, value: &Value) -> bool {
        match self {
            Self::Number(number) => number.matches(scope, value),
            Self::Text(regex) => value.text(scope).is_some_and(|text| regex.is_match(&text)),
        }
    }
}

impl Number {
    fn parse(text: &str) -> Option<Self> {
        let float: f64 = text.parse().ok()?;
        // `nan`, `inf` and `infinity` parse as floats, but are words to search for.
        float.is_finite().then(|| Self { text: text.to_owned(), float, whole: text.parse().ok() })
    }

    #[expect(
        clippy::float_cmp,
        clippy::cast_possible_truncation,
        reason = "exact match with the typed number is intended"
    )]
    fn matches(&self, scope: &Scope<'_>, value: &Value) -> bool {
        match value {
            // Compared in the precision of the value: 0.1 as `f32` differs from 0.1 as `f64`.
            Value::Float(found) => *found == self.float as f32,
            Value::Double(found) => *found == self.float,
            // An enumerator is displayed by its name; its number is an artefact.
            Value::Enumerator(_) => false,
            value => match value.whole() {
                Some(found) => self.whole == Some(found),
                None => match value {
                    Value::Str(_) | Value::Utf8(_) | Value::Ansi(_) | Value::Name(_) => {
                        value.text(scope).is_some_and(|text| text == self.text)
                    }
                    _ => false,
                },
            },
        }
    }
}

pub(crate) fn regex(text: &str) -> Result<Regex, PatternError> {
    let error = |error: regex::Error| PatternError {
        what: "regular expression",
        text: text.to_owned(),
        // The last line is the message; those before it point an arrow at the position.
        reason: error.to_string().lines().next_back().unwrap_or_default().replace("error: ", ""),
    };
    RegexBuilder::new(text).case_insensitive(true).build().map_err(error)
}
