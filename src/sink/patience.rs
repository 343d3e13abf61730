//! Waits a moment for files that other programs have open.
//!
//! Windows renames no file over one that a program holds without allowing it: virus scanners and indexers do so for a moment with
//! every new file, viewers for as long as they show it. Other systems have no such locks, and nothing is tried twice there.

use std::io;
use std::time::Duration;

/// The first pause; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// After so many pauses, 0.63 s in all, the error stands.
const PAUSES: u32 = 6;

/// Does something with a file, again and again for a moment if another program has it open.
pub(crate) fn with_patience<T>(mut step: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut pause = FIRST_PAUSE;
    for _ in 0..PAUSES {
        match step() {
            Err(error) if is_held(&error) => std::thread::sleep(pause),
            done => return done,
        }
        pause *= 2;
    }
    step().map_err(|error| if is_held(&error) { explained(&error) } else { error })
}

/// What the system says may be about permissions as well as about other programs, and not in English.
fn explained(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{error}; another program may have it open"))
}

/// Whether Windows says so: `ERROR_ACCESS_DENIED` (also for a file that is about to be deleted), `ERROR_SHARING_VIOLATION`,
/// `ERROR_LOCK_VIOLATION`.
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
