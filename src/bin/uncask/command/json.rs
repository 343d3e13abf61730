//! `uncask json`: what is in every object.

pub(super) mod mappings;

use super::summary::{self, Job};
use crate::args::JsonArgs;
use crate::exit::{Exit, UsageError};
use crate::printer::{self, counted};
use crate::progress::Progress;
use crate::selection;
use crate::session::Session;
use std::sync::Arc;
use uncask::error::ErrorKind;
use uncask::sink::DirectorySink;
use uncask::store::{DiscoverError, Store, discover};
use uncask::values::PackageInputs;
use uncask::values::json::{JsonOptions, JsonOutcome, json_of, to_json};

pub(crate) fn run(args: &JsonArgs, session: &Session) -> anyhow::Result<Exit> {
    let (store, inputs) = if is_loose(args) {
        let filter = selection::filter(&args.select)?;
        let inputs = PackageInputs::of_files(&args.store.input, |path| filter.matches_path(path));
        (session.open_inputs_importing(&args.store.more_inputs, &args.store)?, inputs)
    } else {
        let store = session.open_importing(&args.store)?;
        let entries = selection::select(session, &store, &args.select)?;
        let inputs = PackageInputs::of_store(&store, &entries);
        (store, inputs)
    };
    session.warn_of_locks(&store);
    for problem in &inputs.unread {
        session.printer.warning(&problem.to_string());
    }
    if inputs.is_empty() {
        if !is_loose(args) {
            return Ok(selection::nothing_matched(session, &store, &args.select));
        }
        session.printer.error(&format!("no package matches: {}", args.store.input.display()));
        return Ok(Exit::NothingMatched);
    }
    let options = JsonOptions {
        form: args.form.into(),
        mappings: mappings::load(args.mappings.as_deref(), &args.store.input, session)?,
        release: args.engine,
        fail_fast: args.fail_fast,
    };
    if args.output.is_some() {
        to_folder(args, session, &store, inputs, options)
    } else {
        to_stdout(session, &store, inputs, options)
    }
}

/// Whether the input is a file or a folder of packages, not of containers.
fn is_loose(args: &JsonArgs) -> bool {
    match discover(&args.store.input) {
        Ok(found) => found.paths.is_empty(),
        Err(error) => matches!(error, DiscoverError::Empty { .. } | DiscoverError::Other { .. }),
    }
}

fn to_folder(
    args: &JsonArgs,
    session: &Session,
    store: &Store,
    inputs: PackageInputs,
    options: JsonOptions,
) -> anyhow::Result<Exit> {
    let Some(folder) = &args.output else { return Ok(Exit::Ok) };
    let sink = Arc::new(DirectorySink::open(folder)?);
    let context = session.context(false);
    let progress = Progress::new(&session.printer, "packages");
    let total = inputs.len() as u64;
    let packages = session.packages(store);
    let job = to_json(packages, inputs, sink, &context, options, &progress);
    let outcome = session.block_on(&context, job)?;
    progress.finish();
    let missing = tell(session, &outcome);
    let job = Job { schema: "uncask.json/1", verb: "wrote the properties of", total };
    let exit = summary::finish(session, store, &outcome.packages, &job, progress.elapsed())?;
    Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
}

fn to_stdout(
    session: &Session,
    store: &Store,
    inputs: PackageInputs,
    options: JsonOptions,
) -> anyhow::Result<Exit> {
    if inputs.len() > 1 {
        let names: Vec<&str> = inputs.items().iter().take(3).map(|item| item.name.as_str()).collect();
        let found = counted(inputs.len() as u64, "package matches", "packages match");
        let hint = "name one of them, or a folder for all with -o";
        return Err(UsageError(format!("{found}, such as {}; {hint}", names.join(", "))).into());
    }
    let mut out = printer::json();
    let outcome = json_of(session.packages(store), inputs, 0, options, &mut out)?;
    let missing = tell(session, &outcome);
    Ok(if missing { Exit::Failed } else { Exit::Ok })
}

/// Says what is missing; returns whether properties could not be read for want of it.
fn tell(session: &Session, outcome: &JsonOutcome) -> bool {
    for problem in outcome.problems.iter().filter(|problem| problem.kind() != ErrorKind::Key) {
        session.printer.warning(&format!("some references are not known: {problem}"));
    }
    if outcome.without_mappings > 0 {
        let packages = counted(outcome.without_mappings, "package has", "packages have");
        let hint =
            "give the game's .usmap with --mappings (Dumper-7 or UE4SS write one from the running game)";
        session.printer.error(&format!("{packages} properties without tags, which need mappings; {hint}"));
    }
    outcome.without_mappings > 0
}
