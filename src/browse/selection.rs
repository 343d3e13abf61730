//! Selections of files to be saved.

use super::forms::Form;
use super::games::Games;
use super::refusal::Refusal;
use super::row_id::RowId;
use super::search::Search;
use super::session::Opened;
use crate::game::Entry;
use crate::job::Context;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;

/// Number of selections stored.
const REMEMBERED: usize = 16;

/// A selection of files to be saved.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Selection {
    /// Selected rows; if empty, all results of the search.
    #[serde(default)]
    pub rows: Vec<RowId>,
    #[serde(flatten)]
    pub search: Search,
    #[serde(default)]
    pub form: Form,
    /// Number of the game shown by the page.
    pub game: u32,
}

/// The last selections, since the address of a download cannot hold a long list.
#[derive(Debug, Default)]
pub(super) struct Selections {
    known: VecDeque<(u64, Selection)>,
    last: u64,
}

impl Selections {
    /// Stores a selection for a while; the returned number identifies it.
    pub(super) fn remember(&mut self, selection: Selection) -> u64 {
        self.last += 1;
        self.known.truncate(REMEMBERED - 1);
        self.known.push_front((self.last, selection));
        self.last
    }

    /// A stored selection.
    pub(super) fn get(&self, number: u64) -> Result<Selection, Refusal> {
        let found = self.known.iter().find(|(known, _)| *known == number);
        found
            .map(|(_, selection)| selection.clone())
            .ok_or_else(|| Refusal::not_found("there is no such selection"))
    }
}

impl Selection {
    /// The files, all of one game. For differences between two builds, those of the new one.
    pub(super) fn files(
        &self,
        games: &Games,
        context: &Context,
    ) -> Result<(Arc<Opened>, Vec<Entry>), Refusal> {
        let shown = games.opened()?;
        // Another game may have been opened in a second window: its rows would be other files.
        if shown.number != self.game {
            return Err(Refusal::other_game());
        }
        // Rows name their own game, which may be either side of a comparison.
        if let Some(first) = self.rows.first() {
            return self.chosen(games, *first);
        }
        if !self.search.compared {
            let rows = shown.search(&self.search, context)?;
            let entries = rows.iter().map(|row| shown.entry(*row as usize)).collect::<Result<_, _>>()?;
            return Ok((Arc::clone(shown), entries));
        }
        let comparison = games.comparison()?;
        let (new, rows) = (&comparison.new, comparison.search(&self.search, context)?);
        // Removed files exist only in the old build, so they are left out.
        let rows = rows.iter().filter_map(|row| comparison.difference(*row as usize)?.new);
        Ok((Arc::clone(new), rows.map(|row| new.entry(row)).collect::<Result<_, _>>()?))
    }

    fn chosen(&self, games: &Games, first: RowId) -> Result<(Arc<Opened>, Vec<Entry>), Refusal> {
        if self.rows.iter().any(|row| row.game != first.game) {
            return Err(Refusal::bad_request("the selected files are of two builds; select files of one"));
        }
        let opened = games.place(first)?.opened;
        let entries = self.rows.iter().map(|row| opened.entry(row.row as usize)).collect::<Result<_, _>>()?;
        Ok((opened, entries))
    }
}
