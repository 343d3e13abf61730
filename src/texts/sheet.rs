//! Texts as a table: a row for each text, a column for each culture.

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
    /// What it is asked for by, in its namespace.
    pub key: String,
    /// CRC-32 of the text that was translated.
    pub source_hash: u32,
    /// The text that was translated, where its culture is not among the columns.
    source: Option<Arc<str>>,
    /// The text by the position of its culture, ascending. Cultures that do not have it are left out.
    texts: Vec<(usize, Arc<str>)>,
}

/// How much longer than its files a table may be: names of namespaces stand in every row, and texts wherever they are used.
const MAX_GROWTH: u64 = 64;
/// Bytes that any table may have.
const MIN_LIMIT: u64 = 64 << 20;

impl Sheet {
    /// A table with these columns, and no rows yet.
    #[must_use]
    pub const fn new(cultures: Vec<String>) -> Self {
        Self { cultures, rows: Vec::new() }
    }

    /// The texts of some files, and what is wrong with these: a damaged file gives what can be read of it.
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

    /// Names of the columns; a file that lies in no folder of a culture has the empty one.
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
            // The column without a culture comes first, as its name sorts.
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

    /// Adds the rows of another table; columns go by name.
    pub fn append(&mut self, other: Self) {
        let culture = |name: &String| {
            self.cultures.iter().position(|known| known.eq_ignore_ascii_case(name)).unwrap_or_else(|| {
                self.cultures.push(name.clone());
                self.cultures.len() - 1
            })
        };
        let places: Vec<usize> = other.cultures.iter().map(culture).collect();
        for mut row in other.rows {
            for (culture, _) in &mut row.texts {
                *culture = places.get(*culture).copied().unwrap_or_default();
            }
            row.texts.sort();
            self.rows.push(row);
        }
    }

    /// Takes out the rows of some files.
    #[must_use]
    pub fn split_off(&mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let (taken, kept) = std::mem::take(&mut self.rows).into_iter().partition(|row| is_wanted(&row.file));
        self.rows = kept;
        Self { cultures: self.cultures.clone(), rows: taken }
    }

    /// Keeps some columns, and the rows that have a text in one of them.
    pub fn retain_cultures(&mut self, keep: impl Fn(&str) -> bool) {
        let is_kept = |at: &usize| self.cultures.get(*at).is_some_and(|name| keep(name));
        let kept: Vec<usize> = (0..self.cultures.len()).filter(is_kept).collect();
        self.cultures.retain(|name| keep(name));
        for row in &mut self.rows {
            row.source = row.find_source().cloned();
            let texts = std::mem::take(&mut row.texts).into_iter();
            row.texts = texts.filter_map(|(at, text)| Some((kept.binary_search(&at).ok()?, text))).collect();
        }
        self.rows.retain(|row| !row.texts.is_empty());
    }

    /// Columns by name and rows by file, so that the order of the files does not matter.
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
        self.rows.sort_by(|a, b| a.file.cmp(&b.file));
        self
    }
}

impl SheetRow {
    /// A row with texts by the positions of their cultures.
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

    /// The text of a culture, by the culture's position.
    #[must_use]
    pub fn text(&self, culture: usize) -> Option<&str> {
        let at = self.texts.binary_search_by_key(&culture, |(culture, _)| *culture).ok()?;
        self.texts.get(at).map(|(_, text)| &**text)
    }

    /// The text that was translated, if a language of the game has it: the hash says so.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.find_source().map(|text| &**text)
    }

    fn find_source(&self) -> Option<&Arc<str>> {
        let own =
            || self.texts.iter().map(|(_, text)| text).find(|text| source_hash(text) == self.source_hash);
        self.source.as_ref().or_else(own)
    }

    /// Texts with the positions of their cultures.
    #[must_use]
    pub fn texts(&self) -> &[(usize, Arc<str>)] {
        &self.texts
    }
}

/// A table while files are added.
#[derive(Default)]
struct Filling {
    sheet: Sheet,
    rows: HashMap<Id, usize>,
    numbers: Numbers,
    problems: Vec<Error>,
    /// Bytes that the table may still grow by.
    left: u64,
}

impl Filling {
    fn add(&mut self, file: &TextFile) {
        let partial = LocalizationResource::parse_partial(&file.bytes);
        self.problems.extend(partial.fault.map(Error::malformed("localization resource", &file.path)));
        let (place, culture) = TextPlace::split(&file.path);
        let culture = self.culture(culture);
        let (_, path) = self.numbers.of(place.as_str());
        // A string of the table that many entries use is kept once: it lies in one place.
        let mut shared: HashMap<(*const u8, usize), Arc<str>> = HashMap::new();
        let (sheet, rows, mut left) = (&mut self.sheet, &mut self.rows, self.left);
        let mut is_full = false;
        for_each(&place, &partial.value, &mut self.numbers, |namespace, entry, id| {
            let Some(text) = entry.text else { return };
            let len = path.len() + namespace.len() + entry.key.len() + text.len();
            let Some(rest) = left.checked_sub(len as u64) else {
                is_full = true;
                return;
            };
            left = rest;
            let text = shared.entry((text.as_ptr(), text.len())).or_insert_with(|| text.into());
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
