//! The table and the tree.

use super::answer::{Answer, parse};
use super::asked::Asked;
use super::row::Row;
use crate::browse::refusal::Refusal;
use crate::browse::session::{Opened, Search};
use crate::browse::tree;
use crate::extract;
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
pub(super) fn tree(opened: &Opened, asked: &Asked, _: &Context) -> Result<Answer, Refusal> {
    let folder = asked.parameters.text("folder").to_lowercase();
    let after = Some(asked.parameters.text("after").to_lowercase()).filter(|after| !after.is_empty());
    Answer::json(&tree::folders(&opened.index, &opened.game, &folder, after.as_deref()))
}

/// The row of a path, a package name or a chunk id.
pub(super) fn find(opened: &Opened, asked: &Asked, _: &Context) -> Result<Answer, Refusal> {
    let name = asked.parameters.text("name");
    let none = || Refusal::not_found(format!("in none of the containers: {name}"));
    if let Some(first) = opened.index.find(name) {
        // Of paths that differ in letter case only, the one that is meant.
        let (index, store) = (&opened.index, opened.game.store());
        let is_exact = |row: &usize| index.entry(*row).is_some_and(|entry| store.display_path(entry) == name);
        let mut same = (first..index.len()).take_while(|row| index.path(*row) == index.path(first));
        let row = same.find(is_exact).unwrap_or(first);
        return Answer::json(&Row::new(opened, row).ok_or_else(none)?);
    }
    // An object of a package: /Game/A.A or /Game/A.A:B.
    let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
    let package = file
        .split_once('.')
        .map_or(name, |(stem, _)| name.get(..name.len() - file.len() + stem.len()).unwrap_or(name));
    let package = if name.starts_with('/') { package } else { name };
    let entry = extract::find(opened.game.store(), package)
        .map_err(|error| Refusal::not_found(error.to_string()))?
        .ok_or_else(none)?;
    let row = opened.index.find(&opened.game.store().display_path(entry)).ok_or_else(none)?;
    Answer::json(&Row::new(opened, row).ok_or_else(none)?)
}
