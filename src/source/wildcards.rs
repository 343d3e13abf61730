//! Wildcards in paths: `Games/*/Content/Paks`, `s3://builds/*/Paks`.
//!
//! `*` and `?` stand for characters of one name, so a folder may be named `[Mods]`. An existing name stands for itself.

use super::is_url;
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Component, Path, PathBuf};

/// The wildcards of any shell.
const WILDCARDS: [char; 2] = ['*', '?'];

/// True if a text has a wildcard.
pub(super) fn has_wildcards(text: &str) -> bool {
    text.contains(WILDCARDS)
}

/// Existing paths that match a path with wildcards; none for a path without.
#[must_use]
pub fn matches(path: &Path) -> Vec<PathBuf> {
    // A file may really be named with a wildcard, which Unix allows.
    if !path.to_str().is_some_and(has_wildcards) || is_url(path) || path.symlink_metadata().is_ok() {
        return Vec::new();
    }
    // Starts with an empty path, to which components are joined.
    let mut found = vec![PathBuf::new()];
    // Component by component: each may have wildcards, as in `Games/*/Content/Paks/*.utoc`.
    for component in path.components() {
        found = match matcher(component) {
            Some(matcher) => found.iter().flat_map(|folder| matching(folder, &matcher)).collect(),
            None => found.into_iter().map(|folder| folder.join(component)).collect(),
        };
    }
    // A component without wildcards is appended unseen, so check at the end.
    found.retain(|path| path.symlink_metadata().is_ok());
    found.sort();
    found
}

fn matcher(component: Component<'_>) -> Option<GlobMatcher> {
    let Component::Normal(name) = component else { return None };
    name_matcher(name.to_str()?, cfg!(windows))
}

/// Matcher of a name with wildcards; `None` for a name without, which stands for itself.
pub(super) fn name_matcher(name: &str, ignores_case: bool) -> Option<GlobMatcher> {
    if !has_wildcards(name) {
        return None;
    }
    let mut pattern = String::new();
    for c in name.chars() {
        // Brackets and braces are literal here, so each is put in a set of its own.
        if matches!(c, '[' | ']' | '{' | '}') { pattern.extend(['[', c, ']']) } else { pattern.push(c) }
    }
    // Backslashes separate folders on Windows, so they cannot escape anything.
    let glob = GlobBuilder::new(&pattern).case_insensitive(ignores_case).backslash_escape(false).build();
    Some(glob.ok()?.compile_matcher())
}

/// Matching entries of a folder. Wildcards do not match hidden files, as in shells.
fn matching(folder: &Path, matcher: &GlobMatcher) -> Vec<PathBuf> {
    // The system refuses to list the empty path, which stands for the current folder here.
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = std::fs::read_dir(listed).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let shown = |name: &std::ffi::OsString| !name.as_encoded_bytes().starts_with(b".");
    names.filter(|name| shown(name) && matcher.is_match(name)).map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_stand_for_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a/x1.utoc", "a/x2.utoc", "a/y.pak", "a/.hidden.utoc", "b/x1.utoc", "[c]/x1.utoc"] {
            std::fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            std::fs::write(path(name), "").unwrap();
        }
        for (pattern, names) in [
            ("a/*.utoc", &["a/x1.utoc", "a/x2.utoc"][..]),
            ("a/x?.utoc", &["a/x1.utoc", "a/x2.utoc"]),
            ("?/x1.utoc", &["a/x1.utoc", "b/x1.utoc"]),
            ("[c]/*1.utoc", &["[c]/x1.utoc"]),
            ("*/y.pak", &["a/y.pak"]),
            ("a/*.ucas", &[]),
            ("a/[xy]1.utoc", &[]),
            ("a/y.pak", &[]),
        ] {
            let expected: Vec<PathBuf> = names.iter().map(|name| path(name)).collect();
            assert_eq!(matches(&path(pattern)), expected, "{pattern}");
        }
        assert!(matches(Path::new("https://host/*.utoc")).is_empty());
    }

    /// Skipped on Windows, which allows no such file name.
    #[cfg(not(windows))]
    #[test]
    fn a_name_that_is_there_is_no_pattern() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["*.utoc", "a.utoc"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let odd = folder.path().join("*.utoc");
        assert!(matches(&odd).is_empty());
    }
}
