//! Queries for values.

use super::needle::Needle;
use crate::extract::PatternError;
use crate::package::legacy::Package;
use crate::package::name_map::split_number;
use crate::package::zen;
use crate::property::{Scope, Value, ValuePlace};
use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};
use std::ops::{Bound, RangeBounds};

/// A query in text form. An empty spec matches every value.
#[derive(Debug, Clone, Default)]
pub struct QuerySpec {
    /// Name of a property, or a glob with `*`, `?`, `[…]` or `{…}`; values nested in such a property match, too.
    pub property: Option<String>,
    /// Regular expression to match anywhere in the name of a property.
    pub property_regex: Option<String>,
    /// Text contained in the value, a number equal to it, or a range of numbers: `>5`, `>=5`, `<5`, `<=5` or `5..10`.
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
    Range(NumberRange),
    Text(Regex),
}

/// A number, with its text as typed.
#[derive(Debug, Clone)]
struct Number {
    text: String,
    float: f64,
    whole: Option<i128>,
}

/// Numbers between two bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberRange(Bound<f64>, Bound<f64>);

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
            if let Some(number) = Number::parse(text) {
                this.needle = Needle::of_number(text, number.float, number.whole);
                this.values.push(ValuePattern::Number(number));
            } else if let Some(range) = NumberRange::parse(text) {
                // No needle: the bytes of a number say nothing about those of greater ones.
                this.values.push(ValuePattern::Range(range));
            } else {
                this.needle = Needle::of_text(text);
                this.values.push(ValuePattern::Text(regex(&regex::escape(text))?));
            }
        }
        if let Some(text) = &spec.value_regex {
            this.values.push(ValuePattern::Text(regex(text)?));
        }
        Ok(this)
    }

    /// True if a value matches. A query for a name only matches the property itself, not the values nested in it.
    pub(super) fn matches(&self, scope: &Scope<'_>, place: &ValuePlace<'_>, value: &Value) -> bool {
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

    /// True if a match depends on the names of properties.
    pub(super) const fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// True if the raw bytes of a zen package allow a match.
    pub(super) fn can_be_in_zen(&self, header: &zen::Header, chunk: &[u8]) -> bool {
        self.needle.as_ref().is_none_or(|needle| needle.can_be_in_zen(header, chunk))
    }

    /// True if a package's raw bytes allow a match.
    pub(super) fn can_be_in(&self, package: &Package, name: &str, data: &[u8]) -> bool {
        self.needle.as_ref().is_none_or(|needle| needle.can_be_in(package, name, data))
    }

    /// True if one of these names of properties is wanted.
    pub(super) fn names_match<'n>(&self, names: &(impl Iterator<Item = &'n str> + Clone)) -> bool {
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
            Self::Range(range) => range.matches(value),
            Self::Text(regex) => value.text(scope).is_some_and(|text| regex.is_match(&text)),
        }
    }
}

impl NumberRange {
    /// True if a number is between the bounds.
    pub(super) fn has(self, number: f64) -> bool {
        (self.0, self.1).contains(&number)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| Number::parse(text.trim()).map(|number| number.float);
        if let Some((low, high)) = text.split_once("..") {
            return Some(Self(Bound::Included(number(low)?), Bound::Included(number(high)?)));
        }
        let bound = |sign: &str| text.strip_prefix(sign).and_then(number);
        // `>=` first: it starts with `>`, too, and `=5` is no number.
        let from = bound(">=").map(Bound::Included).or_else(|| bound(">").map(Bound::Excluded));
        let to = bound("<=").map(Bound::Included).or_else(|| bound("<").map(Bound::Excluded));
        (from.is_some() || to.is_some())
            .then(|| Self(from.unwrap_or(Bound::Unbounded), to.unwrap_or(Bound::Unbounded)))
    }

    fn matches(self, value: &Value) -> bool {
        let found = match value {
            Value::Float(found) => f64::from(*found),
            Value::Double(found) => *found,
            // As for single numbers: an enumerator is a name.
            Value::Enumerator(_) => return false,
            value => match value.whole() {
                #[expect(clippy::cast_precision_loss, reason = "bounds are floats, too")]
                Some(found) => found as f64,
                None => return false,
            },
        };
        // A `Float` of 0.1 is displayed as 0.1, and is in a range that ends there.
        let bound = |bound: Bound<f64>| match value {
            #[expect(clippy::cast_possible_truncation, reason = "compared in the precision of the value")]
            Value::Float(_) => bound.map(|number| f64::from(number as f32)),
            _ => bound,
        };
        (bound(self.0), bound(self.1)).contains(&found)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_bounds_that_are_in_them_or_not() {
        let is_in = |range: &str, value: &Value| NumberRange::parse(range).unwrap().matches(value);
        for (range, inside, outside) in [
            (">5", vec![6, 7], vec![5, -6]),
            (">=5", vec![5, 6], vec![4]),
            ("<-5", vec![-6], vec![-5, 0]),
            ("<= 5", vec![5, -9], vec![6]),
            ("5..10", vec![5, 7, 10], vec![4, 11]),
        ] {
            for (numbers, expected) in [(inside, true), (outside, false)] {
                for number in numbers {
                    for value in
                        [Value::Int(number), Value::Double(number.into()), Value::Int64(number.into())]
                    {
                        assert_eq!(is_in(range, &value), expected, "{number} in {range}");
                    }
                }
            }
        }
        assert!(is_in("<=0.1", &Value::Float(0.1)) && !is_in("<0.1", &Value::Float(0.1)));
        assert!(!is_in(">0", &Value::Double(f64::NAN)) && !is_in(">0", &Value::Bool(true)));
        for text in ["", ">", "> x", "..", "5..", "a..b", "=5", "-5"] {
            assert!(NumberRange::parse(text).is_none(), "{text}");
        }
    }
}
