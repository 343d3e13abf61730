//! The conditions of a search apart from words in paths.

use super::index::Index;
use super::query::Query;
use crate::game::Game;

/// The conditions of a search apart from words in paths.
pub(super) struct Filter<'a> {
    index: &'a Index,
    game: &'a Game,
    query: &'a Query,
    /// Numbers of the matching classes.
    classes: Vec<u32>,
    /// For each container, true if it matches.
    containers: Vec<bool>,
}

impl<'a> Filter<'a> {
    /// The filter of a query. Classes must have been read.
    pub(super) fn new(index: &'a Index, game: &'a Game, query: &'a Query) -> Self {
        let has_all = |name: &str, parts: &[String]| {
            // All parts must occur in one name: each `class:` narrows the search.
            let name = name.to_lowercase();
            parts.iter().all(|part| name.contains(part.as_str()))
        };
        let classes = match query.classes.as_slice() {
            [] => Vec::new(),
            parts => index.classes_like(|class| has_all(class, parts)),
        };
        let containers = game.containers().iter();
        // One bit per container, computed once, instead of comparing names for each row.
        let containers = containers.map(|container| has_all(&container.name(), &query.containers)).collect();
        Self { index, game, query, classes, containers }
    }

    const fn takes_all(&self) -> bool {
        let Query { classes, kinds, containers, sizes, .. } = self.query;
        classes.is_empty() && kinds.is_empty() && containers.is_empty() && sizes.is_none()
    }

    /// True if a row meets the conditions.
    pub(super) fn takes(&self, row: usize) -> bool {
        let Self { index, query, .. } = self;
        // Without conditions do not even look at the row: this runs for each of millions of paths.
        self.takes_all()
            || query.sizes.is_none_or(|(least, most)| (least..=most).contains(&index.paths.bytes(row)))
                && (query.classes.is_empty() || index.has_class(row, &self.classes))
                && index.entry(row).is_some_and(|entry| {
                    let kind = || self.game.at(entry).kind().name();
                    self.containers.get(entry.container).copied().unwrap_or(false)
                        && (query.kinds.is_empty()
                            || query.kinds.iter().all(|part| kind().contains(part.as_str())))
                })
    }
}
