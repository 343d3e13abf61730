//! Puts the texts of a table into the files of a game.

use super::files::TextFile;
use super::ids::{Id, Ids, Numbers, for_each};
use super::place::TextPlace;
use super::sheet::{Sheet, SheetRow};
use crate::error::Error;
use crate::localization::{LocalizationResource, NewText};
use crate::wire::Fault;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A file with the texts of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedFile {
    /// Its path in the game.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Texts that are not what they were.
    pub changed: usize,
    /// Texts that were not there.
    pub added: usize,
    /// Whether the game has no such file yet.
    pub is_new: bool,
}

/// Why a table cannot be put into the files of a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// The game has no such file.
    #[error("the game has no texts in {file}")]
    UnknownFile {
        /// As the table has it.
        file: String,
    },
    /// No culture has the text.
    #[error(
        "no culture has a text with the namespace {namespace:?}, the key {key:?} and the source hash {source_hash:#010x}: {file}"
    )]
    UnknownText {
        /// Its namespace.
        namespace: String,
        /// Its key.
        key: String,
        /// Hash of its source.
        source_hash: u32,
        /// The file, as the table has it.
        file: String,
    },
    /// A file of the game cannot be read or written.
    #[error(transparent)]
    File(#[from] Error),
}

/// The files of a game that the table has columns for, with the texts of the table. A file without any texts
/// is passed on as it is.
///
/// Texts that the table does not have stay; an empty cell of a text that is not there adds none. A culture that has no file
/// yet gets one, in the form of the others. Every row must be a text of some culture.
pub fn apply(sheet: &Sheet, files: &[TextFile]) -> Result<Vec<AppliedFile>, SheetError> {
    let mut work = Work::new(sheet, files)?;
    let mut applied = Vec::new();
    for file in files {
        let (place, culture) = TextPlace::split(&file.path);
        let Some(culture) = sheet.culture(culture) else { continue };
        if work.rows_of(&place).is_some() {
            applied.extend(work.edit(file, &place, culture)?);
        } else if is_without_texts(file) {
            let (path, bytes) = (file.path.clone(), file.bytes.clone());
            applied.push(AppliedFile { path, bytes, changed: 0, added: 0, is_new: false });
        }
    }
    applied.extend(work.new_cultures(files)?);
    applied.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(applied)
}

/// The rows of a table, by what they are found by.
struct Work<'a> {
    sheet: &'a Sheet,
    numbers: Numbers,
    /// Position of each row.
    rows: HashMap<Id, usize>,
    /// Positions of the rows of each file, by its number.
    by_file: BTreeMap<u32, Vec<usize>>,
    /// Numbers of files, by their places.
    places: HashMap<&'a str, u32>,
    /// Rows, with cultures, whose texts are in files already.
    done: HashSet<(usize, usize)>,
}

impl<'a> Work<'a> {
    fn new(sheet: &'a Sheet, files: &[TextFile]) -> Result<Self, SheetError> {
        let mut this = Self {
            sheet,
            numbers: Numbers::default(),
            rows: HashMap::new(),
            by_file: BTreeMap::new(),
            places: HashMap::new(),
            done: HashSet::new(),
        };
        let mut ids: HashMap<u32, Ids> = HashMap::new();
        for (at, row) in sheet.rows().iter().enumerate() {
            let (file, _) = this.numbers.of(&row.file);
            let (namespace, _) = this.numbers.of(&row.namespace);
            let id = ids.entry(file).or_default().next(file, namespace, &row.key, row.source_hash);
            this.rows.insert(id, at);
            this.by_file.entry(file).or_default().push(at);
            this.places.insert(&row.file, file);
        }
        this.check(files)?;
        Ok(this)
    }

    /// Whether the game has every text of the table, in any culture.
    fn check(&mut self, files: &[TextFile]) -> Result<(), SheetError> {
        let (mut known, mut places) = (HashSet::new(), HashSet::new());
        for file in files {
            let (place, _) = TextPlace::split(&file.path);
            if self.rows_of(&place).is_some() {
                let resource = parse(file)?;
                for_each(&place, &resource, &mut self.numbers, |_, _, id| known.extend([id]));
                places.insert(place);
            }
        }
        if let Some(file) = self.places.keys().find(|file| !places.contains(&TextPlace::new(file))) {
            return Err(SheetError::UnknownFile { file: (*file).to_owned() });
        }
        let mut unknown: Vec<usize> =
            self.rows.iter().filter(|(id, _)| !known.contains(*id)).map(|(_, at)| *at).collect();
        unknown.sort_unstable();
        match unknown.first().and_then(|at| self.sheet.rows().get(*at)) {
            None => Ok(()),
            Some(row) => Err(SheetError::UnknownText {
                namespace: row.namespace.to_string(),
                key: row.key.clone(),
                source_hash: row.source_hash,
                file: row.file.to_string(),
            }),
        }
    }

    fn rows_of(&self, place: &TextPlace) -> Option<&[usize]> {
        self.by_file.get(self.places.get(place.as_str())?).map(Vec::as_slice)
    }

    /// A file with the texts of a column.
    fn edit(
        &mut self,
        file: &TextFile,
        place: &TextPlace,
        culture: usize,
    ) -> Result<Option<AppliedFile>, SheetError> {
        let old = parse(file)?;
        let mut new = old.clone();
        let (mut edits, mut at) = (Vec::new(), 0);
        let (sheet, rows, done) = (self.sheet, &self.rows, &mut self.done);
        for_each(place, &old, &mut self.numbers, |_, entry, id| {
            if let Some((row, text)) = rows.get(&id).and_then(|row| Some((*row, sheet.rows().get(*row)?))) {
                done.insert((row, culture));
                let text = text.text(culture).filter(|text| !is_same(entry.text.unwrap_or_default(), text));
                edits.extend(text.map(|text| (at, text)));
            }
            at += 1;
        });
        for (entry, text) in &edits {
            new.set_text(*entry, text).map_err(malformed(&file.path))?;
        }
        let missing = self.missing(place, culture);
        new.add(missing.iter().copied()).map_err(malformed(&file.path))?;
        let (changed, added) = (edits.len(), missing.len());
        let bytes = if changed + added == 0 { file.bytes.clone() } else { new.write() };
        Ok(Some(AppliedFile { path: file.path.clone(), bytes, changed, added, is_new: false }))
    }

    /// Texts of a column that are in no file yet.
    fn missing(&self, place: &TextPlace, culture: usize) -> Vec<NewText<'a>> {
        let rows = self.rows_of(place).unwrap_or_default().iter();
        let rows = rows.filter(|row| !self.done.contains(&(**row, culture)));
        let new = |row: &'a SheetRow| {
            let text = row.text(culture).filter(|text| !text.is_empty())?;
            Some(NewText { namespace: &row.namespace, key: &row.key, source_hash: row.source_hash, text })
        };
        let sheet = self.sheet;
        rows.filter_map(|row| new(sheet.rows().get(*row)?)).collect()
    }

    /// Files of cultures that the game does not have, in the form of one that it has.
    fn new_cultures(&self, files: &[TextFile]) -> Result<Vec<AppliedFile>, SheetError> {
        let (mut applied, mut seen) = (Vec::new(), HashSet::new());
        let existing: HashSet<String> = files.iter().map(|file| file.path.to_lowercase()).collect();
        for file in files {
            let (place, _) = TextPlace::split(&file.path);
            if self.rows_of(&place).is_none() || !seen.insert(place.clone()) {
                continue;
            }
            for (culture, name) in self.sheet.cultures().iter().enumerate() {
                let path = place.path(name).filter(|path| !existing.contains(&path.to_lowercase()));
                let texts = self.missing(&place, culture);
                let Some(path) = path.filter(|_| !texts.is_empty()) else { continue };
                let mut new = parse(file)?.emptied();
                new.add(texts.iter().copied()).map_err(malformed(&path))?;
                let (bytes, added) = (new.write(), texts.len());
                applied.push(AppliedFile { path, bytes, changed: 0, added, is_new: true });
            }
        }
        Ok(applied)
    }
}

/// Recognises files with nothing to put into a table: no namespaces, or only empty ones.
fn is_without_texts(file: &TextFile) -> bool {
    LocalizationResource::parse(&file.bytes).is_ok_and(|resource| resource.entry_count() == 0)
}

fn parse(file: &TextFile) -> Result<LocalizationResource, SheetError> {
    LocalizationResource::parse(&file.bytes).map_err(malformed(&file.path))
}

fn malformed(path: &str) -> impl FnOnce(Fault) -> SheetError {
    move |fault| Error::malformed("localization resource", path)(fault).into()
}

/// Whether a text is still the same. Spreadsheets make one character of the two at the end of a line in a cell.
#[must_use]
pub fn is_same(old: &str, new: &str) -> bool {
    old == new || (old.contains("\r\n") && old.replace("\r\n", "\n") == new)
}
