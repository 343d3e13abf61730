//! Texts as a table: one row per text, one column per culture.

use super::files::TextFile;
use super::ids::{Id, Numbers, for_each};
use super::place::TextPlace;
use crate::error::{Bound, Error};
use crate::localization::{LocalizationResource, source_hash};
use std::collections::HashMap;
use std::sync::Arc;

/// Texts of a game in all its languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    cultures: Vec<String>,
    rows: Vec<SheetRow>,
}

/// A text in some languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Path of the file, with `{culture}` for the folder of the culture.
    pub file: Arc<str>,
    /// Namespace of the text.
    pub namespace: Arc<str>,
    /// Key of the text in its namespace.
    pub key: String,
    /// CRC-32 of the source text that was translated.
    pub source_hash: u32,
    /// The source text, if its culture is not among the columns.
    source: Option<Arc<str>>,
    /// Texts by culture position, ascending. Cultures without the text are left out.
    texts: Vec<(usize, Arc<str>)>,
}

/// The most that a table may be larger than its files: names of namespaces are repeated in each row, and texts wherever
/// they are used.
const MAX_GROWTH: u64 = 64;
/// Size that any table may have, in bytes.
const MIN_LIMIT: u64 = 64 << 20;

impl Sheet {
    /// A table with these columns, without rows.
    #[must_use]
    pub const fn new(cultures: Vec<String>) -> Self {
        Self { cultures, rows: Vec::new() }
    }

    /// The texts of some files, and their errors: a damaged file yields its readable texts.
    #[must_use]
    pub fn of_files(files: &[TextFile]) -> (Self, Vec<Error>) {
        let input: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
        let mut filling =
            Filling { left: MIN_LIMIT + MAX_GROWTH.saturating_mul(input), ..Filling::default() };
        for file in files {
            filling.add(file);
        }
        (filling.sheet.sorted(), filling.problems)
    }

    /// Names of the columns; empty for files outside any culture folder.
    #[must_use]
    pub fn cultures(&self) -> &[String] {
        &self.cultures
    }

    /// Position of a culture; letter case does not matter.
    #[must_use]
    pub fn culture(&self, name: &str) -> Option<usize> {
        self.cultures.iter().position(|culture| culture.eq_ignore_ascii_case(name))
    }

    /// The rows, file by file.
    #[must_use]
    pub fn rows(&self) -> &[SheetRow] {
        &self.rows
    }

    /// Adds a row.
    pub fn push(&mut self, row: SheetRow) {
        self.rows.push(row);
    }

    /// Adds a text of a file that is for no culture, such as a string table.
    pub fn push_source(&mut self, file: &Arc<str>, namespace: &Arc<str>, key: &str, source: &str) {
        let culture = self.culture("").unwrap_or_else(|| {
            // The column without a culture sorts first, because its name is empty; the others move right.
            for row in &mut self.rows {
                row.texts.iter_mut().for_each(|(culture, _)| *culture += 1);
            }
            self.cultures.insert(0, String::new());
            0
        });
        let (file, namespace) = (Arc::clone(file), Arc::clone(namespace));
        let texts = vec![(culture, Arc::from(source))];
        self.rows.push(SheetRow::new(file, namespace, key.to_owned(), source_hash(source), texts));
    }

    /// Adds the rows of another table; columns are matched by name.
    pub fn append(&mut self, other: Self) {
        let culture = |name: &String| {
            self.cultures.iter().position(|known| known.eq_ignore_ascii_case(name)).unwrap_or_else(|| {
                self.cultures.push(name.clone());
                self.cultures.len() - 1
            })
        };
        // Columns of the other table, by their position in this one.
        let places: Vec<usize> = other.cultures.iter().map(culture).collect();
        for mut row in other.rows {
            for (culture, _) in &mut row.texts {
                *culture = places.get(*culture).copied().unwrap_or_default();
            }
            row.texts.sort();
            self.rows.push(row);
        }
    }

    /// Moves the rows of some files into another table.
    #[must_use]
    pub fn split_off(&mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let (taken, kept) = std::mem::take(&mut self.rows).into_iter().partition(|row| is_wanted(&row.file));
        self.rows = kept;
        Self { cultures: self.cultures.clone(), rows: taken }
    }

    /// Keeps some columns, and the rows with a text in any of them.
    pub fn retain_cultures(&mut self, keep: impl Fn(&str) -> bool) {
        let is_kept = |at: &usize| self.cultures.get(*at).is_some_and(|name| keep(name));
        let kept: Vec<usize> = (0..self.cultures.len()).filter(is_kept).collect();
        self.cultures.retain(|name| keep(name));
        for row in &mut self.rows {
            // Remember the source text before its column may be removed.
            row.source = row.find_source().cloned();
            let texts = std::mem::take(&mut row.texts).into_iter();
            row.texts = texts.filter_map(|(at, text)| Some((kept.binary_search(&at).ok()?, text))).collect();
        }
        self.rows.retain(|row| !row.texts.is_empty());
    }

    /// Sorts columns by name and rows by file, so that the order of input files does not matter.
    fn sorted(mut self) -> Self {
        let mut order: Vec<usize> = (0..self.cultures.len()).collect();
        order.sort_by_key(|at| self.cultures.get(*at));
        let mut moved = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            if let Some(place) = moved.get_mut(*old) {
                *place = new;
            }
        }
        self.cultures.sort();
        for row in &mut self.rows {
            for (culture, _) in &mut row.texts {
                *culture = moved.get(*culture).copied().unwrap_or_default();
            }
            row.texts.sort();
        }
        // Stable: within a file, rows stay in the order of the file.
        self.rows.sort_by(|a, b| a.file.cmp(&b.file));
        self
    }
}

impl SheetRow {
    /// A row with texts by culture position.
    #[must_use]
    pub fn new(
        file: Arc<str>,
        namespace: Arc<str>,
        key: String,
        source_hash: u32,
        mut texts: Vec<(usize, Arc<str>)>,
    ) -> Self {
        texts.sort();
        Self { file, namespace, key, source_hash, source: None, texts }
    }

    /// The text of a culture, by position.
    #[must_use]
    pub fn text(&self, culture: usize) -> Option<&str> {
        let at = self.texts.binary_search_by_key(&culture, |(culture, _)| *culture).ok()?;
        self.texts.get(at).map(|(_, text)| &**text)
    }

    /// The source text, if any culture has it, as recognised by its hash.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.find_source().map(|text| &**text)
    }

    fn find_source(&self) -> Option<&Arc<str>> {
        let own =
            || self.texts.iter().map(|(_, text)| text).find(|text| source_hash(text) == self.source_hash);
        self.source.as_ref().or_else(own)
    }

    /// Texts, with the positions of their cultures.
    #[must_use]
    pub fn texts(&self) -> &[(usize, Arc<str>)] {
        &self.texts
    }
}

/// A table being filled.
#[derive(Default)]
struct Filling {
    sheet: Sheet,
    rows: HashMap<Id, usize>,
    numbers: Numbers,
    problems: Vec<Error>,
    /// Bytes by which the table may still grow.
    left: u64,
}

impl Filling {
    fn add(&mut self, file: &TextFile) {
        let partial = LocalizationResource::parse_partial(&file.bytes);
        self.problems.extend(partial.fault.map(Error::malformed("localization resource", &file.path)));
        let (place, culture) = TextPlace::split(&file.path);
        let culture = self.culture(culture);
        let (_, path) = self.numbers.of(place.as_str());
        // Many entries may use one string of the file, which then has the same address. Keep it once.
        let mut shared: HashMap<(*const u8, usize), Arc<str>> = HashMap::new();
        let (sheet, rows, mut left) = (&mut self.sheet, &mut self.rows, self.left);
        let mut is_full = false;
        for_each(&place, &partial.value, &mut self.numbers, |namespace, entry, id| {
            // An entry may refer to a string that a damaged file lacks.
            let Some(text) = entry.text else { return };
            // Limits a small file with millions of entries that all point at one long string.
            let len = path.len() + namespace.len() + entry.key.len() + text.len();
            let Some(rest) = left.checked_sub(len as u64) else {
                is_full = true;
                return;
            };
            left = rest;
            let text = shared.entry((text.as_ptr(), text.len())).or_insert_with(|| text.into());
            // The same text in another culture belongs in the same row.
            let at = *rows.entry(id).or_insert(sheet.rows.len());
            if at == sheet.rows.len() {
                let (path, namespace) = (Arc::clone(&path), Arc::clone(namespace));
                sheet.rows.push(SheetRow::new(
                    path,
                    namespace,
                    entry.key.to_owned(),
                    entry.source_hash,
                    Vec::new(),
                ));
            }
            if let Some(row) = sheet.rows.get_mut(at) {
                row.texts.push((culture, Arc::clone(text)));
            }
        });
        self.left = left;
        if is_full {
            let limit = MIN_LIMIT + MAX_GROWTH.saturating_mul(file.bytes.len() as u64);
            let (what, path) = ("size of a table of texts", file.path.clone().into());
            self.problems.push(Error::Limit {
                what,
                found: limit.saturating_add(1),
                limit,
                bound: Bound::Fixed,
                path,
            });
        }
    }

    fn culture(&mut self, name: &str) -> usize {
        self.sheet.culture(name).unwrap_or_else(|| {
            self.sheet.cultures.push(name.to_owned());
            self.sheet.cultures.len() - 1
        })
    }
}
