//! Columns of a table for people, fitted to the width of the terminal.

use crate::text::{self, Lines};
use std::fmt::Display;

/// A column other than the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column<K> {
    /// Identifies the content of its cells.
    pub(crate) key: K,
    pub(crate) title: &'static str,
    pub(crate) side: Side,
    /// Width of the widest cell, in terminal columns.
    pub(crate) width: usize,
    /// Width that still distinguishes cells, if there is no room for more.
    pub(crate) least: usize,
    /// Order of removal if there is still no room: highest rank first; rank 0 is never removed.
    pub(crate) rank: u8,
}

/// Alignment of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The columns of a table, apart from its last one, which takes the rest of the line.
#[derive(Debug)]
pub(crate) struct Columns<K> {
    columns: Vec<Column<K>>,
    /// Width of the last column; `None` without a terminal, where nothing is shortened.
    rest: Option<usize>,
}

impl<K> Columns<K> {
    /// Fits columns into a terminal, so that a third to a half of it is left for the last one, as it needs: `last` is the width of its
    /// widest cell. Without a terminal all are kept in full.
    pub(crate) fn fit(mut columns: Vec<Column<K>>, last: usize, terminal: Option<usize>) -> Self {
        // Output to a file or pipe must not depend on the size of a window.
        let Some(terminal) = terminal else { return Self { columns, rest: None } };
        // The last column has paths or names, which need the most room.
        let rest = last.clamp(terminal / 3, terminal / 2).max(LEAST_REST);
        let room = terminal.saturating_sub(rest);
        // Remove whole columns only if even their shortest forms do not fit.
        while least(&columns) > room
            && let Some(at) = highest(&columns)
        {
            columns.remove(at);
        }
        // Narrow what is left: removing columns may have made more room than was needed.
        shrink(&mut columns, room);
        let rest = terminal.saturating_sub(taken(&columns));
        Self { columns, rest: Some(rest) }
    }

    /// Prints the titles, that of the last column at the end.
    pub(crate) fn titles(&self, last: &str, out: &mut Lines) {
        for column in &self.columns {
            self.cell(column, column.title, out);
        }
        out.push(last);
        out.end_line();
    }

    /// The columns that are left.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Column<K>> {
        self.columns.iter()
    }

    /// Prints a cell, and the space after it.
    pub(crate) fn cell(&self, column: &Column<K>, value: impl Display, out: &mut Lines) {
        out.cell(value, column.width, column.side == Side::Right, self.rest.is_some());
    }

    /// Prints the last cell of a row with a remark after it, and ends the row. Text that is too long loses its middle.
    pub(crate) fn last(&self, text: &str, remark: &str, out: &mut Lines) {
        match self.rest {
            None => out.push(text),
            Some(rest) => {
                // The remark is important, but at least half of the minimum stays for the text.
                let room = rest.saturating_sub(text::width(remark)).max(LEAST_REST / 2).min(rest);
                out.push(&text::shorten(&text::printable(text), room));
                let left = rest.saturating_sub(room);
                return out.end_with(&text::shorten(&text::printable(remark), left));
            }
        }
        out.end_with(remark);
    }
}

/// Least width of the last column, in any terminal.
const LEAST_REST: usize = 24;

/// Total width of columns, with the spaces after them.
fn taken<K>(columns: &[Column<K>]) -> usize {
    columns.iter().map(|column| column.width + 1).sum()
}

/// Least total width of columns.
fn least<K>(columns: &[Column<K>]) -> usize {
    columns.iter().map(|column| column.least.min(column.width) + 1).sum()
}

/// The column to remove next.
fn highest<K>(columns: &[Column<K>]) -> Option<usize> {
    let ranked = columns.iter().enumerate().filter(|(_, column)| column.rank > 0);
    ranked.max_by_key(|(_, column)| column.rank).map(|(at, _)| at)
}

/// Narrows the column with the most room to spare, again and again, until all fit.
fn shrink<K>(columns: &mut [Column<K>], room: usize) {
    while taken(columns) > room {
        let spare = |column: &Column<K>| column.width.saturating_sub(column.least);
        match columns.iter_mut().max_by_key(|column| spare(column)) {
            // One column at a time, so that similar columns end up with similar widths.
            Some(column) if spare(column) > 0 => column.width -= 1,
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column<usize>> {
        let column = |(key, (width, least, rank)): (usize, (usize, usize, u8))| Column {
            key,
            title: ["TYPE", "SIZE", "OFFSET", "CONTAINER"][key],
            side: if key == 1 { Side::Right } else { Side::Left },
            width,
            least,
            rank,
        };
        [(9, 9, 1), (11, 11, 0), (12, 12, 2), (40, 12, 0)].into_iter().enumerate().map(column).collect()
    }

    fn shown(terminal: Option<usize>) -> Vec<(usize, usize)> {
        Columns::fit(columns(), 0, terminal).iter().map(|column| (column.key, column.width)).collect()
    }

    #[test]
    fn columns_shrink_before_they_are_left_out() {
        assert_eq!(shown(None), [(0, 9), (1, 11), (2, 12), (3, 40)]);
        assert_eq!(shown(Some(200)), [(0, 9), (1, 11), (2, 12), (3, 40)]);
        assert_eq!(shown(Some(90)), [(0, 9), (1, 11), (2, 12), (3, 24)]);
        assert_eq!(shown(Some(72)), [(0, 9), (1, 11), (2, 12), (3, 12)]);
        assert_eq!(shown(Some(60)), [(0, 9), (1, 11), (3, 13)]);
        assert_eq!(shown(Some(52)), [(1, 11), (3, 15)]);
    }

    /// A long last column gets up to half of the terminal: others are shortened first, then left out.
    #[test]
    fn a_long_last_column_gets_more() {
        let widths = |last| {
            let columns = Columns::fit(columns(), last, Some(90));
            (
                columns.iter().map(|column| (column.key, column.width)).collect::<Vec<_>>(),
                columns.rest.unwrap(),
            )
        };
        assert_eq!(widths(20), (vec![(0, 9), (1, 11), (2, 12), (3, 24)], 30));
        assert_eq!(widths(36), (vec![(0, 9), (1, 11), (2, 12), (3, 18)], 36));
        assert_eq!(widths(500), (vec![(0, 9), (1, 11), (3, 22)], 45));
    }

    #[test]
    fn no_line_is_longer_than_the_terminal() {
        for terminal in 40..220 {
            let columns = Columns::fit(columns(), 1000, Some(terminal));
            let mut out = Lines::default();
            columns.titles("PATH", &mut out);
            for column in columns.iter() {
                columns.cell(column, "pakchunk0-WindowsNoEditor-with-a-very-long-name_P", &mut out);
            }
            columns.last(&"Game/Content/".repeat(20), "  (overridden by another one)", &mut out);
            for line in out.as_str().lines() {
                assert!(text::width(line) <= terminal, "{terminal}: {line}");
            }
            let (before, _) = out.as_str().lines().nth(1).and_then(|line| line.split_once("Game/")).unwrap();
            assert!(text::width(before) * 4 <= terminal * 3, "{terminal}: {}", out.as_str());
        }
    }

    #[test]
    fn without_a_terminal_nothing_is_shortened() {
        let columns = Columns::fit(columns(), 1000, None);
        let mut out = Lines::default();
        let long = "pakchunk0-WindowsNoEditor-with-a-very-long-name_P";
        for column in columns.iter() {
            columns.cell(column, long, &mut out);
        }
        columns.last(long, "  (remark)", &mut out);
        assert_eq!(out.as_str(), format!("{long} {long} {long} {long} {long}  (remark)\n"));
    }
}
