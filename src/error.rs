//! The error type of everything that does I/O.
//!
//! Messages state what was found, what was expected, and where; paths come last.

mod kind;
mod problems;
mod variants;

pub use kind::{Bound, ErrorKind};
pub use problems::{
    BlockProblem, ChangeProblem, PackProblem, PictureProblem, ReadBackProblem, ShownProblem, TextureProblem,
    UnsupportedFeature,
};
pub use variants::{Error, ShaderGroupProblem};

use crate::wire::Fault;
use std::io;
use std::path::{Path, PathBuf};

/// Result type of all floors from `source` upwards.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::ShaderGroup { problem: ShaderGroupProblem::Read(source), .. } => source.kind(),
            Self::Io { .. } => ErrorKind::Io,
            Self::Asset { .. }
            | Self::Convert { .. }
            | Self::Malformed { .. }
            | Self::Blocks { .. }
            | Self::Image { .. }
            | Self::BadBlock { .. } => ErrorKind::Malformed,
            Self::ShaderGroup { problem: ShaderGroupProblem::Missing, .. }
            | Self::LfsPointer { .. }
            | Self::ShortBulkData { .. }
            | Self::MissingPartition { .. }
            | Self::TruncatedPartition { .. }
            | Self::NothingToPack { .. } => ErrorKind::Missing,
            Self::CannotPack { .. }
            | Self::CannotChange { .. }
            | Self::BadPicture { .. }
            | Self::Refused { .. }
            | Self::Unsupported { .. }
            | Self::UnknownMethod { .. } => ErrorKind::Unsupported,
            Self::MissingKey { .. } | Self::WrongKey { .. } => ErrorKind::Key,
            Self::Decrypt { .. }
            | Self::Decode { .. }
            | Self::HashMismatch { .. }
            | Self::NotCompared { .. }
            | Self::IndexHash { .. }
            | Self::Misplaced { .. }
            | Self::ShaderGroup { .. } => ErrorKind::Corrupt,
            Self::Limit { .. } => ErrorKind::Limit,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Check { .. } | Self::Internal { .. } => ErrorKind::Internal,
        }
    }

    /// Copies a key error for another chunk of the container; other errors become [`Self::Cancelled`].
    pub(crate) fn same_key_problem(&self) -> Self {
        // Errors cannot be cloned because of their sources, but these kinds have none.
        match self {
            Self::MissingKey { guid, path } => Self::MissingKey { guid: *guid, path: path.clone() },
            Self::WrongKey { guid, tried, path } => {
                Self::WrongKey { guid: *guid, tried: *tried, path: path.clone() }
            }
            Self::Unsupported { what: UnsupportedFeature::Encryption(method), path } => {
                Self::Unsupported { what: UnsupportedFeature::Encryption(*method), path: path.clone() }
            }
            _ => Self::Cancelled,
        }
    }

    /// Converts an I/O error: `.map_err(Error::io("open", path))`.
    pub fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Converts an error from reading container data. An open file cannot go missing, so "not found" means that the
    /// server does not have the file.
    pub(crate) fn unreadable(path: PathBuf, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::MissingPartition { path },
            _ => Self::Io { action: "read", path, source },
        }
    }

    /// Converts a parser fault: `.map_err(Error::malformed("table of contents", path))`.
    pub fn malformed(structure: &'static str, path: impl AsRef<Path>) -> impl FnOnce(Fault) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::Malformed { structure, path, source }
    }
}
