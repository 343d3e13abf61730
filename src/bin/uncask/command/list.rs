//! `uncask list`: chunks by path.

mod cells;
mod conflicts;
mod long;
mod order;
mod row;
mod tree;

use crate::args::ListArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, Out};
use crate::selection;
use crate::session::Session;
use crate::spreadsheet::Spreadsheet;
use crate::text::Lines;
use long::ClassColumn;
use row::SCHEMA;
pub(super) use row::ratio;
pub(super) use row::{Class, Row};
use std::io::Write;
use uncask::id::ChunkKind;
use uncask::pipeline::Cpu;
use uncask::store::{Entry, Store};

pub(crate) fn run(args: &ListArgs, session: &Session) -> anyhow::Result<Exit> {
    // Classes are native objects, whose names another container has.
    let with_class = args.class || args.long;
    let store =
        if with_class { session.open_importing(&args.store)? } else { session.open_named(&args.store)? };
    session.warn_of_locks(&store);
    let mut entries = selection::select(session, &store, &args.select)?;
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &store, &args.select));
    }
    order::sort(&store, &mut entries, args.sort);
    if args.conflicts {
        conflicts::print(session, &store, &entries)?;
        return Ok(exit::of_listing(&store));
    }
    let rows = Rows {
        store: &store,
        classes: classes(args, session, &store, &entries),
        entries,
        containers: store.containers().iter().map(|container| container.name()).collect(),
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
    Ok(exit::of_listing(&store))
}

/// Prints a listing as text.
fn print(args: &ListArgs, rows: &Rows<'_>, out: &mut Out) -> anyhow::Result<()> {
    if args.csv {
        print_csv(rows, out)
    } else if args.tree {
        tree::print(rows.store, &rows.entries, out)
    } else if args.long || args.class {
        long::print(rows, ClassColumn::of(args.class, &rows.classes), out)
    } else {
        print_paths(rows.store, &rows.entries, out)
    }
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

    /// What the chunks hold.
    fn kinds(&self) -> impl Iterator<Item = ChunkKind> {
        let kind = |entry: &Entry| Some(self.store.container(*entry)?.table().chunk_kind(entry.chunk));
        self.entries.iter().filter_map(kind)
    }

    /// Hands every row of a part to `each`, with its number.
    fn each(
        &self,
        first: usize,
        part: &[Entry],
        mut each: impl FnMut(usize, &Row<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut path = String::new();
        (first..).zip(part).try_for_each(|(at, entry)| each(at, &self.row(at, *entry, &mut path)))
    }

    /// Prints every row with `write`.
    fn print_lines(&self, out: &mut Out, write: impl Fn(&Row<'_>, &mut Lines) + Sync) -> anyhow::Result<()> {
        let part = |first, part: &[Entry], lines: &mut Lines| {
            lines.clear();
            self.each(first, part, |_, row| {
                write(row, lines);
                Ok(())
            })
        };
        in_parts(self.store.cpu(), &self.entries, part, |lines| Ok(out.append(lines)?))
    }
}

/// Has `write` make the texts of parts of a list, which also gets the number of the first entry; then prints them. The
/// parts are written on all threads, some at a time, so that a large table takes little time, and little memory too.
fn in_parts<T: Default + Send>(
    cpu: &Cpu,
    entries: &[Entry],
    write: impl Fn(usize, &[Entry], &mut T) -> anyhow::Result<()> + Sync,
    mut print: impl FnMut(&T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    const PART: usize = 1 << 10;
    const PARTS: usize = 32;
    let mut texts: Vec<T> = std::iter::repeat_with(T::default).take(PARTS).collect();
    for (group, entries) in entries.chunks(PART * PARTS).enumerate() {
        let parts = entries.chunks(PART).zip(&mut texts).enumerate();
        let written =
            cpu.map(parts, |(part, (entries, text))| write((group * PARTS + part) * PART, entries, text));
        written.into_iter().collect::<anyhow::Result<()>>()?;
        texts.iter().take(entries.len().div_ceil(PART)).try_for_each(&mut print)?;
    }
    Ok(())
}

/// Packages whose headers `-l` reads unasked: a moment's work. For more, `--class` has to be given.
const CLASSES_UNASKED: usize = 1000;

/// The classes of the packages in a listing, from their headers.
fn classes(args: &ListArgs, session: &Session, store: &Store, entries: &[Entry]) -> Vec<Class> {
    let is_package = |entry: &Entry| store.chunk(*entry).is_package();
    let for_people = args.long && !(args.jsonl || args.csv || session.printer.json);
    let few = || entries.iter().filter(|entry| is_package(entry)).count() <= CLASSES_UNASKED;
    if !(args.class || for_people && few()) {
        return Vec::new();
    }
    let packages = session.packages(store);
    let class = |entry: &Entry| {
        let class = is_package(entry).then(|| packages.main_class(*entry)).flatten();
        class.map_or(Class::Unknown, Class::Known)
    };
    let classes = session.cpu().map(entries, class);
    for problem in Session::problems(&packages).into_iter().filter(|_| args.class) {
        session.printer.warning(&format!("some classes are unknown: {problem}"));
    }
    classes
}

fn print_paths(store: &Store, entries: &[Entry], out: &mut Out) -> anyhow::Result<()> {
    let part = |_, entries: &[Entry], lines: &mut Lines| {
        lines.clear();
        let mut path = String::new();
        for entry in entries {
            if !store.path_into(*entry, &mut path) {
                path = store.fallback_path(*entry);
            }
            lines.end_with(&path);
        }
        Ok(())
    };
    in_parts(store.cpu(), entries, part, |lines| Ok(out.append(lines)?))
}

fn print_jsonl(rows: &Rows<'_>) -> anyhow::Result<()> {
    print_objects(rows, &mut printer::json(), |_| "")
}

/// `{"schema": …, "chunks": [ … ]}`, written row by row so that a large table needs no memory.
fn print_json(rows: &Rows<'_>) -> anyhow::Result<()> {
    let mut out = printer::json();
    writeln!(out, "{{\"schema\": \"{SCHEMA}\", \"chunks\": [")?;
    print_objects(rows, &mut out, |at| if at + 1 < rows.entries.len() { "," } else { "" })?;
    writeln!(out, "]}}")?;
    Ok(out.flush()?)
}

/// Prints a JSON object for each row, and what comes after it.
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
    in_parts(rows.store.cpu(), &rows.entries, part, |text| Ok(out.write_all(text)?))?;
    Ok(out.flush()?)
}

fn print_csv(rows: &Rows<'_>, out: &mut Out) -> anyhow::Result<()> {
    let part = |first, part: &[Entry], lines: &mut Lines| {
        lines.clear();
        // The first row brings the header line.
        let mut sheet = Spreadsheet::new(first == 0);
        rows.each(first, part, |_, row| sheet.row(row))?;
        sheet.finish(lines)
    };
    in_parts(rows.store.cpu(), &rows.entries, part, |lines| Ok(out.append(lines)?))
}
