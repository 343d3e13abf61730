//! Exit codes, as `docs/output.md` documents them.

use std::process::ExitCode;
use std::sync::Arc;
use uncask::error::{Error, ErrorKind};
use uncask::game::{Container, DiscoverError, FindError, Game, Outcome, PatternError, Role};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All well.
    Ok = 0,
    /// Some chunks failed, or a check was negative.
    Failed = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// An input could not be read.
    Input = 3,
    /// A key is missing or wrong.
    Key = 4,
    /// Nothing matched, or nothing changed.
    NothingMatched = 5,
    /// Ended by Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The exit code of an error that ended a command.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
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
    match error.downcast_ref::<Error>().map(Error::kind) {
        Some(kind) => of_kind(kind),
        None => Exit::Failed,
    }
}

/// The exit code of a finished job.
pub(crate) fn of_outcome<T>(outcome: &Outcome<T>, game: &Game) -> Exit {
    let kinds = || outcome.problems().map(|failure| failure.error.kind());
    if outcome.cancelled && kinds().next().is_none() {
        return Exit::Interrupted;
    }
    let all = |wanted: ErrorKind| kinds().all(|kind| kind == wanted);
    match kinds().next() {
        None if outcome.unread_exports > 0 => Exit::Failed,
        None => of_store(game),
        Some(ErrorKind::Key) if all(ErrorKind::Key) => Exit::Key,
        Some(_) if outcome.problems().all(|failure| is_absent(&failure.error)) => Exit::Input,
        Some(_) => Exit::Failed,
    }
}

/// Whether a data file is not there. One that is cut off was an input that could be read, with chunks that failed.
const fn is_absent(error: &Error) -> bool {
    matches!(error, Error::MissingPartition { .. } | Error::LfsPointer { .. })
}

/// The exit code that the containers alone call for: one that did not open makes the result incomplete.
pub(crate) fn of_store(game: &Game) -> Exit {
    if game.failed().is_empty() { Exit::Ok } else { Exit::Input }
}

/// The exit code of a listing: without its key, a container has no paths to show.
pub(crate) fn of_listing(game: &Game) -> Exit {
    let locked =
        |container: &Arc<Container>| container.role() == Role::Content && container.locked().is_some();
    match of_store(game) {
        Exit::Ok if game.containers().iter().any(locked) => Exit::Key,
        exit => exit,
    }
}

/// The exit code of a search without result.
pub(crate) fn nothing_found(game: &Game) -> Exit {
    match of_listing(game) {
        Exit::Ok => Exit::NothingMatched,
        failed => failed,
    }
}

const fn of_kind(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::Key => Exit::Key,
        ErrorKind::Missing | ErrorKind::Io => Exit::Input,
        ErrorKind::Cancelled => Exit::Interrupted,
        _ => Exit::Failed,
    }
}

/// Arguments that parse, but make no sense together or with the input.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);
