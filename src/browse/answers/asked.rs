use crate::browse::games::{GamePlace, Games};
use crate::browse::kept::Kept;
use crate::browse::parameters::Parameters;
use crate::browse::refusal::Refusal;
use bytes::Bytes;

/// A question about the games that are open.
#[derive(Debug)]
pub(in crate::browse) struct Asked {
    /// What its address says.
    pub parameters: Parameters,
    /// What was sent with it, in JSON.
    pub body: Bytes,
    /// What is open.
    pub games: Games,
    /// Where what is made for it is kept.
    pub kept: Kept,
}

impl Asked {
    /// The file that it is about.
    pub(super) fn place(&self) -> Result<GamePlace, Refusal> {
        self.games.place(self.parameters.needed("row")?)
    }

    /// Whether it is about what differs between two builds.
    pub(super) fn is_compared(&self) -> bool {
        !matches!(self.parameters.text("compared"), "" | "0")
    }
}
