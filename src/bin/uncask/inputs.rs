//! Wildcards in file names, for shells that do not expand them: `Paks\*.utoc` in `cmd` and PowerShell.
//!
//! Only `*` and `?` are wildcards, so a folder may be named `[Mods]`. An existing name stands for itself.

use crate::exit::UsageError;
use std::path::{Path, PathBuf};
use uncask::game::{Links, files_below, matches};

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
