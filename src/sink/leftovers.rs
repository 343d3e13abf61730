//! What runs that were killed have left behind.
//!
//! ```text
//! .uncask-PID-N.part     a file on its way: the process that writes it, and a number of its own
//! ```

use cap_std::fs::Dir;
use std::io;

/// What temporary names start with.
pub(super) const PREFIX: &str = ".uncask-";

/// What temporary names end with.
pub(super) const SUFFIX: &str = ".part";

/// Removes all temporary files below a folder whose process has ended, or is this one, and says how many. Symlinks are
/// not followed. What cannot be listed or removed stays: it is in nobody's way.
pub(super) fn remove(root: &Dir) -> u64 {
    // Depth first, so that no more folders are open at a time than lie in one another.
    let listed = |folder: io::Result<Dir>| folder.and_then(|folder| Ok((folder.entries()?, folder)));
    let (mut open, mut removed) = (Vec::from_iter(listed(root.try_clone())), 0);
    while let Some((entries, folder)) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        let Ok((kind, entry)) = entry.and_then(|entry| Ok((entry.file_type()?, entry))) else { continue };
        let name = entry.file_name();
        if kind.is_dir() {
            open.extend(listed(entry.open_dir()));
        } else if kind.is_file() && name.to_str().and_then(writer_of).is_some_and(has_ended) {
            removed += u64::from(folder.remove_file(name).is_ok());
        }
    }
    removed
}

/// The process that a temporary name is of.
fn writer_of(name: &str) -> Option<u32> {
    let (process, number) = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-')?;
    number.parse::<u64>().ok()?;
    process.parse().ok()
}

/// Whether a process cannot be writing any more. This one has not begun.
#[cfg(unix)]
fn has_ended(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return true };
    process == std::process::id() || test_kill_process(pid) == Err(rustix::io::Errno::SRCH)
}

#[cfg(not(unix))]
fn has_ended(_process: u32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_names_have_a_writer() {
        for (name, expected) in [
            (".uncask-12-0.part", Some(12)),
            (".uncask-4294967295-18446744073709551615.part", Some(u32::MAX)),
            (".uncask-12.part", None),
            (".uncask-x-0.part", None),
            (".uncask-12-0.parts", None),
            ("a.uncask-12-0.part", None),
            (".uncask-4294967296-0.part", None),
        ] {
            assert_eq!(writer_of(name), expected, "{name}");
        }
    }
}
