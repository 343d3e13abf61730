//! `uncask check`: checks whether a game will load a mod.

use crate::args::{CheckArgs, StoreArgs};
use crate::exit::{self, Exit};
use crate::objections::FindingReport;
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::base_game;
use serde::Serialize;
use uncask::game::{BaseGame, Checked, Entry, Failure, Game, Lend};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: u64,
    in_containers: u64,
    in_paks: u64,
    problems: Vec<&'a str>,
    warnings: Vec<&'a str>,
    findings: &'a [FindingReport],
    replaced: &'a [String],
}

pub(crate) fn run(args: &CheckArgs, session: &Session) -> anyhow::Result<Exit> {
    let mods = session.open(&args.store, Lend::ForPaths)?;
    session.warn_of_locks(&mods);
    let game = args.game.as_ref().map(|path| {
        // The game gets the same keys, but none of the options for reading the mod.
        let of_game = StoreArgs::single(path, &args.store.aes_key);
        base_game::open(&of_game, session)
    });
    let game: Option<BaseGame> = game.transpose()?;
    let damaged = if args.no_verify { Vec::new() } else { damaged(&mods, session)? };
    // Content was hashed above, so the check itself need not do that again.
    let checked = mods.check(game.as_ref(), damaged);
    let findings: Vec<FindingReport> =
        checked.problems.iter().chain(&checked.warnings).map(FindingReport::from).collect();
    if session.printer.json {
        printer::print_json(&report(&checked, &findings))?;
    }
    // Problems come last, where the user looks first.
    for warning in findings.iter().filter(|finding| !finding.is_problem) {
        session.printer.warning(&warning.text);
    }
    for problem in findings.iter().filter(|finding| finding.is_problem) {
        session.printer.error(&problem.text);
    }
    summary(&checked, game.is_some(), session);
    Ok(if checked.problems.is_empty() { exit::of_listing(&mods) } else { Exit::Failed })
}

/// Chunks with a wrong hash, and unreadable ones.
fn damaged(game: &Game, session: &Session) -> anyhow::Result<Vec<Failure>> {
    // All chunks, even overridden ones: any of them may be damaged.
    let entries: Vec<Entry> =
        game.all_entries().filter(|entry| !game.at(*entry).is_delete_record()).collect();
    let (watched, progress) = session.watched(game, "chunks");
    let outcome = session.interruptible(|| watched.verify(&entries, false))?;
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

fn report<'a>(checked: &'a Checked, findings: &'a [FindingReport]) -> Report<'a> {
    let Checked { in_containers, in_paks, replaced, .. } = checked;
    let texts = |are_problems| {
        let wanted = findings.iter().filter(move |finding| finding.is_problem == are_problems);
        wanted.map(|finding| finding.text.as_str()).collect()
    };
    Report {
        schema: "uncask.check/1",
        packages: in_containers + in_paks,
        in_containers: *in_containers,
        in_paks: *in_paks,
        problems: texts(true),
        warnings: texts(false),
        findings,
        replaced,
    }
}
