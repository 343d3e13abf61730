//! Progress and warning events. The library never prints.

use crate::error::Error;
use std::path::Path;

/// An event of a job.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Something unusual that does not stop the work.
    Warning {
        /// The affected file.
        path: &'a Path,
        /// The warning, in lower case and without a full stop.
        message: &'a str,
    },
    /// A folder is searched for containers.
    Searching {
        /// The folder.
        folder: &'a Path,
        /// Number of folders in it so far; `None` once it has been searched.
        folders: Option<u64>,
    },
    /// A job, or a further part of it, was planned.
    Planned {
        /// Chunks to come.
        chunks: u64,
        /// Their uncompressed bytes.
        raw_bytes: u64,
    },
    /// A job made progress, including failed chunks.
    Advanced {
        /// Number of finished chunks.
        chunks: u64,
        /// Uncompressed bytes finished.
        raw_bytes: u64,
    },
    /// A chunk failed or does not match its record; the job goes on.
    Chunk {
        /// Its path, or its id if it has none.
        path: &'a str,
        /// The error.
        error: &'a Error,
    },
    /// A container could not be opened; the others were.
    Failed {
        /// The error.
        error: &'a Error,
    },
}

/// Receiver of events, which may come from any thread.
pub trait Observer: Send + Sync {
    /// Receives an event.
    fn on(&self, event: &Event<'_>);
}

/// Ignores every event.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&self, _event: &Event<'_>) {}
}
