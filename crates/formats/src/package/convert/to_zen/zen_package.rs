//! Result of a conversion.

use crate::id::PackageId;
use crate::package::zen::{Graph, Header, PublicId};
use std::ops::Range;

/// A converted package.
#[derive(Debug, Clone)]
pub struct ZenPackage {
    /// Package id.
    pub id: PackageId,
    /// Parsed form of the header.
    pub header: Header,
    /// Bytes of the header, the start of the chunk.
    pub bytes: Vec<u8>,
    /// Data after the header: ranges of the `.uexp`, in order.
    pub body: Vec<Range<u64>>,
    /// Imported packages, in the order that the import map refers to.
    pub imported_packages: Vec<PackageId>,
    /// Imported objects of other packages.
    pub imported_objects: Vec<(PackageId, PublicId)>,
}

impl ZenPackage {
    /// Returns the length of the chunk in bytes.
    #[must_use]
    pub fn chunk_len(&self) -> u64 {
        self.body.iter().fold(self.bytes.len() as u64, |len, part| len + (part.end - part.start))
    }

    /// Returns the packages that its bundles wait for, up to 5.2.
    #[must_use]
    pub fn awaited_packages(&self) -> Vec<PackageId> {
        match &self.header.graph {
            Graph::Packages(packages) => packages.iter().map(|arcs| arcs.package).collect(),
            // Lists are parallel to the imported packages; an empty one waits for nothing.
            Graph::Arcs { external, .. } => {
                let lists = self.imported_packages.iter().zip(external);
                lists.filter(|(_, arcs)| !arcs.is_empty()).map(|(id, _)| *id).collect()
            }
            Graph::Dependencies(_) => Vec::new(),
        }
    }
}
