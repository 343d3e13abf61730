//! `uncask unpack`: writes chunks as files.

use crate::args::UnpackArgs;
use crate::exit::{self, Exit};
use crate::printer::counted;
use crate::selection;
use crate::session::Session;
use crate::shared::dependencies;
use crate::shared::dry_run::{self, Planned};
use crate::shared::manifest;
use crate::shared::output_size;
use crate::shared::summary::{self, JobTitle};
use std::sync::Arc;
use uncask::game::{Game, Lend, Outputs, Overwrite, UnpackOptions};

pub(crate) fn run(args: &UnpackArgs, session: &Session) -> anyhow::Result<Exit> {
    let game = session.open(&args.store, Lend::ForPaths)?;
    let mut entries = selection::select(session, &game, &args.select)?;
    if let Some(old) = &args.write.changed_since {
        entries = session.changed_since(old, &args.store, &game, &entries)?;
    }
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    if args.with_deps {
        entries = dependencies::with_dependencies(session, &game, &entries)?;
    }
    let mut outputs = game.outputs(&entries, args.strip_prefix.as_deref());
    // The manifest describes the whole job, so its head is made before the shard is taken.
    let manifest =
        args.write.manifest.as_deref().map(|path| (path, game.manifest_head(&outputs, args.write.shard)));
    if let Some(shard) = args.write.shard {
        entries = game.share(shard, &entries);
        outputs.retain(&entries);
    }
    output_size::check(args.max_output, &game, outputs.iter().map(|output| output.entry), &args.store.input)?;
    if args.write.dry_run {
        return dry_run(session, &game, &outputs);
    }
    let sink = session.output(&args.output, args.write.resume, args.write.shard)?;
    let options = UnpackOptions {
        overwrite: args.write.overwrite(Overwrite::Different),
        verify: !args.write.damage.no_verify,
        strict: args.write.strict,
        fail_fast: args.write.damage.fail_fast,
    };
    let (watched, progress) = session.watched(&game, "chunks");
    // The job consumes the outputs; keep a copy only if the manifest needs one.
    let listed = if manifest.is_some() { outputs.clone() } else { Outputs::default() };
    let outcome = session.interruptible(|| watched.unpack(outputs, Arc::clone(&sink) as _, options))?;
    progress.finish();
    session.warn_of_edited(&*sink);
    if let Some((path, head)) = manifest.filter(|_| !outcome.cancelled) {
        let manifest = game.manifest(head, &listed, &*sink);
        manifest::write(manifest, &outcome, path)?;
    }
    let job = JobTitle { schema: "uncask.unpack/2", verb: "unpacked", total: entries.len() as u64 };
    summary::finish(session, &game, &outcome, &job, progress.elapsed())
}

fn dry_run(session: &Session, game: &Game, outputs: &Outputs) -> anyhow::Result<Exit> {
    let files = outputs
        .iter()
        .map(|output| Planned { path: output.path.as_str(), bytes: output_size::of(game, output.entry) });
    dry_run::print(session, "uncask.unpack.dry_run/1", files, |files, bytes| {
        format!("would write {}, {bytes}", counted(files, "file", "files"))
    })?;
    Ok(exit::of_store(game))
}
