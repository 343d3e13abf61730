use crate::wire::{Fault, FaultKind};

/// Why the source of an asset cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// It is somewhere else, or in a form that is not read.
    #[error("{0}")]
    Obstacle(&'static str),
    /// It is damaged.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A fault about something that has to be this long.
pub(super) const fn unexpected(found: u64, expected: u64) -> FaultKind {
    FaultKind::Unexpected { found, expected }
}
