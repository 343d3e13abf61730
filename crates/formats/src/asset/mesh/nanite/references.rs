//! Vertices of clusters: their own, and those that they take from other clusters.
//!
//! ```text
//! bit mask      of each vertex of a cluster: it is a reference
//! reference     u8 place in the list of clusters │ u8 vertex; since 5.4 as the difference from the one before
//! list          u32: 8 bits of a cluster, the rest a page: 0 this one, others among those that it depends on
//! ```

use super::bits::field;
use super::page::{ClusterPlaces, PageParts};
use super::resources::{Nanite, NanitePage};
use super::vertices::{NaniteVertex, Vertices, own_vertices, unfolded};
use crate::wire::{Fault, FaultKind};

/// Vertices of a cluster of which some may not be known yet.
struct Filling {
    found: Vertices,
    is_known: Vec<bool>,
    /// Places of the vertices that the cluster has of its own.
    own: Vec<usize>,
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
            let ranges = parts.clusters_at.saturating_add(cluster.ranges_at);
            let places = places.moved(parts.header);
            let own = own_vertices(parts.page, cluster, &places, (ranges, is_planes))?;
            let mask_at = parts.header.saturating_add(parts.masks_at).saturating_add(32 * at);
            let mask = parts.page.bytes(mask_at, 32, "bits of references")?;
            all.push(Filling::new(&own, mask, (cluster.vertices as usize, cluster.channels))?);
        }
        for at in 0..all.len() {
            let Some((_, places)) = parts.clusters.get(at) else { continue };
            self.resolve(at, &mut all, (parts, places), (page, before))?;
        }
        Ok(all.into_iter().map(|filled| filled.found).collect())
    }

    /// Fills in the references of one cluster.
    fn resolve(
        &self,
        at: usize,
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
        let targets: Vec<usize> = all.get(at).map(Filling::unknown).unwrap_or_default();
        let mut vertex = 0_u32;
        for (reference, target) in targets.into_iter().enumerate() {
            let listed = usize::from(byte(places.references_at.saturating_add(reference))?);
            let code = byte(places.references_at.saturating_add(parts.references).saturating_add(reference))?;
            let word = parts.page.word(places.page_clusters.saturating_add(4 * listed), FIELD)?;
            let (cluster, other) = (field(word, 0, 8), word >> 8);
            vertex = if is_planes { vertex.wrapping_add(unfolded(code.into())) & 0xFF } else { code.into() };
            let found = if other == 0 {
                let source = all.get(cluster as usize).ok_or_else(|| unknown(cluster, all.len()))?;
                // Before 5.4, these count only what a cluster has of its own.
                let place =
                    if is_planes { Some(vertex as usize) } else { source.own.get(vertex as usize).copied() };
                place
                    .filter(|place| source.is_known.get(*place) == Some(&true))
                    .and_then(|place| source.found.get(place))
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

    fn set(&mut self, at: usize, vertex: NaniteVertex, uvs: &[[f32; 2]]) {
        if let Some(slot) = self.vertices.get_mut(at) {
            *slot = vertex;
        }
        let range = at * self.channels..(at + 1) * self.channels;
        for (to, from) in self.uvs.get_mut(range).unwrap_or_default().iter_mut().zip(uvs) {
            *to = *from;
        }
    }
}

impl Filling {
    fn new(own: &Vertices, mask: &[u8], (count, channels): (usize, usize)) -> Result<Self, Fault> {
        let is_reference = |at: usize| mask.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0);
        let is_known: Vec<bool> = (0..count).map(|at| !is_reference(at)).collect();
        let places: Vec<usize> = (0..count).filter(|at| !is_reference(*at)).collect();
        if places.len() != own.vertices.len() {
            let kind =
                FaultKind::Unexpected { found: places.len() as u64, expected: own.vertices.len() as u64 };
            return Err(Fault { offset: 0, field: "vertices that are no references", kind });
        }
        let mut found = Vertices {
            vertices: vec![NaniteVertex::default(); count],
            channels,
            uvs: vec![[0.0; 2]; count * channels],
        };
        for (at, (place, vertex)) in places.iter().zip(&own.vertices).enumerate() {
            found.set(*place, *vertex, own.uvs_of(at));
        }
        Ok(Self { found, is_known, own: places })
    }

    /// Places of the vertices that are not known yet.
    fn unknown(&self) -> Vec<usize> {
        let known = self.is_known.iter().enumerate();
        known.filter(|(_, is_known)| !**is_known).map(|(at, _)| at).collect()
    }

    fn set(&mut self, at: usize, (vertex, uvs): &Found) {
        self.found.set(at, *vertex, uvs);
        if let Some(known) = self.is_known.get_mut(at) {
            *known = true;
        }
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
