use crate::wire::Fault;
use std::sync::Arc;

/// Error while reading the payload of an export.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{class} as {release} writes it: {reason}")]
pub struct AssetError {
    /// Class of the export.
    pub class: Arc<str>,
    /// Release whose layout was expected.
    pub release: &'static crate::version::Release,
    /// Reason of the failure.
    pub reason: Reason,
}

/// Reason that a payload cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Damaged data, or a layout that the game changed. The offset counts from the start of the export.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Unknown start of the payload, and no match for this class anywhere in the export.
    #[error("its properties cannot be decoded, and its payload was not found without them")]
    NotFound,
    /// Missing bytes of the export.
    #[error("the data of its export is missing")]
    NoData,
}
