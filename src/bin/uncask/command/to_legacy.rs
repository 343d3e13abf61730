//! `uncask to-legacy`: packages as the cooker wrote them.

mod loose;
mod report;

use super::dry_run::{self, Planned};
use super::output_size;
use super::unpack::write_manifest;
use crate::args::ToLegacyArgs;
use crate::exit::{self, Exit};
use crate::printer::counted;
use crate::progress::Progress;
use crate::selection;
use crate::session::Session;
use std::sync::Arc;
use uncask::error::ErrorKind;
use uncask::extract::legacy::{ConvertOptions, LegacyOptions, LegacyOutputs, LegacySelection, to_legacy};
use uncask::extract::{Manifest, ManifestHead, UnpackOptions};
use uncask::package::convert::Target;
use uncask::store::Store;
use uncask::store::packages::Packages;

pub(crate) fn run(args: &ToLegacyArgs, session: &Session) -> anyhow::Result<Exit> {
    if let Some(found) = loose::find(args, session)? {
        return loose::run(args, session, found);
    }
    let store = session.open_importing(&args.store)?;
    let mut entries = selection::select(session, &store, &args.select)?;
    if let Some(old) = &args.write.changed_since {
        entries = session.changed_since(old, &args.store, &store, &entries)?;
    }
    let mut selection = LegacySelection::new(&store, &entries, args.select.all);
    if args.no_shaders {
        selection.libraries.clear();
    }
    if selection.packages.is_empty() && selection.cooked.is_empty() && selection.libraries.is_empty() {
        return Ok(selection::nothing_matched(session, &store, &args.select));
    }
    warn_of_shared_ids(session, &store, &selection);
    let mut outputs = LegacyOutputs::new(&store, &selection);
    let manifest = args.write.manifest.as_deref();
    let manifest = manifest.map(|path| (path, ManifestHead::legacy(&store, &outputs, args.write.shard)));
    if let Some(shard) = args.write.shard {
        outputs.retain(&store, &selection, shard);
    }
    output_size::check(args.max_output, &store, outputs.iter().map(|(entry, _)| entry), &args.store.input)?;
    if args.write.dry_run {
        return dry_run(session, &store, &outputs);
    }
    let sink = session.output(&args.output, &args.write)?;
    let options = options(args);
    let context = session.context(options.unpack.verify);
    let progress = Progress::new(&session.printer, "chunks");
    let packages = session.packages(&store);
    let total = outputs.len() as u64;
    warn_of_missing_scripts(session, &packages);
    let listed = if manifest.is_some() { outputs.clone() } else { LegacyOutputs::default() };
    let job = to_legacy(packages, outputs, Arc::clone(&sink) as _, &context, options, &progress);
    let outcome = session.block_on(&context, job)?;
    progress.finish();
    if let Some((path, head)) = manifest.filter(|_| !outcome.chunks.cancelled) {
        let manifest = Manifest::legacy(head, &store, &listed, &outcome.assets, &*sink);
        write_manifest(manifest, &outcome.chunks, path)?;
    }
    for problem in outcome.problems.iter().filter(|problem| problem.kind() != ErrorKind::Key) {
        session.printer.warning(&format!("some imports are unknown: {problem}"));
    }
    report::finish(args, session, &store, &outcome, total, progress.elapsed())
}

/// Ids of packages that are listed one by one.
const LISTED: usize = 5;

/// Several packages with one id are several files, but the engine loads only one of them.
fn warn_of_shared_ids(session: &Session, store: &Store, selection: &LegacySelection) {
    let sharing = selection.sharing_ids(store);
    for entries in sharing.values().take(LISTED) {
        let id = entries.first().and_then(|entry| store.chunk_id(*entry)).unwrap_or_default();
        let names: Vec<String> =
            entries.iter().take(LISTED).map(|entry| store.display_path(*entry)).collect();
        let names = names.join(", ");
        let packages = counted(entries.len() as u64, "package has", "packages have");
        session
            .printer
            .warning(&format!("{packages} the chunk id {id}, so a game loads only one of them: {names}"));
    }
    if let Some(more) = sharing.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let ids = counted(more as u64, "chunk id belongs", "chunk ids belong");
        session.printer.warning(&format!("{ids} to several packages, too"));
    }
}

/// Without script objects no native class has a name.
fn warn_of_missing_scripts(session: &Session, packages: &Packages) {
    if packages.scripts().is_none() {
        let hint = "add the game's global.utoc, or its Paks folder, with --base";
        session.printer.warning(&format!("no script objects found, so native imports have no names; {hint}"));
    }
}

fn options(args: &ToLegacyArgs) -> LegacyOptions {
    LegacyOptions {
        unpack: UnpackOptions {
            overwrite: args.write.overwrite(),
            verify: !args.write.no_verify,
            strict: args.write.strict,
            fail_fast: args.fail_fast,
        },
        convert: ConvertOptions {
            target: Target { release: args.engine },
            check: args.check,
            sidecar: args.sidecar,
        },
    }
}

fn dry_run(session: &Session, store: &Store, outputs: &LegacyOutputs) -> anyhow::Result<Exit> {
    let files = outputs.iter().map(|(entry, path)| Planned { path, bytes: output_size::of(store, entry) });
    dry_run::print(session, "uncask.to-legacy.dry_run/1", files, |files, bytes| {
        format!("would convert {}, {bytes}", counted(files, "chunk", "chunks"))
    })?;
    Ok(exit::of_store(store))
}
