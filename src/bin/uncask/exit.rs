//! Exit codes, as documented in `docs/output.md`.

use std::process::ExitCode;
use std::sync::Arc;
use uncask::error::{Error, ErrorKind};
use uncask::game::{Container, DiscoverError, FindError, Game, Outcome, PatternError, Role};

/// Exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Ok = 0,
    /// Some chunks failed, or a check was negative.
    Failed = 1,
    /// The arguments do not make sense.
    Usage = 2,
    /// An input could not be read.
    Input = 3,
    /// A key is missing or wrong.
    Key = 4,
    /// Nothing matched, or nothing changed.
    NothingMatched = 5,
    /// Interrupted by Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The exit code for an error that ended a command.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    // Errors are told apart by type, so that a reworded message does not change the exit code.
    if error.is::<DiscoverError>() {
        return Exit::Input;
    }
    if error.is::<PatternError>()
        || error.is::<FindError>()
        || error.is::<UsageError>()
        || error.is::<uncask::crypto::KeyError>()
    {
        return Exit::Usage;
    }
    match error.downcast_ref::<Error>() {
        // An output that cannot be made is no fault of an input.
        Some(Error::Io { action, .. }) if OUTPUTS.iter().any(|output| action.starts_with(output)) => {
            Exit::Failed
        }
        Some(error) => of_kind(error.kind()),
        None => Exit::Failed,
    }
}

/// Beginnings of actions on outputs.
const OUTPUTS: [&str; 6] = ["allocate", "choose", "copy", "create", "rename", "write"];

/// The exit code for a finished job.
pub(crate) fn of_outcome<T>(outcome: &Outcome<T>, game: &Game) -> Exit {
    let kinds = || outcome.problems().map(|failure| failure.error.kind());
    // Failures matter more than an interruption: a script must see them.
    if outcome.cancelled && kinds().next().is_none() {
        return Exit::Interrupted;
    }
    let all = |wanted: ErrorKind| kinds().all(|kind| kind == wanted);
    match kinds().next() {
        None if outcome.unread_exports > 0 => Exit::Failed,
        None => of_store(game),
        // Only if nothing but keys is in the way does the code say so; otherwise a key would not be enough.
        Some(ErrorKind::Key) if all(ErrorKind::Key) => Exit::Key,
        // If nothing but missing data files failed, the input is to blame rather than its content.
        Some(_) if outcome.problems().all(|failure| is_absent(&failure.error)) => Exit::Input,
        Some(_) => Exit::Failed,
    }
}

/// True if a data file is missing. A truncated one could be read, and its chunks failed.
const fn is_absent(error: &Error) -> bool {
    matches!(error, Error::MissingPartition { .. } | Error::LfsPointer { .. })
}

/// The exit code required by the containers alone: with one unopened, every result is incomplete.
pub(crate) fn of_store(game: &Game) -> Exit {
    if game.failed().is_empty() { Exit::Ok } else { Exit::Input }
}

/// The exit code for a listing: a container without its key has no paths to list.
pub(crate) fn of_listing(game: &Game) -> Exit {
    let locked =
        |container: &Arc<Container>| container.role() == Role::Content && container.locked().is_some();
    match of_store(game) {
        Exit::Ok if game.containers().iter().any(locked) => Exit::Key,
        exit => exit,
    }
}

/// The exit code for a search without results.
pub(crate) fn nothing_found(game: &Game) -> Exit {
    // If something could not be searched, that is the more useful answer than "nothing found".
    match of_listing(game) {
        Exit::Ok => Exit::NothingMatched,
        failed => failed,
    }
}

pub(crate) const fn of_kind(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::Key => Exit::Key,
        ErrorKind::Missing | ErrorKind::Io => Exit::Input,
        ErrorKind::Cancelled => Exit::Interrupted,
        _ => Exit::Failed,
    }
}

/// An error in the arguments that only shows when they are combined with each other or the input.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);
