//! Reads a mesh in any of the forms.

use super::shape::{Mesh, MeshForm};
use super::{description, elements, raw_mesh};
use crate::wire::{Fault, FaultKind};

impl Mesh {
    /// Reads the data of a source model. Mesh descriptions of 5.0 and later are recognised by their first bytes,
    /// whatever the form.
    pub fn read(bytes: &[u8], form: MeshForm) -> Result<Self, Fault> {
        let mesh = match form {
            _ if elements::is_it(bytes) => elements::read(bytes)?,
            MeshForm::Raw => raw_mesh::read(bytes)?,
            MeshForm::Description { has_holes, has_triangles } => {
                description::read(bytes, has_holes, has_triangles)?
            }
        };
        mesh.checked()
    }

    /// Rejects corners without a vertex, and triangles without a corner.
    fn checked(self) -> Result<Self, Fault> {
        let check = |field, found: u32, count: usize| {
            let kind = FaultKind::out_of_range(found, count);
            if (found as usize) < count { Ok(()) } else { Err(Fault { offset: 0, field, kind }) }
        };
        // A corner that no triangle uses may have no vertex.
        for triangle in &self.triangles {
            for corner in triangle.corners {
                check("corner of a triangle", corner, self.corners.len())?;
                let vertex = self.corners.get(corner as usize).map_or(u32::MAX, |corner| corner.vertex);
                check("vertex of a corner", vertex, self.positions.len())?;
            }
        }
        Ok(self)
    }
}
