//! Finds the localization files of the inputs.

use crate::args::StoreArgs;
use crate::inputs::has_extension;
use crate::session::Session;
use std::path::{Path, PathBuf};
use uncask::game::{DiscoverError, Game, Lend, TextFiles, discover};

/// Reads every `.locres` of the inputs, in containers and loose.
pub(super) fn find(args: &StoreArgs, session: &Session) -> anyhow::Result<(Game, TextFiles)> {
    let inputs: Vec<PathBuf> = std::iter::once(&args.input).chain(&args.more_inputs).cloned().collect();
    let mut containers = inputs.clone();
    // The store would refuse inputs without containers, but loose files are fine here.
    containers.retain(|input| has_containers(input));
    let game = session.open_inputs(&containers, args, Lend::Never)?;
    session.warn_of_locks(&game);
    let found = session.interruptible(|| game.find_texts(&inputs))?;
    for problem in &found.problems {
        session.printer.failure(problem);
    }
    Ok((game, found))
}

/// True if an input has containers, or is something that opening it should report.
fn has_containers(input: &Path) -> bool {
    let is_text = has_extension(input, "locres");
    match discover(input) {
        Ok(found) => !found.paths.is_empty(),
        Err(DiscoverError::Empty { .. }) => false,
        Err(DiscoverError::Other { .. }) => !is_text,
        Err(_) => true,
    }
}
