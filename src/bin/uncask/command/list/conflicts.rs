//! `uncask list --conflicts`: lists containers that override others.

use crate::printer;
use crate::session::Session;
use serde::Serialize;
use uncask::game::{Conflict, Entry, Game};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    conflicts: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    path: String,
    id: String,
    /// The container whose chunk is used.
    winner: String,
    /// The overridden containers, in mount order.
    losers: Vec<String>,
    /// True if all have the same content, judging by lengths and recorded hashes; `null` where nothing is recorded that tells.
    same_content: Option<bool>,
}

pub(super) fn print(session: &Session, game: &Game, entries: &[Entry]) -> anyhow::Result<()> {
    let rows: Vec<Row> = game.conflicts(entries).iter().map(|conflict| Row::new(game, conflict)).collect();
    if session.printer.json {
        return printer::print_json(&Report { schema: "uncask.conflicts/1", conflicts: rows });
    }
    let mut out = printer::out();
    for row in &rows {
        let same = if row.same_content == Some(true) { "  (same content)" } else { "" };
        writeln!(out, "{}: {} overrides {}{same}", row.path, row.winner, row.losers.join(", "))?;
    }
    out.flush()?;
    session.printer.note(&format!(
        "{} in more than one container",
        printer::counted(rows.len() as u64, "chunk is", "chunks are")
    ));
    Ok(())
}

impl Row {
    fn new(game: &Game, conflict: &Conflict) -> Self {
        let name = |entry: &Entry| game.at(*entry).container().map(|found| found.name()).unwrap_or_default();
        let content = |entry: &Entry| {
            let toc = game.at(*entry).container()?.table();
            let hash = toc.meta(entry.chunk).map(|meta| meta.hash).filter(|hash| !hash.is_zero());
            Some((toc.chunk_len(entry.chunk), hash))
        };
        let own = content(&conflict.winner);
        let is_same = |loser: &Entry| match own.zip(content(loser))? {
            ((len, _), (other, _)) if len != other => Some(false),
            ((_, hash), (_, other)) => Some(hash? == other?),
        };
        let all: Vec<Option<bool>> = conflict.losers.iter().map(is_same).collect();
        let same_content = match all.as_slice() {
            all if all.contains(&Some(false)) => Some(false),
            all if all.contains(&None) => None,
            _ => Some(true),
        };
        Self {
            path: game.at(conflict.winner).display_path(),
            id: game.at(conflict.winner).id().to_string(),
            winner: name(&conflict.winner),
            losers: conflict.losers.iter().map(name).collect(),
            same_content,
        }
    }
}
