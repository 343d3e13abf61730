//! `uncask check`: would a game take this mod?

use crate::args::{CheckArgs, StoreArgs};
use crate::exit::{self, Exit};
use crate::printer::{self, counted};
use crate::session::Session;
use serde::Serialize;
use uncask::job::Failure;
use uncask::pack::{BaseGame, Checked, Finding, check};
use uncask::store::{Entry, Store};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: u64,
    in_containers: u64,
    in_paks: u64,
    problems: Vec<&'a str>,
    warnings: Vec<&'a str>,
    findings: Vec<FindingReport<'a>>,
    replaced: &'a [String],
}

/// A problem or warning, for programs.
#[derive(Serialize)]
struct FindingReport<'a> {
    kind: &'static str,
    is_problem: bool,
    count: u64,
    first: String,
    text: &'a str,
}

impl<'a> FindingReport<'a> {
    fn new(found: &'a Finding, is_problem: bool) -> Self {
        let Finding { kind, count, ref first, ref text } = *found;
        Self { kind, is_problem, count, first: first.display().to_string(), text }
    }
}

pub(crate) fn run(args: &CheckArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open_named(&args.store)?;
    session.warn_of_locks(&store);
    let game = args.game.as_ref().map(|path| {
        let of_game = StoreArgs {
            input: path.clone(),
            more_inputs: Vec::new(),
            base: Vec::new(),
            aes_key: args.store.aes_key.clone(),
            toc_version: None,
            only: None,
        };
        super::to_zen::open_game(&of_game, session)
    });
    let game: Option<BaseGame> = game.transpose()?;
    let damaged = if args.no_verify { Vec::new() } else { damaged(&store, session)? };
    let checked = check(&session.packages(&store), game.as_ref(), &damaged, session.context(false).cpu());
    if session.printer.json {
        printer::print_json(&report(&checked))?;
    }
    for warning in &checked.warnings {
        session.printer.warning(&warning.text);
    }
    for problem in &checked.problems {
        session.printer.error(&problem.text);
    }
    summary(&checked, game.is_some(), session);
    Ok(if checked.problems.is_empty() { exit::of_listing(&store) } else { Exit::Failed })
}

/// The chunks whose content is not what their hashes say, or that cannot be read.
fn damaged(store: &Store, session: &Session) -> anyhow::Result<Vec<Failure>> {
    let entries: Vec<Entry> = store.entries().filter(|entry| !store.is_delete_record(*entry)).collect();
    let (context, progress) = session.observed(true, "chunks");
    let job = uncask::extract::verify(store, &entries, &context, false);
    let outcome = session.block_on(job)?;
    progress.finish();
    Ok(outcome.failures.into_iter().chain(outcome.mismatches).collect())
}

fn summary(checked: &Checked, has_game: bool, session: &Session) {
    let &Checked { in_containers, in_paks, ref replaced, ref problems, .. } = checked;
    let packages = counted(in_containers + in_paks, "package", "packages");
    let of_game =
        if has_game { format!(", {} of them in the game, too", replaced.len()) } else { String::new() };
    session.printer.note(&format!(
        "checked {packages} ({in_containers} in containers, {in_paks} in paks{of_game}): {}",
        counted(problems.len() as u64, "problem", "problems")
    ));
}

fn report(checked: &Checked) -> Report<'_> {
    let Checked { in_containers, in_paks, replaced, problems, warnings } = checked;
    let all = problems.iter().map(|found| (found, true)).chain(warnings.iter().map(|found| (found, false)));
    Report {
        schema: "uncask.check/1",
        packages: in_containers + in_paks,
        in_containers: *in_containers,
        in_paks: *in_paks,
        problems: problems.iter().map(|finding| finding.text.as_str()).collect(),
        warnings: warnings.iter().map(|finding| finding.text.as_str()).collect(),
        findings: all.map(|(found, is_problem)| FindingReport::new(found, is_problem)).collect(),
        replaced,
    }
}
