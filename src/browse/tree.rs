//! Subfolders of a folder.

use super::paths::Paths;
use crate::game::CancelToken;
use serde::Serialize;

/// The most folders listed at once.
const LISTED: usize = 2_000;

/// Subfolders of a folder.
#[derive(Debug, Default, Serialize, PartialEq, Eq)]
pub(super) struct Folders {
    pub folders: Vec<Folder>,
    /// True if there are more after these.
    pub has_more: bool,
}

/// A folder.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub(super) struct Folder {
    /// Its name, in the letter case of the game.
    pub name: String,
    /// Its lower-case path with a trailing `/`.
    pub path: String,
    /// Number of files below it.
    pub files: usize,
    /// Total bytes of these.
    pub bytes: u64,
    /// True if it has subfolders.
    pub has_folders: bool,
}

/// Lists the subfolders of a folder, given in lower case with a trailing `/`, or empty; only those after `after`.
/// `real` returns the path of a row in the game's letter case. `None` if cancelled.
pub(super) fn folders(
    paths: &Paths,
    real: &dyn Fn(usize) -> Option<String>,
    folder: &str,
    after: Option<&str>,
    cancel: &CancelToken,
) -> Option<Folders> {
    let mut found = Folders::default();
    let rows = paths.folder(folder);
    let mut row = match after {
        // Continue after the last folder of the previous list, and all that is in it.
        Some(after) => paths.partition(rows.clone(), |path| path < after || path.starts_with(after)),
        None => rows.start,
    };
    let depth = folder.matches('/').count();
    while row < rows.end {
        if cancel.is_cancelled() {
            return None;
        }
        let rest = paths.path(row).get(folder.len()..).unwrap_or_default();
        let Some((name, _)) = rest.split_once('/') else {
            // A file of the folder itself. They are skipped one by one, since they may be many, but sort among the
            // folders.
            row += 1;
            continue;
        };
        // The page asks for the rest when the user scrolls down.
        if found.folders.len() == LISTED {
            found.has_more = true;
            break;
        }
        let path = format!("{folder}{name}/");
        let own = paths.folder(&path);
        let real = real(row).unwrap_or_default();
        // Only the index is lower case; the real name is taken from the first file, if its folders match.
        let real = real.split('/').nth(depth).filter(|real| real.to_lowercase() == name);
        found.folders.push(Folder {
            name: real.unwrap_or(name).to_owned(),
            files: own.len(),
            bytes: paths.bytes_of(&own),
            has_folders: own.clone().any(|row| has_folder(paths, row, path.len())),
            path,
        });
        // Jump over the whole folder: its rows are a range. Never stand still, whatever the paths are.
        row = own.end.max(row + 1);
    }
    Some(found)
}

/// True if a path continues with a folder.
fn has_folder(paths: &Paths, row: usize, after: usize) -> bool {
    paths.path(row).get(after..).is_some_and(|rest| rest.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browse::paths::tests::paths_of;

    #[test]
    fn folders_in_folders() {
        let paths =
            paths_of(&[("a/b/c.txt", 1), ("a/b/d/e.txt", 2), ("a/f.txt", 4), ("g.txt", 8), ("h/i", 16)]);
        let names = |folder: &str, after: Option<&str>| -> Vec<(String, usize, u64, bool)> {
            let found = folders(&paths, &|_| None, folder, after, &CancelToken::default()).unwrap();
            found
                .folders
                .into_iter()
                .map(|folder| (folder.path, folder.files, folder.bytes, folder.has_folders))
                .collect()
        };
        assert_eq!(names("", None), [("a/".to_owned(), 3, 7, true), ("h/".to_owned(), 1, 16, false)]);
        assert_eq!(names("", Some("a/")), [("h/".to_owned(), 1, 16, false)]);
        assert_eq!(names("a/", None), [("a/b/".to_owned(), 2, 3, true)]);
        assert!(names("nowhere/", None).is_empty());
        assert_eq!(folders(&paths, &|_| None, "", None, &CancelToken::after(0)), None);
    }
}
