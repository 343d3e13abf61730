//! Triangles of a cluster, as strips.
//!
//! ```text
//! three bits of each triangle: it starts a strip │ it is on the left │ it uses an old vertex
//! indices: for each old vertex, 5 bits: the distance back from the newest vertex
//! ```
//!
//! Each triangle can be read on its own. No strip crosses a group of 32 triangles.

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
struct Group {
    starts: u32,
    left: u32,
    uses: u32,
    /// References and new vertices before the group.
    base: [i32; 2],
}

impl Strips<'_> {
    /// Unpacks the triangles: three vertices of the cluster each.
    pub(super) fn unpack(&self) -> Result<Vec<[u8; 3]>, Fault> {
        let mut triangles = Vec::with_capacity(self.triangles as usize);
        for first in (0..self.triangles).step_by(32) {
            let group = self.group(first as usize / 32)?;
            for triangle in 0..(self.triangles - first).min(32) {
                let corners = self.corners(&group, triangle);
                let inside =
                    |corner: i32| u8::try_from(corner).ok().filter(|found| u32::from(*found) < self.vertices);
                let [Some(x), Some(y), Some(z)] = corners.map(inside) else {
                    let kind = FaultKind::out_of_range(self.vertices, self.vertices as usize);
                    return Err(Fault {
                        offset: self.indices_at as u64,
                        field: "corner of a triangle",
                        kind,
                    });
                };
                triangles.push([x, y, z]);
            }
        }
        Ok(triangles)
    }

    fn group(&self, at: usize) -> Result<Group, Fault> {
        let start = self.masks_at.saturating_add(12 * at);
        let word = |at: usize| self.page.word(start.saturating_add(4 * at), "bits of strips");
        let group = Group { starts: word(0)?, left: word(1)?, uses: word(2)?, base: self.base(at) };
        if group.starts & 1 == 0 {
            let field = "strips, whose first triangle starts one";
            return Err(Fault { offset: start as u64, field, kind: FaultKind::Unsupported { found: 0 } });
        }
        Ok(group)
    }

    fn base(&self, at: usize) -> [i32; 2] {
        let shift = at.checked_sub(1).and_then(|at| u32::try_from(10 * at).ok());
        self.before.map(|word| shift.map_or(0, |shift| number(field(word, shift, 10))))
    }

    /// Distance back to an old vertex.
    fn distance(&self, reference: i32) -> i32 {
        // The one before the first is asked for, too, but never used.
        usize::try_from(reference).map_or(0, |at| number(self.page.bits(self.indices_at, 5 * at, 5)))
    }

    fn corners(&self, of: &Group, at: u32) -> [i32; 3] {
        let bit = |mask: u32, at: u32| number(mask >> at & 1);
        let [references, new] = of.before(at);
        let newest = new - 1;
        let (left, uses) = (bit(of.left, at), bit(of.uses, at));
        if bit(of.starts, at) == 1 {
            let old = 2 * left + uses;
            return [0, 1, 2].map(|corner| {
                if corner < old { newest - self.distance(references + corner) } else { new + corner - old }
            });
        }
        // Whether the last vertex of a triangle is an old one.
        let heads = (of.starts & of.left | !of.starts) & of.uses;
        // The first bit of a group starts a strip, so that there is a triangle before this one.
        let last = at - 1;
        let y = if bit(heads, last) == 1 {
            let all = (2 * bit(of.left, last)) | bit(of.uses, last);
            let within = if bit(of.starts, last) == 1 { 3 - all } else { 0 };
            newest + within - self.distance(references - 1)
        } else {
            newest
        };
        let z = if uses == 1 { newest - self.distance(references) } else { new };
        // The last triangle of the other side, or the one that starts the strip.
        let sides = of.starts | if left == 1 { !of.left } else { of.left };
        let other = (sides & low_bits(at)).checked_ilog2().unwrap_or_default();
        let [references, new] = of.before(other);
        let x = if bit(of.starts, other) == 1 {
            let old = 2 * bit(of.left, other) + bit(of.uses, other);
            if old > left {
                new - 1 - self.distance(references + left)
            } else {
                new + i32::from(left == 1 && old == 0)
            }
        } else if other > 0 && bit(heads, other - 1) == 1 {
            new - 1 - self.distance(references - 1)
        } else {
            new - 1
        };
        if left == 1 { [x, z, y] } else { [x, y, z] }
    }
}

impl Group {
    /// Numbers of references and of new vertices before a triangle.
    fn before(&self, at: u32) -> [i32; 2] {
        let mask = low_bits(at);
        let count = |bits: u32| number((bits & mask).count_ones());
        let references = 2 * count(self.starts & self.left) + count(self.uses);
        let new = 2 * count(self.starts) + number(at) - references;
        let [before, vertices] = self.base;
        [before + references, vertices + new]
    }
}

/// The bits below one of a word.
const fn low_bits(at: u32) -> u32 {
    (1 << at) - 1
}

/// Small numbers, which never reach the sign.
const fn number(of: u32) -> i32 {
    i32::from_le_bytes(of.to_le_bytes())
}
