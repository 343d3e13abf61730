//! What is going to be saved.

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

/// Selections that are remembered.
const REMEMBERED: usize = 16;

/// What is going to be saved.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Selection {
    /// These rows; without them, what the search finds.
    #[serde(default)]
    pub rows: Vec<RowId>,
    #[serde(flatten)]
    pub search: Search,
    #[serde(default)]
    pub form: Form,
    /// The number of the game that the page shows.
    pub game: u32,
}

/// The last selections: the address of a download cannot hold a long list.
#[derive(Debug, Default)]
pub(super) struct Selections {
    known: VecDeque<(u64, Selection)>,
    last: u64,
}

impl Selections {
    /// Remembers a selection for a while; the number is what it is asked for by.
    pub(super) fn remember(&mut self, selection: Selection) -> u64 {
        self.last += 1;
        self.known.truncate(REMEMBERED - 1);
        self.known.push_front((self.last, selection));
        self.last
    }

    /// A selection that was remembered.
    pub(super) fn get(&self, number: u64) -> Result<Selection, Refusal> {
        let found = self.known.iter().find(|(known, _)| *known == number);
        found
            .map(|(_, selection)| selection.clone())
            .ok_or_else(|| Refusal::not_found("there is no such selection"))
    }
}

impl Selection {
    /// The files, all of one game. Of what differs between two builds, those that the new one has.
    pub(super) fn files(
        &self,
        games: &Games,
        context: &Context,
    ) -> Result<(Arc<Opened>, Vec<Entry>), Refusal> {
        let shown = games.opened()?;
        if shown.number != self.game {
            return Err(Refusal::other_game());
        }
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
