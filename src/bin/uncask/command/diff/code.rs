//! `uncask diff --code`: shows functions of blueprints that differ between two builds.

use super::builds::{Builds, builds};
use super::unified;
use crate::args::DiffArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values;
use serde::Serialize;
use uncask::game::{CodeChange, FunctionChange, code_differences};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: &'a [CodeChange],
}

pub(super) fn run(args: &DiffArgs, session: &Session) -> anyhow::Result<Exit> {
    let Builds { old, new, options } = match builds(args, session)? {
        Ok(builds) => builds,
        Err(exit) => return Ok(exit),
    };
    let (watched, progress) = session.watched(&new.game, "packages");
    // Kept until the end, because the JSON report is one document.
    let mut found = Vec::new();
    let keep = |package| {
        found.push(package);
        Ok(())
    };
    let outcome = session
        .interruptible(|| code_differences([&old.game, &watched], [old.inputs, new.inputs], options, keep))?;
    progress.finish();
    found.sort_by(|a, b| a.package.cmp(&b.package));
    if session.printer.json {
        printer::print_json(&Report { schema: "uncask.diff-code/1", packages: &found })?;
    } else {
        print(&found, session)?;
    }
    values::report_engine(session, &outcome.done);
    summary::failures(session, &outcome);
    let functions = found.iter().map(|package| package.functions.len() as u64).sum();
    let functions = counted(functions, "function differs", "functions differ");
    let packages = counted(found.len() as u64, "package", "packages");
    session.printer.note(&format!("{functions}, in {packages}"));
    Ok(match exit::of_outcome(&outcome, &new.game) {
        Exit::Ok if !found.is_empty() => Exit::Failed,
        exit => exit,
    })
}

/// Prints a unified diff, in which each function is a file.
fn print(found: &[CodeChange], session: &Session) -> anyhow::Result<()> {
    let mut out = printer::out();
    for package in found {
        for FunctionChange { function, change, from, to } in &package.functions {
            let name = format!("{}:{function}", package.package);
            unified::print(&mut out, session, (&name, *change), [from, to])?;
        }
    }
    Ok(out.flush()?)
}
