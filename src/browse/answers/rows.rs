//! The table and the tree.

use super::answer::{Answer, parse};
use super::asked::Asked;
use super::row::Row;
use crate::browse::paths::normal;
use crate::browse::refusal::Refusal;
use crate::browse::search::Search;
use crate::browse::session::Opened;
use crate::browse::tree;
use crate::pipeline::Context;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Rows that are given at a time.
const MOST_ROWS: usize = 500;

/// Some rows of what a search finds.
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
    /// Rows that were found.
    total: usize,
    rows: Vec<Row>,
    /// Time that the search took; not where there is no clock.
    micros: Option<u64>,
}

/// Rows that a search finds.
pub(super) fn rows(opened: &Opened, asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let Wanted { search, from, count } = parse(&asked.body)?;
    // The library has no clock in a browser.
    let start = (!cfg!(target_family = "wasm")).then(Instant::now);
    let found = opened.search(&search, context)?;
    let micros = start.map(|start| u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX));
    let wanted = found.iter().skip(from).take(count.min(MOST_ROWS));
    let rows = wanted.filter_map(|row| Row::new(opened, *row as usize)).collect();
    Answer::json(&Rows { total: found.len(), rows, micros })
}

/// Folders in a folder.
pub(super) fn tree(opened: &Opened, asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let folder = normal(asked.parameters.text("folder"));
    let after = Some(normal(asked.parameters.text("after"))).filter(|after| !after.is_empty());
    let store = opened.game.store();
    let real = |row| opened.index.entry(row).map(|entry| store.display_path(entry));
    let is_over = || context.is_cancelled();
    let folders = tree::folders(&opened.index.paths, &real, &folder, after.as_deref(), &is_over);
    Answer::json(&folders.ok_or_else(Refusal::given_up)?)
}

/// The row of a path, a package name or a chunk id.
pub(super) fn find(opened: &Opened, asked: &Asked, _: &Context) -> Result<Answer, Refusal> {
    let (name, container) = (asked.parameters.text("name"), asked.parameters.text("container"));
    let row = opened.row_of(name, container)?.and_then(|row| Row::new(opened, row));
    Answer::json(&row.ok_or_else(|| Refusal::not_found(format!("in none of the containers: {name}")))?)
}
