//! `--game`: the target game of a mod.

use crate::args::StoreArgs;
use crate::session::Session;
use uncask::game::{BaseGame, Lend};

/// Opens the containers of the game.
pub(crate) fn open(args: &StoreArgs, session: &Session) -> anyhow::Result<BaseGame> {
    let game = session.open(args, Lend::Never)?;
    session.warn_of_locks(&game);
    let game = game.as_base();
    // Their absence turns off a check, which the user should know.
    if game.packages().scripts().is_none() {
        let problem = "the game's script objects are not available, so that native imports are not checked";
        session.printer.warning(problem);
    }
    Ok(game)
}
