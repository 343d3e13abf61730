//! Refused requests.

use crate::error::{Error, ErrorKind};
use crate::game::GameError;
use serde::Serialize;

/// The reason why a request is not answered.
#[derive(Debug, Serialize)]
pub(super) struct Refusal {
    /// HTTP status.
    #[serde(skip)]
    pub status: u16,
    /// Message for the user.
    pub error: String,
    /// Input that would help: `key` or `mappings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<&'static str>,
}

impl Refusal {
    pub(super) fn new(status: impl Into<u16>, error: impl Into<String>) -> Self {
        Self { status: status.into(), error: error.into(), needs: None }
    }

    pub(super) fn bad_request(error: impl Into<String>) -> Self {
        Self::new(400_u16, error)
    }

    #[cfg(feature = "browse")]
    pub(super) fn forbidden(error: impl Into<String>) -> Self {
        Self::new(403_u16, error)
    }

    pub(super) fn not_found(error: impl Into<String>) -> Self {
        Self::new(404_u16, error)
    }

    /// The request refers to something that has changed.
    pub(super) fn conflict(error: impl Into<String>) -> Self {
        Self::new(409_u16, error)
    }

    /// The requested file is no longer kept.
    pub(super) fn gone(error: impl Into<String>) -> Self {
        Self::new(410_u16, error)
    }

    /// The request is valid, but the game has no answer.
    pub(super) fn unprocessable(error: impl Into<String>) -> Self {
        Self::new(422_u16, error)
    }

    /// The request has rows of a game that is no longer open.
    pub(super) fn other_game() -> Self {
        Self::conflict("another game was opened meanwhile; reload the page")
    }

    /// The request was cancelled by its client.
    pub(super) fn given_up() -> Self {
        Self::new(503_u16, "given up, since nobody waited for it")
    }

    pub(super) fn internal(error: impl Into<String>) -> Self {
        Self::new(500_u16, error)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled {
            return Self::given_up();
        }
        let needs = (error.kind() == ErrorKind::Key).then_some("key");
        Self { needs, ..Self::unprocessable(error.to_string()) }
    }
}

impl From<GameError> for Refusal {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Io(error) => error.into(),
            error => Self::unprocessable(error.to_string()),
        }
    }
}
