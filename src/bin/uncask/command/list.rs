//! `uncask list`: lists chunks by path.

mod cells;
mod conflicts;
mod folders;
mod long;
mod order;
mod path_tables;
mod rows;
mod tree;

use crate::args::ListArgs;
use crate::exit::{self, Exit};
use crate::parts::in_parts;
use crate::printer::{self, Out};
use crate::selection;
use crate::session::Session;
use crate::shared::chunk_row::{Class, SCHEMA};
use crate::spreadsheet::Spreadsheet;
use crate::text::Lines;
use long::ClassColumn;
use path_tables::PathTables;
use rows::Rows;
use std::io::Write;
use uncask::game::{Entry, Game, Lend};

pub(crate) fn run(args: &ListArgs, session: &Session) -> anyhow::Result<Exit> {
    // Classes are native objects, and their names are usually in another container.
    let with_class = args.show_class || args.long || !args.select.classes.is_empty();
    let game = if with_class {
        session.open(&args.store, Lend::Always)?
    } else {
        session.open(&args.store, Lend::ForPaths)?
    };
    session.warn_of_locks(&game);
    let mut entries = selection::select(session, &game, &args.select)?;
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    order::sort(&game, &mut entries, args.sort);
    if args.conflicts {
        conflicts::print(session, &game, &entries)?;
        return Ok(exit::of_listing(&game));
    }
    let rows = Rows {
        game: &game,
        classes: classes(args, session, &game, &entries),
        entries,
        // Names are made once, not for each of a million rows.
        containers: game.containers().iter().map(|container| container.name()).collect(),
        with_losers: args.select.all,
    };
    if args.jsonl {
        print_jsonl(&rows)?;
    } else if session.printer.json {
        print_json(&rows)?;
    } else {
        let mut out = printer::out();
        print(args, &rows, &mut out)?;
        out.flush()?;
    }
    Ok(exit::of_listing(&game))
}

/// Prints a listing as text.
fn print(args: &ListArgs, rows: &Rows<'_>, out: &mut Out) -> anyhow::Result<()> {
    if args.csv {
        print_csv(rows, out)
    } else if args.tree {
        tree::print(rows.game, &rows.entries, out)
    } else if args.long || args.show_class {
        long::print(rows, ClassColumn::of(args.show_class, &rows.classes), out)
    } else {
        print_paths(rows.game, &rows.entries, out)
    }
}

/// Number of packages whose headers `-l` reads by itself, which takes only a moment. For more, `--show-class` is required.
const CLASSES_UNASKED: usize = 1000;

/// The classes of the packages in a listing, from their headers.
fn classes(args: &ListArgs, session: &Session, game: &Game, entries: &[Entry]) -> Vec<Class> {
    let is_package = |entry: &Entry| game.at(*entry).is_package() || game.at(*entry).is_cooked_header();
    // Columns for programs must not depend on the number of packages, so only people get classes unasked.
    let for_people = args.long && !(args.jsonl || args.csv || session.printer.json);
    let few = || entries.iter().filter(|entry| is_package(entry)).count() <= CLASSES_UNASKED;
    if !(args.show_class || for_people && few()) {
        return Vec::new();
    }
    let class = |entry: &Entry| game.class_of(*entry).map_or(Class::Unknown, Class::Known);
    let classes = session.cpu().map(entries, class);
    for problem in Session::problems(game.packages()).into_iter().filter(|_| args.show_class) {
        session.printer.warning(&format!("some classes are unknown: {problem}"));
    }
    classes
}

fn print_paths(game: &Game, entries: &[Entry], out: &mut Out) -> anyhow::Result<()> {
    let tables = PathTables::new(game, entries);
    let part = |_, entries: &[Entry], lines: &mut Lines| {
        lines.clear();
        // One buffer for all paths of the part.
        let mut path = String::new();
        for entry in entries {
            tables.path_into(entry, &mut path);
            lines.end_with(&path);
        }
        Ok(())
    };
    in_parts(game.cpu(), entries, part, |lines| Ok(out.append(lines)?))
}

fn print_jsonl(rows: &Rows<'_>) -> anyhow::Result<()> {
    print_objects(rows, &mut printer::json(), |_| "")
}

/// Prints `{"schema": …, "chunks": [ … ]}` row by row, so that a large table needs little memory.
fn print_json(rows: &Rows<'_>) -> anyhow::Result<()> {
    let mut out = printer::json();
    writeln!(out, "{{\"schema\": \"{SCHEMA}\", \"chunks\": [")?;
    print_objects(rows, &mut out, |at| if at + 1 < rows.entries.len() { "," } else { "" })?;
    writeln!(out, "]}}")?;
    Ok(out.flush()?)
}

/// Prints a JSON object per row, followed by `after`.
fn print_objects(
    rows: &Rows<'_>,
    out: &mut impl Write,
    after: impl Fn(usize) -> &'static str + Sync,
) -> anyhow::Result<()> {
    let part = |first, part: &[Entry], text: &mut Vec<u8>| {
        text.clear();
        rows.each(first, part, |at, row| {
            serde_json::to_writer(&mut *text, row)?;
            Ok(writeln!(text, "{}", after(at))?)
        })
    };
    in_parts(rows.game.cpu(), &rows.entries, part, |text| Ok(out.write_all(text)?))?;
    Ok(out.flush()?)
}

fn print_csv(rows: &Rows<'_>, out: &mut Out) -> anyhow::Result<()> {
    let part = |first, part: &[Entry], lines: &mut Lines| {
        lines.clear();
        // Only the first part has a header line.
        let mut sheet = Spreadsheet::new(first == 0);
        rows.each(first, part, |_, row| sheet.row(row))?;
        sheet.finish(lines)
    };
    in_parts(rows.game.cpu(), &rows.entries, part, |lines| Ok(out.append(lines)?))
}
