//! Classes of packages: what is listed, and what is chosen by it.

use super::Game;
use crate::package::legacy::Package;
use crate::source::read_file;
use crate::store::Entry;
use crate::values::{ClassFilter, PackageInputs};
use std::collections::HashMap;
use std::path::Path;

impl Game {
    /// Full path of the class of the main object of the package that a chunk or a file of a pak belongs to.
    #[must_use]
    pub fn class_of(&self, entry: Entry) -> Option<String> {
        self.packages.main_class(self.header_of(entry)?)
    }

    /// Keeps the chunks of packages with a class that passes. Reads the header of every package once.
    pub fn retain_classes(&self, entries: &mut Vec<Entry>, filter: &ClassFilter) {
        let headers: Vec<Option<Entry>> = self.cpu().map(&*entries, |entry| self.header_of(*entry));
        let mut passes: HashMap<Entry, bool> =
            headers.iter().flatten().map(|header| (*header, false)).collect();
        let wanted = self.cpu().map(passes.keys().copied().collect::<Vec<_>>(), |header| {
            let class = self.packages.main_class(header);
            (header, class.is_some_and(|class| filter.matches(&class)))
        });
        passes.extend(wanted);
        let mut headers = headers.into_iter();
        entries.retain(|_| headers.next().flatten().is_some_and(|header| passes.get(&header) == Some(&true)));
    }

    /// The header of the package that a chunk belongs to.
    fn header_of(&self, entry: Entry) -> Option<Entry> {
        let chunk = self.at(entry);
        if chunk.is_package() && !chunk.is_optional_segment() || chunk.is_cooked_header() {
            return Some(entry);
        }
        if let Some(stem) = chunk.cooked_stem() {
            let header = |extension| self.store.find_cooked(&format!("{stem}.{extension}"));
            return ["uasset", "umap"].into_iter().find_map(header);
        }
        self.packages.find(chunk.package_id()?)
    }
}

impl PackageInputs {
    /// Keeps the packages with a class that passes, of those that are files. Reads the header of every package once.
    pub fn retain_classes(&mut self, game: &Game, filter: &ClassFilter) {
        let limit = game.packages().limit();
        let class = |header: &Path| {
            let bytes = read_file(header, limit).ok()?;
            let package = Package::parse_partial(&bytes, None).ok()?.value;
            let export = package.main_export(header.file_stem()?.to_str()?)?;
            Some(package.class_path(export))
        };
        let passes = game.cpu().map(self.items(), |item| {
            item.header().and_then(class).is_some_and(|class| filter.matches(&class))
        });
        let mut passes = passes.into_iter();
        self.retain(|_| passes.next().unwrap_or(false));
    }
}
