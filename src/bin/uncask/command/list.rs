//! `uncask list`: chunks by path.

mod row;
mod tree;

use crate::args::{ListArgs, SortKey};
use crate::exit::{self, Exit};
use crate::printer::{self, size};
use crate::session::{self, Session};
pub(super) use row::ratio;
use row::{Row, SCHEMA};
use std::cmp::Reverse;
use std::io::Write;
use uncask::store::{Entry, Store};

pub(crate) fn run(args: &ListArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open_named(&args.store)?;
    session.warn_of_locks(&store);
    let mut entries = session::select(&store, &args.select)?;
    if entries.is_empty() {
        return Ok(exit::nothing_matched(session, &store));
    }
    sort(&store, &mut entries, args.sort);
    let mut out = printer::out();
    if args.jsonl {
        print_jsonl(&store, &entries, &mut out)?;
    } else if args.csv {
        print_csv(&store, &entries, &mut out)?;
    } else if session.printer.json {
        print_json(&store, &entries, &mut out)?;
    } else if args.tree {
        tree::print(&store, &entries, &mut out)?;
    } else if args.long {
        print_long(&store, &entries, &mut out)?;
    } else {
        print_paths(&store, &entries, &mut out)?;
    }
    out.flush()?;
    Ok(exit::of_listing(&store))
}

fn sort(store: &Store, entries: &mut [Entry], key: Option<SortKey>) {
    let toc = |entry: &Entry| store.container(*entry).map(|container| container.toc());
    match key {
        None => {}
        Some(SortKey::Path) => entries.sort_by_cached_key(|entry| store.display_path(*entry)),
        Some(SortKey::Size) => {
            entries
                .sort_by_cached_key(|entry| Reverse(toc(entry).map_or(0, |toc| toc.chunk_len(entry.chunk))));
        }
        Some(SortKey::Stored) => {
            let stored = |entry: &Entry| toc(entry).and_then(|toc| toc.storage(entry.chunk));
            entries
                .sort_by_cached_key(|entry| Reverse(stored(entry).map_or(0, |storage| storage.stored_len)));
        }
    }
}

fn print_paths(store: &Store, entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    let mut path = String::new();
    for entry in entries {
        if !store.path_into(*entry, &mut path) {
            path = store.fallback_path(*entry);
        }
        writeln!(out, "{}", printable(&path))?;
    }
    Ok(())
}

fn print_long(store: &Store, entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    let header = ["TYPE", "SIZE", "STORED", "RATIO", "METHOD", "PART", "OFFSET", "CONTAINER", "PATH"];
    let [kind, raw, stored, ratio, method, partition, offset, container, path] = header;
    writeln!(
        out,
        "{kind:<18} {raw:>11} {stored:>11} {ratio:>6} {method:<10} {partition:>4} {offset:>12} {container:<28} {path}"
    )?;
    for entry in entries {
        let row = Row::new(store, *entry);
        writeln!(
            out,
            "{:<18} {:>11} {:>11} {:>6} {:<10} {:>4} {:>#12x} {:<28} {}{}",
            row.kind,
            size(row.size),
            size(row.stored),
            row.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
            row.method,
            row.partition,
            row.offset,
            row.container,
            printable(&row.display_path),
            row.overridden_by
                .as_ref()
                .map_or_else(String::new, |winner| format!("  (overridden by {winner})")),
        )?;
    }
    Ok(())
}

fn print_jsonl(store: &Store, entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    for entry in entries {
        serde_json::to_writer(&mut *out, &Row::new(store, *entry))?;
        writeln!(out)?;
    }
    Ok(())
}

/// `{"schema": …, "chunks": [ … ]}`, written row by row so that a large table needs no memory.
fn print_json(store: &Store, entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{{\"schema\": \"{SCHEMA}\", \"chunks\": [")?;
    for (at, entry) in entries.iter().enumerate() {
        serde_json::to_writer(&mut *out, &Row::new(store, *entry))?;
        writeln!(out, "{}", if at + 1 < entries.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(())
}

fn print_csv(store: &Store, entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for entry in entries {
        writer.serialize(Row::new(store, *entry))?;
    }
    Ok(writer.flush()?)
}

/// A path that does not move the cursor or end the line, whatever a container holds.
fn printable(path: &str) -> std::borrow::Cow<'_, str> {
    if path.chars().any(char::is_control) { path.escape_debug().to_string().into() } else { path.into() }
}
