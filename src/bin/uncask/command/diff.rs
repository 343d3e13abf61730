//! `uncask diff`: shows differences between two builds.

mod builds;
mod code;
mod properties;
mod review;
mod unified;

use crate::args::DiffArgs;
use crate::exit::{self, Exit};
use crate::parts::in_parts;
use crate::printer::{self, count, size};
use crate::selection;
use crate::session::Session;
use crate::spreadsheet::Spreadsheet;
use crate::text::{self, Lines};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use uncask::game::{Change, Changed, Diff, Entry, Game, PackageCounts, diff};

type Totals = BTreeMap<Change, Total>;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    totals: &'a Totals,
    same: u64,
    /// Number of unchanged chunks that were compared only by length.
    uncertain: u64,
    packages: PackageCounts,
    changes: &'a Rows<'a>,
}

#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Total {
    chunks: u64,
    /// Uncompressed bytes in the new build, or in the old one for removed chunks.
    bytes: u64,
}

/// Rows of changed chunks, each made as it is printed.
struct Rows<'a> {
    old: &'a Game,
    new: &'a Game,
    changes: &'a [Changed],
}

/// A changed or moved chunk.
#[derive(Serialize)]
struct Row {
    change: Change,
    #[serde(rename = "type")]
    kind: &'static str,
    /// Path, or `chunks/<id>.<type>`.
    path: String,
    id: String,
    size: Option<u64>,
    old_path: Option<String>,
    old_id: Option<String>,
    old_size: Option<u64>,
}

pub(crate) fn run(args: &DiffArgs, session: &Session) -> anyhow::Result<Exit> {
    if args.properties {
        return properties::run(args, session);
    }
    if args.code {
        return code::run(args, session);
    }
    if args.text {
        return review::run(args, session);
    }
    let [old, new] = session.open_both([&args.store(&args.old), &args.store(&args.new)])?;
    for game in [&old, &new] {
        session.warn_of_locks(game);
    }
    let filter = selection::filter(&args.select)?;
    // The same filter for both, so that both sides are the same part of the game.
    let [mut before, mut after] = [&old, &new].map(|game| game.select(&filter, args.select.all));
    selection::retain_classes(&old, &args.select, &mut before)?;
    selection::retain_classes(&new, &args.select, &mut after)?;
    selection::warn_of_idle(session, &[&old, &new], &filter, &args.select);
    let mut diff = diff((&old, &before), (&new, &after))?;
    sort_by_path(&old, &new, &mut diff.changes);
    let totals = totals(&old, &new, &diff);
    let rows = Rows { old: &old, new: &new, changes: &diff.changes };
    if session.printer.json {
        let Diff { same, uncertain, packages, .. } = diff;
        let schema = "uncask.diff/1";
        printer::print_json(&Report { schema, totals: &totals, same, uncertain, packages, changes: &rows })?;
    } else if args.csv {
        rows.print_csv()?;
    } else {
        rows.print(session)?;
    }
    session.printer.note(&summary(&totals, &diff));
    // A build that could not be read in full matters more than the difference.
    Ok(match exit::of_listing(&old) {
        Exit::Ok => match exit::of_listing(&new) {
            Exit::Ok if !diff.is_empty() => Exit::Failed,
            exit => exit,
        },
        failed => failed,
    })
}

/// Sorts by the path in the new build, or in the old one for removed chunks.
fn sort_by_path(old: &Game, new: &Game, changes: &mut [Changed]) {
    changes.sort_by_cached_key(|changed| match (changed.new, changed.old) {
        (Some(entry), _) => new.at(entry).display_path(),
        (None, Some(entry)) => old.at(entry).display_path(),
        (None, None) => String::new(),
    });
}

impl Rows<'_> {
    fn print(&self, session: &Session) -> anyhow::Result<()> {
        let width = printer::out().width();
        self.print_parts(|_, part, lines| {
            lines.clear();
            for changed in part {
                let line = self.row(changed).line(width);
                lines.coloured(session.printer.colour_of(&line), &line);
            }
            Ok(())
        })
    }

    fn print_csv(&self) -> anyhow::Result<()> {
        self.print_parts(|first, part, lines| {
            lines.clear();
            // Only the first part has a header line.
            let mut sheet = Spreadsheet::new(first == 0);
            part.iter().try_for_each(|changed| sheet.row(&self.row(changed)))?;
            sheet.finish(lines)
        })
    }

    fn print_parts(
        &self,
        write: impl Fn(usize, &[Changed], &mut Lines) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        let mut out = printer::out();
        in_parts(self.new.cpu(), self.changes, write, |lines| Ok(out.append(lines)?))?;
        Ok(out.flush()?)
    }

    fn row(&self, changed: &Changed) -> Row {
        Row::new(self.old, self.new, changed)
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.changes.iter().map(|changed| self.row(changed)))
    }
}

impl Row {
    fn new(old: &Game, new: &Game, changed: &Changed) -> Self {
        let path = |game: &Game, entry: Option<Entry>| entry.map(|entry| game.at(entry).display_path());
        let id = |game: &Game, entry: Option<Entry>| Some(game.at(entry?).id().to_string());
        let kind = |game: &Game, entry: Option<Entry>| {
            let entry = entry?;
            Some(game.at(entry).container()?.table().chunk_kind(entry.chunk).name())
        };
        let [old_path, new_path] = [path(old, changed.old), path(new, changed.new)];
        let [old_id, new_id] = [id(old, changed.old), id(new, changed.new)];
        Self {
            change: changed.change,
            // Facts of the new build come first; removed chunks have only old ones.
            kind: kind(new, changed.new).or_else(|| kind(old, changed.old)).unwrap_or_default(),
            path: new_path.or_else(|| old_path.clone()).unwrap_or_default(),
            id: new_id.or_else(|| old_id.clone()).unwrap_or_default(),
            size: len(new, changed.new),
            old_path,
            old_id,
            old_size: len(old, changed.old),
        }
    }

    /// The row as a line, which a terminal of some width has room for.
    fn line(&self, width: Option<usize>) -> String {
        let before = self.old_path.as_deref().unwrap_or_default();
        let paths = if self.change == Change::Moved { 2 } else { 1 };
        let fit = |path: &str| match width {
            Some(width) => text::shorten(path, (width.saturating_sub(LEFT) / paths).max(LEAST)).into_owned(),
            None => path.to_owned(),
        };
        let (path, before) = (fit(&self.path), fit(before));
        let [new, old] = [self.size, self.old_size].map(|len| size(len.unwrap_or_default()));
        match self.change {
            Change::Added => format!("+ {new:>24}  {path}"),
            Change::Removed => format!("- {old:>24}  {path}"),
            Change::Changed => format!("~ {:>24}  {path}", format!("{old} → {new}")),
            Change::Moved => format!("> {new:>24}  {before} → {path}"),
        }
    }
}

/// Columns in front of a path, with the arrow between two.
const LEFT: usize = 28 + 3;

/// Least columns of a path.
const LEAST: usize = 20;

fn len(game: &Game, entry: Option<Entry>) -> Option<u64> {
    let entry = entry?;
    Some(game.at(entry).container()?.table().chunk_len(entry.chunk))
}

fn totals(old: &Game, new: &Game, diff: &Diff) -> Totals {
    // All kinds are listed, even those without chunks: reports keep their shape.
    let all = [Change::Added, Change::Removed, Change::Changed, Change::Moved];
    let mut totals: Totals = all.map(|change| (change, Total::default())).into();
    for changed in &diff.changes {
        let total = totals.entry(changed.change).or_default();
        let bytes = len(new, changed.new).or_else(|| len(old, changed.old)).unwrap_or_default();
        total.chunks += 1;
        total.bytes = total.bytes.saturating_add(bytes);
    }
    totals
}

/// Summary such as `2 added (1.5 KiB), 0 removed, 1 changed (3 KiB), 0 moved, 108 the same; packages: 1 added, …`.
fn summary(totals: &Totals, diff: &Diff) -> String {
    let part = |(change, total): (&Change, &Total)| {
        let word = match change {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
            Change::Moved => "moved",
        };
        let bytes = if total.chunks > 0 { format!(" ({})", size(total.bytes)) } else { String::new() };
        format!("{} {word}{bytes}", count(total.chunks))
    };
    let parts: Vec<String> = totals.iter().map(part).collect();
    let PackageCounts { added, removed, changed } = diff.packages;
    let uncertain = match diff.uncertain {
        0 => String::new(),
        number => format!(" ({} of them compared by length only)", count(number)),
    };
    format!(
        "{}, {} the same{uncertain}; packages: {} added, {} removed, {} changed",
        parts.join(", "),
        count(diff.same),
        count(added),
        count(removed),
        count(changed),
    )
}
