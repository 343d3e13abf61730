//! `uncask install` and `uncask uninstall`: a mod into a game, and out of it.

use crate::args::{InstallArgs, StoreArgs, UninstallArgs};
use crate::exit::Exit;
use crate::objections::sentence;
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::base_game;
use serde::Serialize;
use std::path::Path;
use uncask::game::{InstallError, InstalledMod, Lend, install, mod_files, uninstall};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    dry_run: bool,
    name: &'a str,
    folder: String,
    files: Vec<String>,
    bytes: u64,
}

pub(crate) fn run(args: &InstallArgs, session: &Session) -> anyhow::Result<Exit> {
    // What is missing beside the mod is a clearer answer than what the checks would make of it.
    if let Err(error) = mod_files(&args.file) {
        return Ok(refuse(session, &error));
    }
    if !is_sound(args, session)? && !args.force {
        session.printer.note("nothing was installed; --force installs it anyway");
        return Ok(Exit::Failed);
    }
    let installed = match install(&args.file, &args.game, args.overwrite, args.dry_run) {
        Ok(installed) => installed,
        Err(error) => return Ok(refuse(session, &error)),
    };
    print(session, &installed, "uncask.install/1", args.dry_run)?;
    let verb = if args.dry_run { "would install" } else { "installed" };
    session.printer.note(&summary(verb, &installed));
    if !args.dry_run {
        let game = args.game.display();
        session.printer.note(&format!("`uncask uninstall {} {game}` removes it", installed.name));
    }
    Ok(Exit::Ok)
}

pub(crate) fn remove(args: &UninstallArgs, session: &Session) -> anyhow::Result<Exit> {
    let removed = match uninstall(&args.name, &args.game, args.dry_run) {
        Ok(removed) => removed,
        Err(error) => return Ok(refuse(session, &error)),
    };
    print(session, &removed, "uncask.uninstall/1", args.dry_run)?;
    let verb = if args.dry_run { "would remove" } else { "removed" };
    session.printer.note(&summary(verb, &removed));
    Ok(Exit::Ok)
}

/// Checks the mod against the game, and reports what is wrong with it.
fn is_sound(args: &InstallArgs, session: &Session) -> anyhow::Result<bool> {
    let store = |input: &Path| StoreArgs::single(input, &args.aes_key);
    let mods = session.open(&store(&args.file), Lend::Never)?;
    session.warn_of_locks(&mods);
    let game = base_game::open(&store(&args.game), session)?;
    let checked = mods.check(Some(&game), Vec::new());
    for warning in &checked.warnings {
        session.printer.warning(&sentence(warning));
    }
    for problem in &checked.problems {
        session.printer.error(&sentence(problem));
    }
    Ok(checked.problems.is_empty())
}

fn refuse(session: &Session, error: &InstallError) -> Exit {
    session.printer.error(&error.to_string());
    match error {
        InstallError::Exists(_) => session.printer.hint(Some("--overwrite replaces it")),
        InstallError::Incomplete { missing: "pak", .. } => {
            session.printer.hint(Some(
                "games find a container by the .pak of its name; `uncask pack` writes an empty one",
            ));
        }
        InstallError::NotInstalled { others, .. } if !others.is_empty() => {
            session.printer.note(&format!("installed there: {}", others.join(", ")));
        }
        _ => {}
    }
    match error {
        InstallError::NotAMod(_) => Exit::Usage,
        InstallError::Incomplete { .. } | InstallError::NoPaks(_) => Exit::Input,
        InstallError::NotInstalled { .. } => Exit::NothingMatched,
        _ => Exit::Failed,
    }
}

/// Prints the files: one per line, or as JSON.
fn print(
    session: &Session,
    installed: &InstalledMod,
    schema: &'static str,
    dry_run: bool,
) -> anyhow::Result<()> {
    let InstalledMod { folder, name, files, bytes } = installed;
    let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if session.printer.json {
        let folder = folder.display().to_string();
        return printer::print_json(&Report { schema, dry_run, name, folder, files, bytes: *bytes });
    }
    let mut out = printer::out();
    for file in files {
        writeln!(out, "{file}")?;
    }
    Ok(out.flush()?)
}

fn summary(verb: &str, installed: &InstalledMod) -> String {
    let files = counted(installed.files.len() as u64, "file", "files");
    let InstalledMod { name, folder, bytes, .. } = installed;
    format!("{verb} {name}: {files}, {}: {}", size(*bytes), folder.display())
}
