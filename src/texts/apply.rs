//! Writes the texts of a table back into the files of a game.

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
    /// Number of changed texts.
    pub changed: usize,
    /// Number of added texts.
    pub added: usize,
    /// True if the game has no such file yet.
    pub is_new: bool,
}

/// Errors of tables that do not fit the files of a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// The game has no such file.
    #[error("the game has no texts in {file}")]
    UnknownFile {
        /// The file named in the table.
        file: String,
    },
    /// No culture has this text.
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
        /// The file named in the table.
        file: String,
    },
    /// A file of the game cannot be read or written.
    #[error(transparent)]
    File(#[from] Error),
}

/// Writes a table's texts into those files of a game for which it has columns. A file without any texts is returned
/// unchanged.
///
/// Texts missing from the table are kept; an empty cell does not add a text. A culture without a file gets one, in the
/// form of the others. Every row must be a text of some culture.
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

/// Look-up tables for the rows of a table.
struct Work<'a> {
    sheet: &'a Sheet,
    numbers: Numbers,
    /// Position of each row by id.
    rows: HashMap<Id, usize>,
    /// Positions of rows by file number.
    by_file: BTreeMap<u32, Vec<usize>>,
    /// File numbers by place.
    places: HashMap<&'a str, u32>,
    /// Pairs of row and culture whose texts are in a file already.
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
            // The ids are formed as in `for_each`, so that rows and entries of files meet.
            let id = ids.entry(file).or_default().next(file, namespace, &row.key, row.source_hash);
            this.rows.insert(id, at);
            this.by_file.entry(file).or_default().push(at);
            this.places.insert(&row.file, file);
        }
        this.check(files)?;
        Ok(this)
    }

    /// Checks that the game has every text of the table, in any culture.
    fn check(&mut self, files: &[TextFile]) -> Result<(), SheetError> {
        let (mut known, mut places) = (HashSet::new(), HashSet::new());
        for file in files {
            let (place, _) = TextPlace::split(&file.path);
            // Files without rows are not parsed: a damaged one that nobody edits does no harm.
            if self.rows_of(&place).is_some() {
                let resource = parse(file)?;
                for_each(&place, &resource, &mut self.numbers, |_, _, id| known.extend([id]));
                places.insert(place);
            }
        }
        // A wrong file name is reported first: all its texts would be unknown as well.
        if let Some(file) = self.places.keys().find(|file| !places.contains(&TextPlace::new(file))) {
            return Err(SheetError::UnknownFile { file: (*file).to_owned() });
        }
        let mut unknown: Vec<usize> =
            self.rows.iter().filter(|(id, _)| !known.contains(*id)).map(|(_, at)| *at).collect();
        // Report the first unknown row of the table, not a random one of the map.
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

    /// A file with the texts of its column.
    fn edit(
        &mut self,
        file: &TextFile,
        place: &TextPlace,
        culture: usize,
    ) -> Result<Option<AppliedFile>, SheetError> {
        let old = parse(file)?;
        // Edited as a copy, so that everything else in the file keeps its form.
        let mut new = old.clone();
        let (mut edits, mut at) = (Vec::new(), 0);
        let (sheet, rows, done) = (self.sheet, &self.rows, &mut self.done);
        for_each(place, &old, &mut self.numbers, |_, entry, id| {
            if let Some((row, text)) = rows.get(&id).and_then(|row| Some((*row, sheet.rows().get(*row)?))) {
                done.insert((row, culture));
                // A text that is equal but for line ends is left alone, so that the file stays as it is.
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
        // Without changes return the original bytes: writing could change the layout.
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

    /// Files for cultures that the game lacks, in the form of an existing one.
    fn new_cultures(&self, files: &[TextFile]) -> Result<Vec<AppliedFile>, SheetError> {
        let (mut applied, mut seen) = (Vec::new(), HashSet::new());
        let existing: HashSet<String> = files.iter().map(|file| file.path.to_lowercase()).collect();
        for file in files {
            let (place, _) = TextPlace::split(&file.path);
            // One file per place is enough as a template.
            if self.rows_of(&place).is_none() || !seen.insert(place.clone()) {
                continue;
            }
            for (culture, name) in self.sheet.cultures().iter().enumerate() {
                let path = place.path(name).filter(|path| !existing.contains(&path.to_lowercase()));
                let texts = self.missing(&place, culture);
                let Some(path) = path.filter(|_| !texts.is_empty()) else { continue };
                // Some culture's file as a template: its version is what the game reads.
                let mut new = parse(file)?.emptied();
                new.add(texts.iter().copied()).map_err(malformed(&path))?;
                let (bytes, added) = (new.write(), texts.len());
                applied.push(AppliedFile { path, bytes, changed: 0, added, is_new: true });
            }
        }
        Ok(applied)
    }
}

/// True for a file without texts: no namespaces, or only empty ones.
fn is_without_texts(file: &TextFile) -> bool {
    LocalizationResource::parse(&file.bytes).is_ok_and(|resource| resource.entry_count() == 0)
}

fn parse(file: &TextFile) -> Result<LocalizationResource, SheetError> {
    LocalizationResource::parse(&file.bytes).map_err(malformed(&file.path))
}

fn malformed(path: &str) -> impl FnOnce(Fault) -> SheetError {
    move |fault| Error::malformed("localization resource", path)(fault).into()
}

/// True if a text is unchanged. Spreadsheets turn the CR and LF at a line end into one character.
#[must_use]
pub fn is_same(old: &str, new: &str) -> bool {
    old == new || (old.contains("\r\n") && old.replace("\r\n", "\n") == new)
}
