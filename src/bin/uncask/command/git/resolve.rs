//! `uncask git resolve`: merges assets in conflict again, with a version that decides.

use super::versions::{Versions, WrittenAs};
use crate::args::GitResolveArgs;
use crate::exit::Exit;
use crate::session::Session;
use crate::shared::repository::stage;
use anyhow::bail;
use std::path::Path;

pub(super) fn run(args: &GitResolveArgs, session: &Session) -> anyhow::Result<Exit> {
    let mut exit = Exit::Ok;
    for path in &args.paths {
        if one(path, args, session)? != Exit::Ok {
            exit = Exit::Failed;
        }
    }
    if exit == Exit::Ok && !session.printer.json {
        session.printer.note("`git add` marks them as resolved");
    }
    Ok(exit)
}

fn one(path: &Path, args: &GitResolveArgs, session: &Session) -> anyhow::Result<Exit> {
    let [base, ours, theirs] = [1, 2, 3].map(|number| stage(path, number));
    let (Some(ours), Some(theirs)) = (ours?, theirs?) else {
        bail!("{}: not in conflict, or one version removed it", path.display());
    };
    let versions =
        Versions { path: path.display().to_string(), base: base?.unwrap_or_default(), ours, theirs };
    versions.merge(path, WrittenAs::File, Some(args.prefer), session)
}
