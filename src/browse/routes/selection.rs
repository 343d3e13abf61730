use crate::browse::forms::Form;
use crate::browse::row_id::RowId;
use crate::browse::search::Search;
use serde::Deserialize;

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
