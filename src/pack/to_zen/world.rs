//! What lies outside a package that is converted.

use super::game::BaseGame;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::zen::{BundleEntry, Header, Neighbours};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The packages in circles.
#[derive(Debug, Default)]
pub(super) struct Circles {
    /// Bundles of those that need more than one.
    pub bundles: HashMap<PackageId, Vec<Vec<BundleEntry>>>,
    /// UE4: their headers, since others refer to the bundles by number.
    pub headers: HashMap<PackageId, Arc<Header>>,
    /// Those that wait for each other whatever the bundles.
    pub stuck: BTreeSet<PackageId>,
}

/// What lies outside a package: others that are packed, and the game.
pub(super) struct World<'a> {
    pub game: Option<&'a BaseGame>,
    pub circles: &'a Circles,
}

impl Circles {
    /// The bundles of a package; `None` if one is enough.
    pub(super) fn bundles(&self, package: PackageId) -> Option<&[Vec<BundleEntry>]> {
        self.bundles.get(&package).map(Vec::as_slice)
    }

    /// Whether no package needs more than one bundle.
    pub(super) fn is_empty(&self) -> bool {
        self.bundles.is_empty()
    }
}

impl Neighbours for World<'_> {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.game?.script_path(index)
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.circles.headers.get(&id).cloned().or_else(|| self.game?.package(id))
    }
}
