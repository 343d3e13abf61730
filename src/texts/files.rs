//! Finds all `.locres` files of a game: in containers and paks, and loose.

use crate::error::{Error, Result};
use crate::extract::read_chunk;
use crate::identify::has_extension;
use crate::job::Context;
use crate::source::{Links, files_below, is_url, read_file};
use crate::store::{Entry, Store};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Content of a `.locres`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Its path in the game, or below its folder.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The localization files of a game.
#[derive(Debug, Default)]
pub struct TextFiles {
    /// Sorted by path; of several files with the same path, the winning one.
    pub files: Vec<TextFile>,
    /// Errors of files that could not be read.
    pub problems: Vec<Error>,
}

/// Reads every `.locres` of a store, and loose ones below or named by `roots`. Files larger than the memory budget of
/// the context are refused.
pub async fn find_texts(store: &Store, roots: &[PathBuf], context: &Context) -> TextFiles {
    let mut found = TextFiles::default();
    for entry in in_containers(store) {
        let path = store.chunk(entry).display_path();
        let read = from_container(store, entry, &path, context).await;
        found.add(path, read);
    }
    // Files in containers take precedence over loose ones. Letter case of paths does not matter to the engine.
    let mut seen: HashSet<String> = found.files.iter().map(|file| file.path.to_lowercase()).collect();
    for root in roots.iter().filter(|root| !is_url(root)) {
        for (file, path) in loose(root, &mut found.problems) {
            if seen.insert(path.to_lowercase()) {
                found.add(path, read_file(&file, context.budget().total()));
            }
        }
    }
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl TextFiles {
    fn add(&mut self, path: String, read: Result<Vec<u8>>) {
        match read {
            Ok(bytes) => self.files.push(TextFile { path, bytes }),
            Err(error) => self.problems.push(error),
        }
    }
}

/// The winning `.locres` chunks of a store.
fn in_containers(store: &Store) -> Vec<Entry> {
    let mut path = String::new();
    let mut is_text = |entry: &Entry| store.path_into(*entry, &mut path) && is_text_file(Path::new(&path));
    let mut entries: Vec<Entry> = store.entries().filter(|entry| is_text(entry)).collect();
    store.retain_winners(&mut entries);
    entries
}

async fn from_container(store: &Store, entry: Entry, path: &str, context: &Context) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (len, limit) = (store.chunk(entry).len(), context.budget().total());
    // A compressed chunk may claim any length, so check before collecting it.
    if len > limit {
        let (what, bound) = ("size of a .locres", crate::error::Bound::Memory);
        return Err(Error::Limit { what, found: len, limit, bound, path: path.into() });
    }
    let check = read_chunk(store, entry, context, |part| {
        bytes.extend_from_slice(part);
        Ok(())
    });
    match check.await?.error(Path::new(path)) {
        Some(error) => Err(error),
        None => Ok(bytes),
    }
}

/// Files below a folder, with their relative paths; or the file itself.
fn loose(root: &Path, problems: &mut Vec<Error>) -> Vec<(PathBuf, String)> {
    if root.is_file() {
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return if is_text_file(root) { vec![(root.to_owned(), name)] } else { Vec::new() };
    }
    let found = files_below(root, Links::Follow, is_text_file);
    problems.extend(found.problems);
    let path = |file: &Path| {
        let parts = file.strip_prefix(root).unwrap_or(file).components();
        parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    found.files.into_iter().map(|file| (file.clone(), path(&file))).collect()
}

fn is_text_file(path: &Path) -> bool {
    has_extension(path, &["locres"])
}
