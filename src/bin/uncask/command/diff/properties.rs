//! `uncask diff --properties`: shows differences between two builds, value by value.

use crate::args::{DiffArgs, PropertyArgs};
use crate::exit::{self, Exit};
use crate::printer::{self, count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use crate::spreadsheet::Spreadsheet;
use crate::text::Lines;
use serde::Serialize;
use uncask::game::{
    IgnoredValues, PackageDifference, ShownValue, ValueChange, ValueDifference, value_differences,
};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: &'a [PackageDifference],
    /// Changes of ignored values, in all packages.
    ignored: u64,
}

/// A row of the table: a changed value, or an object or package that only one build has.
#[derive(Serialize)]
struct Row<'a> {
    change: ValueChange,
    package: &'a str,
    object: Option<&'a str>,
    property: Option<&'a str>,
    from: Option<&'a ShownValue>,
    to: Option<&'a ShownValue>,
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
    let ignored = IgnoredValues::new(&args.ignore, !args.noise)?;
    let (watched, progress) = session.watched(&new.game, "packages");
    // Kept until the end, because the JSON report is one document.
    let mut found = Vec::new();
    let keep = |package| {
        found.push(package);
        Ok(())
    };
    let outcome = session.interruptible(|| {
        value_differences([&old.game, &watched], [old.inputs, new.inputs], options, ignored, keep)
    })?;
    progress.finish();
    let all_ignored: u64 = found.iter().map(|package| package.ignored).sum();
    // A package in which only ignored values changed counts as the same.
    found.retain(|package| package.change != ValueChange::Changed || !package.values.is_empty());
    found.sort_by(|a, b| a.package.cmp(&b.package));
    if session.printer.json {
        let schema = "uncask.diff-properties/1";
        printer::print_json(&Report { schema, packages: &found, ignored: all_ignored })?;
    } else if args.csv {
        print_csv(&found)?;
    } else {
        print(&found, session)?;
    }
    let missing = values::report_missing(session, &outcome.done, (&new_reading, &args.new));
    summary::failures(session, &outcome);
    session.printer.note(&summary_line(&found));
    if all_ignored > 0 {
        let changes = counted(all_ignored, "change is", "changes are");
        let hint = if args.noise { "" } else { "; --noise shows those of GUIDs and of keys of texts" };
        session.printer.note(&format!("{changes} ignored{hint}"));
    }
    Ok(match exit::of_outcome(&outcome, &new.game) {
        Exit::Ok if missing || !found.is_empty() => Exit::Failed,
        exit => exit,
    })
}

fn print(found: &[PackageDifference], session: &Session) -> anyhow::Result<()> {
    let mut out = printer::out();
    for package in found {
        let title = format!("{} {}", sign(package.change), package.package);
        out.coloured(session.printer.colour_of(&title), &title)?;
        for value in &package.values {
            let line = line(value);
            out.coloured(session.printer.colour_of(&line), &format!("    {line}"))?;
        }
        if package.cut {
            writeln!(out, "    …")?;
        }
    }
    Ok(out.flush()?)
}

fn print_csv(found: &[PackageDifference]) -> anyhow::Result<()> {
    let mut sheet = Spreadsheet::new(true);
    for difference in found {
        let package = difference.package.as_str();
        if difference.values.is_empty() {
            let (change, none) = (difference.change, None);
            sheet.row(&Row { change, package, object: none, property: none, from: None, to: None })?;
        }
        for value in &difference.values {
            sheet.row(&Row {
                change: value.change,
                package,
                object: Some(&value.export),
                property: value.property.as_deref(),
                from: value.from.as_ref(),
                to: value.to.as_ref(),
            })?;
        }
    }
    let (mut out, mut lines) = (printer::out(), Lines::default());
    sheet.finish(&mut lines)?;
    out.append(&lines)?;
    Ok(out.flush()?)
}

/// Line such as `~ Default__Sword_C.Damage: 10 → 12.5`.
fn line(value: &ValueDifference) -> String {
    let place = match &value.property {
        Some(property) => format!("{}.{property}", value.export),
        None => value.export.clone(),
    };
    let [from, to] = [&value.from, &value.to].map(|value| value.as_ref().map_or("", |value| &value.text));
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
        counted(values as u64, "changed value", "changed values"),
    )
}
