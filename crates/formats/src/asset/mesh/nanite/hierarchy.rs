//! Levels of detail: which clusters stand for which others.
//!
//! ```text
//! node     four slices: f32 sphere[4] │ f32 centre[3] │ half error, half error of parents (5.8: the other way round)
//!          │ f32 extent[3] │ u32 child
//!          before 5.7: u32: 9 bits number of clusters, the rest pages; all bits for an inner node
//!          since:      u32 pages │ u32: 16 bits assembly, 9 bits number of clusters; since 5.8 u32 bones
//! part     before 5.7: u32 page │ u32: 6 bits slice, the rest node │ u32 first cluster │ u32 pages that it depends on
//!          since:      u16 page │ u8 first cluster │ u8 leaves │ u32 first slice, u32 number of them in a list
//!                      of u32: 2 bits slice, the rest node
//! ```
//!
//! Clusters are grouped, and groups have parts in several pages; coarser clusters take the place of a whole group. A slice of the
//! hierarchy has the error of those that take the place of its part, and a fixup, which a page has in front, tells the clusters of
//! the part. Clusters whose own error is allowed, and that of their parents is not, make a surface without gaps.
//!
//! Verified on 25 meshes of 5.4, 5.5 and 5.8: where the finest mesh is closed, so is the mesh at every error. The forms of parts
//! are CUE4Parse's before 5.7, and since then drawn from a mesh of 5.8.

use super::bits::{Page, field};
use super::cluster::low_half;
use super::page::{Fixups, LEN_OF_OLD_PART, LEN_OF_PART};
use super::resources::{Nanite, SLICES};
use crate::wire::{Fault, FaultKind};

/// Errors of the parents of clusters, by page; `None` for those that no slice names.
pub(super) type ParentErrors = Vec<Vec<Option<f32>>>;

/// Part of a group: clusters of one page.
struct Part {
    page: usize,
    first: usize,
    /// Number of its slice, counted through all nodes. An assembly has more, which are alike.
    slice: usize,
}

const SLICE: &str = "slice of the hierarchy";
const PART: &str = "part of a group";

impl Nanite<'_> {
    /// Reads the errors of the parents of all clusters.
    pub(super) fn parent_errors(&self, pages: &[Page<'_>]) -> Result<ParentErrors, Fault> {
        let mut errors: ParentErrors = vec![Vec::new(); pages.len()];
        for page in pages {
            let fixups = Fixups::read(*page, &self.versions)?;
            for at in 0..fixups.parts.1 as usize {
                let part = self.part(*page, &fixups, at)?;
                let (error, count) = self.slice(part.slice)?;
                let end = part.first + count;
                let unknown = || Fault {
                    offset: 0,
                    field: PART,
                    kind: FaultKind::TooLarge { found: end as u64, limit: MAX_CLUSTERS as u64 },
                };
                let of = errors.get_mut(part.page).filter(|_| end <= MAX_CLUSTERS).ok_or_else(unknown)?;
                of.resize(of.len().max(end), None);
                of.get_mut(part.first..end).unwrap_or_default().fill(Some(error));
            }
        }
        Ok(errors)
    }

    /// Reads a part's fixup.
    fn part(&self, page: Page<'_>, fixups: &Fixups, at: usize) -> Result<Part, Fault> {
        let start = fixups.parts.0;
        if self.versions.has_nanite_voxels() {
            let word = |index: usize| page.word(start + LEN_OF_PART * at + 4 * index, PART);
            let (place, first) = (word(0)?, word(1)?);
            let (slices_at, slices) = fixups.slices;
            if first >= slices {
                let kind = FaultKind::out_of_range(first, slices as usize);
                return Err(Fault { offset: 0, field: PART, kind });
            }
            let slice = page.word(slices_at + 4 * first as usize, SLICE)? as usize;
            return Ok(Part {
                page: field(place, 0, 16) as usize,
                first: field(place, 16, 8) as usize,
                slice,
            });
        }
        let word = |index: usize| page.word(start + LEN_OF_OLD_PART * at + 4 * index, PART);
        let (page, place, first) = (word(0)?, word(1)?, word(2)?);
        let slice = field(place, 0, 6) as usize;
        if slice >= SLICES {
            return Err(Fault { offset: 0, field: SLICE, kind: FaultKind::out_of_range(place, SLICES) });
        }
        let slice = (place >> 6) as usize * SLICES + slice;
        Ok(Part { page: page as usize, first: (first as usize).min(MAX_CLUSTERS), slice })
    }

    /// The error of the parents, and the number of clusters, of a slice.
    fn slice(&self, at: usize) -> Result<(f32, usize), Fault> {
        let start = self.versions.len_of_nanite_node().saturating_mul(at);
        let word = |offset: usize| Page(self.hierarchy).word(start.saturating_add(offset), SLICE);
        let clusters = if self.versions.has_nanite_voxels() { word(52)? >> 16 } else { word(48)? };
        // Their order changed; the error of the parents is the greater one.
        let errors = word(28)?;
        Ok((low_half(errors).max(low_half(errors >> 16)), field(clusters, 0, 9) as usize))
    }
}

/// Most clusters of a page.
const MAX_CLUSTERS: usize = 256;
