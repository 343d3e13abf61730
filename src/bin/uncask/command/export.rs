//! `uncask export`: exports assets in common file formats.

mod classes;

use crate::args::ExportArgs;
use crate::exit::{self, Exit};
use crate::printer::{count, counted};
use crate::selection;
use crate::session::Session;
use crate::shared::dry_run::{self, Planned};
use crate::shared::manifest;
use crate::shared::summary::{self, JobTitle};
use crate::shared::values::{self, Chosen};
use std::collections::BTreeMap;
use std::sync::Arc;
use uncask::game::{ExportInputs, ExportOptions, ExportedAssets, Game, LooseMedia, NullSink, Outcome, Sink};

/// Number of classes listed without `-v`.
const LISTED: usize = 5;

pub(crate) fn run(args: &ExportArgs, session: &Session) -> anyhow::Result<Exit> {
    let write = &args.write;
    let mut chosen = Chosen::new(&args.store, &args.select, session)?;
    chosen.needs_containers("--manifest", write.manifest.is_some())?;
    if let Some(old) = &write.changed_since {
        chosen.needs_containers("--changed-since", true)?;
        chosen.retain_changed_since(old, &args.store, session)?;
    }
    let options = args.options()?;
    let mut inputs = ExportInputs {
        packages: std::mem::take(&mut chosen.inputs),
        media: chosen.game.media(&chosen.entries, &options),
        loose_media: loose_media(args, &chosen, &options)?,
    };
    if inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let input = (&*args.store.input, session);
    let mut values = values::options_on_damage(&args.properties, &write.damage, input)?;
    values.strict = write.strict;
    let game = chosen.game;
    // The manifest describes the whole job, so its head is made before the shard is taken.
    let manifest = write.manifest.as_deref();
    let manifest = manifest.map(|path| (path, game.export_manifest_head(&inputs, write.shard)));
    if let Some(shard) = write.shard {
        game.retain_export_share(shard, &mut inputs);
    }
    // Without output, the job exports into nothing: the same code decides on the files.
    let folder = if write.dry_run || args.summary {
        None
    } else {
        Some(session.output(args.output(), write.resume, write.shard)?)
    };
    let sink: Arc<dyn Sink> = match &folder {
        Some(folder) => Arc::clone(folder),
        None => Arc::new(NullSink),
    };
    let (watched, progress) = session.watched(&game, "packages");
    let total = inputs.packages.len() as u64;
    let outcome = session.interruptible(|| watched.export(inputs, Arc::clone(&sink), options, values))?;
    progress.finish();
    if let Some(folder) = &folder {
        session.warn_of_edited(&**folder);
    }
    if args.summary {
        classes::print(session, &outcome.done)?;
        return Ok(exit::of_outcome(&outcome, &game));
    }
    values::report_engine(session, &outcome.done.values);
    values::report_unread(session, &outcome.done.values.unread, (&args.properties, &args.store.input));
    report(session, &outcome.done, write.dry_run);
    if write.dry_run {
        return dry_run(session, &game, &outcome);
    }
    // A cancelled job has no manifest: it would look complete.
    if let Some((path, head)) = manifest.filter(|_| !outcome.cancelled) {
        let manifest = game.export_manifest(head, &outcome.done.complete, &*sink);
        manifest::write(manifest, &outcome, path)?;
    }
    let job = JobTitle { schema: "uncask.export/2", verb: "processed", total };
    let extra = extra(&outcome);
    summary::finish_with(session, &game, &outcome, &job, progress.elapsed(), extra)
}

/// Media files beside loose packages.
fn loose_media(args: &ExportArgs, chosen: &Chosen, options: &ExportOptions) -> anyhow::Result<LooseMedia> {
    // In containers and paks, media files are chunks, and are selected with the others.
    if !chosen.is_loose {
        return Ok(LooseMedia::default());
    }
    let filter = selection::filter(&args.select)?;
    let wanted = |path: &str| filter.matches_paths(&[path]);
    Ok(LooseMedia::below(&args.store.input, args.output(), options, wanted))
}

/// Prints the files that would be written. Assets are read for that, since only their content decides on the files.
fn dry_run(session: &Session, game: &Game, outcome: &Outcome<ExportedAssets>) -> anyhow::Result<Exit> {
    let files = outcome.done.exported.iter().flat_map(|(_, asset)| &asset.files);
    let files = files.map(|file| Planned { path: file.path.as_str(), bytes: file.bytes });
    dry_run::print(session, "uncask.export.dry_run/1", files, |files, bytes| {
        format!("would write {}, {bytes}", counted(files, "file", "files"))
    })?;
    summary::failures(session, outcome);
    Ok(exit::of_outcome(outcome, game))
}

/// Reports exported assets, and those left out.
fn report(session: &Session, done: &ExportedAssets, is_dry_run: bool) {
    for (package, left) in &done.left {
        session.printer.warning(&format!(
            "{package}: {} ({}) was not exported: {}",
            left.object, left.class, left.reason
        ));
    }
    for (package, asset) in &done.exported {
        if let Some(note) = &asset.note {
            session.printer.warning(&format!("{package}: {} ({}): {note}", asset.object, asset.class));
        }
    }
    let searched = done.searched();
    if searched > 0 {
        let assets = counted(searched, "asset has", "assets have");
        let hint = "give the game's .usmap with --mappings, so that normal maps and sRGB are certain";
        session.printer.warning(&format!("{assets} properties without tags, which need mappings; {hint}"));
    }
    if !done.other_classes.is_empty() {
        session.printer.note(&others(done, session.printer.is_verbose()));
    }
    let mut classes: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, asset) in &done.exported {
        *classes.entry(&asset.class).or_default() += 1;
    }
    let classes: Vec<String> = classes.iter().map(|(class, number)| format!("{number} {class}")).collect();
    if !classes.is_empty() && !is_dry_run {
        let (unchanged, skipped) = (done.unchanged(), done.kept());
        let mut line = format!("wrote {}", counted(done.files() - unchanged - skipped, "file", "files"));
        for (number, what) in [(unchanged, "already there"), (skipped, "skipped")] {
            if number > 0 {
                line = format!("{line}, {} {what}", count(number));
            }
        }
        session.printer.note(&format!("{line}: {}", classes.join(", ")));
    }
}

/// Summary such as `nothing to export in 12 packages: 7 Blueprint, 5 Material`.
fn others(done: &ExportedAssets, all: bool) -> String {
    let mut classes: Vec<(&str, u64)> =
        done.other_classes.iter().map(|(class, number)| (&**class, *number)).collect();
    // The most frequent classes first, since the list is cut.
    classes.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let total = classes.iter().map(|(_, number)| number).sum();
    let shown = if all { classes.len() } else { LISTED };
    let mut names: Vec<String> =
        classes.iter().take(shown).map(|(class, number)| format!("{number} {class}")).collect();
    if classes.len() > shown {
        names.push("…".to_owned());
    }
    format!("nothing to export in {}: {}", counted(total, "object", "objects"), names.join(", "))
}

/// Additional fields of the JSON report.
fn extra(outcome: &Outcome<ExportedAssets>) -> serde_json::Value {
    let done = &outcome.done;
    let with_package = |package: &str, asset: serde_json::Result<serde_json::Value>| {
        let mut asset = asset.unwrap_or_default();
        if let Some(fields) = asset.as_object_mut() {
            fields.insert("package".to_owned(), package.into());
        }
        asset
    };
    let exported: Vec<_> = done
        .exported
        .iter()
        .map(|(package, asset)| with_package(package, serde_json::to_value(asset)))
        .collect();
    let left: Vec<_> =
        done.left.iter().map(|(package, asset)| with_package(package, serde_json::to_value(asset))).collect();
    serde_json::json!({
        "files": done.files(),
        "file_bytes": done.bytes(),
        "files_unchanged": done.unchanged(),
        "files_kept": done.kept(),
        "exported": exported,
        "not_exported": left,
        "other_classes": done.other_classes,
        "unread_exports": outcome.unread_exports,
        "unread": done.values.unread,
    })
}
