//! `uncask git`: makes git show assets as text.

mod difftool;
mod install;
mod textconv;

use crate::args::{GitArgs, GitCommand};
use crate::exit::Exit;
use crate::session::Session;

pub(crate) fn run(args: &GitArgs, session: &Session) -> anyhow::Result<Exit> {
    match &args.command {
        GitCommand::Install(args) => install::run(args, session),
        GitCommand::Uninstall(args) => install::remove(args, session),
        GitCommand::Difftool(args) => difftool::run(args, session),
        GitCommand::Textconv(args) => textconv::run(args, session),
    }
}
