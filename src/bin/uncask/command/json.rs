//! `uncask json`: writes the values of all objects.

use crate::args::JsonArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use crate::shared::values::{self, Chosen};
use std::path::Path;
use std::sync::Arc;
use uncask::game::{DirectorySink, ValueOptions};

pub(crate) fn run(args: &JsonArgs, session: &Session) -> anyhow::Result<Exit> {
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let options = ValueOptions {
        verify: !args.damage.no_verify,
        fail_fast: args.damage.fail_fast,
        ..values::options(&args.properties, &args.store.input, session)?
    };
    match &args.output {
        Some(folder) => to_folder(folder, args, session, chosen, options),
        None => to_stdout(args, session, chosen, options),
    }
}

fn to_folder(
    folder: &Path,
    args: &JsonArgs,
    session: &Session,
    Chosen { game, inputs, .. }: Chosen,
    options: ValueOptions,
) -> anyhow::Result<Exit> {
    let sink = Arc::new(DirectorySink::open(folder)?);
    let (watched, progress) = session.watched(&game, "packages");
    let total = inputs.len() as u64;
    let form = args.form.into();
    let outcome = session.interruptible(|| watched.to_json(inputs, sink, form, options))?;
    progress.finish();
    let missing = values::report_missing(session, &outcome.done, (&args.properties, &args.store.input));
    let job = JobTitle { schema: "uncask.json/2", verb: "wrote the properties of", total };
    let extra = values::unread_json(&outcome);
    let exit = summary::finish_with(session, &game, &outcome, &job, progress.elapsed(), extra)?;
    Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
}

fn to_stdout(
    args: &JsonArgs,
    session: &Session,
    Chosen { game, inputs, .. }: Chosen,
    options: ValueOptions,
) -> anyhow::Result<Exit> {
    // Several documents on stdout would not be valid JSON.
    if inputs.len() > 1 {
        let names: Vec<&str> = inputs.items().iter().take(3).map(|item| item.name.as_str()).collect();
        let found = counted(inputs.len() as u64, "package matches", "packages match");
        let hint = "name one of them, or a folder for all with -o";
        return Err(UsageError(format!("{found}, such as {}; {hint}", names.join(", "))).into());
    }
    let outcome = game.json_of(inputs, args.form.into(), options, printer::json())?;
    let missing = values::report_missing(session, &outcome.done, (&args.properties, &args.store.input));
    for failure in &outcome.mismatches {
        session.printer.failure(&failure.error);
    }
    let exit = exit::of_outcome(&outcome, &game);
    Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
}
