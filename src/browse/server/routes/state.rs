use crate::browse::drafting::Draft;
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

/// State shared by all requests.
#[derive(Debug)]
pub(in crate::browse) struct State {
    pub(in crate::browse) guard: Guard,
    pub(super) options: BrowseOptions,
    pub(super) workshop: Workshop,
    /// Workshop for downloads: a browser may pause them, and they must not hold up other requests.
    pub(super) downloads: Workshop,
    /// Files made for the page.
    pub(super) kept: Kept,
    pub(super) games: Mutex<Games>,
    /// Number of the last game, locked while one is opened: two at once would take twice the memory.
    pub(super) opening: Arc<tokio::sync::Mutex<u32>>,
    /// The list of opened games.
    pub(super) remembered: Remembered,
    /// Selections for future downloads.
    pub(super) selections: Mutex<Selections>,
    /// Changes that are not saved yet.
    pub(super) draft: tokio::sync::Mutex<Draft>,
    end: Notify,
}

impl State {
    pub(in crate::browse) fn new(guard: Guard, options: BrowseOptions) -> Self {
        let quarter = options.memory / 4;
        Self {
            guard,
            // A quarter each for downloads and kept files, the rest for requests.
            workshop: Workshop::new(options.memory - 2 * quarter),
            downloads: Workshop::new(quarter),
            kept: Kept::new(quarter),
            games: Mutex::default(),
            opening: Arc::new(tokio::sync::Mutex::new(0)),
            remembered: Remembered::new(options.remember_in.as_deref()),
            selections: Mutex::default(),
            draft: tokio::sync::Mutex::default(),
            end: Notify::new(),
            options,
        }
    }

    /// Waits until the page asks to end.
    pub(in crate::browse) async fn ended(&self) {
        self.end.notified().await;
    }

    /// Asks to end.
    pub(super) fn end(&self) {
        self.end.notify_one();
    }

    /// The shown game.
    pub(super) fn opened(&self) -> Result<Arc<Opened>, Refusal> {
        lock(&self.games).opened().cloned()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
