//! Which values are searched for.

use super::needle::Needle;
use crate::extract::PatternError;
use crate::package::legacy::Package;
use crate::package::name_map::split_number;
use crate::property::{Place, Scope, Value};
use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};

/// What is searched for, as text. An empty spec matches every value.
#[derive(Debug, Clone, Default)]
pub struct QuerySpec {
    /// Name of a property, or a glob with `*`, `?`, `[…]` or `{…}`; properties in it count, too.
    pub property: Option<String>,
    /// Must match somewhere in the name of a property.
    pub property_regex: Option<String>,
    /// A text that is part of the value, or a number that it equals.
    pub value: Option<String>,
    /// Must match somewhere in the value, written as text.
    pub value_regex: Option<String>,
}

/// A compiled [`QuerySpec`]. Letter case does not matter.
#[derive(Debug, Clone, Default)]
pub struct Query {
    names: Vec<NamePattern>,
    values: Vec<ValuePattern>,
    /// What the bytes of a package hold that can match.
    needle: Option<Needle>,
}

#[derive(Debug, Clone)]
enum NamePattern {
    Name(String),
    Glob(GlobMatcher),
    Regex(Regex),
}

#[derive(Debug, Clone)]
enum ValuePattern {
    Number(Number),
    Text(Regex),
}

/// A number, and how it was typed.
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

    /// Whether a value is one that is searched for. If only the name of a property counts, that is the property itself, not
    /// what is in it.
    pub(super) fn matches(&self, scope: &Scope<'_>, place: &Place<'_>, value: &Value) -> bool {
        if self.values.is_empty() {
            return place.is_property() && self.names_match(&place.properties().take(1));
        }
        self.values.iter().all(|pattern| pattern.matches(scope, value))
            && self.names_match(&place.properties())
    }

    /// Whether what is in a value may match although the value itself does.
    pub(super) const fn goes_on(&self) -> bool {
        !self.values.is_empty()
    }

    /// Whether a package can match at all, by its bytes.
    pub(super) fn can_be_in(&self, package: &Package, name: &str, data: &[u8]) -> bool {
        self.needle.as_ref().is_none_or(|needle| needle.can_be_in(package, name, data))
    }

    fn names_match<'n>(&self, names: &(impl Iterator<Item = &'n str> + Clone)) -> bool {
        self.names.iter().all(|pattern| names.clone().any(|name| pattern.matches(name)))
    }

    /// Whether a package whose lists have tags can match at all, by the texts in its table of names: the names of its
    /// properties are among them.
    pub(super) fn can_match<'n>(&self, names: &(impl Iterator<Item = &'n str> + Clone)) -> bool {
        self.names.iter().all(|pattern| match pattern {
            NamePattern::Name(name) => {
                let base = split_number(name).0;
                names.clone().any(|text| text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(base))
            }
            // The number at the end of a name is not in the table.
            NamePattern::Glob(_) | NamePattern::Regex(_) => true,
        })
    }
}

impl NamePattern {
    fn new(text: &str) -> Result<Self, PatternError> {
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

    fn matches(&self, name: &str) -> bool {
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
        // `nan`, `inf` and `infinity` are words.
        float.is_finite().then(|| Self { text: text.to_owned(), float, whole: text.parse().ok() })
    }

    #[expect(
        clippy::float_cmp,
        clippy::cast_possible_truncation,
        reason = "the number that was typed is searched for"
    )]
    fn matches(&self, scope: &Scope<'_>, value: &Value) -> bool {
        match value {
            Value::Float(found) => *found == self.float as f32,
            Value::Double(found) => *found == self.float,
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

fn regex(text: &str) -> Result<Regex, PatternError> {
    let error = |error: regex::Error| PatternError {
        what: "regular expression",
        text: text.to_owned(),
        // Before it come lines that draw an arrow at the place.
        reason: error.to_string().lines().next_back().unwrap_or_default().replace("error: ", ""),
    };
    RegexBuilder::new(text).case_insensitive(true).build().map_err(error)
}
