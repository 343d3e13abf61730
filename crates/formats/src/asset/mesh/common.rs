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
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        Ok(Self {
            origin: payload.reals("origin of bounds")?,
            extent: payload.reals("extent of bounds")?,
            radius: payload.real("radius of bounds")?,
        })
    }
}

impl Material {
    /// Bytes of the shortest record, without any field that depends on versions.
    pub(super) const MIN_LEN: usize = 36;

    /// Reads a slot; skeletal meshes may record a second name, that of the imported file.
    pub(super) fn read(payload: &mut Payload<'_, '_>, has_imported_name: bool) -> Result<Self, Fault> {
        let object = payload.object("material")?;
        let slot = payload.name_text("slot of a material")?;
        if has_imported_name
            && payload.versions.has_no_imported_slot_names()
            && payload.r.bool32("imported name")?
        {
            payload.name("imported name of a slot")?;
        }
        // Texture density guides streaming, and is skipped.
        payload.r.bool32("texture density is known")?;
        payload.r.bool32("texture density was set")?;
        payload.floats::<4>("texture density")?;
        if payload.versions.has_overlay_materials() {
            payload.object("overlay material")?;
        }
        Ok(Self { object, slot })
    }
}

/// Reads a list whose elements need the whole payload.
pub(super) fn list<'s, 'a, T>(
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
