//! Errors from `Game`.

use crate::crypto::KeyError;
use crate::error::Error;
use crate::extract::{FindError, PatternError};
use crate::store::DiscoverError;
use crate::wire::Fault;

/// An error that concerns a whole [`Game`](super::Game). Problems of single chunks are in the outcome of a job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The path names no container.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// A key cannot be understood.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A pattern cannot be understood.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A name matches several chunks.
    #[error(transparent)]
    Find(#[from] FindError),
    /// Nothing has this name.
    #[error("no chunk has the name {name:?}")]
    NoSuchChunk {
        /// The name.
        name: String,
    },
    /// A chunk is not a package.
    #[error("not a package ({fault}): {path}")]
    NotAPackage {
        /// Path of the chunk.
        path: String,
        /// The first field that is not that of a package header.
        fault: Fault,
    },
    /// A chunk is of another kind than packages.
    #[error("not a package: {path}")]
    NoPackage {
        /// Path of the chunk.
        path: String,
    },
    /// The game cannot be read, or the output not be written.
    #[error(transparent)]
    Io(#[from] Error),
}
