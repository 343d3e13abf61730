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
    /// A container could not be opened; the others are.
    Failed {
        /// Why.
        error: &'a Error,
    },
}

/// Listens to events. They may come from any thread.
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
