//! Connections of those who have not proved to be let in.
//!
//! Any program of this machine can connect, and one that never sends a request, or never reads the answer, would hold
//! its connection. So only a few such connections exist at a time: for a new one, the oldest goes. A browser sends its
//! request at once, and once that is accepted, its connection is no longer among them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::AbortHandle;

/// The most connections of those who are not let in.
pub(super) const STRANGERS: usize = 64;

/// State of a connection: true after an accepted request.
#[derive(Debug, Clone, Default)]
pub(super) struct Visit(Arc<AtomicBool>);

impl Visit {
    /// Records an accepted request.
    pub(super) fn admit(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_admitted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Connections without an accepted request, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Visitors(Mutex<VecDeque<(Visit, AbortHandle)>>);

impl Visitors {
    /// Adds a connection, and ends the oldest if there are too many.
    pub(super) fn add(&self, visit: Visit, connection: AbortHandle) {
        let mut strangers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that have ended or were let in are forgotten only here, so the list never grows beyond its limit.
        strangers.retain(|(visit, connection)| !visit.is_admitted() && !connection.is_finished());
        strangers.push_back((visit, connection));
        if strangers.len() > STRANGERS
            && let Some((_, oldest)) = strangers.pop_front()
        {
            oldest.abort();
        }
    }
}
