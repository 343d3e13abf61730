//! `uncask text`: shows packages as text that is made for reviews.

use crate::args::TextArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use crate::shared::values::{self, Chosen};
use serde::Serialize;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{DirectorySink, PackageReview, ReviewOptions, ReviewSection, ReviewSettings};
use uncask::graph::Graph;

/// A review in JSON.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    package: &'a str,
    sections: &'a [ReviewSection],
    graphs: &'a [Graph],
}

pub(crate) fn run(args: &TextArgs, session: &Session) -> anyhow::Result<Exit> {
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let values = values::options_on_damage(&args.properties, &args.damage, (&args.store.input, session))?;
    let settings = ReviewSettings { review: ReviewOptions { all: args.select.all }, values };
    match &args.output {
        Some(folder) => to_folder(folder, args, session, chosen, settings),
        None => to_stdout(args, session, chosen, settings),
    }
}

fn to_folder(
    folder: &Path,
    args: &TextArgs,
    session: &Session,
    Chosen { game, inputs, .. }: Chosen,
    settings: ReviewSettings,
) -> anyhow::Result<Exit> {
    let sink = Arc::new(DirectorySink::open(folder)?);
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| watched.write_reviews(inputs, sink, settings))?;
    progress.finish();
    let missing =
        values::report_missing(session, &outcome.done.values, (&args.properties, &args.store.input));
    let total = outcome.done.packages + outcome.failures.len() as u64;
    let job = JobTitle { schema: "uncask.text-files/1", verb: "wrote the text of", total };
    let extra = serde_json::json!({ "lines": outcome.done.lines });
    let exit = summary::finish_with(session, &game, &outcome, &job, progress.elapsed(), extra)?;
    Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
}

fn to_stdout(
    args: &TextArgs,
    session: &Session,
    Chosen { game, inputs, .. }: Chosen,
    settings: ReviewSettings,
) -> anyhow::Result<Exit> {
    let is_json = session.printer.json;
    let is_alone = inputs.len() == 1;
    // Several documents would be no valid JSON.
    if is_json && !is_alone {
        let found = counted(inputs.len() as u64, "package matches", "packages match");
        return Err(UsageError(format!("{found}; name one of them, or a folder for all with -o")).into());
    }
    let mut is_first = true;
    let each = |found: PackageReview| {
        let printed = if is_json {
            print_document(&Document {
                schema: "uncask.text/1",
                package: &found.package,
                sections: &found.review.sections,
                graphs: &found.review.graphs,
            })
        } else {
            // The name of a file that is alone is nothing of its contents.
            let heading = (!is_alone).then(|| format!("package {}", found.package));
            let heading = heading.map(|heading| if is_first { heading } else { format!("\n{heading}") });
            print(heading.as_deref(), &found.review.to_string())
        };
        is_first = false;
        printed.map_err(Error::io("write", Path::new("stdout")))
    };
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| watched.each_review(inputs, settings, each))?;
    progress.finish();
    let missing =
        values::report_missing(session, &outcome.done.values, (&args.properties, &args.store.input));
    summary::failures(session, &outcome);
    let exit = exit::of_outcome(&outcome, &game);
    Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
}

fn print_document(document: &Document<'_>) -> io::Result<()> {
    let mut out = printer::json();
    serde_json::to_writer_pretty(&mut out, document)?;
    writeln!(out)?;
    out.flush()
}

/// Prints a text, with characters that control terminals escaped.
fn print(heading: Option<&str>, text: &str) -> io::Result<()> {
    let mut out = printer::out();
    for line in heading.into_iter().flat_map(str::lines).chain(text.lines()) {
        writeln!(out, "{line}")?;
    }
    out.flush()
}
