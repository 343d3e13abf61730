//! `uncask git merge`: git's merge driver for assets.

use super::versions::{Versions, WrittenAs};
use crate::args::GitMergeArgs;
use crate::exit::Exit;
use crate::session::Session;
use anyhow::Context as _;
use std::path::Path;

pub(super) fn run(args: &GitMergeArgs, session: &Session) -> anyhow::Result<Exit> {
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let versions = Versions {
        path: args.path.clone().unwrap_or_else(|| args.ours.display().to_string()),
        base: read(&args.base)?,
        ours: read(&args.ours)?,
        theirs: read(&args.theirs)?,
    };
    let output = args.output.as_deref().unwrap_or(&args.ours);
    versions.merge(output, WrittenAs::Stored, args.prefer, session)
}
