//! Surroundings of a package that is converted.

use super::game::BaseGame;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::zen::{BundleEntry, Header, Neighbours};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Packages in cycles.
#[derive(Debug, Default)]
pub(super) struct Circles {
    /// Bundles of packages that need several.
    pub bundles: HashMap<PackageId, Vec<Vec<BundleEntry>>>,
    /// Headers of UE4 packages, since others refer to their bundles by number.
    pub headers: HashMap<PackageId, Arc<Header>>,
    /// Packages that wait for each other with any bundles.
    pub stuck: BTreeSet<PackageId>,
}

/// Surroundings of a package: the other packed ones, and the game.
pub(super) struct World<'a> {
    pub game: Option<&'a BaseGame>,
    pub circles: &'a Circles,
}

impl Circles {
    /// Returns the bundles of a package; `None` if one is enough.
    pub(super) fn bundles(&self, package: PackageId) -> Option<&[Vec<BundleEntry>]> {
        self.bundles.get(&package).map(Vec::as_slice)
    }

    /// True if no package needs several bundles.
    pub(super) fn is_empty(&self) -> bool {
        self.bundles.is_empty()
    }
}

impl Neighbours for World<'_> {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.game?.script_path(index)
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        // Packages that are packed replace the game's, so they come first.
        self.circles.headers.get(&id).cloned().or_else(|| self.game?.package(id))
    }
}
