//! The table and the tree.

use super::state::State;
use crate::browse::comparison::Comparison;
use crate::browse::reply::{self, Refusal, Reply};
use crate::browse::request::{self, Parameters};
use crate::browse::row_id::RowId;
use crate::browse::search::Search;
use crate::browse::session::Opened;
use crate::browse::tree::folders;
use crate::compare::Change;
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
    pub row: RowId,
    pub path: String,
    pub size: u64,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub container: String,
    pub class: Option<String>,
    /// What became of it, while two builds are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Change>,
    /// What it was in the old build.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Box<Self>>,
}

impl Row {
    pub(super) fn new(opened: &Opened, row: usize) -> Option<Self> {
        let chunk = opened.game.store().chunk(opened.index.entry(row)?);
        Some(Self {
            row: RowId::new(opened.number, row),
            path: chunk.display_path(),
            size: chunk.len(),
            kind: chunk.kind().name(),
            container: chunk.container().map(|container| container.name()).unwrap_or_default(),
            class: opened.index.class(&opened.game, row),
            change: None,
            before: None,
        })
    }

    /// A row of what differs between two builds.
    fn of_difference(comparison: &Comparison, at: usize) -> Option<Self> {
        let difference = comparison.difference(at)?;
        let (opened, row) = comparison.side(difference);
        let old = difference.old.filter(|_| difference.new.is_some());
        let before = old.and_then(|old| Self::new(&comparison.old, old)).map(Box::new);
        Some(Self { change: Some(difference.change), before, ..Self::new(opened, row)? })
    }
}

/// Rows that a search finds.
pub(super) async fn rows(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    let Wanted { search, from, count } = request::body(body).await?;
    let opened = state.opened()?;
    let comparison = if search.compared { Some(state.comparison()?) } else { None };
    let cpu = opened.game.store().cpu().clone();
    let work = state.workshop.run(&cpu, move |context| {
        let start = Instant::now();
        let found = match &comparison {
            Some(comparison) => comparison.search(&search, context)?,
            None => opened.search(&search, context)?,
        };
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        let wanted = found.iter().skip(from).take(count.min(MOST_ROWS)).map(|row| *row as usize);
        let wanted = wanted.take_while(|_| !context.is_cancelled());
        let rows = wanted.filter_map(|row| match &comparison {
            Some(comparison) => Row::of_difference(comparison, row),
            None => Row::new(&opened, row),
        });
        Ok(Rows { total: found.len(), rows: rows.collect(), micros })
    });
    reply::json(&work.await?)
}

/// Folders in a folder.
pub(super) async fn tree(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let opened = state.opened()?;
    let folder = parameters.text("folder").to_lowercase();
    let after = Some(parameters.text("after").to_lowercase()).filter(|after| !after.is_empty());
    let comparison = if is_compared(parameters) { Some(state.comparison()?) } else { None };
    let cpu = opened.game.store().cpu().clone();
    let work = state.workshop.run(&cpu, move |context| {
        let store = opened.game.store();
        let of_game = |row| Some(store.display_path(opened.index.entry(row)?));
        let (after, is_over) = (after.as_deref(), || context.is_cancelled());
        let found = match &comparison {
            Some(comparison) => {
                let real = |row| comparison.display_path(row);
                folders(&comparison.paths, &real, &folder, after, &is_over)
            }
            None => folders(&opened.index.paths, &of_game, &folder, after, &is_over),
        };
        found.ok_or_else(Refusal::given_up)
    });
    reply::json(&work.await?)
}

/// Whether a request is about what differs between two builds.
fn is_compared(parameters: &Parameters) -> bool {
    !matches!(parameters.text("compared"), "" | "0")
}

/// The row of a path, a package name or a chunk id.
pub(super) async fn find(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let opened = state.opened()?;
    let name = parameters.text("name").to_owned();
    let container = parameters.text("container").to_owned();
    let comparison = if is_compared(parameters) { state.comparison().ok() } else { None };
    let cpu = opened.game.store().cpu().clone();
    let work = state.workshop.run(&cpu, move |_| {
        let different = comparison.and_then(|comparison| {
            let at = comparison.row_of(&name, &container)?;
            Row::of_difference(&comparison, at)
        });
        let row = match different {
            Some(row) => Some(row),
            None => opened.row_of(&name, &container)?.and_then(|row| Row::new(&opened, row)),
        };
        row.ok_or_else(|| Refusal::not_found(format!("in none of the containers: {name}")))
    });
    reply::json(&work.await?)
}
