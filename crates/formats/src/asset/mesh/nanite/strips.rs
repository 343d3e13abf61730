//! Triangles of a cluster, as strips.
//!
//! ```text
//! three bits of each triangle: it starts a strip │ it is on the left │ it uses an old vertex
//! indices: for each old vertex, 5 bits: the distance back from the newest vertex
//! ```
//!
//! The next triangle of a strip has the newest vertex of the one before it, and a vertex of its own. Its third is an end of the edge
//! that the strip turns around: as long as it stays on one side, that does not change. No strip crosses a group of 32 triangles, so
//! that each group can be read on its own.

use super::bits::{Page, field};
use crate::wire::{Fault, FaultKind};

/// Triangles of a cluster, before they are unpacked.
pub(super) struct Strips<'a> {
    pub(super) page: Page<'a>,
    /// Start of the bit masks.
    pub(super) masks_at: usize,
    /// Start of the indices.
    pub(super) indices_at: usize,
    /// References and new vertices before each group of 32 triangles but the first, of 10 bits each.
    pub(super) before: [u32; 2],
    pub(super) triangles: u32,
    pub(super) vertices: u32,
}

/// Bits of 32 triangles.
#[derive(Clone, Copy)]
struct Masks {
    starts: u32,
    left: u32,
    uses: u32,
}

/// Vertices that the triangles of a group take one after the other.
struct Corners<'a> {
    page: Page<'a>,
    indices_at: usize,
    /// Number of the next reference to an old vertex.
    reference: u32,
    /// The next new vertex.
    new: u32,
}

impl Corners<'_> {
    /// Takes the next old vertex, or the next new one. Damage makes any number.
    fn take(&mut self, is_old: bool) -> u32 {
        if !is_old {
            self.new = self.new.wrapping_add(1);
            return self.new.wrapping_sub(1);
        }
        let distance = self.page.bits(self.indices_at, 5 * self.reference as usize, 5);
        self.reference += 1;
        self.new.wrapping_sub(1).wrapping_sub(distance)
    }
}

impl Strips<'_> {
    /// Unpacks the triangles, three vertices each; the vertices of the cluster count from `first`.
    pub(super) fn unpack(&self, first: u32, triangles: &mut Vec<[u32; 3]>) -> Result<(), Fault> {
        let start = triangles.len();
        for (group, before) in (0..self.triangles).step_by(32).enumerate() {
            self.group(group, (self.triangles - before).min(32), triangles)?;
        }
        let found = triangles.get_mut(start..).unwrap_or_default();
        let highest = found.iter().flatten().max();
        if let Some(highest) = highest.filter(|highest| **highest >= self.vertices) {
            let kind = FaultKind::out_of_range(*highest, self.vertices as usize);
            return Err(Fault { offset: self.indices_at as u64, field: "corner of a triangle", kind });
        }
        found.iter_mut().flatten().for_each(|corner| *corner += first);
        Ok(())
    }

    /// Unpacks a group of at most 32 triangles.
    fn group(&self, at: usize, count: u32, triangles: &mut Vec<[u32; 3]>) -> Result<(), Fault> {
        let masks = self.masks(at)?;
        let [reference, new] = self.base(at);
        let mut corners = Corners { page: self.page, indices_at: self.indices_at, reference, new };
        // What the next triangle gets besides the newest vertex: if it is on the right, and if it is on the left.
        let (mut right, mut left, mut newest) = (0, 0, 0);
        triangles.extend((0..count).map(|at| {
            let bit = |mask: u32| mask >> at & 1;
            let (is_left, uses) = (bit(masks.left) != 0, bit(masks.uses));
            if bit(masks.starts) != 0 {
                let old = 2 * bit(masks.left) + uses;
                (right, left, newest) = (corners.take(old > 0), corners.take(old > 1), corners.take(old > 2));
                return [right, left, newest];
            }
            let (before, next) = (newest, corners.take(uses != 0));
            newest = next;
            if is_left {
                let turned = [left, next, before];
                right = before;
                turned
            } else {
                let turned = [right, before, next];
                left = before;
                turned
            }
        }));
        Ok(())
    }

    fn masks(&self, group: usize) -> Result<Masks, Fault> {
        let start = self.masks_at.saturating_add(12 * group);
        let word = |at: usize| self.page.word(start.saturating_add(4 * at), "bits of strips");
        let masks = Masks { starts: word(0)?, left: word(1)?, uses: word(2)? };
        if masks.starts & 1 == 0 {
            let field = "strips, whose first triangle starts one";
            return Err(Fault { offset: start as u64, field, kind: FaultKind::Unsupported { found: 0 } });
        }
        Ok(masks)
    }

    /// Numbers of references and of new vertices before a group.
    fn base(&self, group: usize) -> [u32; 2] {
        let shift = group.checked_sub(1).and_then(|group| u32::try_from(10 * group).ok());
        self.before.map(|word| shift.map_or(0, |shift| field(word, shift, 10)))
    }
}
