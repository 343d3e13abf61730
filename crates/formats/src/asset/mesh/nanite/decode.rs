//! All clusters at full detail, as one mesh.

use super::bits::Page;
use super::cluster::{Cluster, Precision};
use super::page::{ClusterPlaces, PageParts};
use super::resources::Nanite;
use super::strips::Strips;
use super::vertices::{NaniteVertex, Vertices};
use crate::wire::{Fault, FaultKind};

/// A Nanite mesh at full detail. Clusters that meet have copies of the vertices on their border.
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
    /// A page is damaged, or has a form that is not known.
    #[error("its pages cannot be read: {0}")]
    Fault(#[from] Fault),
}

impl Nanite<'_> {
    /// Decodes the mesh at full detail; `streamed` is its bulk data, which small meshes do not need.
    pub fn mesh(&self, streamed: Option<&[u8]>) -> Result<NaniteMesh, NaniteError> {
        if self.transforms > 0 {
            return Err(NaniteError::Assembly);
        }
        let (root, pages) = (self.root_page_count as usize, self.pages.len());
        if streamed.is_none() && pages > root {
            return Err(NaniteError::Missing { missing: pages - root, pages });
        }
        let streamed = streamed.unwrap_or_default();
        self.check_sizes(streamed.len())?;
        let mut mesh = NaniteMesh::default();
        let mut done: Vec<Vec<Vertices>> = Vec::with_capacity(pages);
        for (at, page) in self.pages.iter().enumerate() {
            let buffer = Page(if at < root { self.root } else { streamed });
            let bytes = buffer.bytes(page.offset as usize, page.len as usize, "page of a Nanite mesh")?;
            let parts = PageParts::parse(bytes, &self.versions)?;
            let vertices = self.vertices(&parts, *page, &done)?;
            for (at, ((cluster, places), vertices)) in parts.clusters.iter().zip(&vertices).enumerate() {
                mesh.check(cluster, vertices)?;
                if cluster.is_leaf {
                    mesh.add((&parts, at), (cluster, places), vertices)?;
                }
            }
            done.push(vertices);
        }
        for channel in &mut mesh.uvs {
            channel.resize(mesh.vertices.len(), [0.0; 2]);
        }
        if mesh.triangles.len() != self.triangles as usize {
            return Err(NaniteError::Incomplete { found: mesh.triangles.len(), expected: self.triangles });
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
        found: &Vertices,
    ) -> Result<(), Fault> {
        let strips = Strips {
            page: parts.page,
            masks_at: parts.header.saturating_add(parts.strips_at).saturating_add(48 * at),
            indices_at: parts.header.saturating_add(places.indices),
            before: places.before,
            triangles: cluster.triangles,
            vertices: cluster.vertices,
        };
        let first = u32::try_from(self.vertices.len()).map_err(|_| too_many(self.vertices.len()))?;
        let end = first.checked_add(cluster.vertices).ok_or_else(|| too_many(self.vertices.len()));
        end?;
        let corners = strips.unpack()?;
        self.triangles.extend(corners.iter().map(|corners| corners.map(|corner| first + u32::from(corner))));
        self.materials.extend(cluster.materials(parts.page, parts.clusters_at)?);
        while self.uvs.len() < cluster.channels {
            self.uvs.push(Vec::new());
        }
        for (channel, uvs) in self.uvs.iter_mut().enumerate().take(cluster.channels) {
            // Clusters before this one may have had fewer channels.
            uvs.resize(self.vertices.len(), [0.0; 2]);
            uvs.extend(found.uvs.iter().skip(channel).step_by(cluster.channels));
        }
        self.vertices.extend(&found.vertices);
        self.has_tangents |= cluster.has_tangents;
        self.is_colored |= found.vertices.iter().any(|vertex| vertex.color != [255; 4]);
        Ok(())
    }

    /// Checks that a cluster has the precision of the others, and that it fills its box.
    fn check(&mut self, cluster: &Cluster, found: &Vertices) -> Result<(), Fault> {
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
        let boxes = centre.iter().zip(extent).map(|(centre, extent)| [centre - extent, centre + extent]);
        for (axis, recorded) in boxes.enumerate() {
            let all = || found.vertices.iter().filter_map(|vertex| vertex.position.get(axis));
            #[expect(clippy::cast_precision_loss, reason = "positions have fewer bits than floats")]
            let real = |of: Option<&i32>| of.map_or(0.0, |of| *of as f32 * step);
            let own = [real(all().min()), real(all().max())];
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
