//! `uncask to-legacy`: converts packages to the cooker's form.

mod loose;
mod report;
mod warnings;

use crate::args::ToLegacyArgs;
use crate::exit::{self, Exit};
use crate::printer::counted;
use crate::selection;
use crate::session::Session;
use crate::shared::dry_run::{self, Planned};
use crate::shared::manifest;
use crate::shared::output_size;
use std::sync::Arc;
use uncask::error::ErrorKind;
use uncask::game::{Game, LegacyOutputs, Lend};
use warnings::{warn_of_missing_scripts, warn_of_shared_ids};

pub(crate) fn run(args: &ToLegacyArgs, session: &Session) -> anyhow::Result<Exit> {
    if let Some(found) = loose::find(args, session)? {
        return loose::run(args, session, found);
    }
    let game = session.open(&args.store, Lend::Always)?;
    let mut entries = selection::select(session, &game, &args.select)?;
    if let Some(old) = &args.write.changed_since {
        entries = session.changed_since(old, &args.store, &game, &entries)?;
    }
    let mut selection = game.legacy_selection(&entries, args.select.all);
    if args.no_shaders {
        selection.libraries.clear();
    }
    if selection.packages.is_empty() && selection.cooked.is_empty() && selection.libraries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    warn_of_shared_ids(session, &game, &selection);
    let mut outputs = game.legacy_outputs(&selection);
    let manifest = args.write.manifest.as_deref();
    // The manifest describes the whole job, so its head is made before the shard is taken.
    let manifest = manifest.map(|path| (path, game.legacy_manifest_head(&outputs, args.write.shard)));
    if let Some(shard) = args.write.shard {
        game.retain_legacy_share(shard, &selection, &mut outputs);
    }
    output_size::check(args.max_output, &game, outputs.entries(), &args.store.input)?;
    if args.write.dry_run {
        return dry_run(session, &game, &outputs);
    }
    let sink = session.output(&args.output, args.write.resume, args.write.shard)?;
    let options = args.options();
    let (watched, progress) = session.watched(&game, "chunks");
    let total = outputs.len() as u64;
    warn_of_missing_scripts(session, &game);
    // The job consumes the outputs; keep a copy only if the manifest needs one.
    let listed = if manifest.is_some() { outputs.clone() } else { LegacyOutputs::default() };
    let outcome = session.interruptible(|| watched.to_legacy(outputs, Arc::clone(&sink) as _, options))?;
    progress.finish();
    session.warn_of_edited(&*sink);
    if let Some((path, head)) = manifest.filter(|_| !outcome.cancelled) {
        let manifest = game.legacy_manifest(head, &listed, &outcome.done, &*sink);
        manifest::write(manifest, &outcome, path)?;
    }
    // Key errors have been reported for the containers.
    for problem in outcome.done.problems.iter().filter(|problem| problem.kind() != ErrorKind::Key) {
        session.printer.warning(&format!("some imports are unknown: {problem}"));
    }
    report::finish(args, session, &game, &outcome, total, progress.elapsed())
}

fn dry_run(session: &Session, game: &Game, outputs: &LegacyOutputs) -> anyhow::Result<Exit> {
    let files = outputs.iter().map(|(entry, path)| Planned { path, bytes: output_size::of(game, entry) });
    dry_run::print(session, "uncask.to-legacy.dry_run/1", files, |files, bytes| {
        format!("would convert {}, {bytes}", counted(files, "chunk", "chunks"))
    })?;
    Ok(exit::of_store(game))
}
