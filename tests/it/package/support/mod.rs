//! The corpus and its contents.

pub(crate) mod container;
pub(crate) mod hostile;

use std::path::Path;

pub(crate) use crate::support::corpus::{find as corpus, with as corpus_with};

/// A file of the corpus.
pub(crate) fn read(corpus: &Path, name: &str) -> Vec<u8> {
    std::fs::read(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every file below a folder of the corpus with one of some extensions, by its path from there, sorted.
pub(crate) fn files(corpus: &Path, folder: &str, extensions: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![corpus.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)) {
                let name = path.strip_prefix(corpus).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
