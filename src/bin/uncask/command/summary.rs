//! The end of a job: what came through, what did not, and why.

use crate::exit::{self, Exit};
use crate::hint;
use crate::printer::{self, count, size};
use crate::session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use uncask::error::ErrorKind;
use uncask::extract::{Failure, Outcome};
use uncask::store::Store;

/// Failures with one message that are listed one by one, unless `-v` asks for all.
const LISTED: usize = 10;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'a str,
    selected: u64,
    chunks: u64,
    bytes: u64,
    seconds: f64,
    skipped: u64,
    already_there: u64,
    unhashed: u64,
    cancelled: bool,
    renamed: Vec<Renamed<'a>>,
    failures: Vec<Problem<'a>>,
    mismatches: Vec<Problem<'a>>,
    misplaced: Vec<String>,
    indices: Vec<String>,
    containers_failed: Vec<String>,
    /// Fields of this job only.
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

/// What a job was asked to do.
pub(crate) struct Job<'a> {
    /// Name and version of its JSON report.
    pub(crate) schema: &'a str,
    /// What it does, in the past tense.
    pub(crate) verb: &'a str,
    /// Chunks that were selected.
    pub(crate) total: u64,
    /// What is counted.
    pub(crate) what: Counted,
}

/// What is counted: one of it, and several.
pub(crate) type Counted = (&'static str, &'static str);

/// As a rule.
pub(crate) const CHUNKS: Counted = ("chunk", "chunks");
/// Where a package may be several chunks or files.
pub(crate) const PACKAGES: Counted = ("package", "packages");

/// Lists what failed.
pub(crate) fn failures(session: &Session, outcome: &Outcome, what: Counted) {
    list(session, &outcome.failures, what);
    list(session, &outcome.mismatches, what);
}

/// Prints the outcome of a job and says how the program should end.
pub(crate) fn finish(
    session: &Session,
    store: &Store,
    outcome: &Outcome,
    job: &Job<'_>,
    elapsed: Duration,
) -> anyhow::Result<Exit> {
    finish_with(session, store, outcome, job, elapsed, serde_json::json!({}))
}

/// Prints the outcome of a job, with more fields in its JSON report.
pub(crate) fn finish_with(
    session: &Session,
    store: &Store,
    outcome: &Outcome,
    job: &Job<'_>,
    elapsed: Duration,
    extra: serde_json::Value,
) -> anyhow::Result<Exit> {
    if session.printer.json {
        printer::print_json(&Report { extra, ..report(store, outcome, job, elapsed) })?;
    }
    for clash in &outcome.clashes {
        let message = format!("{} is taken by {}; written as {}", clash.wanted, clash.taken_by, clash.used);
        session.printer.warning(&message);
    }
    failures(session, outcome, job.what);
    for error in &outcome.indices {
        session.printer.failure(error);
    }
    if let Some((_, path)) = outcome.misplaced.first() {
        let number = printer::chunks(outcome.misplaced.len() as u64);
        session.printer.error(&format!("{number}, such as {path}: not found through the perfect hash"));
    }
    session.printer.note(&summary_line(outcome, job, elapsed));
    Ok(exit::of_outcome(outcome, store))
}

/// `unpacked 112 of 112 chunks, 2.35 MiB in 0.02 s (120 MiB/s), 0 failed`
fn summary_line(outcome: &Outcome, job: &Job<'_>, elapsed: Duration) -> String {
    let Job { verb, total, what, .. } = *job;
    let seconds = elapsed.as_secs_f64();
    // Only for showing: a rounded rate.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a rate"
    )]
    let rate = (outcome.raw_bytes as f64 / seconds.max(1e-6)) as u64;
    let mut line = format!(
        "{verb} {} of {}, {} in {seconds:.2} s ({}/s), {} failed",
        count(outcome.chunks),
        printer::counted(total, what.0, what.1),
        size(outcome.raw_bytes),
        size(rate),
        count((outcome.failures.len() + outcome.mismatches.len()) as u64),
    );
    for (number, what) in [
        (outcome.already_there, "already there"),
        (outcome.skipped - outcome.already_there.min(outcome.skipped), "skipped"),
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

/// Lists failures by their message, so that one missing file is one line and not one for each chunk in it.
fn list(session: &Session, failures: &[Failure], what: Counted) {
    let mut by_message: BTreeMap<String, Vec<&Failure>> = BTreeMap::new();
    for failure in failures {
        by_message.entry(failure.error.to_string()).or_default().push(failure);
    }
    for (message, failures) in by_message {
        // What is wrong with a key is wrong with all of its container.
        let alike =
            failures.iter().all(|failure| failure.error.kind() == ErrorKind::Key) && failures.len() > 1;
        if (failures.len() <= LISTED && !alike) || session.printer.is_verbose() {
            for failure in &failures {
                session.printer.error(&format!("{}: {message}", failure.path));
            }
        } else {
            let first = failures.first().map_or("", |failure| failure.path.as_str());
            let number = printer::counted(failures.len() as u64, what.0, what.1);
            session.printer.error(&format!("{number}, such as {first}: {message} (-v lists them all)"));
        }
        session.printer.hint(failures.first().and_then(|failure| hint::of(&failure.error)));
    }
}

fn report<'a>(store: &Store, outcome: &'a Outcome, job: &Job<'a>, elapsed: Duration) -> Report<'a> {
    let problem = |failure: &'a Failure| Problem {
        subject: failure.subject.name(),
        id: failure.subject.chunk().map(|id| id.to_string()),
        path: &failure.path,
        kind: failure.error.kind().name(),
        error: failure.error.to_string(),
    };
    Report {
        schema: job.schema,
        selected: job.total,
        chunks: outcome.chunks,
        bytes: outcome.raw_bytes,
        seconds: elapsed.as_secs_f64(),
        skipped: outcome.skipped,
        already_there: outcome.already_there,
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
        misplaced: outcome.misplaced.iter().map(|(id, _)| id.to_string()).collect(),
        indices: outcome.indices.iter().map(ToString::to_string).collect(),
        containers_failed: store.failed().iter().map(ToString::to_string).collect(),
        extra: serde_json::Value::Null,
    }
}
