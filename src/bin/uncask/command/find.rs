//! The chunk that a command is about.

use crate::exit::UsageError;
use uncask::extract::{Filter, FilterSpec};
use uncask::store::{Entry, Store};

/// The one chunk that the text means. A path or a package name may match several chunks; then the package wins.
pub(super) fn one(store: &Store, text: &str) -> anyhow::Result<Option<Entry>> {
    if let Ok(id) = text.parse() {
        let Some(entry) = store.find(id) else { return Ok(None) };
        return match store.sharing_id(entry).as_slice() {
            [] | [_] => Ok(Some(entry)),
            several => Err(ambiguous(store, text, several).into()),
        };
    }
    let filter = Filter::new(&FilterSpec { patterns: vec![text.to_owned()], ..FilterSpec::default() })?;
    let entries = filter.select(store, false);
    let is_package = |entry: &&Entry| {
        let container = store.container(**entry);
        container.is_some_and(|container| {
            container.toc().chunk_kind(entry.chunk) == uncask::id::ChunkKind::ExportBundleData
        })
    };
    let packages: Vec<Entry> = entries.iter().filter(is_package).copied().collect();
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
