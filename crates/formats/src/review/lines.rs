//! Lines of a review, with their depth.

use serde::Serialize;
use serde::ser::Serializer;
use std::fmt;

/// A line, without its indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Levels of indentation below the heading, from 1.
    pub depth: usize,
    /// The text; never with a line break.
    pub text: String,
}

/// Deepest level that is indented, so that nesting makes no long lines of spaces.
const MAX_INDENT: usize = 40;

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:width$}{}", "", self.text, width = 2 * self.depth.min(MAX_INDENT))
    }
}

/// A line as text, with its indentation.
impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text in quotation marks, on one line.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
