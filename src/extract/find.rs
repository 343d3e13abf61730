//! Finds a chunk by path, name or id.

use super::{Filter, FilterSpec, PatternError};
use crate::store::{Entry, Store};

/// The most matches listed for an ambiguous text.
const LISTED: usize = 5;

/// Errors from searching a chunk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// The text is not a valid pattern.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// It matches several chunks.
    #[error("{text:?} matches {count} chunks, expected one: {}", listed.join(", "))]
    Ambiguous {
        /// The text.
        text: String,
        /// Number of matching chunks.
        count: usize,
        /// Paths of the first matches.
        listed: Vec<String>,
    },
}

/// Finds a chunk by path, name or id, or else the only chunk in a folder of that name. If a path or package name
/// matches several chunks, the package itself wins, or its header if it is cooked.
pub fn find(store: &Store, text: &str) -> Result<Option<Entry>, FindError> {
    if let Ok(id) = text.parse() {
        // Some packers give one id to many chunks, so even an id can be ambiguous.
        let Some(entry) = store.find(id) else { return Ok(None) };
        return match store.sharing_id(entry).as_slice() {
            [] | [_] => Ok(Some(entry)),
            several => Err(ambiguous(store, text, several)),
        };
    }
    // Exact names come before folders, so a file `Maps` is found although a folder `Maps` exists.
    let mut entries = select(store, text, true)?;
    if entries.is_empty() {
        entries = select(store, text, false)?;
    }
    let packages: Vec<Entry> = entries.iter().copied().filter(|entry| is_package(store, *entry)).collect();
    match (entries.as_slice(), packages.as_slice()) {
        ([], _) => Ok(None),
        // A package name also matches the package's bulk data; the package is what was meant.
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        (several, _) => {
            // `A.uasset` and `A.uasset.bak` both match; the full path is decisive.
            let exact = |entry: &&Entry| store.display_path(**entry).eq_ignore_ascii_case(text);
            match several.iter().find(exact) {
                Some(entry) => Ok(Some(*entry)),
                None => Err(ambiguous(store, text, several)),
            }
        }
    }
}

/// The packages below a folder of this name; empty if chunks have that name themselves.
pub fn packages_below(store: &Store, text: &str) -> Result<Vec<Entry>, FindError> {
    if !select(store, text, true)?.is_empty() {
        return Ok(Vec::new());
    }
    let mut below = select(store, text, false)?;
    below.retain(|entry| is_package(store, *entry));
    Ok(below)
}

/// The chunks that a text matches, with or without those in folders of this name.
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
