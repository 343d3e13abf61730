//! Opening a game.

use super::state::{State, lock};
use crate::browse::reply::{self, Refusal, Reply};
use crate::browse::request;
use crate::browse::session::{Opened, Opening, Summary};
use hyper::body::Incoming;
use serde::Serialize;
use std::sync::Arc;

/// Games that are remembered until the program ends.
const RECENT: usize = 10;

/// What is open, and what the page may offer.
#[derive(Serialize)]
struct Now {
    /// What the program was asked to open.
    asked: Option<String>,
    /// The folder for saving.
    save_to: Option<String>,
    /// What was opened, the last first.
    recent: Vec<String>,
    version: &'static str,
    game: Option<Summary>,
}

/// What is open.
pub(super) fn summary(state: &State) -> Result<Reply, Refusal> {
    let text = |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.display().to_string());
    reply::json(&Now {
        asked: text(&state.options.game),
        save_to: text(&state.options.save_to),
        recent: lock(&state.recent).clone(),
        version: env!("CARGO_PKG_VERSION"),
        game: lock(&state.opened).as_ref().map(|opened| opened.summary()),
    })
}

/// Opens a game in place of the one that is open. If it cannot be opened, that one stays.
pub(super) async fn open(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    let mut opening: Opening = request::body(body).await?;
    if opening.path.as_os_str().is_empty() {
        return Err(Refusal::bad_request("no path is given"));
    }
    let options = &state.options;
    opening.ring = options.keys.clone();
    opening.base.clone_from(&options.base);
    (opening.threads, opening.memory) = (options.threads, options.memory);
    if options.game.as_ref() == Some(&opening.path) && opening.mappings.is_none() {
        opening.mappings.clone_from(&options.mappings);
    }
    let mut number = Arc::clone(&state.opening).lock_owned().await;
    *number += 1;
    let this = *number;
    let cpu = crate::pipeline::Cpu::default();
    // The turn goes with the work, which goes on when the page is reloaded meanwhile.
    let work = state.workshop.run(&cpu, move |_| Ok((Opened::open(opening, this)?, number)));
    let (opened, _number) = work.await?;
    let summary = opened.summary();
    {
        let mut recent = lock(&state.recent);
        recent.retain(|path| *path != summary.path);
        recent.insert(0, summary.path.clone());
        recent.truncate(RECENT);
    }
    *lock(&state.opened) = Some(Arc::new(opened));
    reply::json(&summary)
}
