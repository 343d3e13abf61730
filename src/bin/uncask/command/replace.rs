//! `uncask replace`: replaces textures.

use crate::args::ReplaceArgs;
use crate::exit::{Exit, UsageError};
use crate::printer::counted;
use crate::session::Session;
use crate::shared::edit;
use crate::shared::one_package;
use crate::shared::values::Chosen;
use std::path::Path;
use uncask::error::Result;
use uncask::game::{Edited, Editing, Match, TextureWish, match_folder, picture_len, read_picture};

/// Bytes of memory for each byte of pixels, in a format without compression.
const OF_PIXELS: u64 = 7;

/// Number of pictures named in the warning about unknown ones.
const NAMED: usize = 3;

pub(crate) fn run(args: &ReplaceArgs, session: &Session) -> anyhow::Result<Exit> {
    let output = edit::output(&args.edit)?;
    let job = |game| edit::EditJob { args: &args.edit, schema: "uncask.replace/1", game, output };
    let Some(folder) = &args.from else {
        let target = match one_package::one_package(&args.target, &args.edit, session)? {
            Ok(target) => target,
            Err(exit) => return Ok(exit),
        };
        let job = job(&target.game);
        let editing = job.editing(session, target.inputs, &target.input)?;
        let wanted = [Match { path: args.picture().to_owned(), object: args.object.clone() }];
        // A single picture must fit; with --from, tiles and slices are skipped.
        let edited = replace(&editing, 0, &wanted, false, session.memory()).map(|edited| vec![edited]);
        return job.finish(session, &editing, edited);
    };
    let Chosen { game, inputs, .. } = all_packages(args, session)?;
    let matches = match_folder(folder, &inputs);
    for problem in &matches.unread {
        session.printer.warning(&problem.to_string());
    }
    let count = matches.packages.values().map(Vec::len).sum::<usize>();
    if count == 0 {
        session.printer.error(&format!("no picture has the path of a package: {}", folder.display()));
        session.printer.hint(Some("pictures are found by the paths at which `uncask export` writes them"));
        return Ok(Exit::NothingMatched);
    }
    warn_of_unknown(session, folder, &matches.unknown);
    let job = job(&game);
    let editing = job.editing(session, inputs, &args.target)?;
    let limit = session.memory();
    let edited = session.cpu().map(&matches.packages, |(at, wanted)| {
        let pixels: u64 = wanted.iter().map(|wanted| picture_len(&wanted.path)).sum();
        let price = pixels.saturating_mul(OF_PIXELS);
        editing.when_paid(price, || replace(&editing, *at, wanted, true, limit))
    });
    let (mut changed, mut failed) = (Vec::new(), Vec::new());
    for edited in edited {
        match edited {
            Ok(edited) => changed.push(edited),
            Err(error) => failed.push(error),
        }
    }
    let missing = changed.iter().map(|edited| edited.missing).sum::<usize>();
    if missing > 0 {
        let pictures = counted(missing as u64, "picture is", "pictures are");
        session
            .printer
            .warning(&format!("{pictures} of no texture of its package: tiles and slices do not go back"));
    }
    if let Some(first) = failed.pop() {
        // One bad picture must not give half a mod, so nothing is written.
        for error in &failed {
            session.printer.error(&error.to_string());
        }
        return job.finish(session, &editing, Err(first));
    }
    let unchanged = count - missing - changed.iter().map(|edited| edited.exports).sum::<usize>();
    session.printer.note(&format!("{} not changed", counted(unchanged as u64, "picture", "pictures")));
    changed.retain(|edited| edited.exports > 0);
    if changed.is_empty() {
        return Ok(Exit::NothingMatched);
    }
    job.finish(session, &editing, Ok(changed))
}

/// Replaces the pictures of a package's textures.
fn replace(editing: &Editing, at: usize, wanted: &[Match], is_optional: bool, limit: u64) -> Result<Edited> {
    let files = wanted.iter().map(|wanted| read_picture(&wanted.path, limit)).collect::<Result<Vec<_>>>()?;
    let mut wishes = Vec::new();
    for (wanted, file) in wanted.iter().zip(&files) {
        let object = wanted.object.clone();
        wishes.extend(file.picture().map(|picture| TextureWish { object, picture, is_optional }));
    }
    editing.replace_textures(at, &wishes)
}

/// All packages of an input.
fn all_packages(args: &ReplaceArgs, session: &Session) -> anyhow::Result<Chosen> {
    let input: &Path = &args.target;
    if !input.exists() {
        return Err(UsageError(format!("--from needs a container or a folder: {}", input.display())).into());
    }
    Chosen::all(&args.edit.store(input), session)
}

fn warn_of_unknown(session: &Session, folder: &Path, unknown: &[std::path::PathBuf]) {
    if unknown.is_empty() {
        return;
    }
    let name = |path: &std::path::PathBuf| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let mut names: Vec<String> = unknown.iter().take(NAMED).map(name).collect();
    if unknown.len() > NAMED {
        names.push("…".to_owned());
    }
    let pictures = counted(unknown.len() as u64, "picture has", "pictures have");
    session.printer.warning(&format!("{pictures} the path of no package: {}", names.join(", ")));
}
