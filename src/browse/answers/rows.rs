//! Requests of the table and the folder tree.

use super::answer::{Answer, parse};
use super::asked::Asked;
use super::row::PageRow;
use crate::browse::paths::normal;
use crate::browse::refusal::Refusal;
use crate::browse::search::Search;
use crate::browse::tree::folders;
use crate::job::Context;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The most rows per answer.
const MOST_ROWS: usize = 500;

/// A request for some rows of a search.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    search: Search,
    #[serde(default)]
    from: usize,
    #[serde(default)]
    count: usize,
}

#[derive(Serialize)]
struct Rows {
    /// Number of rows found.
    total: usize,
    rows: Vec<PageRow>,
    /// Duration of the search in microseconds; `None` without a clock.
    micros: Option<u64>,
}

/// Answers with rows matching a search.
pub(super) fn rows(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let Wanted { search, from, count } = parse(&asked.body)?;
    let opened = asked.games.opened()?;
    let comparison = if search.compared { Some(asked.games.comparison()?) } else { None };
    // There is no clock in WebAssembly.
    let start = (!cfg!(target_family = "wasm")).then(Instant::now);
    let found = match comparison {
        Some(comparison) => comparison.search(&search, context)?,
        None => opened.search(&search, context)?,
    };
    let micros = start.map(|start| u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX));
    // The table loads rows as the user scrolls, so only a window of the result is made.
    let wanted = found.iter().skip(from).take(count.min(MOST_ROWS)).map(|row| *row as usize);
    // Each row may read a package header for its class, so check between rows.
    let wanted = wanted.take_while(|_| !context.cancel_token().is_cancelled());
    let rows = wanted.filter_map(|row| match comparison {
        Some(comparison) => PageRow::of_difference(comparison, row),
        None => PageRow::new(opened, row),
    });
    Answer::json(&Rows { total: found.len(), rows: rows.collect(), micros })
}

/// Answers with the subfolders of a folder.
pub(super) fn tree(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let opened = asked.games.opened()?;
    let folder = normal(asked.parameters.text("folder"));
    let after = Some(normal(asked.parameters.text("after"))).filter(|after| !after.is_empty());
    let (after, cancel) = (after.as_deref(), context.cancel_token());
    let found = if asked.is_compared() {
        let comparison = asked.games.comparison()?;
        folders(&comparison.paths, &|row| comparison.display_path(row), &folder, after, cancel)
    } else {
        let real = |row| opened.index.entry(row).map(|entry| opened.game.at(entry).display_path());
        folders(&opened.index.paths, &real, &folder, after, cancel)
    };
    Answer::json(&found.ok_or_else(Refusal::given_up)?)
}

/// Answers with the row of a path, a package name or a chunk id.
pub(super) fn find(asked: &Asked, _: &Context) -> Result<Answer, Refusal> {
    let opened = asked.games.opened()?;
    let (name, container) = (asked.parameters.text("name"), asked.parameters.text("container"));
    let comparison = asked.games.comparison.as_ref().filter(|_| asked.is_compared());
    let different = comparison.and_then(|comparison| {
        let at = comparison.row_of(name, container)?;
        PageRow::of_difference(comparison, at)
    });
    // A file that does not differ is found in the shown build.
    let row = match different {
        Some(row) => Some(row),
        None => opened.row_of(name, container)?.and_then(|row| PageRow::new(opened, row)),
    };
    Answer::json(&row.ok_or_else(|| Refusal::not_found(format!("in none of the containers: {name}")))?)
}
