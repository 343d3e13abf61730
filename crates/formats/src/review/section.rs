//! Sections of a review.

use super::lines::Line;
use serde::Serialize;
use std::fmt;

/// A section: an object, or a view of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewSection {
    /// Kind of section.
    pub kind: SectionKind,
    /// Path in the package of the object that it shows; empty for several.
    pub object: String,
    /// Its heading, unique in the document unless the package has several objects of one path.
    pub heading: String,
    /// The lines below the heading.
    pub lines: Vec<Line>,
}

/// Kind of section, in the order of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// A blueprint: its parent, interfaces and variables.
    Blueprint,
    /// The components of a blueprint.
    Components,
    /// The defaults of a class.
    Defaults,
    /// A graph.
    Graph,
    /// Any other object.
    Object,
    /// The code of functions.
    Code,
}

impl ReviewSection {
    /// A section of code, a line for each of its lines; `None` if there is none.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        // A comment with the name of the package, which others call differently, comes first.
        let lines = code.lines().skip_while(|line| line.starts_with("//") || line.is_empty());
        let lines: Vec<Line> = lines.map(|line| Line { depth: 1, text: line.to_owned() }).collect();
        let (object, heading) = (String::new(), "code".to_owned());
        (!lines.is_empty()).then_some(Self { kind: SectionKind::Code, object, heading, lines })
    }
}

impl fmt::Display for ReviewSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.heading)?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
