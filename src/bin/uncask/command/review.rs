//! `uncask review`: shows the assets that differ between two versions in git.

use crate::args::ReviewArgs;
use crate::exit::Exit;
use crate::session::Session;
use crate::shared::review;

pub(crate) fn run(args: &ReviewArgs, session: &Session) -> anyhow::Result<Exit> {
    review::run(args, session)
}
