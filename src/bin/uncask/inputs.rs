//! Wildcards in file names, for shells that do not expand them: `Paks\*.utoc` in `cmd` and PowerShell.
//!
//! Only `*` and `?` are wildcards, so a folder may be named `[Mods]`. An existing name stands for itself.

use crate::exit::UsageError;
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Component, Path, PathBuf};
use uncask::game::{Links, files_below, is_url};

/// The wildcards of any shell.
const WILDCARDS: [char; 2] = ['*', '?'];

/// Replaces paths with wildcards by their matches, sorted. A path without matches stays.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<PathBuf> {
    let one = |path: &PathBuf| {
        let found = matches(path);
        if found.is_empty() { vec![path.clone()] } else { found }
    };
    paths.iter().flat_map(one).collect()
}

/// Replaces wildcards by their matches, and folders by the files below them that have an extension.
pub(crate) fn expand_folders(paths: &[PathBuf], extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in expand(paths) {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let found = files_below(&path, Links::Follow, |path| has_extension(path, extension));
        if let Some(problem) = found.problems.into_iter().next() {
            return Err(problem.into());
        }
        if found.files.is_empty() {
            return Err(UsageError(format!("folder has no .{extension} files: {}", path.display())).into());
        }
        files.extend(found.files);
    }
    Ok(files)
}

/// True if a path has an extension, in any letter case.
pub(crate) fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(wanted))
}

/// Existing paths that match a path with wildcards; none for a path without.
pub(crate) fn matches(path: &Path) -> Vec<PathBuf> {
    let has_wildcards = path.to_str().is_some_and(|text| text.contains(WILDCARDS));
    // A file may really be named with a wildcard, which Unix allows.
    if !has_wildcards || is_url(path) || path.symlink_metadata().is_ok() {
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
    let name = name.to_str().filter(|name| name.contains(WILDCARDS))?;
    let mut pattern = String::new();
    for c in name.chars() {
        // Brackets and braces are literal here, so each is put in a set of its own.
        if matches!(c, '[' | ']' | '{' | '}') { pattern.extend(['[', c, ']']) } else { pattern.push(c) }
    }
    let glob =
        // Backslashes separate folders on Windows, so they cannot escape anything.
        GlobBuilder::new(&pattern).case_insensitive(cfg!(windows)).backslash_escape(false).build().ok()?;
    Some(glob.compile_matcher())
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
            ("a/*.ucas", &["a/*.ucas"]),
            ("a/[xy]1.utoc", &["a/[xy]1.utoc"]),
            ("a/y.pak", &["a/y.pak"]),
        ] {
            let expected: Vec<PathBuf> = names.iter().map(|name| path(name)).collect();
            assert_eq!(expand(&[path(pattern)]), expected, "{pattern}");
        }
        assert_eq!(expand(&["https://host/*.utoc".into()]), [PathBuf::from("https://host/*.utoc")]);
    }

    /// Skipped on Windows, which allows no such file name.
    #[cfg(not(windows))]
    #[test]
    fn a_name_that_is_there_stands_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["*.utoc", "a.utoc"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let odd = folder.path().join("*.utoc");
        assert_eq!(expand(std::slice::from_ref(&odd)), [odd]);
    }
}
