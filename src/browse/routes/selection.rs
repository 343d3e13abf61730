use crate::browse::forms::Form;
use crate::browse::reply::Refusal;
use crate::browse::session::{Opened, Search};
use crate::pipeline::Context;
use crate::store::Entry;
use serde::Deserialize;

/// What is going to be saved.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Selection {
    /// These rows; without them, what the search finds.
    #[serde(default)]
    rows: Vec<usize>,
    #[serde(flatten)]
    search: Search,
    #[serde(default)]
    pub form: Form,
    /// The number of the game that the page shows.
    game: u64,
}

impl Selection {
    pub(super) fn entries(&self, opened: &Opened, context: &Context) -> Result<Vec<Entry>, Refusal> {
        if opened.number != self.game {
            return Err(Refusal::bad_request("another game was opened meanwhile; reload the page"));
        }
        if !self.rows.is_empty() {
            return self.rows.iter().map(|row| opened.entry(*row)).collect();
        }
        let found = opened.search(&self.search, context)?;
        found.iter().map(|row| opened.entry(*row as usize)).collect()
    }
}
