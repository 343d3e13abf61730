//! Result of a conversion.

use crate::id::PackageId;
use crate::package::zen::{Graph, Header, PublicId};
use std::ops::Range;

/// A zen package.
#[derive(Debug, Clone)]
pub struct ZenPackage {
    /// Its id.
    pub id: PackageId,
    /// Facts in its header.
    pub header: Header,
    /// The bytes of the header, with which the chunk begins.
    pub bytes: Vec<u8>,
    /// Data after the header: parts of the `.uexp`, in this order.
    pub body: Vec<Range<u64>>,
    /// The packages that it imports from, in the order that its import map refers to.
    pub imported_packages: Vec<PackageId>,
    /// The objects of other packages that it imports.
    pub imported_objects: Vec<(PackageId, PublicId)>,
}

impl ZenPackage {
    /// Bytes of the chunk.
    #[must_use]
    pub fn chunk_len(&self) -> u64 {
        self.body.iter().fold(self.bytes.len() as u64, |len, part| len + (part.end - part.start))
    }

    /// Up to 5.2: the packages that its bundles wait for.
    #[must_use]
    pub fn awaited_packages(&self) -> Vec<PackageId> {
        match &self.header.graph {
            Graph::Packages(packages) => packages.iter().map(|arcs| arcs.package).collect(),
            Graph::Arcs { external, .. } => {
                let lists = self.imported_packages.iter().zip(external);
                lists.filter(|(_, arcs)| !arcs.is_empty()).map(|(id, _)| *id).collect()
            }
            Graph::Dependencies(_) => Vec::new(),
        }
    }
}
