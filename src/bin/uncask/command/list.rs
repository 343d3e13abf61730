//! `uncask list`: chunks by path.

mod conflicts;
mod row;
mod tree;

use crate::args::{ListArgs, SortKey};
use crate::exit::{self, Exit};
use crate::printer::{self, printable, size};
use crate::session::{self, Session};
use rayon::prelude::*;
pub(super) use row::ratio;
use row::{Class, Row, SCHEMA};
use std::cmp::Reverse;
use std::io::Write;
use uncask::id::ChunkKind;
use uncask::store::{Entry, Store};

pub(crate) fn run(args: &ListArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open_named(&args.store)?;
    session.warn_of_locks(&store);
    let mut entries = session::select(&store, &args.select)?;
    if entries.is_empty() {
        return Ok(exit::nothing_matched(session, &store));
    }
    sort(&store, &mut entries, args.sort);
    if args.conflicts {
        conflicts::print(session, &store, &entries)?;
        return Ok(exit::of_listing(&store));
    }
    let rows = Rows { store: &store, classes: classes(args, session, &store, &entries)?, entries };
    let mut out = printer::out();
    if args.jsonl {
        print_jsonl(&rows, &mut out)?;
    } else if args.csv {
        print_csv(&rows, &mut out)?;
    } else if session.printer.json {
        print_json(&rows, &mut out)?;
    } else if args.tree {
        tree::print(&store, &rows.entries, &mut out)?;
    } else if args.long || args.class {
        let with_class = args.class || rows.classes.iter().any(|class| matches!(class, Class::Known(_)));
        print_long(&rows, with_class, &mut out)?;
    } else {
        print_paths(&store, &rows.entries, &mut out)?;
    }
    out.flush()?;
    Ok(exit::of_listing(&store))
}

/// A listing, whose rows are made one by one.
struct Rows<'a> {
    store: &'a Store,
    entries: Vec<Entry>,
    /// One for each entry, if they were asked for.
    classes: Vec<Class>,
}

impl Rows<'_> {
    fn iter(&self) -> impl Iterator<Item = Row> {
        self.entries.iter().enumerate().map(|(at, entry)| {
            Row::new(self.store, *entry, self.classes.get(at).cloned().unwrap_or_default())
        })
    }
}

/// Packages whose headers `-l` reads unasked: a moment's work. For more, `--class` has to be given.
const CLASSES_UNASKED: usize = 1000;

/// The classes of the packages in a listing, from their headers.
fn classes(
    args: &ListArgs,
    session: &Session,
    store: &Store,
    entries: &[Entry],
) -> anyhow::Result<Vec<Class>> {
    let is_package = |entry: &Entry| {
        let container = store.container(*entry);
        container.is_some_and(|found| found.toc().chunk_kind(entry.chunk) == ChunkKind::ExportBundleData)
    };
    let for_people = args.long && !(args.jsonl || args.csv || session.printer.json);
    let few = || entries.iter().filter(|entry| is_package(entry)).count() <= CLASSES_UNASKED;
    if !(args.class || for_people && few()) {
        return Ok(Vec::new());
    }
    let packages = session.packages(store);
    let class = |entry: &Entry| {
        let class = is_package(entry).then(|| packages.main_class(*entry)).flatten();
        class.map_or(Class::Unknown, Class::Known)
    };
    let context = session.context(false)?;
    let classes = context.cpu().install(|| entries.par_iter().map(class).collect());
    for problem in Session::problems(&packages).into_iter().filter(|_| args.class) {
        session.printer.warning(&format!("some classes are not known: {problem}"));
    }
    Ok(classes)
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

fn print_long(rows: &Rows<'_>, with_class: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let class = |class: &str| if with_class { format!("{class:<36} ") } else { String::new() };
    let header = ["TYPE", "SIZE", "STORED", "RATIO", "METHOD", "PART", "OFFSET", "CONTAINER", "PATH"];
    let [kind, raw, stored, ratio, method, partition, offset, container, path] = header;
    writeln!(
        out,
        "{kind:<18} {raw:>11} {stored:>11} {ratio:>6} {method:<10} {partition:>4} {offset:>12} {container:<28} {}{path}",
        class("CLASS"),
    )?;
    for row in rows.iter() {
        writeln!(
            out,
            "{:<18} {:>11} {:>11} {:>6} {:<10} {:>4} {:>#12x} {:<28} {}{}{}",
            row.kind,
            size(row.size),
            size(row.stored),
            row.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
            row.method,
            row.partition,
            row.offset,
            row.container,
            class(&printable(row.class.shown())),
            printable(&row.display_path),
            row.overridden_by
                .as_ref()
                .map_or_else(String::new, |winner| format!("  (overridden by {winner})")),
        )?;
    }
    Ok(())
}

fn print_jsonl(rows: &Rows<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    for row in rows.iter() {
        serde_json::to_writer(&mut *out, &row)?;
        writeln!(out)?;
    }
    Ok(())
}

/// `{"schema": …, "chunks": [ … ]}`, written row by row so that a large table needs no memory.
fn print_json(rows: &Rows<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{{\"schema\": \"{SCHEMA}\", \"chunks\": [")?;
    for (at, row) in rows.iter().enumerate() {
        serde_json::to_writer(&mut *out, &row)?;
        writeln!(out, "{}", if at + 1 < rows.entries.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(())
}

fn print_csv(rows: &Rows<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in rows.iter() {
        writer.serialize(row)?;
    }
    Ok(writer.flush()?)
}
