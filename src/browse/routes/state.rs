use super::selection::Selection;
use crate::browse::comparison::Comparison;
use crate::browse::guard::Guard;
use crate::browse::kept::Kept;
use crate::browse::options::BrowseOptions;
use crate::browse::remembered::Remembered;
use crate::browse::reply::Refusal;
use crate::browse::row_id::RowId;
use crate::browse::session::Opened;
use crate::browse::work::Workshop;
use crate::store::Entry;
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
    /// Files that were made for the page.
    pub(super) kept: Kept,
    pub(super) games: Mutex<Games>,
    /// Opened one after the other, so that two do not take twice the memory. It is the number of the last one.
    pub(super) opening: Arc<tokio::sync::Mutex<u32>>,
    /// What was opened.
    pub(super) remembered: Remembered,
    /// Selections that a download is going to ask for.
    pub(super) selections: Mutex<VecDeque<(u64, Selection)>>,
    end: Notify,
}

/// What is open.
#[derive(Debug, Default)]
pub(super) struct Games {
    pub shown: Option<Arc<Opened>>,
    /// The game that is shown and another one.
    pub comparison: Option<Arc<Comparison>>,
}

/// A row of a game.
pub(super) struct Place {
    pub opened: Arc<Opened>,
    pub row: usize,
    pub entry: Entry,
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
        let opened = lock(&self.games).shown.clone();
        opened.ok_or_else(|| Refusal::new(StatusCode::CONFLICT, "no game is open"))
    }

    /// What differs between the game that is shown and another one.
    pub(super) fn comparison(&self) -> Result<Arc<Comparison>, Refusal> {
        let comparison = lock(&self.games).comparison.clone();
        comparison.ok_or_else(|| Refusal::new(StatusCode::CONFLICT, "no builds are compared"))
    }

    /// The file in a row of one of the games that are open.
    pub(super) fn place(&self, RowId { game, row }: RowId) -> Result<Place, Refusal> {
        let opened = lock(&self.games).game(game);
        let opened = opened.ok_or_else(Refusal::other_game)?;
        let row = row as usize;
        let entry = opened.entry(row)?;
        Ok(Place { opened, row, entry })
    }
}

impl Games {
    fn game(&self, number: u32) -> Option<Arc<Opened>> {
        let compared = self.comparison.iter().flat_map(|comparison| [&comparison.old, &comparison.new]);
        self.shown.iter().chain(compared).find(|opened| opened.number == number).cloned()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
