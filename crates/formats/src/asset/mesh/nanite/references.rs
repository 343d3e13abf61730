//! Vertices of clusters: their own, and those that they take from other clusters.
//!
//! ```text
//! bit mask      of each vertex of a cluster: it is a reference
//! reference     u8 place in the list of clusters │ u8 vertex; since 5.4 as the difference from the one before
//! list          u32: 8 bits of a cluster, the rest a page: 0 this one, others among those that it depends on
//! ```

use super::bits::field;
use super::page::{ClusterPlaces, PageParts};
use super::page_vertices::{PageVertices, VertexAt};
use super::resources::Nanite;
use super::vertices::own_vertices;
use crate::wire::{Fault, FaultKind};

/// A bit for each vertex of a cluster.
#[derive(Clone, Copy, Default)]
struct VertexBits([u64; 4]);

impl VertexBits {
    fn new(bytes: &[u8]) -> Self {
        let mut words = [0; 4];
        words
            .iter_mut()
            .zip(bytes.as_chunks().0)
            .for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        Self(words)
    }

    fn has(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
    }

    fn remove(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / 64) {
            *word &= !(1 << (at % 64));
        }
    }

    /// Lists those of the first `count` vertices that have a bit, or that have none.
    fn list(&self, count: u32, has_bit: bool, to: &mut Vec<u8>) {
        to.clear();
        for (first, word) in (0_u32..).step_by(64).zip(self.0) {
            let below = 1_u64.checked_shl(count.saturating_sub(first)).map_or(u64::MAX, |bit| bit - 1);
            let mut bits = if has_bit { word } else { !word } & below;
            while bits != 0 {
                to.push(u8::try_from(first + bits.trailing_zeros()).unwrap_or_default());
                bits &= bits - 1;
            }
        }
    }
}

/// Clusters of a page while their references are filled in.
struct Filling {
    vertices: PageVertices,
    /// Bits of the vertices of each cluster that are not known yet.
    unknown: Vec<VertexBits>,
    /// Places of the vertices that each cluster has of its own; before 5.4.
    own: Vec<Vec<u8>>,
}

impl Filling {
    /// Copies a vertex of the page, if it is known; before 5.4, references count only what a cluster has of its own.
    fn copy_within(&mut self, to: VertexAt, [cluster, vertex]: VertexAt, has_planes: bool) -> Option<()> {
        let place = if has_planes { vertex } else { usize::from(*self.own.get(cluster)?.get(vertex)?) };
        let is_known = !self.unknown.get(cluster)?.has(place);
        is_known.then(|| self.vertices.copy_within(to, [cluster, place])).flatten()
    }
}

const FIELD: &str = "reference to a vertex";

impl Nanite<'_> {
    /// Page and number of a cluster in the list of another.
    fn listed(
        &self,
        (page, parts): (usize, &PageParts<'_>),
        places: &ClusterPlaces,
        at: u8,
    ) -> Result<[usize; 2], Fault> {
        let word = parts.page.word(places.page_clusters.saturating_add(4 * usize::from(at)), FIELD)?;
        let (cluster, other) = (field(word, 0, 8) as usize, word >> 8);
        if other == 0 {
            return Ok([page, cluster]);
        }
        let [first, count] = self.pages.get(page).map_or([0; 2], |page| page.dependencies);
        let listed = Some(first).filter(|_| other <= count).and_then(|first| first.checked_add(other - 1));
        let of = listed.and_then(|at| self.dependencies.get(at as usize).copied());
        let of = of.filter(|of| (*of as usize) < page);
        of.map(|of| [of as usize, cluster]).ok_or_else(|| parts.unknown(other, count as usize))
    }

    /// Reads the vertices of all clusters of a page; `before` has those of earlier pages.
    pub(super) fn vertices(
        &self,
        parts: &PageParts<'_>,
        before: &[PageVertices],
    ) -> Result<PageVertices, Fault> {
        let has_planes = parts.form.has_planes;
        let mut filling = Filling { vertices: PageVertices::default(), unknown: Vec::new(), own: Vec::new() };
        let mut own = Vec::new();
        // First what every cluster has of its own: some refer to later ones.
        for (at, (cluster, places)) in parts.clusters.iter().enumerate() {
            let mask_at = parts.masks_at.saturating_add(32 * at);
            let unknown = VertexBits::new(parts.page.bytes(mask_at, 32, "bits of references")?);
            unknown.list(cluster.vertices, false, &mut own);
            let expected = (cluster.vertices as usize).saturating_sub(places.references);
            if own.len() != expected {
                let kind = FaultKind::Unexpected { found: own.len() as u64, expected: expected as u64 };
                return Err(Fault { offset: 0, field: "vertices that are no references", kind });
            }
            let ranges = (parts.clusters_at.saturating_add(cluster.ranges_at), has_planes);
            own_vertices(parts.page, (cluster, places), ranges, &own, &mut filling.vertices)?;
            filling.unknown.push(unknown);
            if !has_planes {
                filling.own.push(own.clone());
            }
        }
        for at in 0..parts.clusters.len() {
            self.resolve(at, parts, &mut filling, before)?;
        }
        Ok(filling.vertices)
    }

    /// Fills in the references of one cluster.
    fn resolve(
        &self,
        at: usize,
        parts: &PageParts<'_>,
        filling: &mut Filling,
        before: &[PageVertices],
    ) -> Result<(), Fault> {
        let Some((cluster, places)) = parts.clusters.get(at) else { return Ok(()) };
        // Where there are none, their place may be anywhere.
        if places.references == 0 {
            return Ok(());
        }
        let (page, has_planes) = (before.len(), parts.form.has_planes);
        let bytes = |at: usize| parts.page.bytes(at, places.references, FIELD);
        let listed = bytes(places.references_at)?;
        let codes = bytes(places.references_at.saturating_add(parts.references))?;
        let mut targets = Vec::new();
        let unknown = filling.unknown.get(at).copied().unwrap_or_default();
        unknown.list(cluster.vertices, true, &mut targets);
        let mut vertex = 0_u8;
        for (target, (listed, code)) in targets.into_iter().zip(listed.iter().zip(codes)) {
            vertex = if has_planes { vertex.wrapping_add(unfolded(*code)) } else { *code };
            let [of, cluster] = self.listed((page, parts), places, *listed)?;
            let (to, from) = ([at, target.into()], [cluster, vertex.into()]);
            let is_found = if of == page {
                filling.copy_within(to, from, has_planes)
            } else {
                before.get(of).and_then(|earlier| filling.vertices.copy(to, earlier, from))
            };
            is_found.ok_or_else(|| parts.unknown(vertex.into(), 0))?;
            if let Some(unknown) = filling.unknown.get_mut(at) {
                unknown.remove(target.into());
            }
        }
        Ok(())
    }
}

impl PageParts<'_> {
    /// Error from a reference to what is not there.
    fn unknown(&self, found: u32, count: usize) -> Fault {
        Fault { offset: self.header as u64, field: FIELD, kind: FaultKind::out_of_range(found, count) }
    }
}

/// Difference whose sign is its lowest bit.
const fn unfolded(of: u8) -> u8 {
    (of >> 1) ^ (of & 1).wrapping_neg()
}
