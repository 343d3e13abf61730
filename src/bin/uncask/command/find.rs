//! The chunk that a command is about.

use crate::exit::UsageError;
use uncask::extract::{Filter, FilterSpec};
use uncask::store::{Entry, Store};

/// The one chunk that the text means: the one of that name, or else the only one in a folder of that name. A path or a
/// package name may match several chunks; then the package wins.
pub(super) fn one(store: &Store, text: &str) -> anyhow::Result<Option<Entry>> {
    if let Ok(id) = text.parse() {
        let Some(entry) = store.find(id) else { return Ok(None) };
        return match store.sharing_id(entry).as_slice() {
            [] | [_] => Ok(Some(entry)),
            several => Err(ambiguous(store, text, several).into()),
        };
    }
    let select = |names_only| -> anyhow::Result<Vec<Entry>> {
        let patterns = vec![text.to_owned()];
        Ok(Filter::new(&FilterSpec { patterns, names_only, ..FilterSpec::default() })?.select(store, false))
    };
    let mut entries = select(true)?;
    if entries.is_empty() {
        entries = select(false)?;
    }
    let packages: Vec<Entry> =
        entries.iter().copied().filter(|entry| store.chunk(*entry).is_package()).collect();
    match (entries.as_slice(), packages.as_slice()) {
        ([], _) => Ok(None),
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        (several, _) => {
            let exact = |entry: &&Entry| store.display_path(**entry).eq_ignore_ascii_case(text);
            if let Some(entry) = several.iter().find(exact) {
                return Ok(Some(*entry));
            }
            Err(ambiguous(store, text, several).into())
        }
    }
}

fn ambiguous(store: &Store, text: &str, several: &[Entry]) -> UsageError {
    let names: Vec<String> = several.iter().take(5).map(|entry| store.display_path(*entry)).collect();
    UsageError(format!("{text:?} matches {} chunks, such as {}", several.len(), names.join(", ")))
}
