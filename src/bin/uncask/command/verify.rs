//! `uncask verify`: compares content with recorded hashes.

mod manifest;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::printer;
use crate::selection;
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use uncask::game::Lend;

pub(crate) fn run(args: &VerifyArgs, session: &Session) -> anyhow::Result<Exit> {
    if !args.manifest.is_empty() {
        return manifest::run(args, session);
    }
    let game = session.open(&args.store, Lend::Never)?;
    let mut entries = selection::select_from(session, &game, &args.select, !args.winners)?;
    // Delete records only say that a file is gone; there is no content to check.
    entries.retain(|entry| !game.at(*entry).is_delete_record());
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    if let Some(shard) = args.shard {
        entries = game.share(shard, &entries);
    }
    // Counted only for the note: overridden chunks are checked as well.
    let mut winners = entries.clone();
    game.retain_winners(&mut winners);
    let overridden = (entries.len() - winners.len()) as u64;
    let (watched, progress) = session.watched(&game, "chunks");
    let outcome = session.interruptible(|| watched.verify(&entries, args.fail_fast))?;
    progress.finish();
    let job = JobTitle { schema: "uncask.verify/2", verb: "verified", total: entries.len() as u64 };
    let extra = serde_json::json!({ "overridden": overridden });
    let exit = summary::finish_with(session, &game, &outcome, &job, progress.elapsed(), extra)?;
    if overridden > 0 {
        let number = printer::counted(overridden, "of them is", "of them are");
        let note = format!("{number} overridden by other containers; --winners checks the others alone");
        session.printer.note(&note);
    }
    Ok(exit)
}
