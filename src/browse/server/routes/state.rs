use crate::browse::games::Games;
use crate::browse::kept::Kept;
use crate::browse::selection::Selections;
use crate::browse::server::guard::Guard;
use crate::browse::server::options::BrowseOptions;
use crate::browse::server::remembered::Remembered;
use crate::browse::server::reply::Refusal;
use crate::browse::server::work::Workshop;
use crate::browse::session::Opened;
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
    /// Files that were made for the page.
    pub(super) kept: Kept,
    pub(super) games: Mutex<Games>,
    /// Opened one after the other, so that two do not take twice the memory. It is the number of the last one.
    pub(super) opening: Arc<tokio::sync::Mutex<u32>>,
    /// What was opened.
    pub(super) remembered: Remembered,
    /// Selections that a download is going to ask for.
    pub(super) selections: Mutex<Selections>,
    end: Notify,
}

impl State {
    pub(in crate::browse) fn new(guard: Guard, options: BrowseOptions) -> Self {
        let quarter = options.memory / 4;
        Self {
            guard,
            workshop: Workshop::new(options.memory - 2 * quarter),
            downloads: Workshop::new(quarter),
            kept: Kept::new(quarter),
            games: Mutex::default(),
            opening: Arc::new(tokio::sync::Mutex::new(0)),
            remembered: Remembered::new(options.remember_in.as_deref()),
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

    /// The game that is shown.
    pub(super) fn opened(&self) -> Result<Arc<Opened>, Refusal> {
        lock(&self.games).opened().cloned()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
