use super::state::State;
use crate::browse::forms::Form;
use crate::browse::reply::Refusal;
use crate::browse::row_id::RowId;
use crate::browse::search::Search;
use crate::browse::session::Opened;
use crate::pipeline::Context;
use crate::store::Entry;
use serde::Deserialize;
use std::sync::Arc;

/// What is going to be saved.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Selection {
    /// These rows; without them, what the search finds.
    #[serde(default)]
    rows: Vec<RowId>,
    #[serde(flatten)]
    search: Search,
    #[serde(default)]
    pub form: Form,
    /// The number of the game that the page shows.
    game: u32,
}

impl Selection {
    /// The files, all of one game. Of what differs between two builds, those that the new one has.
    pub(super) fn files(
        &self,
        state: &State,
        context: &Context,
    ) -> Result<(Arc<Opened>, Vec<Entry>), Refusal> {
        let shown = state.opened()?;
        if shown.number != self.game {
            return Err(Refusal::other_game());
        }
        if let Some(first) = self.rows.first() {
            return self.chosen(state, *first);
        }
        if !self.search.compared {
            let rows = shown.search(&self.search, context)?;
            let entries = rows.iter().map(|row| shown.entry(*row as usize)).collect::<Result<_, _>>()?;
            return Ok((shown, entries));
        }
        let comparison = state.comparison()?;
        let (new, rows) = (&comparison.new, comparison.search(&self.search, context)?);
        let rows = rows.iter().filter_map(|row| comparison.difference(*row as usize)?.new);
        Ok((Arc::clone(new), rows.map(|row| new.entry(row)).collect::<Result<_, _>>()?))
    }

    fn chosen(&self, state: &State, first: RowId) -> Result<(Arc<Opened>, Vec<Entry>), Refusal> {
        if self.rows.iter().any(|row| row.game != first.game) {
            return Err(Refusal::bad_request("the selected files are of two builds; select files of one"));
        }
        let opened = state.place(first)?.opened;
        let entries = self.rows.iter().map(|row| opened.entry(row.row as usize)).collect::<Result<_, _>>()?;
        Ok((opened, entries))
    }
}
