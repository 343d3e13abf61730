//! Mappings of a game: given, or found beside it.

use crate::args::PropertyArgs;
use crate::exit::UsageError;
use crate::session::Session;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{find_mappings, is_mappings, read_mappings};
use uncask::property::Schemas;
use uncask::wire::{Fault, FaultKind};

/// Loads the mappings given in the arguments, or found beside the game.
pub(crate) fn load(
    args: &PropertyArgs,
    input: &Path,
    session: &Session,
) -> anyhow::Result<Option<Arc<Schemas>>> {
    let Some(path) = path(args, input)? else { return Ok(None) };
    if args.mappings.is_some() {
        return open(&path, session).map(Some);
    }
    // What nobody has named may be that of another build, and is no reason to fail.
    match open(&path, session) {
        Ok(schemas) => {
            session.printer.note(&format!("mappings found beside the game: {}", path.display()));
            Ok(Some(schemas))
        }
        Err(error) => {
            session.printer.warning(&format!("mappings beside the game are not used: {error}"));
            Ok(None)
        }
    }
}

/// Path of the mappings given in the arguments, or found beside the game.
pub(crate) fn path(args: &PropertyArgs, input: &Path) -> anyhow::Result<Option<PathBuf>> {
    Ok(match &args.mappings {
        Some(path) if path.is_dir() => Some(in_folder(path)?),
        Some(path) => Some(path.clone()),
        None => find_mappings(input),
    })
}

/// Reads a mappings file.
pub(crate) fn open(path: &Path, session: &Session) -> anyhow::Result<Arc<Schemas>> {
    let (schemas, fault) = match read_mappings(path, session.memory()) {
        Err(Error::Malformed { source: Fault { kind: FaultKind::BadMagic, .. }, .. }) => {
            let text = format!("not a mappings file (.usmap or .jmap): {}", path.display());
            return Err(UsageError(text).into());
        }
        read => read?,
    };
    // A file that is cut off still has most schemas.
    if let Some(fault) = fault {
        session.printer.warning(&format!("the end is missing: {fault}"));
    }
    session.printer.detail(&format!("mappings: {}", path.display()));
    Ok(Arc::new(schemas))
}

/// The only mappings file in a folder.
fn in_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    let entries = std::fs::read_dir(folder).map_err(Error::io("open", folder))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_mappings(path)).collect();
    found.sort();
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(UsageError(format!("no .usmap or .jmap is in --mappings {}", folder.display())).into()),
        // Choosing one by date or name would be a guess: mappings of another build give wrong values.
        [first, ..] => {
            let number = found.len();
            let message = format!("{number} mappings files are in --mappings {}", folder.display());
            Err(UsageError(format!("{message}; name one of them, such as {}", first.display())).into())
        }
    }
}
