//! The packages of the corpus in memory.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder of the corpus.
pub(crate) fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "no corpus at {}", folder.display());
    say(&format!("skipped, no corpus: {}", std::thread::current().name().unwrap_or("a test")));
    None
}

/// Says something that is shown with `--nocapture`, and also without where the test fails.
pub(crate) fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Every `.uasset`, `.umap` and `.uzenasset` below a folder, sorted.
pub(crate) fn packages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if ["uasset", "umap", "uzenasset"].contains(&&*extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A path below the corpus.
pub(crate) fn shown(path: &Path, corpus: &Path) -> String {
    path.strip_prefix(corpus).unwrap().to_string_lossy().replace('\\', "/")
}
