//! `uncask git`: makes git show assets as text, and merge them.

mod difftool;
mod install;
mod merge;
mod resolve;
mod textconv;
mod versions;

use crate::args::{GitArgs, GitCommand};
use crate::exit::Exit;
use crate::session::Session;

pub(crate) fn run(args: &GitArgs, session: &Session) -> anyhow::Result<Exit> {
    match &args.command {
        GitCommand::Install(args) => install::run(args, session),
        GitCommand::Uninstall(args) => install::remove(args, session),
        GitCommand::Difftool(args) => difftool::run(args, session),
        GitCommand::Merge(args) => merge::run(args, session),
        GitCommand::Resolve(args) => resolve::run(args, session),
        GitCommand::Textconv(args) => textconv::run(args, session),
    }
}
