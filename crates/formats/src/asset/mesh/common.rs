use super::super::{Bulk, Payload};
use crate::package::legacy::PackageIndex;
use crate::wire::Fault;
use std::sync::Arc;

/// `FBoxSphereBounds`: a bounding box and a bounding sphere.
#[doc(alias = "FBoxSphereBounds")]
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Bounds {
    /// Common centre, in centimetres.
    pub origin: [f64; 3],
    /// Half the size of the box, in centimetres.
    pub extent: [f64; 3],
    /// Radius of the sphere, in centimetres.
    pub radius: f64,
}

/// `FStaticMaterial`, `FSkeletalMaterial`: a slot that sections refer to by index.
#[doc(alias = "FStaticMaterial")]
#[doc(alias = "FSkeletalMaterial")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    /// Material in the slot.
    pub object: PackageIndex,
    /// Name of the slot.
    pub slot: Arc<str>,
}

/// Location of the vertices and triangles of a level.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry<'a, B> {
    /// Nowhere: the cooker left the level out.
    Absent,
    /// In the export.
    Inline(Box<B>),
    /// In bulk data of another file.
    Streamed(Bulk<'a>),
}

impl<'a, B> Geometry<'a, B> {
    /// Returns the buffers if they are in the export, or were loaded.
    #[must_use]
    pub fn inline(&self) -> Option<&B> {
        if let Self::Inline(buffers) = self { Some(buffers) } else { None }
    }

    /// Returns the bulk data of the buffers, if they are streamed and not loaded.
    #[must_use]
    pub fn streamed(&self) -> Option<&Bulk<'a>> {
        if let Self::Streamed(bulk) = self { Some(bulk) } else { None }
    }
}

impl Bounds {
    pub(crate) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        Ok(Self {
            origin: payload.reals("origin of bounds")?,
            extent: payload.reals("extent of bounds")?,
            radius: payload.real("radius of bounds")?,
        })
    }
}

impl Material {
    /// Bytes of the shortest record, without any field that depends on versions.
    pub(crate) const MIN_LEN: usize = 36;

    /// Reads a slot of a static mesh.
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        Self::read_with(payload, |_| Ok(())).map(|(slot, ())| slot)
    }

    /// Reads a slot of a skeletal mesh, with its name in the imported file, unless a cooker left it out.
    pub(crate) fn read_skeletal(payload: &mut Payload<'_, '_>) -> Result<(Self, Option<Arc<str>>), Fault> {
        Self::read_with(payload, |payload| {
            let has_name =
                payload.versions.has_no_imported_slot_names() && payload.r.bool32("imported name")?;
            has_name.then(|| payload.name_text("imported name of a slot")).transpose()
        })
    }

    fn read_with<'s, 'a, T>(
        payload: &mut Payload<'s, 'a>,
        imported_name: impl FnOnce(&mut Payload<'s, 'a>) -> Result<T, Fault>,
    ) -> Result<(Self, T), Fault> {
        let object = payload.object("material")?;
        let slot = payload.name_text("slot of a material")?;
        let imported = imported_name(payload)?;
        // Texture density guides streaming, and is skipped.
        payload.r.bool32("texture density is known")?;
        payload.r.bool32("texture density was set")?;
        payload.floats::<4>("texture density")?;
        if payload.versions.has_overlay_materials() {
            payload.object("overlay material")?;
        }
        Ok((Self { object, slot }, imported))
    }
}

/// Reads a list whose elements need the whole payload.
pub(crate) fn list<'s, 'a, T>(
    payload: &mut Payload<'s, 'a>,
    field: &'static str,
    min_len: usize,
    mut read: impl FnMut(&mut Payload<'s, 'a>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let count = payload.r.count(field, min_len)?;
    (0..count).map(|_| read(payload)).collect()
}

/// Skips a list of elements that all have the same length.
pub(super) fn skip_list(
    payload: &mut Payload<'_, '_>,
    field: &'static str,
    unit: usize,
) -> Result<usize, Fault> {
    let count = payload.r.count(field, unit)?;
    payload.r.bytes(field, count * unit)?;
    Ok(count)
}
