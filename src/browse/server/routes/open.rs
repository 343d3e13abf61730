//! Opens games, and compares them with other builds.

use super::state::{State, lock};
use crate::browse::comparison::{Comparison, Other, Overview};
use crate::browse::games::Games;
use crate::browse::server::remembered::Recent;
use crate::browse::server::reply::{self, Refusal, Reply};
use crate::browse::server::request;
use crate::browse::session::{Opened, Opening, Summary};
use crate::game::Cpu;
use crate::job::Context;
use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The open game, and choices for the page.
#[derive(Serialize)]
struct Now {
    /// The game given at program start.
    asked: Option<String>,
    /// Folder for saving.
    save_to: Option<String>,
    /// Opened games, newest first.
    recent: Vec<Recent>,
    /// File with remembered keys, if the page asks for it.
    remembered_in: Option<String>,
    version: &'static str,
    game: Option<Summary>,
    comparison: Option<Overview>,
}

/// Answers with the open game.
pub(super) fn summary(state: &State) -> Result<Reply, Refusal> {
    let text = |path: Option<&Path>| path.map(|path| path.display().to_string());
    let (recent, options) = (state.remembered.recent(), &state.options);
    let Games { shown, comparison } = &*lock(&state.games);
    reply::json(&Now {
        asked: text(options.game.as_deref()),
        save_to: text(options.save_to.as_deref()),
        recent,
        remembered_in: text(state.remembered.file()),
        version: env!("CARGO_PKG_VERSION"),
        game: shown.as_ref().map(|opened| opened.summary()),
        comparison: comparison.as_ref().map(|comparison| comparison.overview()),
    })
}

/// Opens a game in place of the shown one, which stays if that fails.
pub(super) async fn open(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    let opening: Opening = request::body(body).await?;
    let opened = open_game(state, opening, |opened, _| Ok(opened)).await?;
    let summary = opened.summary();
    *lock(&state.games) = Games { shown: Some(opened), comparison: None };
    reply::json(&summary)
}

/// Opens a game, and does some work with it.
pub(super) async fn open_game<T: Send + 'static>(
    state: &State,
    mut opening: Opening,
    work: impl FnOnce(Arc<Opened>, &Context) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    opening.path = as_typed(&opening.path);
    opening.mappings = opening.mappings.map(|path| as_typed(&path));
    // An empty path would open the current folder.
    if opening.path.as_os_str().is_empty() {
        return Err(Refusal::bad_request("no path is given"));
    }
    let options = &state.options;
    opening.ring = options.keys.clone();
    opening.base.clone_from(&options.base);
    (opening.threads, opening.memory) = (options.threads, options.memory);
    // Mappings and a release given at program start are for the game given there.
    if options.game.as_ref() == Some(&opening.path) {
        opening.mappings = opening.mappings.or_else(|| options.mappings.clone());
        opening.engine = opening.engine.or_else(|| options.engine.map(|engine| engine.name.to_owned()));
    }
    let path = opening.path.display().to_string();
    // Only keys typed in now are stored; those from the file are there already.
    let to_remember = if opening.remembers_keys { opening.keys.clone() } else { Vec::new() };
    if opening.keys.is_empty() {
        opening.keys = state.remembered.keys(&path);
    }
    let mut number = Arc::clone(&state.opening).lock_owned().await;
    *number += 1;
    let this = *number;
    // The lock on opening moves into the work, which takes a moment to end after a cancel.
    let cpu = Cpu::default();
    let work = state.workshop.run(&cpu, move |context| {
        let opened = Opened::open(opening, this, context)?;
        Ok((work(Arc::new(opened), context)?, number))
    });
    let (done, _number) = work.await?;
    let is_asked = !to_remember.is_empty();
    match state.remembered.add(&path, to_remember) {
        // A path that will be forgotten is no reason to fail, but a key that was to be kept is.
        Err(error) if is_asked => {
            let file = state.remembered.file().unwrap_or(Path::new("")).display();
            Err(Refusal::unprocessable(format!("the key cannot be remembered: {error}: {file}")))
        }
        _ => Ok(done),
    }
}

/// The path that somebody has typed or pasted: without the quotes that file managers put around it, with `~` for the home folder.
pub(super) fn as_typed(path: &Path) -> PathBuf {
    let Some(text) = path.to_str().map(str::trim) else { return path.to_owned() };
    let inner = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    let text = inner.unwrap_or(text);
    let below_home = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
    match below_home.zip(std::env::home_dir()) {
        Some((rest, home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        None => text.into(),
    }
}

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
pub(super) fn end_comparison(state: &State) -> Result<Reply, Refusal> {
    lock(&state.games).comparison = None;
    reply::json(&())
}

/// A request to forget games.
#[derive(Deserialize)]
struct Forgotten {
    /// The game; `None` for all.
    path: Option<String>,
}

/// Removes a game and its keys from the list.
pub(super) async fn forget(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let Forgotten { path } = request::body(body).await?;
    let forgotten = state.remembered.forget(path.as_deref());
    forgotten.map_err(|error| Refusal::unprocessable(format!("it cannot be forgotten: {error}")))?;
    reply::json(&state.remembered.recent())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_as_people_paste_them() {
        let typed = |text: &str| as_typed(Path::new(text));
        assert_eq!(typed(r#" "C:\My Games\Paks" "#), Path::new(r"C:\My Games\Paks"));
        assert_eq!(typed("'/games/My Game'"), Path::new("/games/My Game"));
        assert_eq!(typed("/games/O'Neill"), Path::new("/games/O'Neill"));
        assert_eq!(typed("\"\""), Path::new(""));
        let home = std::env::home_dir().unwrap();
        assert_eq!(typed("~/games"), home.join("games"));
        assert_eq!(typed("~"), home);
        assert_eq!(typed("~mods"), Path::new("~mods"));
    }
}
