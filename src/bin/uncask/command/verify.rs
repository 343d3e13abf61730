//! `uncask verify`: compares content with the recorded hashes.

mod manifest;

use super::summary::{self, Job};
use crate::args::VerifyArgs;
use crate::exit::{self, Exit};
use crate::progress::Progress;
use crate::session::{self, Session};

pub(crate) fn run(args: &VerifyArgs, session: &Session) -> anyhow::Result<Exit> {
    if !args.manifest.is_empty() {
        return manifest::run(args, session);
    }
    let store = session.open(&args.store)?;
    let mut entries = session::select(&store, &args.select)?;
    if entries.is_empty() {
        return Ok(exit::nothing_matched(session, &store));
    }
    if let Some(shard) = args.shard {
        entries = shard.take(&store, &entries, |entry| entry);
    }
    let context = session.context(true)?;
    let progress = Progress::new(&session.printer);
    let job = uncask::extract::verify(&store, &entries, &context, args.fail_fast, &progress);
    let outcome = session.block_on(&context, job)?;
    progress.finish();
    let job = Job { schema: "uncask.verify/1", verb: "verified", total: entries.len() as u64 };
    summary::finish(session, &store, &outcome, &job, progress.elapsed())
}
