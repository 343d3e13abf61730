//! Compares another build with the shown game.

use super::open::open_game;
use super::state::{State, lock};
use crate::browse::comparison::{Comparison, Other};
use crate::browse::server::reply::{self, Refusal, Reply};
use crate::browse::server::request;
use hyper::body::Incoming;
use std::sync::Arc;

/// Opens another build and compares; the shown game stays in any case.
pub(super) async fn compare(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    let Other { opening, is_newer } = request::body(body).await?;
    let shown = state.opened()?;
    // The last comparison is about to be replaced, and two at once would take twice the memory.
    lock(&state.games).comparison = None;
    let number = shown.number;
    let compare = move |other, context: &_| Comparison::beside(shown, other, is_newer, context);
    let comparison = Arc::new(open_game(state, opening, compare).await?);
    let overview = comparison.overview();
    let mut games = lock(&state.games);
    // Another game may have been opened meanwhile, to which this comparison does not belong.
    if games.shown.as_ref().is_none_or(|shown| shown.number != number) {
        return Err(Refusal::other_game());
    }
    games.comparison = Some(comparison);
    drop(games);
    reply::json(&overview)
}

/// Closes the other build.
pub(super) fn end(state: &State) -> Result<Reply, Refusal> {
    lock(&state.games).comparison = None;
    reply::json(&())
}
