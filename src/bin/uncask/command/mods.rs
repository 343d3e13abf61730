//! `uncask mods`: lists the mods of a game.

use crate::args::{ModsArgs, StoreArgs};
use crate::exit::{self, Exit};
use crate::objections::{FindingReport, sentence};
use crate::printer::{self, count, counted};
use crate::session::Session;
use serde::Serialize;
use uncask::game::{Checked, Game, GameMod, IgnoredMod, Lend};

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    mods: Vec<Row<'r>>,
}

#[derive(Serialize)]
struct Row<'r> {
    #[serde(flatten)]
    found: &'r GameMod,
    /// Findings of `check`.
    findings: Vec<FindingReport>,
}

pub(crate) fn run(args: &ModsArgs, session: &Session) -> anyhow::Result<Exit> {
    let game = session.open(&args.store, Lend::Always)?;
    session.warn_of_locks(&game);
    let mods = game.mods();
    if mods.is_empty() {
        session.printer.note("no mods");
        return Ok(exit::of_store(&game));
    }
    let base = game.as_base();
    let check = |found: &GameMod| -> anyhow::Result<Checked> {
        let own = session.open_inputs(&found.files, &of_mod(&args.store), Lend::Never)?;
        Ok(own.check(Some(&base), Vec::new()))
    };
    let checked = mods.iter().map(check).collect::<anyhow::Result<Vec<Checked>>>()?;
    if session.printer.json {
        let findings = |checked: &Checked| {
            checked.problems.iter().chain(&checked.warnings).map(FindingReport::from).collect()
        };
        let rows =
            mods.iter().zip(&checked).map(|(found, checked)| Row { found, findings: findings(checked) });
        printer::print_json(&Report { schema: "uncask.mods/1", mods: rows.collect() })?;
    } else {
        print(&mods, &checked, session)?;
    }
    for (found, checked) in mods.iter().zip(&checked) {
        for problem in &checked.problems {
            session.printer.error(&format!("{}: {}", found.name, sentence(problem)));
        }
    }
    session.printer.note(&summary(&mods, &game));
    let is_faulty = checked.iter().any(|checked| !checked.problems.is_empty())
        || mods.iter().any(|found| found.ignored.is_some());
    Ok(match exit::of_store(&game) {
        Exit::Ok if is_faulty => Exit::Failed,
        exit => exit,
    })
}

/// The arguments for a mod: those of the game, without what only the game needs.
fn of_mod(args: &StoreArgs) -> StoreArgs {
    StoreArgs { toc_version: args.toc_version, ..StoreArgs::single(&args.input, &args.aes_key) }
}

fn print(mods: &[GameMod], checked: &[Checked], session: &Session) -> anyhow::Result<()> {
    let mut out = printer::out();
    let width = mods.iter().map(|found| found.name.chars().count()).max().unwrap_or_default().max(3);
    writeln!(out, "{:<width$} {:>5} {:>8} {:>8} {:>8}  STATE", "MOD", "ORDER", "CHANGES", "ADDS", "HIDDEN")?;
    for (found, checked) in mods.iter().zip(checked) {
        let GameMod { name, order, changes, adds, hidden, .. } = found;
        let [changes, adds, hidden] = [*changes, *adds, hidden.len() as u64].map(count);
        writeln!(
            out,
            "{name:<width$} {order:>5} {changes:>8} {adds:>8} {hidden:>8}  {}",
            state(found, checked)
        )?;
        if session.printer.is_verbose() {
            for path in &found.hidden {
                writeln!(out, "    hidden: {path}")?;
            }
            for warning in &checked.warnings {
                writeln!(out, "    {}", sentence(warning))?;
            }
        }
    }
    Ok(out.flush()?)
}

fn state(found: &GameMod, checked: &Checked) -> String {
    let problems = checked.problems.len() as u64;
    match found.ignored {
        Some(IgnoredMod::NoPak) => "not loaded: there is no .pak of its name".to_owned(),
        Some(IgnoredMod::Locked) => "encrypted: its key is missing or wrong".to_owned(),
        None if !found.hidden.is_empty() && found.hidden.len() as u64 == found.changes + found.adds => {
            "without effect: other mods have all of it".to_owned()
        }
        None if problems > 0 => counted(problems, "problem", "problems"),
        None => "ok".to_owned(),
    }
}

fn summary(mods: &[GameMod], game: &Game) -> String {
    let all = counted(mods.len() as u64, "mod", "mods");
    let hidden: u64 = mods.iter().map(|found| found.hidden.len() as u64).sum();
    let hidden = counted(hidden, "package or file is hidden", "packages and files are hidden");
    format!("{all} in {}, {hidden}", counted(game.containers().len() as u64, "container", "containers"))
}
