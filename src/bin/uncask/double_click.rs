//! Detects a double click on the program. A help text would be useless then: its window closes at once.

use std::ffi::OsString;

/// The Windows shell, which starts programs on a double click.
const DESKTOP: &str = "explorer.exe";

/// The arguments, with the command `browse` added after a double click.
pub(super) fn arguments(given: Vec<OsString>) -> Vec<OsString> {
    if wants_page(given.len(), parent().as_deref()) {
        return given.into_iter().chain(["browse".into()]).collect();
    }
    given
}

/// True if the shell started the program without arguments other than its own name.
fn wants_page(arguments: usize, parent: Option<&str>) -> bool {
    // Arguments mean that a person or script has typed them, even if the shell started the program.
    cfg!(feature = "browse")
        && arguments <= 1
        && parent.is_some_and(|name| name.eq_ignore_ascii_case(DESKTOP))
}

/// Name of the program that started this one.
#[cfg(all(windows, feature = "browse"))]
fn parent() -> Option<String> {
    use winsafe::{HPROCESSLIST, co::TH32CS};
    let mut processes = HPROCESSLIST::CreateToolhelp32Snapshot(TH32CS::SNAPPROCESS, None).ok()?;
    let all: Vec<(u32, u32, String)> = processes
        .iter_processes()
        .filter_map(Result::ok)
        .map(|process| (process.th32ProcessID, process.th32ParentProcessID, process.szExeFile()))
        .collect();
    parent_in(&all, std::process::id())
}

#[cfg(not(all(windows, feature = "browse")))]
const fn parent() -> Option<String> {
    None
}

/// Name of a process's parent, from a list of ids, parent ids and names.
#[cfg_attr(
    not(any(all(windows, feature = "browse"), test)),
    expect(dead_code, reason = "used only on Windows, with the page")
)]
fn parent_in(processes: &[(u32, u32, String)], id: u32) -> Option<String> {
    let (_, parent, _) = processes.iter().find(|(other, ..)| *other == id)?;
    processes.iter().find(|(other, ..)| other == parent).map(|(.., name)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_desktop_gets_the_page_and_only_without_arguments() {
        let has_page = cfg!(feature = "browse");
        assert_eq!(wants_page(1, Some("explorer.exe")), has_page);
        assert_eq!(wants_page(0, Some("Explorer.EXE")), has_page);
        assert!(
            !wants_page(2, Some("explorer.exe")),
            "a file was dropped on it, or a shortcut has arguments"
        );
        for parent in [None, Some("cmd.exe"), Some("pwsh.exe"), Some("WindowsTerminal.exe"), Some("explorer")]
        {
            assert!(!wants_page(1, parent), "{parent:?}");
        }
    }

    #[test]
    fn the_parent_is_found_by_its_number() {
        let processes =
            [(1, 0, "init"), (7, 1, "explorer.exe"), (9, 7, "uncask.exe"), (10, 99, "orphan.exe")];
        let processes = processes.map(|(id, parent, name)| (id, parent, name.to_owned()));
        assert_eq!(parent_in(&processes, 9).as_deref(), Some("explorer.exe"));
        assert_eq!((parent_in(&processes, 10), parent_in(&processes, 11)), (None, None));
    }
}
