//! Addresses of values.

use super::error::EditError;
use std::fmt;
use std::str::FromStr;

/// The location of a value in a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The export.
    pub export: ExportName,
    /// The steps from the export to the value.
    pub steps: Vec<Step>,
}

/// A reference to an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportName {
    /// By its name.
    Name(String),
    /// By its index, from 0.
    Place(usize),
}

/// A step to a value inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A property, a field or a row.
    Name(String),
    /// An index, or the key of a map.
    Key(String),
}

impl Step {
    /// The name or the key.
    #[must_use]
    pub fn text(&self) -> &str {
        let (Self::Name(text) | Self::Key(text)) = self;
        text
    }
}

impl FromStr for Address {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let mut parser = Parser { text, at: 0 };
        let export = parser.name(&['.', '['], "the name of an export")?;
        // `#3` is an index only if digits follow; other names may begin with `#`.
        let place = export.strip_prefix('#').and_then(|place| place.parse().ok());
        let export = place.map_or(ExportName::Name(export), ExportName::Place);
        let mut steps = Vec::new();
        while let Some(c) = parser.next() {
            steps.push(match c {
                '.' => Step::Name(parser.name(&['.', '['], "a name")?),
                '[' => {
                    let key = parser.name(&[']'], "an index or a key")?;
                    match parser.next() {
                        Some(']') => Step::Key(key),
                        _ => return Err(parser.expected("]")),
                    }
                }
                _ => return Err(parser.expected("a dot, a bracket or the end")),
            });
        }
        Ok(Self { export, steps })
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Parses a quoted name, or an unquoted one up to any of these characters.
    fn name(&mut self, ends: &[char], expected: &'static str) -> Result<String, EditError> {
        let rest = self.rest();
        let (name, len) = if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').ok_or_else(|| self.expected("a closing quotation mark"))?;
            // The two quotation marks.
            (quoted.get(..end), end + 2)
        } else {
            let end = rest.find(ends).unwrap_or(rest.len());
            (rest.get(..end), end)
        };
        let name = name.unwrap_or_default().to_owned();
        if name.is_empty() {
            return Err(self.expected(expected));
        }
        self.at += len;
        Ok(name)
    }

    fn expected(&self, expected: &'static str) -> EditError {
        // Columns count characters: users see no bytes.
        let column = self.text.get(..self.at).unwrap_or_default().chars().count() + 1;
        EditError::Address { address: self.text.to_owned(), expected, column }
    }
}

impl fmt::Display for ExportName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Place(place) => write!(f, "#{place}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, ".{name}"),
            Self::Key(key) => write!(f, "[{key}]"),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.export.fmt(f)?;
        self.steps.iter().try_for_each(|step| step.fmt(f))
    }
}
