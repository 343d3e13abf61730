//! What the table shows, and what was found of late.

use super::find::Order;
use super::refusal::Refusal;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Searches whose results are kept: scrolling asks for one of them again and again.
const KEPT: usize = 6;

/// A search: what the table shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    pub text: String,
    /// In lower case, with `/` at its end; empty for everything.
    #[serde(default)]
    pub folder: String,
    #[serde(default)]
    pub order: Order,
    #[serde(default)]
    pub reversed: bool,
    /// Whether it is about what differs between two builds.
    #[serde(default)]
    pub compared: bool,
}

/// The rows that the last searches found.
#[derive(Debug, Default)]
pub(super) struct Searches(Mutex<VecDeque<(Search, Arc<[u32]>)>>);

impl Searches {
    /// What a search found before, or finds now.
    pub(super) fn find(
        &self,
        search: &Search,
        find: impl FnOnce() -> Result<Vec<u32>, Refusal>,
    ) -> Result<Arc<[u32]>, Refusal> {
        if let Some((_, rows)) = self.lock().iter().find(|(known, _)| known == search) {
            return Ok(Arc::clone(rows));
        }
        let rows: Arc<[u32]> = find()?.into();
        let mut kept = self.lock();
        kept.truncate(KEPT - 1);
        kept.push_front((search.clone(), Arc::clone(&rows)));
        Ok(rows)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Search, Arc<[u32]>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
