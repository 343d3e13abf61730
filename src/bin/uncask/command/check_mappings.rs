//! `uncask check-mappings`: shows whether mappings fit a game.

use crate::args::CheckMappingsArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen, mappings};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use uncask::game::{JsonForm, NullSink, Outcome, Overwrite, UnreadCause, UnreadValues, ValuesRead};
use uncask::property::release_of_classes;

#[derive(Serialize)]
struct Report<'o> {
    schema: &'static str,
    /// The mappings; `null` if there are none, so that the built-in classes count.
    mappings: Option<PathBuf>,
    /// The release of which the mappings are, by the engine's classes in them.
    release: Option<&'static str>,
    packages: u64,
    /// Packages without tags: only these need mappings.
    untagged_packages: u64,
    objects: u64,
    objects_not_read: u64,
    classes: Vec<Row<'o>>,
    /// Objects that are unread for other reasons.
    others: Vec<&'o UnreadValues>,
}

/// A class that the mappings do not fit.
#[derive(Serialize)]
struct Row<'o> {
    class: &'o str,
    /// Reason for not fitting.
    why: Why,
    objects: u64,
    packages: u64,
    /// An example.
    object: &'o str,
    path: &'o str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    /// The mappings lack it.
    Missing,
    /// The mappings have another form of it.
    Differs,
}

pub(crate) fn run(args: &CheckMappingsArgs, session: &Session) -> anyhow::Result<Exit> {
    let mut chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let options = values::options(&args.properties, &args.store.input, session)?;
    let mappings =
        mappings::path(&args.properties, &args.store.input)?.filter(|_| options.mappings.is_some());
    let release = options.mappings.as_ref().and_then(|schemas| release_of_classes(schemas));
    let inputs = std::mem::take(&mut chosen.inputs);
    let (watched, progress) = session.watched(&chosen.game, "packages");
    // Values are written into nothing: the same code reads them.
    let form = (JsonForm::FModel, Overwrite::Always);
    let outcome = session.interruptible(|| watched.to_json(inputs, Arc::new(NullSink), form, options))?;
    progress.finish();
    let report = report(&outcome, mappings, release.map(|release| release.name));
    if session.printer.json {
        printer::print_json(&report)?;
    } else {
        print(session, &report)?;
    }
    summary::failures(session, &outcome);
    let exit = exit::of_outcome(&outcome, &chosen.game);
    let fits = report.classes.is_empty();
    Ok(if exit == Exit::Ok && !fits { Exit::Failed } else { exit })
}

fn report<'o>(
    outcome: &'o Outcome<ValuesRead>,
    mappings: Option<PathBuf>,
    release: Option<&'static str>,
) -> Report<'o> {
    let read = &outcome.done;
    let mut classes: Vec<Row<'_>> = Vec::new();
    let mut others = Vec::new();
    for unread in &read.unread {
        let (class, why) = match &unread.cause {
            UnreadCause::NoSchema { schema } => (&**schema, Why::Missing),
            UnreadCause::NoMappings => ("(of the game)", Why::Missing),
            UnreadCause::WrongSchema { schema } => (&**schema, Why::Differs),
            _ => {
                others.push(unread);
                continue;
            }
        };
        let UnreadValues { exports: objects, packages, object, path, .. } = unread;
        classes.push(Row { class, why, objects: *objects, packages: *packages, object, path });
    }
    classes.sort_by_key(|row| std::cmp::Reverse(row.objects));
    Report {
        schema: "uncask.check-mappings/1",
        mappings,
        release,
        packages: outcome.count,
        untagged_packages: read.untagged,
        objects: read.objects,
        objects_not_read: classes.iter().map(|row| row.objects).sum(),
        classes,
        others,
    }
}

fn print(session: &Session, report: &Report<'_>) -> anyhow::Result<()> {
    let mut out = printer::out();
    let width = report.classes.iter().map(|row| row.class.chars().count()).max().unwrap_or_default().max(5);
    if !report.classes.is_empty() {
        writeln!(out, "{:<width$} {:>8} {:>8}  WHY", "CLASS", "OBJECTS", "PACKAGES")?;
    }
    for row in &report.classes {
        let why = match row.why {
            Why::Missing => "is not in the mappings",
            Why::Differs => "has another form in the game",
        };
        let (objects, packages) = (count(row.objects), count(row.packages));
        let Row { class, object, path, .. } = row;
        writeln!(out, "{class:<width$} {objects:>8} {packages:>8}  {why}, as {object} of {path} shows")?;
    }
    out.flush()?;
    verdict(session, report);
    Ok(())
}

fn verdict(session: &Session, report: &Report<'_>) {
    let others: u64 = report.others.iter().map(|unread| unread.exports).sum();
    if others > 0 {
        let objects = counted(others, "object", "objects");
        session.printer.note(&format!("{objects} cannot be read for other reasons, which json lists"));
    }
    if report.untagged_packages == 0 {
        let packages = counted(report.packages, "package has", "packages have");
        session.printer.note(&format!("{packages} tags: no mappings are needed"));
        return;
    }
    let what = report
        .mappings
        .as_ref()
        .map_or_else(|| "the built-in classes".to_owned(), |path| path.display().to_string());
    let read = count(report.objects - report.objects_not_read);
    let of = counted(report.objects, "object", "objects");
    let fit = if report.classes.is_empty() { "fit" } else { "do not fit" };
    let release = report.release.map_or_else(String::new, |release| format!(", of UE {release},"));
    session.printer.note(&format!("{what}{release} {fit}: {read} of {of} can be read by them"));
}
