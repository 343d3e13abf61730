//! The name table.
//!
//! ```text
//! zen     names that export data uses (A) │ export names and package name, unless in A
//! legacy  A                               │ B: names of imports, exports and the package, unless in A,
//! sorted
//! ```
//!
//! The end of A is not stored: it is the smallest number for which the remaining names are exactly those that
//! the container builder would have added. UE4 packages keep their table unchanged.

use super::import_table::{ImportRow, Imports};
use crate::names::split_number;
use crate::package::legacy::{Name, NameEntry};
use crate::package::zen::Header;
use foldhash::{HashMap, HashSet};
use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Names and their indices.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    table: Vec<&'a str>,
    index: HashMap<AnyCase<'a>, u32>,
    referenced: usize,
}

impl<'a> Names<'a> {
    /// Starts with the names that export data uses.
    pub(super) fn new(header: &'a Header) -> Self {
        let keep = if header.generation.is_ue4() { header.names.len() } else { referenced(header) };
        let mut names = Self { referenced: keep, ..Self::default() };
        names.index.reserve(header.names.len());
        header.names.iter().take(keep).for_each(|text| names.push(text));
        names
    }

    /// Adds the names that the tables need.
    pub(super) fn finish(&mut self, header: &'a Header, imports: &'a Imports) {
        let imported = imports.texts().map(|text| split_number(text).0);
        let mut missing: Vec<(String, &str)> = Vec::new();
        for text in own(header).chain(imported) {
            // If names differ only in case, the first one stays. Its index follows from the sorting below.
            if let Entry::Vacant(place) = self.index.entry(AnyCase(text)) {
                place.insert(u32::MAX);
                missing.push((text.to_ascii_lowercase(), text));
            }
        }
        missing.sort_by(|(a, _), (b, _)| by_units(a, b));
        for (_, text) in missing {
            self.index.insert(AnyCase(text), self.next());
            self.table.push(text);
        }
    }

    /// Returns the lower-case names that are in the table regardless of guessed classes.
    pub(super) fn certain(header: &Header, imports: &Imports) -> HashSet<String> {
        let guessed: HashSet<usize> = imports.guesses.iter().map(|guess| guess.at).collect();
        let classes = imports.rows.iter().enumerate().filter(|(at, _)| !guessed.contains(at));
        let classes = classes.flat_map(|(_, row)| [&*row.class_package, &*row.class_name]);
        let imported = imports.rows.iter().map(ImportRow::name).chain(classes);
        let imported = imported.map(|text| split_number(text).0.to_ascii_lowercase());
        let known = Names::new(header).index.into_keys();
        let mut names: HashSet<String> = known.map(|AnyCase(text)| text.to_ascii_lowercase()).collect();
        names.extend(own(header).map(str::to_ascii_lowercase).chain(imported));
        names
    }

    fn push(&mut self, text: &'a str) {
        let at = self.next();
        // A repeated text keeps both slots, since export data refers to them by index.
        self.index.entry(AnyCase(text)).or_insert(at);
        self.table.push(text);
    }

    /// Returns the index of the next name.
    fn next(&self) -> u32 {
        u32::try_from(self.table.len()).unwrap_or(u32::MAX)
    }

    /// Finds a name by its full text.
    pub(super) fn find(&self, text: &str) -> Name {
        // The number is always split off: tables never hold a text that could be split.
        let (base, number) = split_number(text);
        self.find_parts(base, number)
    }

    /// Finds a name by its base and number.
    pub(super) fn find_parts(&self, base: &str, number: u32) -> Name {
        Name { index: self.index.get(&AnyCase(base)).copied().unwrap_or(0), number }
    }

    /// Returns the count of names that export data uses.
    pub(super) fn referenced(&self) -> i32 {
        i32::try_from(self.referenced).unwrap_or(i32::MAX)
    }

    /// Returns the table in file form.
    pub(super) fn entries(&self) -> Vec<NameEntry> {
        self.table.iter().map(|text| NameEntry::new(text)).collect()
    }
}

/// A text compared without regard to the case of ASCII letters.
#[derive(Debug, Clone, Copy)]
struct AnyCase<'a>(&'a str);

impl PartialEq for AnyCase<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for AnyCase<'_> {}

impl Hash for AnyCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Lower-cased in pieces on the stack: these hashes are computed for every name of every table.
        let mut lower = [0; 64];
        for piece in self.0.as_bytes().chunks(lower.len()) {
            for (lower, byte) in lower.iter_mut().zip(piece) {
                *lower = byte.to_ascii_lowercase();
            }
            state.write(lower.get(..piece.len()).unwrap_or_default());
        }
    }
}

/// Returns the names of the package's own objects.
fn own(header: &Header) -> impl Iterator<Item = &str> {
    let exports = header.exports.iter().map(|export| export.name).chain([header.mapped_name]);
    let cells = header.cell_exports.iter().map(|cell| cell.class_info);
    exports.chain(cells).map(|name| header.text(name).base)
}

/// Compares texts by UTF-16 units, as the engine sorts its tables.
pub(super) fn by_units(a: &str, b: &str) -> Ordering {
    // For ASCII the order of bytes and units is the same.
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// Returns the length of a name in the table: length field, text, terminator, two hashes.
pub(super) fn stored_len(text: &str) -> i64 {
    let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count().saturating_mul(2) + 1 };
    i64::try_from(units).unwrap_or(i64::MAX / 2).saturating_add(4 + 1 + 4)
}

/// Returns the number of leading names that export data may use.
fn referenced(header: &Header) -> usize {
    let count = header.names.len();
    // Names in the order in which the builder adds them: export names, then the package name.
    let mut rank: HashMap<u32, usize> = HashMap::default();
    for (at, name) in header.exports.iter().map(|export| export.name).chain([header.mapped_name]).enumerate()
    {
        rank.entry(name.index()).or_insert(at);
    }
    let mut keep = count;
    let mut next = usize::MAX;
    // Walks back as long as the names are the builder's and their ranks decrease; the first exception ends A.
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
