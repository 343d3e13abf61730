//! Pages: headers, and places of what clusters consist of.

use super::bits::Page;
use super::cluster::Cluster;
use super::form::PageForm;
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind};

/// A page with the facts of its clusters.
pub(super) struct PageParts<'a> {
    pub(super) page: Page<'a>,
    /// Start of the page header, for errors.
    pub(super) header: usize,
    /// Start of the clusters, which some offsets count from.
    pub(super) clusters_at: usize,
    /// Number of references of all clusters.
    pub(super) references: usize,
    /// Features of its release.
    pub(super) form: PageForm,
    pub(super) strips_at: usize,
    pub(super) masks_at: usize,
    pub(super) clusters: Vec<(Cluster, ClusterPlaces)>,
}

/// Places of the data of a cluster, from the start of its page.
#[derive(Debug, Clone, Default)]
pub(super) struct ClusterPlaces {
    pub(super) indices: usize,
    pub(super) page_clusters: usize,
    pub(super) references_at: usize,
    /// Planes of low, middle and high bytes; before 5.4 positions and attributes.
    pub(super) planes: [usize; 3],
    pub(super) references: usize,
    /// References and new vertices before each group of 32 triangles but the first, of 10 bits each.
    pub(super) before: [u32; 2],
}

/// Limit of clusters in a page.
const MAX_CLUSTERS: u32 = 256;
/// First bytes of a page since 5.3.
const MAGIC: u32 = 0x464E;

impl<'a> PageParts<'a> {
    pub(super) fn parse(page: Page<'a>, versions: &AssetVersions) -> Result<Self, Fault> {
        let form = &PageForm::new(versions);
        let Fixups { end: header, clusters: count, .. } = Fixups::read(page, versions)?;
        let mut words = Words { page, at: header };
        if !form.has_planes {
            words.next("size of a page in memory")?;
        }
        let at = words.at;
        let clusters = words.next("clusters of a page")?;
        if clusters != count || count > MAX_CLUSTERS {
            let kind = FaultKind::Unexpected { found: clusters.into(), expected: count.into() };
            return Err(Fault { offset: at as u64, field: "clusters of a page", kind });
        }
        words.next("size of clusters")?;
        if !form.has_planes {
            words.next("texture coordinates of a page")?;
        }
        let references = words.next("references of a page")? as usize;
        if !form.has_voxels {
            words.next("ranges of texture coordinates")?;
        }
        let [strips_at, masks_at] =
            [words.place("bits of strips", header)?, words.place("bits of references", header)?];
        let mut places = Vec::new();
        for _ in 0..count {
            places.push(ClusterPlaces::read(&mut words, form, header)?);
        }
        let clusters_at = words.at;
        let count = count as usize;
        let cluster = |(at, places): (usize, ClusterPlaces)| {
            // Row by row: the first row of all clusters comes first.
            let word = |row: usize, column: usize| {
                page.word(clusters_at + 16 + 16 * (at + count * row) + 4 * column, "packed cluster")
            };
            word(form.rows - 1, 0)?;
            Ok((Cluster::read(form, word)?, places))
        };
        let clusters = places.into_iter().enumerate().map(cluster).collect::<Result<_, Fault>>()?;
        Ok(Self { page, header, clusters_at, references, form: *form, strips_at, masks_at, clusters })
    }
}

impl ClusterPlaces {
    /// Reads places, which count from the page's header.
    fn read(words: &mut Words<'_>, form: &PageForm, header: usize) -> Result<Self, Fault> {
        if form.has_voxels {
            words.next("ranges of texture coordinates")?;
        }
        let mut place = |field| words.place(field, header);
        let [indices, page_clusters, references_at] =
            [place("indices")?, place("clusters of pages")?, place("references")?];
        let (low, middle) = (place("vertices")?, place("vertices")?);
        let planes = [low, middle, if form.has_planes { place("vertices")? } else { 0 }];
        let references = words.next("references of a cluster")? as usize;
        let before = [words.next("references of triangles")?, words.next("vertices of triangles")?];
        Ok(Self { indices, page_clusters, references_at, planes, references, before })
    }
}

/// Words that follow each other.
struct Words<'a> {
    page: Page<'a>,
    at: usize,
}

impl Words<'_> {
    fn next(&mut self, field: &'static str) -> Result<u32, Fault> {
        let word = self.page.word(self.at, field)?;
        self.at += 4;
        Ok(word)
    }

    /// Reads an offset from the page's header; returns it from the start of the page.
    fn place(&mut self, field: &'static str, header: usize) -> Result<usize, Fault> {
        self.next(field).map(|offset| header.saturating_add(offset as usize))
    }
}

/// Fixups of a page, which stand before its header.
pub(super) struct Fixups {
    /// Their end.
    pub(super) end: usize,
    /// Number of clusters of the page.
    clusters: u32,
    /// Start and number of those that tell the clusters of parts of groups.
    pub(super) parts: (usize, u32),
    /// Start and number of the slices that they refer to, since 5.7.
    pub(super) slices: (usize, u32),
}

/// Length of a part's fixup before 5.7, in bytes.
pub(super) const LEN_OF_OLD_PART: usize = 16;
/// The same since then.
pub(super) const LEN_OF_PART: usize = 12;

impl Fixups {
    pub(super) fn read(page: Page<'_>, versions: &AssetVersions) -> Result<Self, Fault> {
        let half = |at: usize| {
            let bytes = page.bytes(at, 2, FIXUPS)?;
            Ok(u32::from(bytes.first_chunk().copied().map_or(0, u16::from_le_bytes)))
        };
        // The newer forms have a magic number in front.
        let is_marked = versions.has_short_nanite_pages();
        if is_marked && half(0)? != MAGIC {
            return Err(Fault { offset: 0, field: FIXUPS, kind: FaultKind::BadMagic });
        }
        let after = |start: usize, lists: &[(usize, u32)]| {
            lists
                .iter()
                .fold(start, |sum, (len, count)| sum.saturating_add(len.saturating_mul(*count as usize)))
        };
        if versions.has_nanite_voxels() {
            let [groups, parts, clusters, reconsidered] = [half(2)?, half(4)?, half(6)?, half(8)?];
            let [parents, slices, indices] =
                [page.word(12, FIXUPS)?, page.word(16, FIXUPS)?, page.word(20, FIXUPS)?];
            let parts_at = after(24, &[(16, groups)]);
            let slices_at = after(parts_at, &[(LEN_OF_PART, parts), (10, parents)]);
            let end = after(slices_at, &[(4, slices), (2, reconsidered), (1, indices)]);
            return Ok(Self { end, clusters, parts: (parts_at, parts), slices: (slices_at, slices) });
        }
        let at = if is_marked { 2 } else { 0 };
        let [clusters, parts, groups] = [half(at)?, half(at + 2)?, half(at + 4)?];
        let end = after(8, &[(LEN_OF_OLD_PART, parts), (8, groups)]);
        Ok(Self { end, clusters, parts: (8, parts), slices: (0, 0) })
    }
}

const FIXUPS: &str = "fixups of a page";
