//! `list -l`: prints a table.

use super::cells::Ratio;
use super::rows::Rows;
use crate::columns::{Column, Columns, Side};
use crate::printer::{Out, Size};
use crate::shared::chunk_row::{ChunkRow, Class};
use crate::text::{self, Lines};
use uncask::game::Role;

/// Content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Kind,
    Size,
    Stored,
    Ratio,
    Method,
    Partition,
    Offset,
    Container,
    Class,
}

/// Width of the name of an overriding container, in a terminal.
const WINNER: usize = 20;

pub(super) fn print(rows: &Rows<'_>, class: Option<ClassColumn>, out: &mut Out) -> anyhow::Result<()> {
    let terminal = out.width();
    // Measuring all cells costs a pass over the listing, so it is only done for a terminal.
    let columns =
        Columns::fit(columns(rows, class, terminal.is_some()), longest_path(rows, terminal), terminal);
    let mut titles = Lines::default();
    columns.titles("PATH", &mut titles);
    out.append(&titles)?;
    rows.print_lines(out, |row, lines| {
        for column in columns.iter() {
            cell(&columns, column, row, lines);
        }
        // The remark must not push the path out of the line.
        let winner = row.overridden_by.as_deref().map(|winner| match terminal {
            Some(_) => text::shorten(winner, WINNER),
            None => winner.into(),
        });
        let remark = winner.map_or_else(String::new, |winner| format!("  (overridden by {winner})"));
        columns.last(row.display_path(), &remark, lines);
    })
}

/// Width of the longest of the first paths; without a terminal, nobody needs it.
fn longest_path(rows: &Rows<'_>, terminal: Option<usize>) -> usize {
    const MEASURED: usize = 1000;
    let measured = terminal.map_or(0, |_| MEASURED);
    let paths = rows.entries.iter().take(measured).map(|entry| rows.game.at(*entry).display_path());
    paths.map(|path| text::width(&path)).max().unwrap_or(0)
}

/// Reason for the column of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassColumn {
    /// Requested by the user.
    Asked,
    /// Added because there were few enough packages to read.
    Unasked,
}

/// The columns at their full width.
fn columns(rows: &Rows<'_>, class: Option<ClassColumn>, measured: bool) -> Vec<Column<Field>> {
    let widest = |usual: usize, texts: &mut dyn Iterator<Item = usize>| {
        // Without a terminal widths are fixed, so that output can be printed while it is made.
        if measured { texts.max().unwrap_or(0) } else { usual }
    };
    let content = || rows.game.containers().iter().filter(|container| container.role() == Role::Content);
    let names = || content().flat_map(|container| container.table().methods().names());
    let kind = widest(18, &mut rows.kinds().map(|kind| kind.name().len()));
    let method = widest(10, &mut names().map(text::width).chain(["None".len()]));
    let container = widest(28, &mut rows.containers.iter().map(|name| text::width(name)));
    let class_width = widest(36, &mut rows.classes.iter().map(|class| text::width(class.shown())));
    // With one file per container the partition is always 0.
    let one_file = measured && content().all(|container| container.table().partition_size() == u64::MAX);
    let column = |key, title: &'static str, side, width: usize, least, rank| {
        let width = width.max(title.len());
        Column { key, title, side, width, least, rank }
    };
    let (left, right) = (Side::Left, Side::Right);
    let mut columns = vec![
        column(Field::Kind, "TYPE", left, kind, 7, 4),
        column(Field::Size, "SIZE", right, 11, 11, 0),
        column(Field::Stored, "STORED", right, 11, 11, 3),
        column(Field::Ratio, "RATIO", right, 6, 6, 7),
        column(Field::Method, "METHOD", left, method, 6, 6),
        column(Field::Partition, "PART", right, 4, 4, 9),
        column(Field::Offset, "OFFSET", right, 12, 12, 8),
        column(Field::Container, "CONTAINER", left, container, 12, 2),
    ];
    columns.retain(|column| column.key != Field::Partition || !one_file);
    if let Some(class) = class {
        // A column the user asked for is kept longer in a narrow terminal.
        let rank = if class == ClassColumn::Asked { 1 } else { 5 };
        columns.push(column(Field::Class, "CLASS", left, class_width, 12, rank));
    }
    columns
}

fn cell(columns: &Columns<Field>, column: &Column<Field>, row: &ChunkRow<'_>, out: &mut Lines) {
    match column.key {
        Field::Kind => columns.cell(column, row.kind, out),
        Field::Size => columns.cell(column, Size(row.size), out),
        Field::Stored => columns.cell(column, Size(row.stored), out),
        Field::Ratio => match row.ratio {
            Some(ratio) => columns.cell(column, Ratio(ratio), out),
            None => columns.cell(column, "-", out),
        },
        Field::Method => columns.cell(column, &row.method, out),
        Field::Partition => columns.cell(column, row.partition, out),
        Field::Offset => columns.cell(column, format_args!("{:#x}", row.offset), out),
        Field::Container => columns.cell(column, row.container, out),
        Field::Class => columns.cell(column, row.class.shown(), out),
    }
}

impl ClassColumn {
    /// The column of classes, if it was requested or any class is known.
    pub(super) fn of(asked: bool, classes: &[Class]) -> Option<Self> {
        let known = || classes.iter().any(|class| matches!(class, Class::Known(_)));
        if asked { Some(Self::Asked) } else { known().then_some(Self::Unasked) }
    }
}
