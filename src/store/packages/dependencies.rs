//! Which packages need which.
//!
//! The container headers know it without a look at any package. Where a container has none, the header of the package
//! itself is read: UE4 and 5.3 and later name the packages they import there.

use super::Packages;
use crate::error::Result;
use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::job::CancelToken;
use crate::store::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

/// Which way links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the packages that a package imports.
    Dependencies,
    /// To the packages that import it.
    Dependants,
}

/// How a package refers to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// It imports it: the one is not loaded without the other.
    Hard,
    /// Its optional segment imports it. Editors load that segment, and games that are configured to.
    Optional,
    /// It knows its name, and may load it at any time (listed since 5.5).
    Soft,
}

/// A package that another refers to, or is referred to by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link {
    /// The package.
    pub id: PackageId,
    /// The strongest way in which it is referred to.
    pub kind: LinkKind,
}

impl Link {
    /// Whether walks follow it: soft references say what may be needed, not what is.
    #[must_use]
    pub const fn is_followed(self) -> bool {
        !matches!(self.kind, LinkKind::Soft)
    }
}

/// Whether a package is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    /// It is in one of the containers.
    Present,
    /// It is there, but what it imports cannot be read.
    Unreadable,
    /// It is in none of the containers.
    Missing,
}

/// A package that a walk came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The package.
    pub id: PackageId,
    /// Steps from the nearest start.
    pub depth: u32,
    /// Whether it is there.
    pub presence: Presence,
    /// Where its links lead, each package once, the strongest links first and among these in the order of the import
    /// list. Soft ones are not followed, and none are at the greatest depth.
    pub links: Vec<Link>,
}

/// The packages that a walk came to, each once, nearest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// The packages.
    pub nodes: Vec<Node>,
    by_id: HashMap<PackageId, usize>,
}

impl Walk {
    /// The node of a package, if the walk came to it.
    #[must_use]
    pub fn get(&self, id: PackageId) -> Option<&Node> {
        self.nodes.get(*self.by_id.get(&id)?)
    }
}

impl Packages {
    /// Packages that a package imports, redirects followed; `None` if that is not known.
    #[must_use]
    pub fn imports_of(&self, id: PackageId) -> Option<Vec<PackageId>> {
        let listed = self.directory().store_entry(id).map(|entry| entry.imports.to_vec());
        let imports = listed.or_else(|| self.imports_in_header(self.find(id)?))?;
        let mut seen = HashSet::new();
        let imports = imports.into_iter().map(|import| self.redirected(import));
        Some(imports.filter(|import| seen.insert(*import)).collect())
    }

    /// All packages that a package refers to in any way, redirects followed; `None` if its imports are not known.
    #[must_use]
    pub fn links_of(&self, id: PackageId) -> Option<Vec<Link>> {
        let hard = self.imports_of(id)?;
        let optional = self.directory().optional_entry(id).map_or(&[][..], |entry| entry.imports);
        let soft = self.directory().soft_references_of(id);
        let mut seen = HashSet::new();
        let kinds = (hard.into_iter().map(|id| (id, LinkKind::Hard)))
            // The segment of a package imports the rest of it.
            .chain(optional.iter().filter(|import| **import != id).map(|id| (*id, LinkKind::Optional)))
            .chain(soft.into_iter().map(|id| (id, LinkKind::Soft)));
        let links = kinds.map(|(id, kind)| Link { id: self.redirected(id), kind });
        Some(links.filter(|link| seen.insert(link.id)).collect())
    }

    /// Every package of every container, the ones that win first, each once.
    #[must_use]
    pub fn ids(&self) -> Vec<PackageId> {
        let mut seen = HashSet::new();
        let mut ids = Vec::new();
        for (at, container) in self.containers() {
            let toc = container.table();
            let is_package = |entry: &Entry| toc.chunk_kind(entry.chunk) == ChunkKind::ExportBundleData;
            let chunks = toc.chunks().map(|chunk| Entry { container: at, chunk }).filter(is_package);
            let in_chunks = chunks.filter_map(|entry| toc.chunk_id(entry.chunk)).map(RawChunkId::package);
            let listed = self.container_header(at).map_or(&[][..], |header| header.packages.ids());
            ids.extend(in_chunks.chain(listed.iter().copied()).filter(|id| seen.insert(*id)));
        }
        ids
    }

    /// Follows links from some packages, breadth first, at most `depth` steps far. Circles are walked once.
    pub fn walk(
        &self,
        starts: impl IntoIterator<Item = PackageId>,
        direction: Direction,
        depth: Option<u32>,
        cancel: &CancelToken,
    ) -> Result<Walk> {
        let dependants = match direction {
            Direction::Dependencies => None,
            Direction::Dependants => Some(self.dependants(cancel)?),
        };
        let mut walk = Walk::default();
        let mut queue: VecDeque<(PackageId, u32)> = starts.into_iter().map(|id| (id, 0)).collect();
        while let Some((id, at)) = queue.pop_front() {
            cancel.check()?;
            if walk.by_id.contains_key(&id) {
                continue;
            }
            let links = self.links_of(id);
            let presence = match (self.find(id), &links) {
                (None, _) => Presence::Missing,
                (Some(_), None) => Presence::Unreadable,
                (Some(_), Some(_)) => Presence::Present,
            };
            let links = match &dependants {
                None => links.unwrap_or_default(),
                Some(dependants) => dependants.get(&id).cloned().unwrap_or_default(),
            };
            if depth.is_none_or(|depth| at < depth) {
                let followed = links.iter().filter(|link| link.is_followed());
                queue.extend(followed.map(|link| (link.id, at + 1)));
            }
            walk.by_id.insert(id, walk.nodes.len());
            walk.nodes.push(Node { id, depth: at, presence, links });
        }
        Ok(walk)
    }

    /// For each package that is referred to, who refers to it, the strongest links first.
    fn dependants(&self, cancel: &CancelToken) -> Result<HashMap<PackageId, Vec<Link>>> {
        let mut dependants: HashMap<PackageId, Vec<Link>> = HashMap::new();
        for id in self.ids() {
            cancel.check()?;
            for link in self.links_of(id).unwrap_or_default() {
                dependants.entry(link.id).or_default().push(Link { id, kind: link.kind });
            }
        }
        for links in dependants.values_mut() {
            links.sort_by_key(|link| link.kind);
        }
        Ok(dependants)
    }

    /// What a package says itself. UE 5.0 to 5.2 do not, unless there is nothing to say.
    fn imports_in_header(&self, entry: Entry) -> Option<Vec<PackageId>> {
        let header = self.header(entry)?;
        let known = header.generation.has_imported_package_names()
            || header.generation.is_ue4()
            || header.imported_public_export_hashes.is_empty();
        known.then(|| header.imported_packages())
    }
}
