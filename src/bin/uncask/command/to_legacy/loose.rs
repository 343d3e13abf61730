//! Converts loose zen packages.

use super::report;
use super::warnings::warn_of_missing_scripts;
use crate::args::ToLegacyArgs;
use crate::exit::{Exit, UsageError};
use crate::printer::counted;
use crate::session::Session;
use std::sync::Arc;
use uncask::game::{DiscoverError, Filter, FilterSpec, Lend, LoosePackages, discover};

/// The loose packages of the input, if it contains no containers.
pub(super) fn find(args: &ToLegacyArgs, session: &Session) -> anyhow::Result<Option<LoosePackages>> {
    match discover(&args.store.input) {
        Ok(found) if found.paths.is_empty() => {}
        Err(DiscoverError::Empty { .. } | DiscoverError::Other { .. }) => {}
        _ => return Ok(None),
    }
    if !args.store.more_inputs.is_empty() {
        return Err(UsageError(
            "loose packages must come from one input; add containers with --base".to_owned(),
        )
        .into());
    }
    // Kinds and chunk ids do not apply to files.
    let filter = Filter::new(&FilterSpec {
        patterns: args.select.patterns.clone(),
        exclude: args.select.exclude.clone(),
        regex: args.select.regex.clone(),
        ..FilterSpec::default()
    })?;
    let found = LoosePackages::find(&args.store.input, session.memory(), |path| filter.matches_path(path));
    // An input without packages is left to opening it, which has a better message.
    Ok((!found.is_empty() || !found.problems.is_empty()).then_some(found))
}

pub(super) fn run(args: &ToLegacyArgs, session: &Session, found: LoosePackages) -> anyhow::Result<Exit> {
    if args.write.manifest.is_some() {
        return Err(
            UsageError("--manifest works for packages in containers, not for loose ones".to_owned()).into()
        );
    }
    // Only --base containers are opened: they supply script objects and other packages.
    let game = session.open_inputs(&[], &args.store, Lend::Never)?;
    session.warn_of_locks(&game);
    if !found.others.is_empty() {
        let number = counted(found.others.len() as u64, "file is", "files are");
        session.printer.note(&format!("{number} not zen packages and were skipped"));
    }
    for problem in &found.unread {
        session.printer.problem(problem);
    }
    let incomplete = !found.unread.is_empty();
    let sink = session.output(&args.output, args.write.resume, args.write.shard)?;
    let options = args.options();
    let (watched, progress) = session.watched(&game, "chunks");
    let total = (found.len() + found.bulk_len()) as u64;
    warn_of_missing_scripts(session, &game);
    let outcome =
        session.interruptible(|| watched.loose_to_legacy(found, Arc::clone(&sink) as _, options))?;
    progress.finish();
    session.warn_of_edited(&*sink);
    let exit = report::finish(args, session, &game, &outcome, total, progress.elapsed())?;
    Ok(if exit == Exit::Ok && incomplete { Exit::Input } else { exit })
}
