//! `uncask lint`: checks the assets of a project by rules.

use crate::args::LintArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use anyhow::Context as _;
use serde::Serialize;
use std::io;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{
    LintFault, LintFinding, LintPlan, LintRules, LintRulesError, LintSettings, ProjectPackages, SizeBudget,
};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: u64,
    findings: &'a [LintFinding],
}

pub(crate) fn run(args: &LintArgs, session: &Session) -> anyhow::Result<Exit> {
    let plan = plan_of(args)?;
    let all = Chosen::all(&args.store, session)?;
    let project = ProjectPackages::of_names(all.inputs.names());
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let Chosen { game, inputs, .. } = chosen;
    let values = values::options_on_damage(&args.properties, &args.damage, (&args.store.input, session))?;
    let settings = LintSettings { plan, project, values };
    let is_json = session.printer.json;
    let mut findings = Vec::new();
    let each = |found: LintFinding| {
        if is_json {
            findings.push(found);
            return Ok(());
        }
        print(&found).map_err(Error::io("write", Path::new("stdout")))
    };
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| watched.each_lint_finding(inputs, settings, each))?;
    progress.finish();
    let done = &outcome.done;
    if is_json {
        let schema = "uncask.lint/1";
        printer::print_json(&Report { schema, packages: done.packages, findings: &findings })?;
    } else {
        let packages = counted(done.packages, "package", "packages");
        session
            .printer
            .note(&format!("{}: {packages} checked", counted(done.findings, "finding", "findings")));
    }
    summary::failures(session, &outcome);
    match exit::of_outcome(&outcome, &game) {
        Exit::Ok if done.findings > 0 => Ok(Exit::Failed),
        exit => Ok(exit),
    }
}

fn plan_of(args: &LintArgs) -> anyhow::Result<LintPlan> {
    let wrong = |error: &LintRulesError| {
        let path = args.rules.as_deref().unwrap_or_else(|| Path::new("--rules"));
        UsageError(format!("cannot read the rules: {error}: {}", path.display()))
    };
    let mut rules = match &args.rules {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            LintRules::parse(&text).map_err(|error| wrong(&error))?
        }
        None => LintRules::default(),
    };
    let total = args.budget.map(|size| size.0);
    rules.budget.extend(total.map(|total| SizeBudget { total: Some(total), ..SizeBudget::default() }));
    Ok(LintPlan::new(&rules).map_err(|error| wrong(&error))?)
}

fn print(found: &LintFinding) -> io::Result<()> {
    let place = if found.file.is_empty() { &found.package } else { &found.file };
    let mut out = printer::out();
    writeln!(out, "{place}: {}", words(&found.fault))?;
    out.flush()
}

fn words(fault: &LintFault) -> String {
    let sides = |[width, height]: &[u32; 2]| format!("{width}x{height}");
    match fault {
        LintFault::MissingReference { to, is_soft: false } => format!("missing reference: {to}"),
        LintFault::MissingReference { to, is_soft: true } => format!("missing soft reference: {to}"),
        LintFault::Name { class, allowed } => format!("name: {class}, expected {}", allowed.join(" or ")),
        LintFault::TextureSize { size, limit } => {
            format!("texture size: {}, expected at most {limit}", sides(size))
        }
        LintFault::PowerOfTwo { size } => format!("texture size: {}, expected powers of two", sides(size)),
        LintFault::FileSize { len, limit } => {
            format!("file size: {}, expected at most {}", size(*len), size(*limit))
        }
        LintFault::TotalSize { assets, len, limit } => {
            let assets = counted(*assets, "asset", "assets");
            format!("size of {assets}: {}, expected at most {}", size(*len), size(*limit))
        }
    }
}
