//! Words of pseudo-code that stand for objects of other packages.

use super::words;
use crate::bytecode::symbols::Symbols;
use crate::package::legacy::PackageIndex;
use std::collections::BTreeMap;

/// An object of another package.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CodeLink {
    /// The package, such as `/Game/Blueprints/BP_Door`.
    pub package: String,
    /// True for a function.
    pub is_function: bool,
}

impl CodeLink {
    /// Returns the imported objects of a package by their words in its pseudo-code, without those of the engine's
    /// modules and without words that stand for objects of several packages.
    #[must_use]
    pub fn all(symbols: &Symbols<'_>) -> BTreeMap<String, Self> {
        let mut links: BTreeMap<String, Option<Self>> = BTreeMap::new();
        for (place, import) in (0..).zip(&symbols.package.imports) {
            let Some(path) = PackageIndex::import(place).and_then(|index| symbols.path(index)) else {
                continue;
            };
            // A package itself has no word, and modules have no packages that could be opened.
            let Some((package, inner)) = path.split_once('.').filter(|_| !path.starts_with("/Script/"))
            else {
                continue;
            };
            let is_function = symbols.text(import.class_name) == "Function";
            // Parts of an asset are not named by their own word alone, and default objects by their class.
            if !is_function && inner.contains('.') || inner.starts_with("Default__") {
                continue;
            }
            let link = Self { package: package.to_owned(), is_function };
            let word = words::identifier(&symbols.text(import.name));
            links
                .entry(word)
                .and_modify(|known| {
                    if known.as_ref().is_some_and(|known| known.package != link.package) {
                        *known = None;
                    }
                })
                .or_insert(Some(link));
        }
        links.into_iter().filter_map(|(word, link)| Some((word, link?))).collect()
    }
}
