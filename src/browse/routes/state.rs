use super::selection::Selection;
use crate::browse::guard::Guard;
use crate::browse::options::BrowseOptions;
use crate::browse::reply::Refusal;
use crate::browse::session::Opened;
use crate::browse::work::Workshop;
use hyper::StatusCode;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// What all requests share.
#[derive(Debug)]
pub(in crate::browse) struct State {
    pub(in crate::browse) guard: Guard,
    pub(super) options: BrowseOptions,
    pub(super) workshop: Workshop,
    /// For downloads, which a browser may pause: nothing else waits for them.
    pub(super) downloads: Workshop,
    pub(super) opened: Mutex<Option<Arc<Opened>>>,
    /// Opened one after the other, so that two do not take twice the memory.
    pub(super) opening: Arc<tokio::sync::Mutex<u64>>,
    /// What was opened, the last first.
    pub(super) recent: Mutex<Vec<String>>,
    /// Selections that a download is going to ask for.
    pub(super) selections: Mutex<VecDeque<(u64, Selection)>>,
    end: Notify,
}

impl State {
    pub(in crate::browse) fn new(guard: Guard, options: BrowseOptions) -> Self {
        Self {
            guard,
            workshop: Workshop::new(options.memory - options.memory / 4),
            downloads: Workshop::new(options.memory / 4),
            opened: Mutex::default(),
            opening: Arc::new(tokio::sync::Mutex::new(0)),
            recent: Mutex::default(),
            selections: Mutex::default(),
            end: Notify::new(),
            options,
        }
    }

    /// Waits until the page asks for the end.
    pub(in crate::browse) async fn ended(&self) {
        self.end.notified().await;
    }

    /// Asks for the end.
    pub(super) fn end(&self) {
        self.end.notify_one();
    }

    /// The game that is open.
    pub(super) fn opened(&self) -> Result<Arc<Opened>, Refusal> {
        let opened = lock(&self.opened).clone();
        opened.ok_or_else(|| Refusal::new(StatusCode::CONFLICT, "no game is open"))
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
