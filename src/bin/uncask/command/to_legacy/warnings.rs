//! Warnings before packages are converted.

use crate::printer::counted;
use crate::session::Session;
use uncask::game::{Game, LegacySelection};

/// The most package ids listed individually.
const LISTED: usize = 5;

/// Warns of packages that share an id: each becomes a file, but the engine loads only one of them.
pub(super) fn warn_of_shared_ids(session: &Session, game: &Game, selection: &LegacySelection) {
    let sharing = game.sharing_ids(selection);
    for entries in sharing.values().take(LISTED) {
        let id = entries.first().map(|entry| game.at(*entry).id()).unwrap_or_default();
        let names: Vec<String> =
            entries.iter().take(LISTED).map(|entry| game.at(*entry).display_path()).collect();
        let names = names.join(", ");
        let packages = counted(entries.len() as u64, "package has", "packages have");
        session
            .printer
            .warning(&format!("{packages} the chunk id {id}, so a game loads only one of them: {names}"));
    }
    if let Some(more) = sharing.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let ids = counted(more as u64, "chunk id belongs", "chunk ids belong");
        session.printer.warning(&format!("{ids} to several packages, too"));
    }
}

/// Warns of missing script objects: without them, native classes have no names.
pub(super) fn warn_of_missing_scripts(session: &Session, game: &Game) {
    if game.packages().scripts().is_none() {
        let hint = "add the game's global.utoc, or its Paks folder, with --base";
        session.printer.warning(&format!("no script objects found, so native imports have no names; {hint}"));
    }
}
