//! Identity of texts in a table and in files.

use super::place::TextPlace;
use crate::localization::{Entry, LocalizationResource};
use std::collections::HashMap;
use std::sync::Arc;

/// Identity of a text: file, namespace, key, source hash, and the number of earlier texts of its file for which all
/// these are equal. Files and namespaces are numbered, because their names may be long and are shared by many texts.
pub(super) type Id = (u32, u32, String, u32, u32);

/// Numbers of files and namespaces.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    numbers: HashMap<Arc<str>, u32>,
}

impl Numbers {
    /// The number of a name, and its shared text.
    pub(super) fn of(&mut self, name: &str) -> (u32, Arc<str>) {
        if let Some((name, number)) = self.numbers.get_key_value(name) {
            return (*number, Arc::clone(name));
        }
        let (number, name) = (u32::try_from(self.numbers.len()).unwrap_or(u32::MAX), Arc::<str>::from(name));
        self.numbers.insert(Arc::clone(&name), number);
        (number, name)
    }
}

/// Counts texts of one file with equal namespace, key and hash.
#[derive(Debug, Default)]
pub(super) struct Ids {
    seen: HashMap<(u32, String, u32), u32>,
}

impl Ids {
    /// The id of the next text of a file.
    pub(super) fn next(&mut self, file: u32, namespace: u32, key: &str, source_hash: u32) -> Id {
        let times = self.seen.entry((namespace, key.to_owned(), source_hash)).or_default();
        // Files may repeat a text, and the n-th of one culture belongs with the n-th of the others.
        *times += 1;
        (file, namespace, key.to_owned(), source_hash, *times - 1)
    }
}

/// Calls `each` for every entry of a file, with its namespace and id.
pub(super) fn for_each<'a>(
    place: &TextPlace,
    resource: &'a LocalizationResource,
    numbers: &mut Numbers,
    mut each: impl FnMut(&Arc<str>, Entry<'a>, Id),
) {
    let (file, _) = numbers.of(place.as_str());
    let mut ids = Ids::default();
    for space in resource.namespaces() {
        let (namespace, name) = numbers.of(space.name());
        for entry in space.entries() {
            let id = ids.next(file, namespace, entry.key, entry.source_hash);
            each(&name, entry, id);
        }
    }
}
