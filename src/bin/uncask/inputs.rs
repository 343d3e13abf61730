//! Wildcards in the names of files, for shells that leave them to the program: `Paks\*.utoc` in `cmd` and PowerShell.
//!
//! Only `*` and `?` count, so that a folder may be called `[Mods]`. A name that is there stands for itself.

use globset::{GlobBuilder, GlobMatcher};
use std::path::{Component, Path, PathBuf};
use uncask::game::is_url;

/// What shells take as wildcards in any name.
const WILDCARDS: [char; 2] = ['*', '?'];

/// The paths, with those that have wildcards replaced by what they match, sorted. What matches nothing stays as it is.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<PathBuf> {
    let one = |path: &PathBuf| {
        let found = matches(path);
        if found.is_empty() { vec![path.clone()] } else { found }
    };
    paths.iter().flat_map(one).collect()
}

/// What a path with wildcards matches on the disk; nothing for a path without.
pub(crate) fn matches(path: &Path) -> Vec<PathBuf> {
    let has_wildcards = path.to_str().is_some_and(|text| text.contains(WILDCARDS));
    if !has_wildcards || is_url(path) || path.symlink_metadata().is_ok() {
        return Vec::new();
    }
    let mut found = vec![PathBuf::new()];
    for component in path.components() {
        found = match matcher(component) {
            Some(matcher) => found.iter().flat_map(|folder| matching(folder, &matcher)).collect(),
            None => found.into_iter().map(|folder| folder.join(component)).collect(),
        };
    }
    found.retain(|path| path.symlink_metadata().is_ok());
    found.sort();
    found
}

fn matcher(component: Component<'_>) -> Option<GlobMatcher> {
    let Component::Normal(name) = component else { return None };
    let name = name.to_str().filter(|name| name.contains(WILDCARDS))?;
    let mut pattern = String::new();
    for c in name.chars() {
        if matches!(c, '[' | ']' | '{' | '}') { pattern.extend(['[', c, ']']) } else { pattern.push(c) }
    }
    let glob =
        GlobBuilder::new(&pattern).case_insensitive(cfg!(windows)).backslash_escape(false).build().ok()?;
    Some(glob.compile_matcher())
}

/// What in a folder has a name that matches. Hidden files are meant only by their names, as in shells.
fn matching(folder: &Path, matcher: &GlobMatcher) -> Vec<PathBuf> {
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

    /// On Windows, no file can be called so.
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
