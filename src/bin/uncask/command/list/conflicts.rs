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
    /// True if all have the same content, judging by recorded hashes.
    same_content: bool,
}

pub(super) fn print(session: &Session, game: &Game, entries: &[Entry]) -> anyhow::Result<()> {
    let rows: Vec<Row> = game.conflicts(entries).iter().map(|conflict| Row::new(game, conflict)).collect();
    if session.printer.json {
        return printer::print_json(&Report { schema: "uncask.conflicts/1", conflicts: rows });
    }
    let mut out = printer::out();
    for row in &rows {
        let same = if row.same_content { "  (same content)" } else { "" };
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
            let hash = toc.meta(entry.chunk)?.hash;
            (!hash.is_zero()).then(|| (toc.chunk_len(entry.chunk), hash))
        };
        let own = content(&conflict.winner);
        Self {
            path: game.at(conflict.winner).display_path(),
            id: game.at(conflict.winner).id().to_string(),
            winner: name(&conflict.winner),
            losers: conflict.losers.iter().map(name).collect(),
            same_content: own.is_some() && conflict.losers.iter().all(|loser| content(loser) == own),
        }
    }
}
