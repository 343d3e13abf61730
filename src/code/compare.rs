//! Functions that differ between two builds.

use super::document::Blueprint;
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::store::packages::Packages;
use crate::values::{
    Loaded, OldBuild, PackageInput, PackageInputs, PackageJob, ValueChange, ValueOptions, ValuesRead,
};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The functions of a package that differ between two builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeChange {
    /// The package.
    pub package: String,
    /// Kind of change.
    pub change: ValueChange,
    /// Its functions that differ, in the order of the new build; removed ones come last.
    pub functions: Vec<FunctionChange>,
}

/// A function that differs between two builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionChange {
    /// Path in its package: `BP_Door_C.Open`.
    pub function: String,
    /// Kind of change.
    pub change: ValueChange,
    /// Old pseudo-code; empty for a function that was added.
    pub from: String,
    /// New pseudo-code; empty for a function that was removed.
    pub to: String,
}

/// Compares the pseudo-code of packages with the same path or name. `found` gets every package with other functions: those of
/// the new build in their order, then the removed ones.
pub async fn code_differences(
    [old_packages, packages]: [Arc<Packages>; 2],
    [old_inputs, inputs]: [PackageInputs; 2],
    [old_options, options]: [ValueOptions; 2],
    context: &Context,
    mut found: impl FnMut(CodeChange) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let old = Arc::new(OldBuild::new(old_packages, old_inputs, &old_options, &job));
    let shared = Arc::clone(&old);
    let work = move |job: &PackageJob, at: usize, item: &PackageInput| compare(job, &shared, at, item);
    let mut outcome = Outcome::of(Kind::Package);
    let mut done = |_: &mut Tally<'_, _>, _: &PackageInput, change: Option<CodeChange>| {
        change.map_or(Ok(()), &mut found)
    };
    job.each(context, &mut outcome, work, &mut done).await?;
    // The packages that only the old build has are read like the others, by the same engine.
    let gone: Vec<PackageInput> = old.gone().cloned().collect();
    let work = move |_: &PackageJob, _: usize, item: &PackageInput| removed(&old, item);
    job.each_of(&gone, context, &mut outcome, work, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn compare(job: &PackageJob, old: &OldBuild, at: usize, item: &PackageInput) -> Worked<Option<CodeChange>> {
    let before = old.before(at);
    let new = if job.library.may_have_code(item) { Some(job.load(item)?) } else { None };
    let was =
        before.filter(|before| old.library.may_have_code(before)).map(|before| old.library.load(before));
    let was = was.transpose()?;
    let is_same = new.as_ref().zip(was.as_ref()).is_some_and(|(new, was)| new.is_same_as(was));
    // Equal bytes are equal code.
    if is_same || (new.is_none() && was.is_none()) {
        return Ok((None, None));
    }
    let functions = changes(
        was.as_ref().map(|was| code_of(was, old)).unwrap_or_default(),
        new.as_ref().map(|new| functions(&Blueprint::new(&job.scope(new)))).unwrap_or_default(),
    );
    let change = if before.is_some() { ValueChange::Changed } else { ValueChange::Added };
    let mismatch = [new, was].into_iter().flatten().find_map(|mut loaded| loaded.take_mismatch());
    let package = item.package_name();
    Ok((
        Some(CodeChange { package, change, functions }).filter(|change| !change.functions.is_empty()),
        mismatch,
    ))
}

/// A package that only the old build has.
fn removed(old: &OldBuild, item: &PackageInput) -> Worked<Option<CodeChange>> {
    if !old.library.may_have_code(item) {
        return Ok((None, None));
    }
    let mut was = old.library.load(item)?;
    let functions = changes(code_of(&was, old), Vec::new());
    let change = CodeChange { package: item.package_name(), change: ValueChange::Removed, functions };
    Ok((Some(change).filter(|change| !change.functions.is_empty()), was.take_mismatch()))
}

fn code_of(was: &Loaded, old: &OldBuild) -> Vec<(String, String)> {
    functions(&Blueprint::new(&old.scope(was)))
}

/// The functions of a package, each with its pseudo-code. Bodies of events are with these, so event graphs are left out.
fn functions(blueprint: &Blueprint<'_, '_>) -> Vec<(String, String)> {
    let decompiler = blueprint.decompiler();
    let functions =
        blueprint.functions.iter().filter(|function| !function.is_event_graph(blueprint.scope.package));
    functions
        .map(|function| (blueprint.path(function), stable(&decompiler.decompile(function).text)))
        .collect()
}

/// Pseudo-code without offsets of events, which move with everything before them.
fn stable(code: &str) -> String {
    let (first, rest) = code.split_once('\n').unwrap_or((code, ""));
    let first = match first.split_once("  // ExecuteUbergraph_") {
        Some((head, remarks)) => match remarks.split_once(", ") {
            Some((_, others)) => format!("{head}  // {others}"),
            None => head.to_owned(),
        },
        None => first.to_owned(),
    };
    format!("{first}\n{rest}")
}

fn changes(was: Vec<(String, String)>, now: Vec<(String, String)>) -> Vec<FunctionChange> {
    let paths: HashSet<String> = now.iter().map(|(path, _)| path.clone()).collect();
    let gone: Vec<(String, String)> = was.iter().filter(|(path, _)| !paths.contains(path)).cloned().collect();
    let mut before: HashMap<String, String> = was.into_iter().collect();
    let change = |function, change, from, to| FunctionChange { function, change, from, to };
    let mut found = Vec::new();
    for (path, to) in now {
        match before.remove(&path) {
            Some(from) if from == to => {}
            Some(from) => found.push(change(path, ValueChange::Changed, from, to)),
            None => found.push(change(path, ValueChange::Added, String::new(), to)),
        }
    }
    found
        .extend(gone.into_iter().map(|(path, from)| change(path, ValueChange::Removed, from, String::new())));
    found
}
