//! `export --summary`: what becomes of each class.

use crate::printer::{self, count};
use crate::session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use uncask::game::ExportedAssets;

/// Objects of a class.
#[derive(Debug, Default, Serialize)]
struct Row<'o> {
    class: &'o str,
    exported: u64,
    not_exported: u64,
    files: u64,
    reasons: Vec<Why<'o>>,
}

/// A reason, and the number of objects that it keeps from being exported.
#[derive(Debug, Serialize)]
struct Why<'o> {
    reason: &'o str,
    count: u64,
}

#[derive(Serialize)]
struct Report<'o> {
    schema: &'static str,
    classes: Vec<Row<'o>>,
}

/// The reasons for classes that nothing is made of.
const CODE: &str = "it is a blueprint, which code and json write";
const VALUES: &str = "it has only values, which json writes";

/// Prints a line for each class, those with the most objects first.
pub(super) fn print(session: &Session, done: &ExportedAssets) -> anyhow::Result<()> {
    let classes = rows(done);
    if session.printer.json {
        printer::print_json(&Report { schema: "uncask.export.summary/1", classes })?;
        return Ok(());
    }
    let mut out = printer::out();
    let width = classes.iter().map(|row| row.class.chars().count()).max().unwrap_or_default().max(5);
    writeln!(out, "{:<width$} {:>8} {:>6} {:>8}  WHY NOT", "CLASS", "EXPORTED", "NOT", "FILES")?;
    for row in &classes {
        let numbers = [row.exported, row.not_exported, row.files].map(count);
        let [exported, not, files] = numbers;
        let line = format!("{:<width$} {exported:>8} {not:>6} {files:>8}  {}", row.class, why(row));
        writeln!(out, "{}", line.trim_end())?;
    }
    out.flush()?;
    let sum = |number: fn(&Row<'_>) -> u64| count(classes.iter().map(number).sum());
    let (exported, not) = (sum(|row| row.exported), sum(|row| row.not_exported));
    session
        .printer
        .note(&format!("{exported} exported, {not} not, of {} classes", count(classes.len() as u64)));
    Ok(())
}

/// The most frequent reason, and how many others there are.
fn why(row: &Row<'_>) -> String {
    let Some(first) = row.reasons.first() else { return String::new() };
    match row.reasons.len() - 1 {
        0 => first.reason.to_owned(),
        more => format!("{}: {}; and {more} more", count(first.count), first.reason),
    }
}

fn rows(done: &ExportedAssets) -> Vec<Row<'_>> {
    let mut found: BTreeMap<&str, (Row<'_>, BTreeMap<&str, u64>)> = BTreeMap::new();
    for (_, asset) in &done.exported {
        let (row, _) = found.entry(&asset.class).or_default();
        row.exported += 1;
        row.files += asset.files.len() as u64;
    }
    let unwritten = done.left.iter().chain(&done.failed).map(|(_, left)| (&*left.class, &*left.reason, 1));
    let others = done.other_classes.iter().map(|(class, number)| {
        (&**class, if class.ends_with("BlueprintGeneratedClass") { CODE } else { VALUES }, *number)
    });
    for (class, reason, number) in unwritten.chain(others) {
        let (row, reasons) = found.entry(class).or_default();
        row.not_exported += number;
        *reasons.entry(reason).or_default() += number;
    }
    let mut rows: Vec<Row<'_>> = found
        .into_iter()
        .map(|(class, (row, reasons))| {
            let mut reasons: Vec<Why<'_>> =
                reasons.into_iter().map(|(reason, count)| Why { reason, count }).collect();
            reasons.sort_by_key(|why| std::cmp::Reverse(why.count));
            Row { class, reasons, ..row }
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.exported + row.not_exported));
    rows
}
