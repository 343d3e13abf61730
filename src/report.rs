//! How the library speaks: in events. It never prints.

use crate::error::Error;
use std::path::Path;

/// Something that happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Something is odd, but the work goes on as if it were not.
    Warning {
        /// The file it is about.
        path: &'a Path,
        /// What.
        message: &'a str,
    },
    /// A job knows how much it will do. A job may be planned in several parts.
    Planned {
        /// Chunks to come.
        chunks: u64,
        /// Their uncompressed bytes.
        raw_bytes: u64,
    },
    /// A job got further, whether the chunks came through or not.
    Advanced {
        /// Chunks that are done.
        chunks: u64,
        /// Uncompressed bytes that are done.
        raw_bytes: u64,
    },
    /// A chunk did not come through, or is not what it should be; the job goes on.
    Chunk {
        /// Its path, or its name by id.
        path: &'a str,
        /// Why.
        error: &'a Error,
    },
    /// A container could not be opened; the others are.
    Failed {
        /// Why.
        error: &'a Error,
    },
}

/// Listens to events, which may come from any thread.
pub trait Observer: Send + Sync {
    /// Takes an event.
    fn on(&self, event: &Event<'_>);
}

/// Ignores every event.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&self, _event: &Event<'_>) {}
}
