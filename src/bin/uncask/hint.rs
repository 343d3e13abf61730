//! Advice on errors. The library knows no flags; only this file relates errors to flags.

use std::io;
use std::path::Path;
use uncask::error::{Bound, Error, ShaderGroupProblem};
use uncask::game::{AddressProblem, DiscoverError};

/// Advice on an error, if a flag helps.
pub(crate) fn of(error: &Error) -> Option<&'static str> {
    match error {
        Error::MissingKey { .. } => Some("give the key with --aes-key"),
        Error::WrongKey { .. } => Some("--aes-key may be repeated: all keys are tried"),
        Error::Limit { bound: Bound::Memory, .. } => {
            Some("raise the limit with --memory, such as --memory 1G")
        }
        Error::Limit { bound: Bound::Output, .. } => Some("raise the limit with --max-output"),
        Error::ShaderGroup { problem: ShaderGroupProblem::Read(source), .. } => of(source),
        Error::Io { source, .. } if is_held(source) => Some(HELD),
        Error::Io { path, .. } => of_quote(path).filter(|_| cfg!(windows)),
        _ => None,
    }
}

/// Advice on the error that ended the run, whatever context was added to it.
pub(crate) fn of_chain(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| match cause.downcast_ref::<DiscoverError>() {
        Some(DiscoverError::Open { source, .. }) if is_held(source) => Some(HELD),
        Some(DiscoverError::Open { path, .. }) => of_quote(path).filter(|_| cfg!(windows)),
        Some(DiscoverError::Address { problem: AddressProblem::NoNetwork, .. }) => {
            Some("build uncask with --features remote")
        }
        _ => cause.downcast_ref::<Error>().and_then(of),
    })
}

const HELD: &str = "end the program that has the file open, such as the game or its launcher, and try again";

/// True for an error of Windows about a file that another program has open for itself.
fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(32 | 33))
}

/// Advice on a path with a quotation mark. Windows allows none in names, but `"C:\out\" -l` gives programs one, with
/// all that follows.
fn of_quote(path: &Path) -> Option<&'static str> {
    let hint = r#"leave out the backslash before the closing quotation mark: "C:\Game", not "C:\Game\""#;
    path.to_string_lossy().contains('"').then_some(hint)
}

/// Advice on a pattern without matches, if the shell has changed it.
pub(crate) fn of_pattern(pattern: &str) -> Option<&'static str> {
    if is_of_git_bash(pattern) {
        return Some("Git Bash took the package name for a path of its own: write Game/… or //Game/…");
    }
    let inner = pattern.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.is_empty()).then_some("cmd.exe does not remove single quotes: use double quotes")
}

/// True for `/Game/Maps/Start` as Git Bash passes it on: with the folder of its own root in front.
fn is_of_git_bash(text: &str) -> bool {
    let path = text.replace('\\', "/").to_lowercase();
    let is_absolute = path.split(';').next_back().is_some_and(|last| last.get(1..3) == Some(":/"));
    is_absolute && ["/git/", "/msys64/", "/msys32/"].iter().any(|root| path.contains(root))
}

/// Advice on values that have lost their quotes on the way through a shell.
pub(crate) fn of_values(values: &[String]) -> Option<&'static str> {
    let is_json = |text: &str| text.starts_with(['{', '[']);
    // cmd.exe splits such a value at its spaces, so its quote is not closed.
    if values.iter().any(|value| value.strip_prefix('\'').is_some_and(is_json)) {
        return Some(r#"cmd.exe does not remove single quotes: write "{\"Damage\": 7}""#);
    }
    let has_word = |text: &str| text.contains(|c: char| c.is_ascii_alphabetic());
    let is_bare = |value: &String| is_json(value) && has_word(value) && !value.contains('"');
    let is_spoiled =
        |value: &String| is_bare(value) && serde_json::from_str::<serde_json::Value>(value).is_err();
    let hint = r#"PowerShell before 7.3 removes double quotes: write '{\"Damage\": 7}'"#;
    values.iter().any(is_spoiled).then_some(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shells_of_windows_spoil_is_seen() {
        assert!(of_quote(Path::new(r#"C:\out" -l"#)).is_some());
        assert!(of_quote(Path::new(r"C:\out\")).is_none());
        assert!(of_pattern("'*.umap'").is_some());
        assert!(of_pattern("C:/Program Files/Git/Game/Maps/Start").is_some());
        let values = |value: &str| of_values(&["Sword.Levels[2]".to_owned(), value.to_owned()]);
        assert!(values("'{\"Damage\":").is_some_and(|hint| hint.starts_with("cmd.exe")));
        assert!(values("{Damage: 7}").is_some_and(|hint| hint.starts_with("PowerShell")));
        for plain in ["{\"Damage\": 7}", "[1, 2]", "[true]", "7", "{}", "a {b}", ""] {
            assert!(values(plain).is_none(), "{plain}");
        }
        for plain in ["*.umap", "''", "'", "'a", "O'Neill", "/Game/Git/Start", "C:/Games/Maps"] {
            assert!(of_pattern(plain).is_none(), "{plain}");
        }
    }
}
