//! Why a question is not answered.

use serde::Serialize;

/// Why a question is not answered.
#[derive(Debug, Serialize)]
pub(super) struct Refusal {
    /// The status that HTTP has for it.
    #[serde(skip)]
    pub status: u16,
    /// Why.
    pub error: String,
    /// What would help: `key` or `mappings`.
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

    /// The page asks about something that has changed meanwhile.
    pub(super) fn conflict(error: impl Into<String>) -> Self {
        Self::new(409_u16, error)
    }

    /// What was there for a while, and is no longer.
    pub(super) fn gone(error: impl Into<String>) -> Self {
        Self::new(410_u16, error)
    }

    /// The question is understood, but the game has no answer to it.
    pub(super) fn unprocessable(error: impl Into<String>) -> Self {
        Self::new(422_u16, error)
    }

    pub(super) fn internal(error: impl Into<String>) -> Self {
        Self::new(500_u16, error)
    }
}

impl From<crate::error::Error> for Refusal {
    fn from(error: crate::error::Error) -> Self {
        let needs = (error.kind() == crate::error::ErrorKind::Key).then_some("key");
        Self { needs, ..Self::unprocessable(error.to_string()) }
    }
}

impl From<crate::game::GameError> for Refusal {
    fn from(error: crate::game::GameError) -> Self {
        Self::unprocessable(error.to_string())
    }
}
