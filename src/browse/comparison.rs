//! Comparison of two builds of a game.

use super::filter::Filter;
use super::find::{find, sort};
use super::index::Index;
use super::paths::Paths;
use super::query::Query;
use super::refusal::Refusal;
use super::search::{Search, Searches};
use super::session::{Opened, Opening, Summary};
use crate::game::{Change, Changed, CodeQuery, Diff, Entry, PackageCounts, diff};
use crate::job::Context;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Differences between two builds, sorted by path.
#[derive(Debug)]
pub(super) struct Comparison {
    pub old: Arc<Opened>,
    pub new: Arc<Opened>,
    /// Paths in the new build, or in the old one for removed files.
    pub paths: Paths,
    differences: Vec<Difference>,
    same: u64,
    uncertain: u64,
    packages: PackageCounts,
    searches: Searches,
}

/// A changed, moved, added or removed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Difference {
    pub change: Change,
    /// Its row in the old build.
    pub old: Option<usize>,
    /// Its row in the new build.
    pub new: Option<usize>,
}

/// The build to compare with.
#[derive(Debug, Deserialize)]
pub(super) struct Other {
    #[serde(flatten)]
    pub opening: Opening,
    /// True if it is the newer of the two.
    #[serde(default)]
    pub is_newer: bool,
}

/// Overview of the differences, for the page.
#[derive(Debug, Serialize)]
pub(super) struct Overview {
    old: Summary,
    new: Summary,
    changes: BTreeMap<Change, Total>,
    /// Number of unchanged files.
    same: u64,
    /// Number of these that could only be compared by length.
    uncertain: u64,
    packages: PackageCounts,
}

#[derive(Debug, Default, Serialize)]
struct Total {
    files: usize,
    /// Bytes in the new build, or in the old one for removed files.
    bytes: u64,
}

impl Difference {
    /// The build in which to look at it: the new one, or the old one if it was removed.
    fn side<T>(self, old: T, new: T) -> (T, usize) {
        match self {
            Self { new: Some(row), .. } => (new, row),
            Self { old: row, .. } => (old, row.unwrap_or(usize::MAX)),
        }
    }
}

impl Comparison {
    /// Compares the open game with another build.
    pub(super) fn beside(
        shown: Arc<Opened>,
        other: Arc<Opened>,
        is_newer: bool,
        context: &Context,
    ) -> Result<Self, Refusal> {
        // The page may show either build, but differences always read from old to new.
        let (old, new) = if is_newer { (shown, other) } else { (other, shown) };
        Self::new(old, new, context)
    }

    fn new(old: Arc<Opened>, new: Arc<Opened>, context: &Context) -> Result<Self, Refusal> {
        let diff = diff((&old.game, old.game.entries()), (&new.game.within(context), new.game.entries()));
        let Diff { changes, same, uncertain, packages } = diff?;
        let row = |index: &Index, entry: Option<Entry>| index.row(entry?);
        let difference = |changed: Changed| Difference {
            change: changed.change,
            old: row(&old.index, changed.old),
            new: row(&new.index, changed.new),
        };
        let mut differences: Vec<Difference> = changes.into_iter().map(difference).collect();
        // Only indexed files have a row; an index holds at most 2^32 files.
        differences.retain(|difference| difference.old.or(difference.new).is_some());
        let place = |difference: &Difference| difference.side(&old.index.paths, &new.index.paths);
        // Sorted like an index, so that folders are ranges here, too.
        differences.sort_unstable_by(|a, b| {
            let ((paths, row), (others, other)) = (place(a), place(b));
            paths.path(row).cmp(others.path(other)).then(row.cmp(&other))
        });
        // Rows have 32-bit numbers.
        differences.truncate(u32::MAX as usize);
        context.cancel_token().check()?;
        let paths = Paths::new(differences.iter().map(|difference| {
            let (paths, row) = place(difference);
            (paths.path(row), paths.bytes(row))
        }));
        Ok(Self { old, new, paths, differences, same, uncertain, packages, searches: Searches::default() })
    }

    /// The difference in a row.
    pub(super) fn difference(&self, row: usize) -> Option<Difference> {
        self.differences.get(row).copied()
    }

    /// The build in which to look at a difference, and its row there.
    pub(super) fn side(&self, difference: Difference) -> (&Arc<Opened>, usize) {
        difference.side(&self.old, &self.new)
    }

    /// The path in a row, with the letter case of its build.
    pub(super) fn display_path(&self, row: usize) -> Option<String> {
        let (opened, row) = self.side(self.difference(row)?);
        Some(opened.game.at(opened.index.entry(row)?).display_path())
    }

    /// The row of a path. Of equal paths, the one in the given container.
    pub(super) fn row_of(&self, path: &str, container: &str) -> Option<usize> {
        self.paths.find(path, |at| {
            let place = self.difference(at).map(|difference| self.side(difference));
            place.map_or(u8::MAX, |(opened, row)| opened.rank(row, path, container))
        })
    }

    /// The rows matching a search.
    pub(super) fn search(&self, search: &Search, context: &Context) -> Result<Arc<[u32]>, Refusal> {
        self.searches.find(search, || {
            let query = Query::parse(&search.text).map_err(Refusal::bad_request)?;
            let code = query.of_code().map_err(Refusal::bad_request)?;
            // Classes are in package headers, which are read only for searches that ask for them. Both sides have their
            // own filter: numbers of classes and containers differ between builds.
            if !query.classes.is_empty() {
                self.read_classes(context);
            }
            let [old, new] = [&self.old, &self.new].map(|side| Filter::new(&side.index, &side.game, &query));
            let is_meant = |change| query.changes.is_empty() || query.changes.contains(&change);
            let takes = |row| {
                self.difference(row).is_some_and(|difference| {
                    let (filter, row) = difference.side(&old, &new);
                    is_meant(difference.change) && filter.takes(row)
                })
            };
            let rows = self.paths.folder(&search.folder);
            let cpu = self.new.game.cpu();
            let found = find(&self.paths, cpu, rows, &query.words, &takes, context.cancel_token());
            let mut found = found.ok_or_else(Refusal::given_up)?;
            if let Some(code) = code {
                self.retain_code(&mut found, &code, context)?;
            }
            Ok(sort(&self.paths, found, search.order, search.reversed))
        })
    }

    /// Keeps the rows of packages with matching code, each in the build in which it is looked at.
    fn retain_code(&self, found: &mut Vec<u32>, code: &CodeQuery, context: &Context) -> Result<(), Refusal> {
        let builds = [&self.old, &self.new];
        let place = |row: &u32| {
            let (build, row) = self.difference(*row as usize)?.side(0, 1);
            Some((build, u32::try_from(row).ok()?))
        };
        let mut rows = [Vec::new(), Vec::new()];
        for (build, row) in found.iter().filter_map(place) {
            if let Some(rows) = rows.get_mut(build) {
                rows.push(row);
            }
        }
        let mut matching = HashSet::new();
        for (build, (opened, rows)) in builds.into_iter().zip(rows).enumerate() {
            let rows = opened.with_code(&rows, code.clone(), context)?;
            matching.extend(rows.into_iter().map(|row| (build, row)));
        }
        found.retain(|row| place(row).is_some_and(|place| matching.contains(&place)));
        Ok(())
    }

    /// Reads the headers of all differing packages.
    fn read_classes(&self, context: &Context) {
        for opened in [&self.old, &self.new] {
            let sides = self.differences.iter().map(|difference| self.side(*difference));
            // A difference is looked at in one build only, so each header is read at most once.
            let rows = sides.filter(|(side, _)| Arc::ptr_eq(side, opened)).map(|(_, row)| row);
            opened.read_classes(rows, context);
        }
    }

    pub(super) fn overview(&self) -> Overview {
        // All kinds are listed, even those without files, so that the page need not know them.
        let all = [Change::Added, Change::Removed, Change::Changed, Change::Moved];
        let mut changes: BTreeMap<Change, Total> = all.map(|change| (change, Total::default())).into();
        for (row, difference) in self.differences.iter().enumerate() {
            let total = changes.entry(difference.change).or_default();
            total.files += 1;
            total.bytes = total.bytes.saturating_add(self.paths.bytes(row));
        }
        let (old, new) = (self.old.summary(), self.new.summary());
        Overview { old, new, changes, same: self.same, uncertain: self.uncertain, packages: self.packages }
    }
}
