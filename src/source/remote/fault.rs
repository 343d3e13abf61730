//! Messages of failed requests, without times or addresses: those are the caller's to add.

use object_store::Error;
use std::error::Error as StdError;
use std::io::{self, ErrorKind};

/// True if the next answer would be the same, or is not worth another attempt.
pub(super) const fn is_final(kind: ErrorKind) -> bool {
    use ErrorKind::{NotFound, PermissionDenied, StaleNetworkFileHandle, TimedOut, Unsupported};
    // A server that was too slow once would be waited for again and again.
    matches!(kind, NotFound | PermissionDenied | StaleNetworkFileHandle | TimedOut | Unsupported)
}

/// Error for an answer of the wrong length.
pub(super) fn wrong_length(expected: u64) -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, format!("the answer has the wrong length, expected {expected}"))
}

/// Error for a file that was replaced between two requests.
pub(super) fn changed() -> io::Error {
    let message = "the file has changed on the server since it was first read";
    io::Error::new(ErrorKind::StaleNetworkFileHandle, message)
}

/// Error for an answer that is larger than anything useful.
pub(super) fn limit(message: String) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, message)
}

/// Describes a failed request.
#[expect(clippy::needless_pass_by_value, reason = "signature for map_err")]
pub(crate) fn describe(error: Error) -> io::Error {
    let cause = root(&error).to_string();
    // Servers send whole pages; the first line says enough.
    let cause = cause.lines().next().unwrap_or_default().trim_end_matches([':', ' ']);
    match &error {
        Error::NotFound { .. } => io::Error::new(ErrorKind::NotFound, "the server does not have the file"),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            io::Error::new(ErrorKind::PermissionDenied, "the server denies access")
        }
        Error::Precondition { .. } => changed(),
        // The library has no kinds for these, so their texts are recognised.
        _ if cause.starts_with("Range request not supported")
            || cause.starts_with("Received non-partial") =>
        {
            io::Error::new(ErrorKind::Unsupported, "the server does not support range requests")
        }
        _ if cause.starts_with("Requested ") => {
            io::Error::new(ErrorKind::InvalidData, "the server sent the wrong range")
        }
        _ => match cause.strip_prefix("Server returned non-2xx status code: ") {
            Some(answer) if answer.starts_with("401") || answer.starts_with("403") => {
                io::Error::new(ErrorKind::PermissionDenied, "the server denies access")
            }
            Some(answer) if answer.starts_with("416") => {
                io::Error::new(ErrorKind::UnexpectedEof, "the file ends before the wanted range")
            }
            Some(answer) => {
                let status = answer.split(':').next().unwrap_or_default();
                io::Error::new(ErrorKind::ConnectionAborted, format!("the server answers {status}"))
            }
            None => io::Error::new(ErrorKind::ConnectionAborted, cause.to_owned()),
        },
    }
}

/// Returns the innermost error, which caused all others.
fn root(error: &Error) -> &dyn StdError {
    let mut root: &dyn StdError = error;
    while let Some(source) = root.source() {
        root = source;
    }
    root
}
