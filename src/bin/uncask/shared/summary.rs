//! Summary of a finished job, with its failures.

use crate::exit::{self, Exit};
use crate::hint;
use crate::printer::{self, count, size};
use crate::session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use uncask::error::ErrorKind;
use uncask::game::{Failure, Game, Kind, Outcome};

/// Number of failures with the same message listed individually without `-v`.
const LISTED: usize = 10;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'a str,
    selected: u64,
    /// Kind of items counted: `chunk`, `package` or `file`.
    kind: &'static str,
    count: u64,
    bytes: u64,
    seconds: f64,
    unchanged: u64,
    kept: u64,
    unhashed: u64,
    cancelled: bool,
    renamed: Vec<Renamed<'a>>,
    failures: Vec<Problem<'a>>,
    mismatches: Vec<Problem<'a>>,
    containers_failed: Vec<String>,
    /// Fields specific to this job.
    #[serde(flatten)]
    extra: serde_json::Value,
}

#[derive(Serialize)]
struct Renamed<'a> {
    wanted: &'a str,
    used: &'a str,
    taken_by: &'a str,
}

#[derive(Serialize)]
struct Problem<'a> {
    /// `chunk`, `package` or `file`.
    subject: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    path: &'a str,
    kind: &'static str,
    error: String,
}

/// Title of a job.
pub(crate) struct JobTitle<'a> {
    /// Name and version of its JSON report.
    pub(crate) schema: &'a str,
    /// Its activity, in the past tense.
    pub(crate) verb: &'a str,
    /// Number of selected items.
    pub(crate) total: u64,
}

/// Lists the failures of a job.
pub(crate) fn failures<T>(session: &Session, outcome: &Outcome<T>) {
    list(session, &outcome.failures, outcome.kind);
    // Failures come first, since mismatched content was at least read.
    list(session, &outcome.mismatches, outcome.kind);
}

/// Prints the summary of a job, and returns the exit code.
pub(crate) fn finish<T>(
    session: &Session,
    game: &Game,
    outcome: &Outcome<T>,
    job: &JobTitle<'_>,
    elapsed: Duration,
) -> anyhow::Result<Exit> {
    finish_with(session, game, outcome, job, elapsed, serde_json::json!({}))
}

/// Prints the summary of a job, with additional fields in its JSON report.
pub(crate) fn finish_with<T>(
    session: &Session,
    game: &Game,
    outcome: &Outcome<T>,
    job: &JobTitle<'_>,
    elapsed: Duration,
    extra: serde_json::Value,
) -> anyhow::Result<Exit> {
    if session.printer.json {
        printer::print_json(&Report { extra, ..report(game, outcome, job, elapsed) })?;
    }
    for clash in &outcome.clashes {
        let message = format!("{} is taken by {}; written as {}", clash.wanted, clash.taken_by, clash.used);
        session.printer.warning(&message);
    }
    failures(session, outcome);
    session.printer.note(&summary_line(outcome, job, elapsed));
    Ok(exit::of_outcome(outcome, game))
}

/// Line such as `unpacked 112 of 112 chunks, 2.35 MiB in 0.02 s (120 MiB/s), 0 failed`.
fn summary_line<T>(outcome: &Outcome<T>, job: &JobTitle<'_>, elapsed: Duration) -> String {
    let JobTitle { verb, total, .. } = *job;
    let seconds = elapsed.as_secs_f64();
    // Rounded, since it is only displayed.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a rate"
    )]
    let rate = (outcome.raw_bytes as f64 / seconds.max(1e-6)) as u64;
    let mut line = format!(
        "{verb} {} of {}, {} in {seconds:.2} s ({}/s), {} failed",
        count(outcome.count),
        of_kind(total, outcome.kind),
        size(outcome.raw_bytes),
        size(rate),
        count((outcome.failures.len() + outcome.mismatches.len()) as u64),
    );
    for (number, what) in [
        (outcome.unchanged, "already there"),
        (outcome.kept, "skipped"),
        (outcome.unhashed, "without a recorded hash"),
    ] {
        if number > 0 {
            line.push_str(", ");
            line.push_str(&count(number));
            line.push(' ');
            line.push_str(what);
        }
    }
    if outcome.unread_exports > 0 {
        line += ", values of ";
        line += &printer::counted(outcome.unread_exports, "export", "exports");
        line += " not read";
    }
    if outcome.cancelled {
        line += ", interrupted";
    }
    line
}

/// Number with noun, such as `112 chunks`.
fn of_kind(number: u64, kind: Kind) -> String {
    match kind {
        Kind::Package => printer::counted(number, "package", "packages"),
        Kind::File => printer::counted(number, "file", "files"),
        _ => printer::chunks(number),
    }
}

/// Lists failures grouped by message, so that a missing file is one line, not one per chunk.
fn list(session: &Session, failures: &[Failure], kind: Kind) {
    // Sorted by message, so that the output does not depend on threads.
    let mut by_message: BTreeMap<String, Vec<&Failure>> = BTreeMap::new();
    for failure in failures {
        by_message.entry(failure.error.to_string()).or_default().push(failure);
    }
    for (message, failures) in by_message {
        // A key error affects the whole container, so single chunks need not be listed.
        let alike =
            failures.iter().all(|failure| failure.error.kind() == ErrorKind::Key) && failures.len() > 1;
        if (failures.len() <= LISTED && !alike) || session.printer.is_verbose() {
            for failure in &failures {
                // Errors about files name them already.
                let names_itself = message.ends_with(&failure.path);
                let message =
                    if names_itself { message.clone() } else { format!("{}: {message}", failure.path) };
                session.printer.error(&message);
            }
        } else {
            let first = failures.first().map_or("", |failure| failure.path.as_str());
            let number = of_kind(failures.len() as u64, kind);
            session.printer.error(&format!("{number}, such as {first}: {message} (-v lists them all)"));
        }
        // One hint for the group: all have the same error.
        session.printer.hint(failures.first().and_then(|failure| hint::of(&failure.error)));
    }
}

fn report<'a, T>(game: &Game, outcome: &'a Outcome<T>, job: &JobTitle<'a>, elapsed: Duration) -> Report<'a> {
    let problem = |failure: &'a Failure| Problem {
        subject: failure.subject.kind().name(),
        id: failure.subject.chunk().map(|id| id.to_string()),
        path: &failure.path,
        kind: failure.error.kind().name(),
        error: failure.error.to_string(),
    };
    Report {
        schema: job.schema,
        selected: job.total,
        kind: outcome.kind.name(),
        count: outcome.count,
        bytes: outcome.raw_bytes,
        seconds: elapsed.as_secs_f64(),
        unchanged: outcome.unchanged,
        kept: outcome.kept,
        unhashed: outcome.unhashed,
        cancelled: outcome.cancelled,
        renamed: outcome
            .clashes
            .iter()
            .map(|clash| Renamed {
                wanted: clash.wanted.as_str(),
                used: clash.used.as_str(),
                taken_by: &clash.taken_by,
            })
            .collect(),
        failures: outcome.failures.iter().map(problem).collect(),
        mismatches: outcome.mismatches.iter().map(problem).collect(),
        containers_failed: game.failed().iter().map(ToString::to_string).collect(),
        extra: serde_json::Value::Null,
    }
}
