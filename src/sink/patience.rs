//! Retries while other programs have a file open.
//!
//! Windows does not rename a file over one that a program has open without permission: virus scanners and
//! indexers hold every new file for a moment, viewers for as long as they show it. Other systems have no such
//! locks, and nothing is retried there.

use std::io;
use std::time::Duration;

/// First pause; each later one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// Number of pauses, 0.63 s in all, before the error is final.
const PAUSES: u32 = 6;

/// Runs `step`, and retries for a moment if another program has the file open.
pub(crate) fn with_patience<T>(mut step: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut pause = FIRST_PAUSE;
    for _ in 0..PAUSES {
        match step() {
            Err(error) if is_held(&error) => std::thread::sleep(pause),
            done => return done,
        }
        pause *= 2;
    }
    // The last attempt: its error is final, and names the probable cause.
    step().map_err(|error| if is_held(&error) { explained(&error) } else { error })
}

/// Extends the system's message, which may be about permissions as well as other programs, and may not be in
/// English.
fn explained(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{error}; another program may have it open"))
}

/// True for Windows' `ERROR_ACCESS_DENIED` (also for a file that is about to be deleted),
/// `ERROR_SHARING_VIOLATION` and `ERROR_LOCK_VIOLATION`.
fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_windows_is_waited_for() {
        let mut tries = 0;
        let held = with_patience(|| -> io::Result<()> {
            tries += 1;
            Err(io::Error::from_raw_os_error(32))
        });
        let told = held.unwrap_err().to_string();
        assert_eq!(
            told.ends_with("(os error 32); another program may have it open"),
            cfg!(windows),
            "{told}"
        );
        assert_eq!(tries, if cfg!(windows) { PAUSES + 1 } else { 1 });
    }

    #[test]
    fn what_is_free_in_time_succeeds() {
        let mut answers = [Err(io::Error::from_raw_os_error(32)), Ok(7)].into_iter();
        let found = with_patience(|| answers.next().unwrap());
        assert_eq!(found.ok(), cfg!(windows).then_some(7));
        assert!(with_patience(|| -> io::Result<()> { Err(io::ErrorKind::NotFound.into()) }).is_err());
    }
}
