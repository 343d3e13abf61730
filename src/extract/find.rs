//! The chunk that a text means.

use super::{Filter, FilterSpec, PatternError};
use crate::store::{Entry, Store};

/// How many matches of an ambiguous text are listed.
const LISTED: usize = 5;

/// Why a text means no chunk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// It cannot be understood as a pattern.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// It matches several chunks.
    #[error("{text:?} matches {count} chunks, expected one: {}", listed.join(", "))]
    Ambiguous {
        /// The text.
        text: String,
        /// How many chunks it matches.
        count: usize,
        /// Paths of the first of them.
        listed: Vec<String>,
    },
}

/// The one chunk that a text means: the one with that id or name, or else the only one in a folder of that name. A path or a
/// package name may match several chunks; then the package wins, or the header of a cooked one.
pub fn find(store: &Store, text: &str) -> Result<Option<Entry>, FindError> {
    if let Ok(id) = text.parse() {
        let Some(entry) = store.find(id) else { return Ok(None) };
        return match store.sharing_id(entry).as_slice() {
            [] | [_] => Ok(Some(entry)),
            several => Err(ambiguous(store, text, several)),
        };
    }
    let mut entries = select(store, text, true)?;
    if entries.is_empty() {
        entries = select(store, text, false)?;
    }
    let packages: Vec<Entry> = entries.iter().copied().filter(|entry| is_package(store, *entry)).collect();
    match (entries.as_slice(), packages.as_slice()) {
        ([], _) => Ok(None),
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        (several, _) => {
            let exact = |entry: &&Entry| store.display_path(**entry).eq_ignore_ascii_case(text);
            match several.iter().find(exact) {
                Some(entry) => Ok(Some(*entry)),
                None => Err(ambiguous(store, text, several)),
            }
        }
    }
}

/// The packages below a folder of this name; none if chunks are called so themselves.
pub fn packages_below(store: &Store, text: &str) -> Result<Vec<Entry>, FindError> {
    if !select(store, text, true)?.is_empty() {
        return Ok(Vec::new());
    }
    let mut below = select(store, text, false)?;
    below.retain(|entry| is_package(store, *entry));
    Ok(below)
}

/// The chunks that a text matches, with those in folders of this name or without.
fn select(store: &Store, text: &str, names_only: bool) -> Result<Vec<Entry>, FindError> {
    let patterns = vec![text.to_owned()];
    Ok(Filter::new(&FilterSpec { patterns, names_only, ..FilterSpec::default() })?.select(store, false))
}

fn is_package(store: &Store, entry: Entry) -> bool {
    let chunk = store.chunk(entry);
    chunk.is_package() || chunk.is_cooked_header()
}

fn ambiguous(store: &Store, text: &str, several: &[Entry]) -> FindError {
    let listed = several.iter().take(LISTED).map(|entry| store.display_path(*entry)).collect();
    FindError::Ambiguous { text: text.to_owned(), count: several.len(), listed }
}
