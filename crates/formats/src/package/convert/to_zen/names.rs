//! The name table of the zen package.
//!
//! Export data refers to names by index, so the names it uses come first and stay unchanged. UE5 adds export
//! names and the package name; UE4 keeps the whole table.

use super::error::ToZenError;
use crate::names::{MappedName, NameMap, split_number};
use crate::package::legacy::{Name, Package};
use crate::version::ZenGeneration;
use crate::wire::{Fault, FaultKind, MAX_NAME_LEN};
use foldhash::HashMap;

/// The name table of the new package.
#[derive(Debug)]
pub(super) struct Names<'a> {
    package: &'a Package,
    texts: Vec<&'a str>,
    /// Index of each name, by lower-case text.
    places: HashMap<String, u32>,
    /// True if all names of the legacy package keep their indices.
    is_whole: bool,
}

impl<'a> Names<'a> {
    pub(super) fn new(
        package: &'a Package,
        generation: ZenGeneration,
        own: &'a str,
    ) -> Result<Self, ToZenError> {
        let is_whole = generation.is_ue4();
        let kept = if is_whole { package.names.len() } else { referenced(package)? };
        let mut this = Self { package, texts: Vec::new(), places: HashMap::default(), is_whole };
        for entry in package.names.iter().take(kept) {
            // Repeated names keep both indices; lookups find the first.
            let place = this.next();
            this.texts.push(entry.text.as_str());
            this.places.entry(entry.text.as_str().to_ascii_lowercase()).or_insert(place);
        }
        if !is_whole {
            package.exports.iter().for_each(|export| this.add(package.text(export.name).base));
        }
        this.add(split_number(own).0);
        Ok(this)
    }

    /// Converts a name of the legacy package.
    pub(super) fn mapped(&self, name: Name) -> MappedName {
        // With the whole table kept, the index is still right, even among repeated names.
        if self.is_whole {
            return MappedName::new(name.index, name.number);
        }
        let place = self.places.get(&self.package.text(name).base.to_ascii_lowercase());
        MappedName::new(place.copied().unwrap_or_default(), name.number)
    }

    /// Finds a name by its full text.
    pub(super) fn of_text(&self, text: &str) -> MappedName {
        let (base, number) = split_number(text);
        MappedName::new(self.places.get(&base.to_ascii_lowercase()).copied().unwrap_or_default(), number)
    }

    pub(super) fn finish(&self) -> Result<NameMap, Fault> {
        let kind = FaultKind::TooLong { limit: MAX_NAME_LEN as u64 };
        NameMap::from_names(self.texts.iter().copied()).ok_or(Fault { offset: 0, field: "names", kind })
    }

    fn add(&mut self, text: &'a str) {
        let place = self.next();
        let known = *self.places.entry(text.to_ascii_lowercase()).or_insert(place);
        if known == place {
            self.texts.push(text);
        }
    }

    fn next(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }
}

/// Returns the number of names that export data uses.
fn referenced(package: &Package) -> Result<usize, ToZenError> {
    let count = package.names.len();
    let found = package.summary.names_referenced.unwrap_or_default();
    let fits = usize::try_from(found).ok().filter(|found| *found <= count);
    fits.ok_or(ToZenError::NamesReferenced { found, count })
}
