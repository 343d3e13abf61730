//! What was read, for people and for programs.

use crate::package::Section;
use crate::wire::counted;
use serde::{Serialize, Serializer};

/// What was read of a file: as parts for people, and as JSON (by serde) for programs. Both come from the same rows, which are
/// made one by one where there may be many.
pub trait View: erased_serde::Serialize {
    /// What people are shown, in this order.
    fn parts(&self) -> Vec<ViewPart<'_>>;
}

erased_serde::serialize_trait_object!(View);

/// A part of a view.
pub enum ViewPart<'a> {
    /// A property of the whole: `names         1,234`.
    Fact {
        /// What it is.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// A titled, numbered list; not shown if it is empty.
    List {
        /// What its rows are.
        title: &'static str,
        /// The rows; of a long list perhaps only the first [`SHOWN`].
        rows: Box<dyn Iterator<Item = ListRow> + 'a>,
        /// How many rows a long list has, of which people are shown the first [`SHOWN`]; `None` where they are shown all.
        total: Option<usize>,
    },
}

/// Rows of a long list that people are shown.
pub const SHOWN: usize = 100;

/// A row of a list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ListRow {
    /// Its text.
    pub text: String,
    /// Lines below it.
    pub details: Vec<String>,
    /// How many more of these there are.
    pub more_details: usize,
}

impl From<String> for ListRow {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl<'a> ViewPart<'a> {
    /// A property of the whole.
    pub fn fact(name: &'static str, value: impl Into<String>) -> Self {
        Self::Fact { name, value: value.into() }
    }

    /// A list that is shown whole.
    pub fn list(title: &'static str, rows: impl Iterator<Item = String> + 'a) -> Self {
        Self::List { title, rows: Box::new(rows.map(ListRow::from)), total: None }
    }

    /// A list of `total` rows, of which people are shown the first.
    pub fn long_list(
        title: &'static str,
        total: usize,
        rows: impl Iterator<Item: Into<ListRow>> + 'a,
    ) -> Self {
        Self::List { title, rows: Box::new(rows.map(Into::into)), total: Some(total) }
    }
}

/// How many of what: `12 names, 1 import`. Each comes with its singular and its plural.
pub(super) fn counts<'a>(counts: impl IntoIterator<Item = (usize, &'a str, &'a str)>) -> String {
    let shown = |(number, one, many): (usize, &str, &str)| counted(number as u64, one, many);
    counts.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The parts of a header that were read, in the order of the file.
pub(super) fn sections(sections: &[Section]) -> String {
    let part =
        |section: &Section| format!("{} {:#x}..{:#x}", section.name, section.range.start, section.range.end);
    sections.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// A list in JSON whose rows are made one by one.
pub(super) struct Rows<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Rows<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// An object in JSON whose members are made one by one.
pub(super) struct Members<F>(pub F);

impl<F: Fn() -> I, V: Serialize, I: Iterator<Item = (String, V)>> Serialize for Members<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}
