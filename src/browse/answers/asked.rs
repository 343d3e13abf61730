use crate::browse::games::{GamePlace, Games};
use crate::browse::kept::Kept;
use crate::browse::parameters::Parameters;
use crate::browse::refusal::Refusal;
use bytes::Bytes;

/// Bytes of memory budget per byte of a package.
const PRICE: u64 = 8;

/// A request about the open games.
#[derive(Debug)]
pub(in crate::browse) struct Asked {
    /// Query parameters.
    pub parameters: Parameters,
    /// Body, in JSON.
    pub body: Bytes,
    /// The open games.
    pub games: Games,
    /// Memory for results.
    pub kept: Kept,
}

impl Asked {
    /// The file in question.
    pub(super) fn place(&self) -> Result<GamePlace, Refusal> {
        self.games.place(self.parameters.needed("row")?)
    }

    /// Memory budget for reading the package in question.
    pub(super) fn package_price(&self) -> u64 {
        let Ok(GamePlace { opened, entry, .. }) = self.place() else { return 0 };
        let inputs = opened.game.package_inputs(&[entry]);
        inputs.items().first().map_or(0, |item| item.len).saturating_mul(PRICE)
    }

    /// True if the request is about a comparison.
    pub(super) fn is_compared(&self) -> bool {
        !matches!(self.parameters.text("compared"), "" | "0")
    }
}
