//! Vertices of clusters: their own, and those that they take from other clusters.
//!
//! ```text
//! bit mask      of each vertex of a cluster: it is a reference
//! reference     u8 place in the list of clusters │ u8 vertex; since 5.4 as the difference from the one before
//! list          u32: 8 bits of a cluster, the rest a page: 0 this one, others among those that it depends on
//! ```

use super::bits::field;
use super::cluster::Cluster;
use super::page::{ClusterPlaces, PageParts};
use super::resources::{Nanite, NanitePage};
use super::vertices::{NaniteVertex, Vertices, own_vertices, unfolded};
use crate::wire::{Fault, FaultKind};

/// Vertices of a cluster of which some may not be known yet.
struct Filling {
    found: Vertices,
    /// Bits of the vertices that are not known yet.
    unknown: VertexBits,
    /// Places of the vertices that the cluster has of its own.
    own: Vec<u8>,
}

/// A bit for each vertex of a cluster.
#[derive(Clone, Copy)]
struct VertexBits([u8; 32]);

impl VertexBits {
    fn has(&self, at: u8) -> bool {
        self.0.get(usize::from(at / 8)).is_some_and(|byte| byte >> (at % 8) & 1 != 0)
    }

    fn remove(&mut self, at: u8) {
        if let Some(byte) = self.0.get_mut(usize::from(at / 8)) {
            *byte &= !(1 << (at % 8));
        }
    }
}

impl Nanite<'_> {
    /// Reads the vertices of all clusters of a page; `before` has those of earlier pages.
    pub(super) fn vertices(
        &self,
        parts: &PageParts<'_>,
        page: NanitePage,
        before: &[Vec<Vertices>],
    ) -> Result<Vec<Vertices>, Fault> {
        let is_planes = self.versions.has_nanite_planes();
        let mut all = Vec::with_capacity(parts.clusters.len());
        // First what every cluster has of its own: some refer to later ones.
        for (at, (cluster, places)) in parts.clusters.iter().enumerate() {
            let mask_at = parts.header.saturating_add(parts.masks_at).saturating_add(32 * at);
            let mask = parts.page.bytes(mask_at, 32, "bits of references")?;
            let unknown = VertexBits(mask.first_chunk().copied().unwrap_or([0; 32]));
            let own: Vec<u8> = numbers(cluster).filter(|at| !unknown.has(*at)).collect();
            let expected = (cluster.vertices as usize).saturating_sub(places.references);
            if own.len() != expected {
                let kind = FaultKind::Unexpected { found: own.len() as u64, expected: expected as u64 };
                return Err(Fault { offset: 0, field: "vertices that are no references", kind });
            }
            let ranges = parts.clusters_at.saturating_add(cluster.ranges_at);
            let places = places.moved(parts.header);
            let found = own_vertices(parts.page, (cluster, &places), (ranges, is_planes), &own)?;
            all.push(Filling { found, unknown, own });
        }
        for (at, (cluster, places)) in parts.clusters.iter().enumerate() {
            self.resolve((at, cluster), &mut all, (parts, places), (page, before))?;
        }
        Ok(all.into_iter().map(|filled| filled.found).collect())
    }

    /// Fills in the references of one cluster.
    fn resolve(
        &self,
        (at, cluster): (usize, &Cluster),
        all: &mut [Filling],
        (parts, places): (&PageParts<'_>, &ClusterPlaces),
        (page, before): (NanitePage, &[Vec<Vertices>]),
    ) -> Result<(), Fault> {
        const FIELD: &str = "reference to a vertex";
        let unknown = |found: u32, count: usize| Fault {
            offset: parts.header as u64,
            field: FIELD,
            kind: FaultKind::out_of_range(found, count),
        };
        let places = places.moved(parts.header);
        let is_planes = self.versions.has_nanite_planes();
        let byte = |at: usize| {
            parts.page.bytes(at, 1, FIELD).map(|bytes| bytes.first().copied().unwrap_or_default())
        };
        let unknown_here = all.get(at).map_or(VertexBits([0; 32]), |filling| filling.unknown);
        let targets = numbers(cluster).filter(|at| unknown_here.has(*at));
        let mut vertex = 0_u32;
        for (reference, target) in targets.enumerate() {
            let listed = usize::from(byte(places.references_at.saturating_add(reference))?);
            let code = byte(places.references_at.saturating_add(parts.references).saturating_add(reference))?;
            let word = parts.page.word(places.page_clusters.saturating_add(4 * listed), FIELD)?;
            let (cluster, other) = (field(word, 0, 8), word >> 8);
            vertex = if is_planes { vertex.wrapping_add(unfolded(code.into())) & 0xFF } else { code.into() };
            let found = if other == 0 {
                let source = all.get(cluster as usize).ok_or_else(|| unknown(cluster, all.len()))?;
                // Before 5.4, these count only what a cluster has of its own.
                let place = if is_planes {
                    u8::try_from(vertex).ok()
                } else {
                    source.own.get(vertex as usize).copied()
                };
                place
                    .filter(|place| !source.unknown.has(*place))
                    .and_then(|place| source.found.get(place.into()))
            } else {
                let [first, count] = page.dependencies;
                let listed =
                    Some(first).filter(|_| other <= count).and_then(|first| first.checked_add(other - 1));
                let index = listed.and_then(|at| self.dependencies.get(at as usize).copied());
                let source = index.and_then(|index| before.get(index as usize));
                source.and_then(|clusters| clusters.get(cluster as usize)?.get(vertex as usize))
            };
            let found = found.ok_or_else(|| unknown(vertex, 0))?;
            if let Some(filling) = all.get_mut(at) {
                filling.set(target, &found);
            }
        }
        Ok(())
    }
}

/// A vertex with its texture coordinates.
type Found = (NaniteVertex, [[f32; 2]; 4]);

impl Vertices {
    fn get(&self, at: usize) -> Option<Found> {
        let vertex = *self.vertices.get(at)?;
        let mut uvs = [[0.0; 2]; 4];
        for (to, from) in uvs.iter_mut().zip(self.uvs_of(at)) {
            *to = *from;
        }
        Some((vertex, uvs))
    }

    /// Texture coordinates of a vertex.
    fn uvs_of(&self, at: usize) -> &[[f32; 2]] {
        self.uvs.get(at * self.channels..(at + 1) * self.channels).unwrap_or_default()
    }
}

/// Numbers of all vertices of a cluster, which has 256 at most.
fn numbers(cluster: &Cluster) -> impl Iterator<Item = u8> + use<> {
    (0..=u8::MAX).take(cluster.vertices as usize)
}

impl Filling {
    fn set(&mut self, at: u8, (vertex, uvs): &Found) {
        let place = usize::from(at);
        if let Some(slot) = self.found.vertices.get_mut(place) {
            *slot = *vertex;
        }
        let range = place * self.found.channels..(place + 1) * self.found.channels;
        for (to, from) in self.found.uvs.get_mut(range).unwrap_or_default().iter_mut().zip(uvs) {
            *to = *from;
        }
        self.unknown.remove(at);
    }
}

impl ClusterPlaces {
    /// Places that count from the start of the page.
    fn moved(&self, header: usize) -> Self {
        Self {
            indices: self.indices.saturating_add(header),
            page_clusters: self.page_clusters.saturating_add(header),
            references_at: self.references_at.saturating_add(header),
            planes: self.planes.map(|at| at.saturating_add(header)),
            ..self.clone()
        }
    }
}
