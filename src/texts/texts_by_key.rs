//! Texts to set by their keys, as a table.

use super::files::TextFile;
use super::sheet::{Sheet, SheetRow};
use std::collections::HashMap;

/// A text to set.
#[derive(Debug, Clone, Copy)]
pub struct KeyedText<'t> {
    /// Path of the file, with `{culture}` for the folder of the culture.
    pub file: &'t str,
    /// Its culture.
    pub culture: &'t str,
    /// Its namespace.
    pub namespace: &'t str,
    /// Its key.
    pub key: &'t str,
    /// The new text.
    pub text: &'t str,
}

/// A table of texts to set, with the old text of each, in the same order.
#[derive(Debug, Default)]
pub struct KeyedSheet {
    /// The table. Texts that the game does not have are not in it.
    pub sheet: Sheet,
    /// For each text the old one; `None` in the culture if it has none yet, and `None` if no culture has it.
    pub old: Vec<Option<Option<String>>>,
}

impl KeyedSheet {
    /// Looks the texts up in the files of a game. Of texts with one key the first is meant.
    #[must_use]
    pub fn new(texts: &[KeyedText<'_>], files: &[TextFile]) -> Self {
        let (known, _) = Sheet::of_files(files);
        let place = |file: &str, namespace: &str, key: &str| {
            (file.to_lowercase(), namespace.to_owned(), key.to_owned())
        };
        let mut rows: HashMap<_, usize> = HashMap::new();
        for (at, row) in known.rows().iter().enumerate() {
            rows.entry(place(&row.file, &row.namespace, &row.key)).or_insert(at);
        }
        let mut cultures: Vec<String> = Vec::new();
        let mut wanted: Vec<(usize, usize, &str)> = Vec::new();
        let mut old = Vec::new();
        for text in texts {
            let row = rows.get(&place(text.file, text.namespace, text.key));
            let Some((at, row)) = row.and_then(|at| Some((*at, known.rows().get(*at)?))) else {
                old.push(None);
                continue;
            };
            let of_game = known.culture(text.culture);
            old.push(Some(of_game.and_then(|culture| row.text(culture)).map(str::to_owned)));
            // As the game spells it.
            let name = of_game
                .and_then(|culture| known.cultures().get(culture))
                .map_or(text.culture, String::as_str);
            let culture =
                cultures.iter().position(|known| known.eq_ignore_ascii_case(name)).unwrap_or_else(|| {
                    cultures.push(name.to_owned());
                    cultures.len() - 1
                });
            wanted.push((at, culture, text.text));
        }
        // The last of several texts for one place counts.
        let mut by_row: HashMap<usize, HashMap<usize, &str>> = HashMap::new();
        for (at, culture, text) in &wanted {
            by_row.entry(*at).or_default().insert(*culture, text);
        }
        let mut sheet = Sheet::new(cultures);
        for (at, row) in known.rows().iter().enumerate() {
            let Some(texts) = by_row.remove(&at) else { continue };
            let texts = texts.into_iter().map(|(culture, text)| (culture, text.into())).collect();
            sheet.push(SheetRow::new(
                row.file.clone(),
                row.namespace.clone(),
                row.key.clone(),
                row.source_hash,
                texts,
            ));
        }
        Self { sheet, old }
    }
}
