//! Advice on errors. The library knows no flags; only this file relates errors to flags.

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
        Error::Io { path, .. } => of_quote(path).filter(|_| cfg!(windows)),
        _ => None,
    }
}

/// Advice on the error that ended the run, whatever context was added to it.
pub(crate) fn of_chain(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| match cause.downcast_ref::<DiscoverError>() {
        Some(DiscoverError::Open { path, .. }) => of_quote(path).filter(|_| cfg!(windows)),
        Some(DiscoverError::Address { problem: AddressProblem::NoNetwork, .. }) => {
            Some("build uncask with --features remote")
        }
        _ => cause.downcast_ref::<Error>().and_then(of),
    })
}

/// Advice on a path with a quotation mark. Windows allows none in names, but `"C:\out\" -l` gives programs one, with
/// all that follows.
fn of_quote(path: &Path) -> Option<&'static str> {
    let hint = r#"leave out the backslash before the closing quotation mark: "C:\Game", not "C:\Game\""#;
    path.to_string_lossy().contains('"').then_some(hint)
}

/// Advice on a pattern without matches, if the shell has changed it.
pub(crate) fn of_pattern(pattern: &str) -> Option<&'static str> {
    let inner = pattern.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.is_empty()).then_some("cmd.exe does not remove single quotes: use double quotes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shells_of_windows_spoil_is_seen() {
        assert!(of_quote(Path::new(r#"C:\out" -l"#)).is_some());
        assert!(of_quote(Path::new(r"C:\out\")).is_none());
        assert!(of_pattern("'*.umap'").is_some());
        for plain in ["*.umap", "''", "'", "'a", "O'Neill"] {
            assert!(of_pattern(plain).is_none(), "{plain}");
        }
    }
}
