//! Searches of the table, and a cache of their results.

use super::find::Order;
use super::refusal::Refusal;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Number of cached searches: scrolling repeats the same one.
const KEPT: usize = 6;

/// A search, which decides the content of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    pub text: String,
    /// Lower-case folder with a trailing `/`; empty for all.
    #[serde(default)]
    pub folder: String,
    #[serde(default)]
    pub order: Order,
    #[serde(default)]
    pub reversed: bool,
    /// True to search the differences between two builds.
    #[serde(default)]
    pub compared: bool,
}

/// Cache of rows found by the last searches.
#[derive(Debug, Default)]
pub(super) struct Searches(Mutex<VecDeque<(Search, Arc<[u32]>)>>);

impl Searches {
    /// The cached result of a search, or a new one.
    pub(super) fn find(
        &self,
        search: &Search,
        find: impl FnOnce() -> Result<Vec<u32>, Refusal>,
    ) -> Result<Arc<[u32]>, Refusal> {
        // A search is the same only if folder, order and direction are the same.
        if let Some((_, rows)) = self.lock().iter().find(|(known, _)| known == search) {
            return Ok(Arc::clone(rows));
        }
        // Not locked while searching: other searches may go on meanwhile.
        let rows: Arc<[u32]> = find()?.into();
        let mut kept = self.lock();
        // Newest first, so truncating drops the oldest.
        kept.truncate(KEPT - 1);
        kept.push_front((search.clone(), Arc::clone(&rows)));
        Ok(rows)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Search, Arc<[u32]>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
