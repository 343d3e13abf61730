//! Arguments that can only be inputs.

use std::path::{Path, PathBuf};
use uncask::game::{is_url, matches};

/// True for an argument that can only be an input: an address, or the path of a container that exists, matches
/// something, or has no wildcards.
pub(crate) fn is_input(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let is_container = ["utoc", "ucas", "pak"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    let has_wildcards = || path.to_string_lossy().contains(['*', '?', '[', '{']);
    // A container's name with wildcards that match no file is meant for the paths of chunks.
    let is_there = || path.exists() || !matches(path).is_empty();
    is_url(path) || (is_container && (!has_wildcards() || is_there()))
}

/// The most folder entries examined.
const LOOKED_AT: usize = 1000;

/// True for a folder that contains containers or a `Paks` folder.
pub(super) fn holds_containers(folder: &Path) -> bool {
    // A folder may be huge, such as one of extracted files, and this is only for a note.
    let found = std::fs::read_dir(folder).into_iter().flatten().take(LOOKED_AT).filter_map(Result::ok);
    let mut names = found.map(|entry| PathBuf::from(entry.file_name()));
    names.any(|name| is_input(&name) || name.as_os_str() == "Paks")
}
