//! Clusters at one detail, as one mesh.

use super::bits::Page;
use super::cluster::{Cluster, Precision};
use super::page::{ClusterPlaces, PageParts};
use super::page_vertices::{NaniteVertex, Slots};
use super::resources::Nanite;
use super::strips::Strips;
use crate::wire::{Fault, FaultKind};
use std::cell::Cell;

/// A Nanite mesh at some detail. Clusters that meet have copies of the vertices on their border.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NaniteMesh {
    /// Vertices.
    pub vertices: Vec<NaniteVertex>,
    /// Texture coordinates of all vertices, one list for each channel.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Triangles: three vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// Material of each triangle: an index into the slots of the mesh.
    pub materials: Vec<u8>,
    /// True if vertices have tangents.
    pub has_tangents: bool,
    is_colored: bool,
    pub(super) precision: Precision,
}

/// Reason why a Nanite mesh is not there at full detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NaniteError {
    /// Pages in bulk data were not given.
    #[error("{missing} of its {pages} pages are in bulk data that is not here")]
    Missing {
        /// Number of missing pages.
        missing: usize,
        /// Number of all pages.
        pages: usize,
    },
    /// It is an assembly of several meshes.
    #[error("it is an assembly of other meshes, which is not read")]
    Assembly,
    /// Its clusters do not have as many triangles as it records.
    #[error("its clusters have {found} triangles of {expected}")]
    Incomplete {
        /// Triangles at full detail.
        found: usize,
        /// Triangles of the source mesh.
        expected: u32,
    },
    /// Its clusters do not tell which others take their place.
    #[error("its levels of detail are not known")]
    Levels,
    /// A page is damaged, or has a form that is not known.
    #[error("its pages cannot be read: {0}")]
    Fault(#[from] Fault),
}

impl Nanite<'_> {
    /// Decodes the mesh at full detail; `streamed` is its bulk data, which small meshes do not need.
    pub fn mesh(&self, streamed: Option<&[u8]>) -> Result<NaniteMesh, NaniteError> {
        let mesh = self.decode(&self.page_bytes(streamed)?, |_, cluster| cluster.is_leaf)?;
        if mesh.triangles.len() != self.triangles as usize {
            return Err(NaniteError::Incomplete { found: mesh.triangles.len(), expected: self.triangles });
        }
        Ok(mesh)
    }

    /// Decodes the mesh with as few triangles as it has where no point of its surface is farther than `error` from where it is at
    /// full detail, in centimetres as the mesh records them.
    pub fn mesh_within(&self, streamed: Option<&[u8]>, error: f32) -> Result<NaniteMesh, NaniteError> {
        let pages = self.page_bytes(streamed)?;
        let parents = self.parent_errors(&pages)?;
        let parent = |[page, cluster]: [usize; 2]| parents.get(page)?.get(cluster).copied().flatten();
        // A cluster that no slice names would leave a gap, or be there beside those that take its place.
        let are_known = Cell::new(true);
        let mesh = self.decode(&pages, |at, cluster| {
            let parent = parent(at);
            are_known.set(are_known.get() && parent.is_some());
            cluster.error <= error && parent.is_some_and(|parent| parent > error)
        })?;
        if are_known.get() && !mesh.triangles.is_empty() { Ok(mesh) } else { Err(NaniteError::Levels) }
    }

    /// The bytes of all pages.
    fn page_bytes<'b>(&'b self, streamed: Option<&'b [u8]>) -> Result<Vec<Page<'b>>, NaniteError> {
        if self.transforms > 0 {
            return Err(NaniteError::Assembly);
        }
        let (root, pages) = (self.root_page_count as usize, self.pages.len());
        if streamed.is_none() && pages > root {
            return Err(NaniteError::Missing { missing: pages - root, pages });
        }
        let streamed = streamed.unwrap_or_default();
        self.check_sizes(streamed.len())?;
        let bytes = self.pages.iter().enumerate().map(|(at, page)| {
            let buffer = Page(if at < root { self.root } else { streamed });
            Ok(Page(buffer.bytes(page.offset as usize, page.len as usize, "page of a Nanite mesh")?))
        });
        bytes.collect()
    }

    /// Decodes those clusters that are wanted. They are asked for by page and number in it.
    fn decode(
        &self,
        pages: &[Page<'_>],
        is_wanted: impl Fn([usize; 2], &Cluster) -> bool,
    ) -> Result<NaniteMesh, Fault> {
        let (mut mesh, mut done) = (NaniteMesh::default(), Vec::with_capacity(pages.len()));
        for (number, page) in pages.iter().enumerate() {
            let parts = PageParts::parse(*page, &self.versions)?;
            // Nearly every cluster has vertices that finer ones refer to.
            let vertices = self.vertices(&parts, &done)?;
            for (at, (cluster, places)) in parts.clusters.iter().enumerate() {
                mesh.check(cluster, vertices.cluster(at))?;
                if is_wanted([number, at], cluster) {
                    mesh.add((&parts, at), (cluster, places), vertices.cluster(at))?;
                }
            }
            done.push(vertices);
        }
        for channel in &mut mesh.uvs {
            channel.resize(mesh.vertices.len(), [0.0; 2]);
        }
        Ok(mesh)
    }

    /// Rejects pages that overlap: their sum bounds the time and memory of decoding.
    fn check_sizes(&self, streamed: usize) -> Result<(), Fault> {
        let sum: u64 = self.pages.iter().map(|page| u64::from(page.len)).sum();
        let limit = (self.root.len() + streamed) as u64;
        let kind = FaultKind::TooLarge { found: sum, limit };
        if sum <= limit { Ok(()) } else { Err(Fault { offset: 0, field: "size of all pages", kind }) }
    }
}

impl NaniteMesh {
    /// True if some vertex is not white.
    #[must_use]
    pub const fn has_colors(&self) -> bool {
        self.is_colored
    }

    /// Appends a cluster.
    fn add(
        &mut self,
        (parts, at): (&PageParts<'_>, usize),
        (cluster, places): (&Cluster, &ClusterPlaces),
        found: Slots<'_>,
    ) -> Result<(), Fault> {
        let strips = Strips {
            page: parts.page,
            masks_at: parts.strips_at.saturating_add(48 * at),
            indices_at: places.indices,
            before: places.before,
            triangles: cluster.triangles,
            vertices: cluster.vertices,
        };
        let first = u32::try_from(self.vertices.len()).map_err(|_| too_many(self.vertices.len()))?;
        let end = first.checked_add(cluster.vertices).ok_or_else(|| too_many(self.vertices.len()));
        end?;
        strips.unpack(first, &mut self.triangles)?;
        self.materials.extend(cluster.materials(parts.page, parts.clusters_at)?);
        while self.uvs.len() < cluster.channels {
            self.uvs.push(Vec::new());
        }
        for (uvs, own) in self.uvs.iter_mut().zip(found.uvs.chunks(found.vertices.len().max(1))) {
            // Clusters before this one may have had fewer channels.
            uvs.resize(self.vertices.len(), [0.0; 2]);
            uvs.extend_from_slice(own);
        }
        self.vertices.extend_from_slice(found.vertices);
        self.has_tangents |= cluster.has_tangents;
        self.is_colored |= found.vertices.iter().any(|vertex| vertex.color != [255; 4]);
        Ok(())
    }

    /// Checks that a cluster has the precision of the others, and that it fills its box.
    fn check(&mut self, cluster: &Cluster, found: Slots<'_>) -> Result<(), Fault> {
        if found.vertices.is_empty() {
            return Ok(());
        }
        if self.precision == Precision::default() {
            self.precision = cluster.precision;
        }
        if self.precision != cluster.precision {
            let found = cluster.precision.position.unsigned_abs().into();
            let kind =
                FaultKind::Unexpected { found, expected: self.precision.position.unsigned_abs().into() };
            return Err(Fault { offset: 0, field: "precision of a cluster", kind });
        }
        let step = self.precision.step();
        let [centre, extent] = cluster.bounds;
        let (mut lowest, mut highest) = ([i32::MAX; 3], [i32::MIN; 3]);
        for vertex in found.vertices {
            let ends = lowest.iter_mut().zip(&mut highest).zip(vertex.position);
            ends.for_each(|((low, high), part)| (*low, *high) = ((*low).min(part), (*high).max(part)));
        }
        let boxes = centre.iter().zip(extent).map(|(centre, extent)| [centre - extent, centre + extent]);
        for (axis, (recorded, own)) in boxes.zip(lowest.into_iter().zip(highest)).enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "positions have fewer bits than floats")]
            let real = |of: i32| of as f32 * step;
            let own = [real(own.0), real(own.1)];
            let is_same =
                own.iter().zip(recorded).all(|(own, recorded)| (own - recorded).abs() <= step / 2.0);
            if !is_same {
                let field = "box of a cluster, which its vertices fill";
                let kind = FaultKind::out_of_range(3_u32, axis);
                return Err(Fault { offset: 0, field, kind });
            }
        }
        Ok(())
    }
}

fn too_many(found: usize) -> Fault {
    let kind = FaultKind::TooLarge { found: found as u64, limit: u32::MAX.into() };
    Fault { offset: 0, field: "vertices of a Nanite mesh", kind }
}
