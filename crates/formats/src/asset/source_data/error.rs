use crate::wire::{Fault, FaultKind};

/// Error while reading the source of an asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A location or form that is not read.
    #[error("{0}")]
    Obstacle(&'static str),
    /// Damaged data.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Fault about a wrong length.
pub(super) const fn unexpected(found: u64, expected: u64) -> FaultKind {
    FaultKind::Unexpected { found, expected }
}
