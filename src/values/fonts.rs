//! Fonts beside packages: `.ufont` files of the game, which are not bulk data.

use super::inputs::{PackageInput, PackagePlace};
use super::library::Library;
use crate::error::Result;
use crate::source::read_file;
use crate::store::{Entry, package_path};
use std::collections::HashMap;

const EXTENSION: &str = "ufont";

impl Library {
    /// Reads the font file of a package; `None` if there is none.
    pub(crate) fn font_beside(&self, item: &PackageInput) -> Result<Option<Vec<u8>>> {
        if let PackagePlace::Files(header, _) = &item.place {
            let path = header.with_extension(EXTENSION);
            return path.is_file().then(|| read_file(&path, self.packages().limit())).transpose();
        }
        let path = item.entry().and_then(|entry| self.packages().store().path(entry)).unwrap_or_default();
        let stem = package_path::strip_extensions(&path).to_lowercase();
        let entry = self.fonts.get_or_init(|| fonts(self)).get(&stem);
        entry.map(|entry| self.read_chunk(*entry).map(|(bytes, _)| bytes)).transpose()
    }
}

/// All font files, by their lower-case paths without extension.
fn fonts(library: &Library) -> HashMap<String, Entry> {
    let store = library.packages().store();
    let stem = |entry: &Entry| {
        let path = store.path(*entry)?;
        let (stem, extension) = path.rsplit_once('.')?;
        extension.eq_ignore_ascii_case(EXTENSION).then(|| stem.to_lowercase())
    };
    let mut found: Vec<Entry> = store.entries().filter(|entry| stem(entry).is_some()).collect();
    // After this each path occurs once, so that no overridden font can take its place in the map.
    store.retain_winners(&mut found);
    found.into_iter().filter_map(|entry| Some((stem(&entry)?, entry))).collect()
}
