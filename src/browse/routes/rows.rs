//! The table and the tree.

use super::state::State;
use crate::browse::reply::{self, Refusal, Reply};
use crate::browse::request::{self, Parameters};
use crate::browse::session::{Opened, Search};
use crate::browse::tree::folders;
use crate::extract;
use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
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
    /// Time that the search took.
    micros: u64,
}

/// A row of the table.
#[derive(Serialize)]
pub(super) struct Row {
    pub row: usize,
    pub path: String,
    pub size: u64,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub container: String,
    pub class: Option<String>,
}

impl Row {
    pub(super) fn new(opened: &Opened, row: usize) -> Option<Self> {
        let chunk = opened.game.store().chunk(opened.index.entry(row)?);
        Some(Self {
            row,
            path: chunk.display_path(),
            size: chunk.len(),
            kind: chunk.kind().name(),
            container: chunk.container().map(|container| container.name()).unwrap_or_default(),
            class: opened.index.class(&opened.game, row),
        })
    }
}

/// Rows that a search finds.
pub(super) async fn rows(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    let Wanted { search, from, count } = request::body(body).await?;
    let opened = state.opened()?;
    let cpu = opened.game.store().cpu().clone();
    let work = state.workshop.run(&cpu, move |context| {
        let start = Instant::now();
        let found = opened.search(&search, context)?;
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        let wanted = found.iter().skip(from).take(count.min(MOST_ROWS));
        let rows = wanted.filter_map(|row| Row::new(&opened, *row as usize)).collect();
        Ok(Rows { total: found.len(), rows, micros })
    });
    reply::json(&work.await?)
}

/// Folders in a folder.
pub(super) async fn tree(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let opened = state.opened()?;
    let folder = parameters.text("folder").to_lowercase();
    let after = Some(parameters.text("after").to_lowercase()).filter(|after| !after.is_empty());
    let cpu = opened.game.store().cpu().clone();
    let work = state
        .workshop
        .run(&cpu, move |_| Ok(folders(&opened.index, &opened.game, &folder, after.as_deref())));
    reply::json(&work.await?)
}

/// The row of a path, a package name or a chunk id.
pub(super) async fn find(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let opened = state.opened()?;
    let name = parameters.text("name").to_owned();
    let cpu = opened.game.store().cpu().clone();
    let work = state.workshop.run(&cpu, move |_| {
        let none = || Refusal::not_found(format!("in none of the containers: {name}"));
        if let Some(first) = opened.index.find(&name) {
            // Of paths that differ in letter case only, the one that is meant.
            let (index, store) = (&opened.index, opened.game.store());
            let is_exact =
                |row: &usize| index.entry(*row).is_some_and(|entry| store.display_path(entry) == name);
            let mut same = (first..index.len()).take_while(|row| index.path(*row) == index.path(first));
            return Row::new(&opened, same.find(is_exact).unwrap_or(first)).ok_or_else(none);
        }
        // An object of a package: /Game/A.A or /Game/A.A:B.
        let file = name.rsplit_once('/').map_or(name.as_str(), |(_, file)| file);
        let package = file.split_once('.').map_or(name.as_str(), |(stem, _)| {
            name.get(..name.len() - file.len() + stem.len()).unwrap_or(&name)
        });
        let package = if name.starts_with('/') { package } else { name.as_str() };
        let entry = extract::find(opened.game.store(), package)
            .map_err(|error| Refusal::not_found(error.to_string()))?
            .ok_or_else(none)?;
        let row = opened.index.find(&opened.game.store().display_path(entry)).ok_or_else(none)?;
        Row::new(&opened, row).ok_or_else(none)
    });
    reply::json(&work.await?)
}
