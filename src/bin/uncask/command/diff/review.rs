//! `uncask diff --text`: shows what differs between two builds as text for review.

use super::builds::{Builds, builds};
use super::unified;
use crate::args::DiffArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values;
use serde::Serialize;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{
    Review, ReviewChange, ReviewComparison, ReviewOptions, ReviewSection, ValueChange, review_differences,
};

/// A package that differs, in JSON.
#[derive(Serialize)]
struct Row<'a> {
    package: &'a str,
    change: ValueChange,
    from: Option<&'a [ReviewSection]>,
    to: Option<&'a [ReviewSection]>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: &'a [Row<'a>],
}

pub(super) fn run(args: &DiffArgs, session: &Session) -> anyhow::Result<Exit> {
    let Builds { old, new, options } = match builds(args, session)? {
        Ok(builds) => builds,
        Err(exit) => return Ok(exit),
    };
    let review = ReviewOptions { all: args.select.all };
    let comparison = ReviewComparison { review, by_path: false };
    let (watched, progress) = session.watched(&new.game, "packages");
    let mut found: Vec<ReviewChange> = Vec::new();
    let mut count = 0_u64;
    let is_json = session.printer.json;
    let each = |change: ReviewChange| {
        count += 1;
        if is_json {
            // The report is one document.
            found.push(change);
            return Ok(());
        }
        print(&change, session).map_err(Error::io("write", Path::new("stdout")))
    };
    let inputs = [old.inputs, new.inputs];
    let outcome = session
        .interruptible(|| review_differences([&old.game, &watched], inputs, options, comparison, each))?;
    progress.finish();
    if is_json {
        let rows: Vec<Row<'_>> = found.iter().map(Row::new).collect();
        printer::print_json(&Report { schema: "uncask.diff-text/1", packages: &rows })?;
    }
    let missing = values::report_missing(session, &outcome.done, (&args.reading, &args.new));
    summary::failures(session, &outcome);
    session.printer.note(&counted(count, "package differs", "packages differ"));
    Ok(match exit::of_outcome(&outcome, &new.game) {
        Exit::Ok if count > 0 || missing => Exit::Failed,
        exit => exit,
    })
}

impl<'a> Row<'a> {
    fn new(change: &'a ReviewChange) -> Self {
        let sections = |review: &'a Option<Review>| review.as_ref().map(|review| review.sections.as_slice());
        Self {
            package: &change.package,
            change: change.change,
            from: sections(&change.from),
            to: sections(&change.to),
        }
    }
}

fn print(change: &ReviewChange, session: &Session) -> std::io::Result<()> {
    let text = |review: &Option<Review>| review.as_ref().map(ToString::to_string).unwrap_or_default();
    let (from, to) = (text(&change.from), text(&change.to));
    let mut out = printer::out();
    unified::print(&mut out, session, (&change.package, change.change), [&from, &to])?;
    out.flush()
}
