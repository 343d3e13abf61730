//! `uncask diff --properties`: shows differences between two builds, value by value.

use crate::args::{DiffArgs, PropertyArgs};
use crate::exit::{self, Exit};
use crate::printer::{self, count};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use serde::Serialize;
use uncask::game::{PackageDifference, ValueChange, ValueDifference, value_differences};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: &'a [PackageDifference],
}

pub(super) fn run(args: &DiffArgs, session: &Session) -> anyhow::Result<Exit> {
    let choose = |input| Chosen::new(&args.store(input), &args.select, session);
    let (old, new) = (choose(&args.old)?, choose(&args.new)?);
    if old.inputs.is_empty() && new.inputs.is_empty() {
        return Ok(new.none(&args.store(&args.new), &args.select, session));
    }
    // Usually one mappings file fits both builds.
    let new_reading = PropertyArgs {
        mappings: args.new_mappings.clone().or_else(|| args.reading.mappings.clone()),
        engine: args.reading.engine,
    };
    let options = [
        values::options(&args.reading, &args.old, session)?,
        values::options(&new_reading, &args.new, session)?,
    ];
    let (watched, progress) = session.watched(&new.game, "packages");
    // Kept until the end, because the JSON report is one document.
    let mut found = Vec::new();
    let keep = |package| {
        found.push(package);
        Ok(())
    };
    let outcome = session.interruptible(|| {
        value_differences([&old.game, &watched], [old.inputs, new.inputs], options, keep)
    })?;
    progress.finish();
    if session.printer.json {
        printer::print_json(&Report { schema: "uncask.diff-properties/1", packages: &found })?;
    } else {
        print(&found)?;
    }
    let missing = values::report_missing(session, &outcome.done, (&new_reading, &args.new));
    summary::failures(session, &outcome);
    session.printer.note(&summary_line(&found));
    Ok(match exit::of_outcome(&outcome, &new.game) {
        Exit::Ok if missing || !found.is_empty() => Exit::Failed,
        exit => exit,
    })
}

fn print(found: &[PackageDifference]) -> anyhow::Result<()> {
    let mut out = printer::out();
    for package in found {
        writeln!(out, "{} {}", sign(package.change), package.package)?;
        for value in &package.values {
            writeln!(out, "    {}", line(value))?;
        }
        if package.cut {
            writeln!(out, "    …")?;
        }
    }
    Ok(out.flush()?)
}

/// Line such as `~ Default__Sword_C.Damage: 10 → 12.5`.
fn line(value: &ValueDifference) -> String {
    let place = match &value.property {
        Some(property) => format!("{}.{property}", value.export),
        None => value.export.clone(),
    };
    let [from, to] = [&value.from, &value.to].map(|text| text.as_deref().unwrap_or_default());
    match value.change {
        ValueChange::Changed => format!("~ {place}: {from} → {to}"),
        ValueChange::Added => format!("+ {place}: {to}"),
        ValueChange::Removed => format!("- {place}: {from}"),
    }
}

const fn sign(change: ValueChange) -> char {
    match change {
        ValueChange::Added => '+',
        ValueChange::Removed => '-',
        ValueChange::Changed => '~',
    }
}

fn summary_line(found: &[PackageDifference]) -> String {
    let number = |change| count(found.iter().filter(|package| package.change == change).count() as u64);
    let values: usize = found.iter().map(|package| package.values.len()).sum();
    format!(
        "packages: {} added, {} removed, {} changed, with {}",
        number(ValueChange::Added),
        number(ValueChange::Removed),
        number(ValueChange::Changed),
        printer::counted(values as u64, "changed value", "changed values"),
    )
}
