//! Selections with what they need.

use crate::printer;
use crate::session::Session;
use uncask::game::{Entry, Game};

/// Adds the dependencies of the selected packages, and reports missing ones.
pub(crate) fn with_dependencies(
    session: &Session,
    game: &Game,
    entries: &[Entry],
) -> anyhow::Result<Vec<Entry>> {
    let packages = game.packages();
    let found = game.with_dependencies(entries)?;
    // A package whose imports cannot be read may need more than was found.
    for problem in packages.take_problems() {
        session.printer.warning(&format!("some dependencies are unknown: {problem}"));
    }
    if !found.missing.is_empty() {
        let number = printer::counted(found.missing.len() as u64, "dependency is", "dependencies are");
        let message = format!("{number} in none of the containers");
        session.printer.warning(&message);
    }
    Ok(found.entries)
}
