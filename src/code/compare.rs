//! Functions that differ between two builds.

use super::document::Blueprint;
use crate::bytecode::Function;
use crate::error::Result;
use crate::job::{Context, Outcome, Worked};
use crate::store::packages::Packages;
use crate::values::{
    Loaded, OldBuild, PackageInput, PackageInputs, PackageJob, ValueChange, ValueOptions, ValuesRead,
    each_version,
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
    /// Old pseudo-code, or listing, if only that differs; empty for a function that was added.
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
    found: impl FnMut(CodeChange) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let old = OldBuild::new(old_packages, old_inputs, &old_options, &job);
    each_version(&job, old, context, compare, removed, found).await
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

fn code_of(was: &Loaded, old: &OldBuild) -> Vec<FunctionCode> {
    functions(&Blueprint::new(&old.scope(was)))
}

/// The code of a function, in the forms in which it is compared.
struct FunctionCode {
    path: String,
    kind: CodeKind,
    /// The pseudo-code; empty for the code of all events, whose bodies are with the events.
    code: String,
    /// The listing, which has statements without effect, too.
    listing: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CodeKind {
    /// A function with code of its own.
    Own,
    /// One that only enters the code of all events.
    Event,
    /// The code of all events.
    Graph,
}

/// The functions of a package.
fn functions(blueprint: &Blueprint<'_, '_>) -> Vec<FunctionCode> {
    let decompiler = blueprint.decompiler();
    let code = |function: &Function| {
        let is_graph = function.is_event_graph(blueprint.scope.package);
        let code = if is_graph { String::new() } else { decompiler.decompile(function).text };
        let is_event = code.lines().next().is_some_and(|first| first.contains(ENTERS));
        let kind = match (is_graph, is_event) {
            (true, _) => CodeKind::Graph,
            (false, true) => CodeKind::Event,
            (false, false) => CodeKind::Own,
        };
        let listing = blueprint.listing(function);
        FunctionCode { path: blueprint.path(function), kind, code: stable(&code), listing }
    };
    blueprint.functions.iter().map(code).collect()
}

/// Remark at an event, before the name of the function with the code of all events.
const ENTERS: &str = "  // ExecuteUbergraph_";

/// Pseudo-code without offsets of events, which move with everything before them.
fn stable(code: &str) -> String {
    let (first, rest) = code.split_once('\n').unwrap_or((code, ""));
    let first = match first.split_once(ENTERS) {
        Some((head, remarks)) => match remarks.split_once(", ") {
            Some((_, others)) => format!("{head}  // {others}"),
            None => head.to_owned(),
        },
        None => first.to_owned(),
    };
    format!("{first}\n{rest}")
}

fn changes(was: Vec<FunctionCode>, now: Vec<FunctionCode>) -> Vec<FunctionChange> {
    let paths: HashSet<String> = now.iter().map(|function| function.path.clone()).collect();
    let is_told = |function: &FunctionCode| function.kind != CodeKind::Graph;
    let mut before = Vec::new();
    let mut gone = Vec::new();
    for function in was {
        if paths.contains(&function.path) {
            before.push((function.path.clone(), function));
        } else if is_told(&function) {
            gone.push(FunctionChange {
                function: function.path,
                change: ValueChange::Removed,
                from: function.code,
                to: String::new(),
            });
        }
    }
    let mut before: HashMap<String, FunctionCode> = before.into_iter().collect();
    let mut found = Vec::new();
    let mut graph = None;
    for now in now {
        let (function, change) = (now.path.clone(), ValueChange::Changed);
        match before.remove(&now.path) {
            Some(was) if now.kind == CodeKind::Graph => {
                let (from, to) = (was.listing, now.listing);
                graph = (from != to).then_some(FunctionChange { function, change, from, to });
            }
            Some(was) if was.code != now.code => {
                found.push(FunctionChange { function, change, from: was.code, to: now.code });
            }
            // What has no effect is in no pseudo-code. Where an event enters the code of all says nothing.
            Some(was) if now.kind == CodeKind::Own && was.listing != now.listing => {
                found.push(FunctionChange { function, change, from: was.listing, to: now.listing });
            }
            None if is_told(&now) => found.push(FunctionChange {
                function,
                change: ValueChange::Added,
                from: String::new(),
                to: now.code,
            }),
            Some(_) | None => {}
        }
    }
    // Changes of all events are told by the events, if they have any effect.
    if found.is_empty() {
        found.extend(graph);
    }
    found.extend(gone);
    found
}
