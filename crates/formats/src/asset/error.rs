use crate::wire::Fault;
use std::sync::Arc;

/// Why the payload of an export cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{class} as {release} writes it: {reason}")]
pub struct AssetError {
    /// Class of the export.
    pub class: Arc<str>,
    /// The release whose layout was expected.
    pub release: &'static crate::version::Release,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// It is damaged, or the game changed its layout. The offset counts from the start of the export.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Its start is not known, and nothing that looks like a payload of this class was found.
    #[error("its properties cannot be decoded, and its payload was not found without them")]
    NotFound,
    /// The bytes of the export are not there.
    #[error("the data of its export is missing")]
    NoData,
}
