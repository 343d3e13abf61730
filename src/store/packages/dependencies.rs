//! Dependencies between packages.
//!
//! Container headers list them without a look at any package. Where a container has none, the package's own header is
//! read: in UE4, and since 5.3, it names the imported packages.

use super::Packages;
use crate::error::Result;
use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::job::CancelToken;
use crate::store::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

/// Direction in which links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the packages it imports.
    Dependencies,
    /// To the packages that import it.
    Dependants,
}

/// Strength of a reference between packages, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// An import: the package does not load without the other.
    Hard,
    /// An import by its optional segment, which editors load, and games configured to.
    Optional,
    /// A soft reference: it may be loaded by name at any time (recorded since UE 5.5).
    Soft,
}

/// A package at the other end of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link {
    /// The package.
    pub id: PackageId,
    /// The strongest reference between the two.
    pub kind: LinkKind,
}

impl Link {
    /// True if walks follow it: soft references name what may be needed, not what is.
    #[must_use]
    pub const fn is_followed(self) -> bool {
        !matches!(self.kind, LinkKind::Soft)
    }
}

/// Availability of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    /// Found in a container.
    Present,
    /// Found, but its imports cannot be read.
    Unreadable,
    /// Found in no container.
    Missing,
}

/// A package reached by a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The package.
    pub id: PackageId,
    /// Steps from the nearest starting point.
    pub depth: u32,
    /// Its availability.
    pub presence: Presence,
    /// Its links, each package once, strongest first, then in the order of the import list. Soft links are not
    /// followed, and none are at the depth limit.
    pub links: Vec<Link>,
}

/// The packages reached by a walk, each once, nearest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// The packages.
    pub nodes: Vec<Node>,
    by_id: HashMap<PackageId, usize>,
}

impl Walk {
    /// The node of a package, if the walk reached it.
    #[must_use]
    pub fn get(&self, id: PackageId) -> Option<&Node> {
        self.nodes.get(*self.by_id.get(&id)?)
    }
}

impl Packages {
    /// The packages that a package imports, redirects followed; `None` if unknown.
    #[must_use]
    pub fn imports_of(&self, id: PackageId) -> Option<Vec<PackageId>> {
        let listed = self.directory().store_entry(id).map(|entry| entry.imports.to_vec());
        let imports = listed.or_else(|| self.imports_in_header(self.find(id)?))?;
        // Two imports may redirect to one package.
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
            // An optional segment imports its own package, which is no dependency.
            .chain(optional.iter().filter(|import| **import != id).map(|id| (*id, LinkKind::Optional)))
            .chain(soft.into_iter().map(|id| (id, LinkKind::Soft)));
        let links = kinds.map(|(id, kind)| Link { id: self.redirected(id), kind });
        // The strongest kind comes first, so it is the one kept for each package.
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

    /// Follows links breadth first from some packages, up to `depth` steps. Cycles are walked once.
    pub fn walk(
        &self,
        starts: impl IntoIterator<Item = PackageId>,
        direction: Direction,
        depth: Option<u32>,
        cancel: &CancelToken,
    ) -> Result<Walk> {
        // Links are stored forward only, so the reverse needs the links of all packages up front.
        let dependants = match direction {
            Direction::Dependencies => None,
            Direction::Dependants => Some(self.dependants(cancel)?),
        };
        let mut walk = Walk::default();
        let mut queue: VecDeque<(PackageId, u32)> = starts.into_iter().map(|id| (id, 0)).collect();
        while let Some((id, at)) = queue.pop_front() {
            cancel.check()?;
            // Breadth first: the first visit has the smallest depth.
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

    /// Maps each package to the packages that refer to it, strongest links first.
    fn dependants(&self, cancel: &CancelToken) -> Result<HashMap<PackageId, Vec<Link>>> {
        let mut dependants: HashMap<PackageId, Vec<Link>> = HashMap::new();
        for id in self.ids() {
            cancel.check()?;
            for link in self.links_of(id).unwrap_or_default() {
                dependants.entry(link.id).or_default().push(Link { id, kind: link.kind });
            }
        }
        for links in dependants.values_mut() {
            // A stable sort: within one kind the order of `ids` stays.
            links.sort_by_key(|link| link.kind);
        }
        Ok(dependants)
    }

    /// Imports recorded in a package's own header. UE 5.0 to 5.2 record no package names there.
    fn imports_in_header(&self, entry: Entry) -> Option<Vec<PackageId>> {
        let header = self.header(entry)?;
        let known = header.generation.has_imported_package_names()
            || header.generation.is_ue4()
            // No imported hashes means no package imports: then even those versions are certain.
            || header.imported_public_export_hashes.is_empty();
        known.then(|| header.imported_packages())
    }
}
