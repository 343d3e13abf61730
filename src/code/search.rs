//! Search in the code of packages.

use super::document::Blueprint;
use crate::bytecode::{Expression, Function, Symbols, identifier};
use crate::error::Result;
use crate::extract::PatternError;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::store::Entry;
use crate::store::packages::Packages;
use crate::values::{
    MAX_HITS, NamePattern, PackageInput, PackageInputs, PackageJob, ValueOptions, ValuesRead, regex,
};
use regex::Regex;
use serde::Serialize;
use std::sync::Arc;

/// A query for code; functions match everything that it asks for.
#[derive(Debug, Clone, Default)]
pub struct CodeQuery {
    /// Name of a function that is called.
    calls: Option<NamePattern>,
    /// Expression to match in a line of pseudo-code.
    code: Option<Regex>,
}

/// A place in code that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeHit {
    /// The package, such as `/Game/Blueprints/BP_Door`.
    pub package: String,
    /// Path of the function in it: `BP_Door_C.Open`.
    pub function: String,
    /// Offset of a call in the script, in memory, as in its listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// Number of a line in the pseudo-code of the function, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The line of pseudo-code, or the function that is called.
    pub text: String,
}

/// The places of one package.
#[derive(Debug)]
pub struct CodeHits {
    /// The chunk of the package, if it is in a container.
    pub chunk: Option<Entry>,
    /// The places, in the order of the file.
    pub hits: Vec<CodeHit>,
    /// True if there are more than listed.
    pub cut: bool,
}

/// Length at which lines are cut, in characters.
const MAX_LINE: usize = 400;

impl CodeQuery {
    /// Compiles a query: the name of a called function, or a glob; and a regular expression for lines of pseudo-code. Letter
    /// case does not matter.
    pub fn new(calls: Option<&str>, code: Option<&str>) -> std::result::Result<Self, PatternError> {
        Ok(Self { calls: calls.map(NamePattern::new).transpose()?, code: code.map(regex).transpose()? })
    }
}

/// Calls a function with what a query finds in each package that has any of it, in their order.
pub async fn find_code(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    query: CodeQuery,
    context: &Context,
    options: ValueOptions,
    mut found: impl FnMut(CodeHits) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| search(job, item, &query);
    let mut outcome = Outcome::of(Kind::Package);
    let done = |_: &mut Tally<'_, _>, _: &PackageInput, hits: CodeHits| {
        if hits.hits.is_empty() { Ok(()) } else { found(hits) }
    };
    job.each(context, &mut outcome, work, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn search(job: &PackageJob, item: &PackageInput, query: &CodeQuery) -> Worked<CodeHits> {
    let mut hits = CodeHits { chunk: item.entry(), hits: Vec::new(), cut: false };
    if !job.library.may_have_code(item) {
        return Ok((hits, None));
    }
    let mut loaded = job.load(item)?;
    let mismatch = loaded.take_mismatch();
    let scope = job.scope(&loaded);
    let blueprint = Blueprint::new(&scope);
    let decompiler = query.code.as_ref().map(|regex| (regex, blueprint.decompiler()));
    for function in &blueprint.functions {
        let calls = query.calls.as_ref().map(|name| calls_of(function, &blueprint.symbols, name));
        if calls.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let (package, path) = (scope.name().to_owned(), blueprint.path(function));
        let hit =
            |at, line, text| CodeHit { package: package.clone(), function: path.clone(), at, line, text };
        match &decompiler {
            Some((regex, decompiler)) => {
                let code = decompiler.decompile(function);
                let lines = (1..).zip(code.text.lines()).filter(|(_, line)| regex.is_match(line));
                hits.hits.extend(lines.map(|(number, line)| hit(None, Some(number), shortened(line))));
            }
            None => {
                hits.hits.extend(calls.into_iter().flatten().map(|(at, called)| hit(Some(at), None, called)));
            }
        }
        if hits.hits.len() > MAX_HITS {
            hits.hits.truncate(MAX_HITS);
            hits.cut = true;
            break;
        }
    }
    Ok((hits, mismatch))
}

/// Calls of functions of a name, each with its offset and the path of the function that is called.
fn calls_of(function: &Function, symbols: &Symbols<'_>, wanted: &NamePattern) -> Vec<(u32, String)> {
    let mut calls = Vec::new();
    let mut see = |call: &Expression| {
        if !call.token.is_call() {
            return;
        }
        let path = match (call.name(), call.object()) {
            (Some(name), _) => symbols.text(name),
            (None, Some(index)) => symbols.path(index).as_deref().unwrap_or_default().to_owned(),
            (None, None) => return,
        };
        // Names are found as they are, and as the pseudo-code shows them.
        let own = path.rsplit('.').next().unwrap_or_default();
        if wanted.matches(own) || wanted.matches(&identifier(own)) {
            calls.push((call.at, path));
        }
    };
    for statement in &function.script.statements {
        statement.visit(&mut see);
    }
    calls
}

fn shortened(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}
