//! `uncask code`: writes the functions of blueprints as code.

use crate::args::CodeArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use crate::shared::values::{self, Chosen};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{CodeForm, CodeOptions, CodeRead, DirectorySink, FunctionNames, Outcome, PackageCode};

pub(crate) fn run(args: &CodeArgs, session: &Session) -> anyhow::Result<Exit> {
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let values = values::options_on_damage(&args.properties, &args.damage, (&args.store.input, session))?;
    let form = args.form(session.printer.json);
    let options = CodeOptions { form, functions: FunctionNames::new(&args.function), values };
    match &args.output {
        Some(folder) => to_folder(folder, args, session, chosen, options),
        None => to_stdout(args, session, chosen, options),
    }
}

fn to_folder(
    folder: &Path,
    args: &CodeArgs,
    session: &Session,
    Chosen { game, inputs, .. }: Chosen,
    options: CodeOptions,
) -> anyhow::Result<Exit> {
    let sink = Arc::new(DirectorySink::open(folder)?);
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| watched.write_code(inputs, sink, options))?;
    progress.finish();
    let found_any = report(&outcome, args, session);
    let done = &outcome.done;
    let total = done.packages + outcome.failures.len() as u64;
    let job = JobTitle { schema: "uncask.code-files/1", verb: "wrote the code of", total };
    let extra = serde_json::json!({ "functions": done.functions, "without_pseudocode": done.unstructured });
    let exit = summary::finish_with(session, &game, &outcome, &job, progress.elapsed(), extra)?;
    Ok(if exit == Exit::Ok && !found_any { Exit::NothingMatched } else { exit })
}

fn to_stdout(
    args: &CodeArgs,
    session: &Session,
    Chosen { game, inputs, .. }: Chosen,
    options: CodeOptions,
) -> anyhow::Result<Exit> {
    // Several documents would be no valid JSON.
    if options.form == CodeForm::Json && inputs.len() > 1 {
        let found = counted(inputs.len() as u64, "package matches", "packages match");
        return Err(UsageError(format!("{found}; name one of them, or a folder for all with -o")).into());
    }
    let is_json = options.form == CodeForm::Json;
    let mut is_first = true;
    let each = |code: PackageCode| {
        let line = if std::mem::take(&mut is_first) { "" } else { "\n" };
        print(line, &code.text, is_json).map_err(Error::io("write", Path::new("stdout")))
    };
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| watched.each_code(inputs, options, each))?;
    progress.finish();
    let found_any = report(&outcome, args, session);
    summary::failures(session, &outcome);
    let exit = exit::of_outcome(&outcome, &game);
    Ok(if exit == Exit::Ok && !found_any { Exit::NothingMatched } else { exit })
}

/// Prints a document, with characters that control terminals escaped.
fn print(before: &str, text: &str, is_json: bool) -> io::Result<()> {
    if is_json {
        let mut out = printer::json();
        out.write_all(text.as_bytes())?;
        return out.flush();
    }
    let mut out = printer::out();
    for line in before.lines().chain(text.lines()) {
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// Reports what is no code, or could not be written as pseudo-code; returns true if there is any code.
fn report(outcome: &Outcome<CodeRead>, args: &CodeArgs, session: &Session) -> bool {
    let done = &outcome.done;
    values::report_engine(session, &done.values);
    if done.unstructured > 0 {
        let functions = counted(done.unstructured, "function is", "functions are");
        session.printer.warning(&format!("{functions} listed without pseudo-code, with the reason"));
    }
    if done.packages > 0 || outcome.cancelled || !outcome.failures.is_empty() {
        return true;
    }
    session.printer.error(&match args.function.as_slice() {
        [] => "no blueprint in what was selected: there are neither functions nor classes".to_owned(),
        names => format!("no function is named {}", names.join(", ")),
    });
    false
}
