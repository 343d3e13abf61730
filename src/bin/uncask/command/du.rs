//! `uncask du`: shows disk usage.

use crate::args::DuArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, Out, count, size};
use crate::selection;
use crate::session::Session;
use crate::shared::chunk_row::ratio;
use crate::shared::classes;
use serde::Serialize;
use std::collections::HashMap;
use uncask::game::{By, Lend, Usage, UsageRow};

/// Length of the longest bar, in characters.
const BAR: u64 = 20;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    total: Usage,
    rows: &'a [UsageRow],
}

pub(crate) fn run(args: &DuArgs, session: &Session) -> anyhow::Result<Exit> {
    let by = By::from(args.by);
    // Classes are native objects, and their names are usually in another container.
    let game = if by == By::Class {
        session.open(&args.store, Lend::Always)?
    } else {
        session.open(&args.store, Lend::ForPaths)?
    };
    session.warn_of_locks(&game);
    let entries = selection::select(session, &game, &args.select)?;
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    let classes =
        if by == By::Class { classes::classes(session, &game, &entries, true) } else { HashMap::new() };
    let rows =
        game.usage(&entries, by, args.depth, |entry| classes.get(&game.at(entry).package_id()?).cloned());
    // Rows of depth 0 already include everything below them.
    let total: Usage = rows.iter().filter(|row| row.depth == 0).map(|row| row.usage).sum();
    if session.printer.json {
        printer::print_json(&Report { schema: "uncask.du/1", total, rows: &rows })?;
    } else {
        print(args, session, &rows, total)?;
    }
    Ok(exit::of_listing(&game))
}

fn print(args: &DuArgs, session: &Session, rows: &[UsageRow], total: Usage) -> anyhow::Result<()> {
    let mut out = printer::out();
    let counted = if By::from(args.by) == By::Method { "BLOCKS" } else { "CHUNKS" };
    writeln!(out, "{:>10} {:>10} {:>6} {counted:>9}  {:<26} NAME", "STORED", "SIZE", "RATIO", "SHARE")?;
    // The total is always printed, even if rows are cut.
    let shown = if args.lines == 0 { rows.len() } else { args.lines };
    for row in rows.iter().take(shown) {
        let indent = "  ".repeat(row.depth as usize);
        print_line(&mut out, row.usage, total, &format!("{indent}{}", row.name))?;
    }
    print_line(&mut out, total, total, "total")?;
    out.flush()?;
    if rows.len() > shown {
        let hidden = printer::counted((rows.len() - shown) as u64, "more line", "more lines");
        session.printer.note(&format!("{hidden} (-n 0 shows all)"));
    }
    Ok(())
}

fn print_line(out: &mut Out, usage: Usage, total: Usage, name: &str) -> std::io::Result<()> {
    // Per mille in integers: one decimal of a percentage, without rounding surprises.
    let per_mille = usage.stored.saturating_mul(1000) / total.stored.max(1);
    let bar = "█".repeat(usize::try_from((per_mille * BAR).div_ceil(1000).min(BAR)).unwrap_or(0));
    writeln!(
        out,
        "{:>10} {:>10} {:>6} {:>9}  {bar:<20} {:>3}.{}% {name}",
        size(usage.stored),
        size(usage.raw),
        ratio(usage.raw, usage.stored).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
        count(usage.count),
        per_mille / 10,
        per_mille % 10,
    )
}
