//! Texts of a localization file.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::error::Bound;
use crate::game::{Sheet, TextFile};
use crate::job::Context;
use serde::Serialize;

/// Bytes of memory for each byte of a localization file.
const PRICE: u64 = 16;

/// Texts that are shown at a time.
const SHOWN: usize = 500;

/// Texts of a file, for the page.
#[derive(Serialize)]
struct Texts<'t> {
    /// Path of the file, with `{culture}` for the folder of the culture.
    file: &'t str,
    culture: &'t str,
    /// Number of texts with what is searched for.
    total: usize,
    texts: Vec<TextLine<'t>>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct TextLine<'t> {
    namespace: &'t str,
    key: &'t str,
    text: &'t str,
}

/// Memory for reading the file.
pub(super) fn price(asked: &Asked) -> u64 {
    let Ok(GamePlace { opened, entry, .. }) = asked.place() else { return 0 };
    opened.game.at(entry).len().saturating_mul(PRICE)
}

/// Answers with the texts of a `.locres`: those with the searched text in them, in their key or in their namespace.
pub(super) fn texts(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let game = opened.game.within(context);
    let chunk = game.at(entry);
    let limit = context.budget().total();
    if chunk.len() > limit {
        let (what, bound) = ("size of a .locres", Bound::Memory);
        let path = chunk.display_path().into();
        return Err(crate::error::Error::Limit { what, found: chunk.len(), limit, bound, path }.into());
    }
    let file = TextFile { path: chunk.display_path(), bytes: game.read_chunk(chunk)? };
    let (sheet, problems) = Sheet::of_files(std::slice::from_ref(&file));
    let searched = asked.parameters.text("search").to_lowercase();
    let from = asked.parameters.number("from")?.unwrap_or(0);
    let has = |text: &str| text.to_lowercase().contains(&searched);
    let found: Vec<TextLine<'_>> = sheet
        .rows()
        .iter()
        .filter_map(|row| {
            let text = row.text(0)?;
            let is_found = searched.is_empty() || has(text) || has(&row.key) || has(&row.namespace);
            is_found.then_some(TextLine { namespace: &row.namespace, key: &row.key, text })
        })
        .collect();
    let total = found.len();
    Answer::json(&Texts {
        file: sheet.rows().first().map_or("", |row| &row.file),
        culture: sheet.cultures().first().map_or("", String::as_str),
        total,
        texts: found.into_iter().skip(from).take(SHOWN).collect(),
        problems: problems.iter().map(ToString::to_string).collect(),
    })
}
