//! The corpus of real files, which is not part of the repository.

use super::say;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The key of the encrypted corpus container.
pub(crate) const KEY: &str = "0x435545345061727365466978747572654145534B657930313233343536373839";

/// The folder of the corpus. Without one, says that the test is skipped; in CI that is a failure.
pub(crate) fn find() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!in_ci, "CI=true, and there is no corpus at {}", folder.display());
    let thread = std::thread::current();
    say(&format!("skipped, no corpus: {}", thread.name().unwrap_or("a test")));
    None
}

/// The folder of the corpus, for a test that needs a file made for it, which `tests/corpus/fetch` cannot fetch. Without that
/// file, says that the test is skipped. A whole corpus has its notes: there, a file that is missing fails the test.
pub(crate) fn with(made: &str) -> Option<PathBuf> {
    let folder = find()?;
    if folder.join(made).exists() || folder.join("README.md").exists() {
        return Some(folder);
    }
    let thread = std::thread::current();
    say(&format!("skipped, the corpus lacks {made}: {}", thread.name().unwrap_or("a test")));
    None
}

/// A chunk, as the independent reader saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    /// Chunk id, 24 hex digits.
    pub(crate) id: String,
    /// Path with its mount point.
    pub(crate) path: Option<String>,
    /// Uncompressed length in bytes.
    pub(crate) len: u64,
    /// SHA-256 of the content as hex; empty where only the table of contents is known.
    pub(crate) sha256: String,
}

impl Expected {
    /// The path as uncask shows it: relative to the game's root.
    pub(crate) fn game_path(&self) -> Option<&str> {
        self.path.as_deref().map(|path| path.trim_start_matches("../../../"))
    }
}

/// Reads an `expected.tsv` or `expected.tsv.gz`.
pub(crate) fn expected(path: &Path) -> Vec<Expected> {
    let bytes = std::fs::read(path).expect("a list of expected chunks");
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzip");
    } else {
        text = String::from_utf8(bytes).expect("UTF-8");
    }
    let row = |line: &str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default().to_owned();
        let (id, path, len, sha256) = (next(), next(), next(), next());
        Expected {
            id,
            path: Some(path).filter(|path| path != "-"),
            len: len.parse().expect("a length"),
            sha256,
        }
    };
    text.lines().map(row).collect()
}

/// Every table of contents below the corpus, sorted by path.
pub(crate) fn tocs(corpus: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(corpus.join("iostore")).sort_by_file_name();
    let paths = files.into_iter().map(|entry| entry.expect("a readable corpus").into_path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "utoc")).collect()
}
