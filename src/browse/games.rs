//! The open games.

use super::comparison::Comparison;
use super::refusal::Refusal;
use super::row_id::RowId;
use super::session::Opened;
use crate::game::Entry;
use std::sync::Arc;

/// The open game and comparison.
#[derive(Debug, Default, Clone)]
pub(super) struct Games {
    pub shown: Option<Arc<Opened>>,
    /// The comparison of the shown game with another one.
    pub comparison: Option<Arc<Comparison>>,
}

/// A row of a game.
pub(super) struct GamePlace {
    pub opened: Arc<Opened>,
    pub row: usize,
    pub entry: Entry,
}

impl Games {
    /// The shown game.
    pub(super) fn opened(&self) -> Result<&Arc<Opened>, Refusal> {
        self.shown.as_ref().ok_or_else(|| Refusal::conflict("no game is open"))
    }

    /// The comparison with another game.
    pub(super) fn comparison(&self) -> Result<&Arc<Comparison>, Refusal> {
        self.comparison.as_ref().ok_or_else(|| Refusal::conflict("no builds are compared"))
    }

    /// The file in a row of one of the games.
    pub(super) fn place(&self, RowId { game, row }: RowId) -> Result<GamePlace, Refusal> {
        let opened = Arc::clone(self.game(game).ok_or_else(Refusal::other_game)?);
        let row = row as usize;
        // The row comes from the page and may be anything.
        let entry = opened.entry(row)?;
        Ok(GamePlace { opened, row, entry })
    }

    fn game(&self, number: u32) -> Option<&Arc<Opened>> {
        // The page may still show rows of the compared builds.
        let compared = self.comparison.iter().flat_map(|comparison| [&comparison.old, &comparison.new]);
        self.shown.iter().chain(compared).find(|opened| opened.number == number)
    }
}
