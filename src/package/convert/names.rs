//! The name table.
//!
//! ```text
//! zen     names that export data uses (A) │ export names, package name, where not among those
//! legacy  A                               │ B: names of imports, exports and the package, where not among those, sorted
//! ```
//!
//! Where A ends is not stored: it is the smallest number for which what follows is just what the container builder would
//! have added. UE4 packages keep their table as it is.

use super::imports::Imports;
use crate::package::legacy::{Name, NameEntry};
use crate::package::name_map::split_number;
use crate::package::zen::Header;
use std::collections::{BTreeMap, HashMap};

/// Names, and where each of them is.
#[derive(Debug, Default)]
pub(super) struct Names {
    table: Vec<String>,
    /// By lower-cased text.
    index: HashMap<String, u32>,
    referenced: usize,
}

impl Names {
    /// The names that export data uses.
    pub(super) fn new(header: &Header) -> Self {
        let keep = if header.generation.is_ue4() { header.names.len() } else { referenced(header) };
        let mut names = Self { referenced: keep, ..Self::default() };
        for text in header.names.iter().take(keep) {
            names.push(text.to_owned());
        }
        names
    }

    /// Adds the names that the tables need.
    pub(super) fn finish(&mut self, header: &Header, imports: &Imports) {
        let own = header.exports.iter().map(|export| export.name).chain([header.mapped_name]);
        let own = own.map(|name| header.text(name).base.to_owned());
        let cells = header.cell_exports.iter().map(|cell| header.text(cell.class_info).base.to_owned());
        let imported = imports.texts().map(|text| split_number(text).0.to_owned());
        let mut missing: BTreeMap<Vec<u16>, String> = BTreeMap::new();
        for text in own.chain(cells).chain(imported) {
            let lower = text.to_ascii_lowercase();
            if !self.index.contains_key(&lower) {
                missing.entry(lower.encode_utf16().collect()).or_insert(text);
            }
        }
        for text in missing.into_values() {
            self.push(text);
        }
    }

    fn push(&mut self, text: String) {
        let at = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        self.index.entry(text.to_ascii_lowercase()).or_insert(at);
        self.table.push(text);
    }

    /// A name that was put in.
    pub(super) fn find(&self, text: &str) -> Name {
        // A text that is in the table as a whole was written so by somebody.
        let (base, number) = split_number(text);
        let index = self.index.get(&base.to_ascii_lowercase()).copied().unwrap_or(0);
        Name { index, number }
    }

    /// A name of which the number is known.
    pub(super) fn find_parts(&self, base: &str, number: u32) -> Name {
        Name { index: self.index.get(&base.to_ascii_lowercase()).copied().unwrap_or(0), number }
    }

    /// Names that export data uses.
    pub(super) fn referenced(&self) -> i32 {
        i32::try_from(self.referenced).unwrap_or(i32::MAX)
    }

    /// The table as it is written.
    pub(super) fn entries(&self) -> Vec<NameEntry> {
        self.table.iter().map(|text| NameEntry::new(text)).collect()
    }
}

/// How many names at the start of the table export data may use.
fn referenced(header: &Header) -> usize {
    let count = header.names.len();
    // What the builder adds, in its order: the rank of each name among export names and the package's name.
    let mut rank: HashMap<u32, usize> = HashMap::new();
    for (at, name) in header.exports.iter().map(|export| export.name).chain([header.mapped_name]).enumerate()
    {
        rank.entry(name.index()).or_insert(at);
    }
    let mut keep = count;
    let mut next = usize::MAX;
    while let Some(at) =
        keep.checked_sub(1).and_then(|at| u32::try_from(at).ok()).and_then(|at| rank.get(&at))
    {
        if *at >= next {
            break;
        }
        next = *at;
        keep -= 1;
    }
    keep
}
