//! Rows of a listing, made while printing.

use crate::parts::in_parts;
use crate::printer::Out;
use crate::shared::chunk_row::{ChunkRow, Class};
use crate::text::Lines;
use uncask::game::{Entry, Game};
use uncask::id::ChunkKind;

/// A listing; its rows are made while printing.
pub(super) struct Rows<'a> {
    pub(super) game: &'a Game,
    pub(super) entries: Vec<Entry>,
    /// One per entry, if requested.
    pub(super) classes: Vec<Class>,
    /// Names of the containers of the game.
    pub(super) containers: Vec<String>,
    /// True if it may contain overridden chunks.
    pub(super) with_losers: bool,
}

impl Rows<'_> {
    pub(super) fn row<'a>(&'a self, at: usize, entry: Entry, path: &'a mut String) -> ChunkRow<'a> {
        let class = self.classes.get(at).cloned().unwrap_or_default();
        let container = self.containers.get(entry.container).map_or("", String::as_str);
        ChunkRow::new(self.game, entry, class, container, self.with_losers, path)
    }

    /// The types of all chunks.
    pub(super) fn kinds(&self) -> impl Iterator<Item = ChunkKind> {
        let kind = |entry: &Entry| Some(self.game.at(*entry).container()?.table().chunk_kind(entry.chunk));
        self.entries.iter().filter_map(kind)
    }

    /// Calls `each` with every row of a part, and its number.
    pub(super) fn each(
        &self,
        first: usize,
        part: &[Entry],
        mut each: impl FnMut(usize, &ChunkRow<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut path = String::new();
        (first..).zip(part).try_for_each(|(at, entry)| each(at, &self.row(at, *entry, &mut path)))
    }

    /// Prints every row with `write`.
    pub(super) fn print_lines(
        &self,
        out: &mut Out,
        write: impl Fn(&ChunkRow<'_>, &mut Lines) + Sync,
    ) -> anyhow::Result<()> {
        let part = |first, part: &[Entry], lines: &mut Lines| {
            lines.clear();
            self.each(first, part, |_, row| {
                write(row, lines);
                Ok(())
            })
        };
        in_parts(self.game.cpu(), &self.entries, part, |lines| Ok(out.append(lines)?))
    }
}
