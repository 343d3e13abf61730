//! `uncask list`: chunks by path.

mod cells;
mod conflicts;
mod row;
mod tree;

use crate::args::{ListArgs, SortKey};
use crate::exit::{self, Exit};
use crate::printer::{self, Size, printable};
use crate::session::{self, Session};
use rayon::prelude::*;
use row::SCHEMA;
pub(super) use row::ratio;
pub(super) use row::{Class, Row};
use std::cmp::Reverse;
use std::io::Write;
use uncask::id::ChunkKind;
use uncask::store::{Entry, Store};

pub(crate) fn run(args: &ListArgs, session: &Session) -> anyhow::Result<Exit> {
    // Classes are native objects, whose names another container has.
    let with_class = args.class || args.long;
    let store =
        if with_class { session.open_importing(&args.store)? } else { session.open_named(&args.store)? };
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
    let rows = Rows {
        store: &store,
        classes: classes(args, session, &store, &entries)?,
        entries,
        containers: store.containers().iter().map(|container| container.name()).collect(),
        with_losers: args.select.all,
    };
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

/// A listing, whose rows are made as they are printed.
struct Rows<'a> {
    store: &'a Store,
    entries: Vec<Entry>,
    /// One for each entry, if they were asked for.
    classes: Vec<Class>,
    /// Names of the containers of the store.
    containers: Vec<String>,
    /// Whether chunks may be in it that another container overrides.
    with_losers: bool,
}

impl Rows<'_> {
    fn row<'a>(&'a self, at: usize, entry: Entry, path: &'a mut String) -> Row<'a> {
        let class = self.classes.get(at).cloned().unwrap_or_default();
        let container = self.containers.get(entry.container).map_or("", String::as_str);
        Row::new(self.store, entry, class, container, self.with_losers, path)
    }

    /// Prints every row with `write`, which is also told its number.
    fn print(
        &self,
        out: &mut impl Write,
        write: impl Fn(usize, &Row<'_>, &mut Vec<u8>) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        print_in_parts(&self.entries, out, |first, entries, text| {
            let mut path = String::new();
            (first..)
                .zip(entries)
                .try_for_each(|(at, entry)| write(at, &self.row(at, *entry, &mut path), text))
        })
    }
}

/// Prints the texts that `write` makes of parts of a list; it is also told the number of the first entry. The parts are
/// written on all threads, some at a time, so that a large table takes little time, and little memory too.
fn print_in_parts(
    entries: &[Entry],
    out: &mut impl Write,
    write: impl Fn(usize, &[Entry], &mut Vec<u8>) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    const PART: usize = 1 << 10;
    const PARTS: usize = 32;
    let mut texts = vec![Vec::new(); PARTS];
    for (group, entries) in entries.chunks(PART * PARTS).enumerate() {
        let parts = entries.par_chunks(PART).zip(&mut texts).enumerate();
        parts.try_for_each(|(part, (entries, text))| {
            text.clear();
            write((group * PARTS + part) * PART, entries, text)
        })?;
        for text in texts.iter().take(entries.len().div_ceil(PART)) {
            out.write_all(text)?;
        }
    }
    Ok(())
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
            let stored = |entry: &Entry| {
                let toc = toc(entry)?;
                Some(toc.stored_len(entry.chunk, &toc.blocks_of(entry.chunk).ok()?))
            };
            entries.sort_by_cached_key(|entry| Reverse(stored(entry).unwrap_or(0)));
        }
    }
}

fn print_paths(store: &Store, entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    print_in_parts(entries, out, |_, entries, text| {
        let mut path = String::new();
        for entry in entries {
            if !store.path_into(*entry, &mut path) {
                path = store.fallback_path(*entry);
            }
            text.extend_from_slice(printable(&path).as_bytes());
            text.push(b'\n');
        }
        Ok(())
    })
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
    rows.print(out, |_, row, out| {
        cells::left(row.kind, 18, out);
        cells::right(Size(row.size), 11, out)?;
        cells::right(Size(row.stored), 11, out)?;
        match row.ratio {
            Some(ratio) => cells::right(cells::Ratio(ratio), 6, out)?,
            None => cells::right("-", 6, out)?,
        }
        cells::left(&row.method, 10, out);
        cells::right(row.partition, 4, out)?;
        cells::right(format_args!("{:#x}", row.offset), 12, out)?;
        cells::left(row.container, 28, out);
        if with_class {
            cells::left(&printable(row.class.shown()), 36, out);
        }
        out.extend_from_slice(printable(row.display_path()).as_bytes());
        if let Some(winner) = &row.overridden_by {
            write!(out, "  (overridden by {winner})")?;
        }
        out.push(b'\n');
        Ok(())
    })
}

fn print_jsonl(rows: &Rows<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    rows.print(out, |_, row, out| {
        serde_json::to_writer(&mut *out, row)?;
        Ok(writeln!(out)?)
    })
}

/// `{"schema": …, "chunks": [ … ]}`, written row by row so that a large table needs no memory.
fn print_json(rows: &Rows<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{{\"schema\": \"{SCHEMA}\", \"chunks\": [")?;
    rows.print(out, |at, row, out| {
        serde_json::to_writer(&mut *out, row)?;
        Ok(writeln!(out, "{}", if at + 1 < rows.entries.len() { "," } else { "" })?)
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}

fn print_csv(rows: &Rows<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    rows.print(out, |at, row, out| {
        // The first row brings the header line.
        let mut writer = csv::WriterBuilder::new().has_headers(at == 0).from_writer(out);
        writer.serialize(row)?;
        Ok(writer.flush()?)
    })
}
