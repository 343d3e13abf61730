//! Finds the localization files of the inputs.

use crate::args::StoreArgs;
use crate::session::Session;
use std::path::{Path, PathBuf};
use uncask::store::{DiscoverError, Lend, Store, discover};
use uncask::texts::{TextFiles, find_texts};

/// Reads every `.locres` of the inputs, in containers and loose.
pub(super) fn find(args: &StoreArgs, session: &Session) -> anyhow::Result<(Store, TextFiles)> {
    let inputs: Vec<PathBuf> = std::iter::once(&args.input).chain(&args.more_inputs).cloned().collect();
    let mut containers = inputs.clone();
    // The store would refuse inputs without containers, but loose files are fine here.
    containers.retain(|input| has_containers(input));
    let store = session.open_inputs(&containers, args, Lend::Never)?;
    session.warn_of_locks(&store);
    let context = session.context(true);
    let found = session.block_on(find_texts(&store, &inputs, &context))?;
    for problem in &found.problems {
        session.printer.failure(problem);
    }
    Ok((store, found))
}

/// True if an input has containers, or is something that the store should report.
fn has_containers(input: &Path) -> bool {
    let is_text = input.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("locres"));
    match discover(input) {
        Ok(found) => !found.paths.is_empty(),
        Err(DiscoverError::Empty { .. }) => false,
        Err(DiscoverError::Other { .. }) => !is_text,
        Err(_) => true,
    }
}
