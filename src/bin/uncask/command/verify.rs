//! `uncask verify`: compares content with recorded hashes.

mod manifest;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::printer;
use crate::selection;
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use uncask::store::Lend;

pub(crate) fn run(args: &VerifyArgs, session: &Session) -> anyhow::Result<Exit> {
    if !args.manifest.is_empty() {
        return manifest::run(args, session);
    }
    let store = session.open(&args.store, Lend::Never)?;
    let mut entries = selection::select_from(session, &store, &args.select, !args.winners)?;
    // Delete records only say that a file is gone; there is no content to check.
    entries.retain(|entry| !store.is_delete_record(*entry));
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &store, &args.select));
    }
    if let Some(shard) = args.shard {
        entries = shard.take(&store, &entries, |entry| entry);
    }
    // Counted only for the note: overridden chunks are checked as well.
    let mut winners = entries.clone();
    store.retain_winners(&mut winners);
    let overridden = (entries.len() - winners.len()) as u64;
    let (context, progress) = session.observed(true, "chunks");
    let job = uncask::extract::verify(&store, &entries, &context, args.fail_fast);
    let outcome = session.block_on(job)?;
    progress.finish();
    let job = JobTitle { schema: "uncask.verify/2", verb: "verified", total: entries.len() as u64 };
    let extra = serde_json::json!({ "overridden": overridden });
    let exit = summary::finish_with(session, &store, &outcome, &job, progress.elapsed(), extra)?;
    if overridden > 0 {
        let number = printer::counted(overridden, "of them is", "of them are");
        let note = format!("{number} overridden by other containers; --winners checks the others alone");
        session.printer.note(&note);
    }
    Ok(exit)
}
