use crate::browse::kept::Kept;
use crate::browse::parameters::Parameters;
use bytes::Bytes;

/// A question about a game.
#[derive(Debug)]
pub(in crate::browse) struct Asked {
    /// What its address says.
    pub parameters: Parameters,
    /// What was sent with it, in JSON.
    pub body: Bytes,
    /// Where what is made for it is kept.
    pub kept: Kept,
}
