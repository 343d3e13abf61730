//! Views of files for people and programs.

use crate::package::Section;
use crate::wire::counted;
use serde::{Serialize, Serializer};

/// View of a file: parts for people, and JSON (through serde) for programs. Both come from the same rows,
/// which are made one by one if there may be many.
pub trait View: erased_serde::Serialize {
    /// Returns the parts for people, in display order.
    fn parts(&self) -> Vec<ViewPart<'_>>;
}

erased_serde::serialize_trait_object!(View);

/// Part of a view.
pub enum ViewPart<'a> {
    /// Property of the whole: `names         1,234`.
    Fact {
        /// Name of the property.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// Titled, numbered list; not shown if empty.
    List {
        /// Title: the kind of its rows.
        title: &'static str,
        /// Rows; of a long list perhaps only the first [`SHOWN`].
        rows: Box<dyn Iterator<Item = ListRow> + 'a>,
        /// Number of rows of a long list, of which people see the first [`SHOWN`]; `None` if they see all.
        total: Option<usize>,
    },
}

/// Limit on the shown rows of a long list.
pub const SHOWN: usize = 100;

/// Row of a list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ListRow {
    /// Text.
    pub text: String,
    /// Lines below the text.
    pub details: Vec<String>,
    /// Number of details left out.
    pub more_details: usize,
}

impl From<String> for ListRow {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl<'a> ViewPart<'a> {
    /// Creates a property of the whole.
    pub fn fact(name: &'static str, value: impl Into<String>) -> Self {
        Self::Fact { name, value: value.into() }
    }

    /// Creates a list that is shown whole.
    pub fn list(title: &'static str, rows: impl Iterator<Item = String> + 'a) -> Self {
        Self::List { title, rows: Box::new(rows.map(ListRow::from)), total: None }
    }

    /// Creates a list of `total` rows, of which people see the first.
    pub fn long_list(
        title: &'static str,
        total: usize,
        rows: impl Iterator<Item: Into<ListRow>> + 'a,
    ) -> Self {
        Self::List { title, rows: Box::new(rows.map(Into::into)), total: Some(total) }
    }
}

/// Joins counts: `12 names, 1 import`. Each has its singular and plural.
pub(super) fn counts<'a>(counts: impl IntoIterator<Item = (usize, &'a str, &'a str)>) -> String {
    let shown = |(number, one, many): (usize, &str, &str)| counted(number as u64, one, many);
    counts.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Joins the sections of a header that were read, in file order.
pub(super) fn sections(sections: &[Section]) -> String {
    let part =
        |section: &Section| format!("{} {:#x}..{:#x}", section.name, section.range.start, section.range.end);
    sections.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// JSON array whose rows are made one by one.
pub(super) struct Rows<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Rows<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// JSON object whose members are made one by one.
pub(super) struct Members<F>(pub F);

impl<F: Fn() -> I, V: Serialize, I: Iterator<Item = (String, V)>> Serialize for Members<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}
