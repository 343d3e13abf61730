//! `USkeletalMesh`.
//!
//! ```text
//! strip flags │ bounds │ materials │ reference skeleton │ bool32 cooked │ LODs │ Nanite (5.5) │ 2 × u8
//! │ i32 n │ n × object
//! ```

mod lod;
mod morphs;
mod section;
mod weights;

pub use lod::{SkeletalBuffers, SkeletalLod};
pub use morphs::{MorphData, MorphDelta};
pub use section::SkeletalSection;
pub use weights::{Influence, SkinWeights};

use super::super::skeleton::Bones;
use super::super::{Bulk, Payload};
use super::common::{Bounds, Material, list};
use super::nanite::Nanite;
use crate::wire::{Fault, FaultKind};

/// `USkeletalMesh`: a mesh whose vertices are moved by bones.
#[doc(alias = "USkeletalMesh")]
#[derive(Debug, Clone, PartialEq)]
pub struct SkeletalMesh<'a> {
    /// Bounds in the default pose.
    pub bounds: Bounds,
    /// Slots of materials, referred to by sections.
    pub materials: Vec<Material>,
    /// Bones of the mesh. Its skeleton may have more, in another order.
    pub bones: Bones,
    /// Levels of detail, the best first.
    pub lods: Vec<SkeletalLod<'a>>,
    /// Nanite form, since 5.5.
    pub nanite: Option<Nanite<'a>>,
}

impl<'a> SkeletalMesh<'a> {
    /// Returns the bulk data with the buffers of a level of detail, if it is streamed.
    #[must_use]
    pub fn streamed(&self, lod: usize) -> Option<&Bulk<'a>> {
        self.lods.get(lod)?.geometry.streamed()
    }

    /// Reads the buffers of a streamed level of detail from its bulk data, `payload`.
    pub fn load(&mut self, lod: usize, payload: &mut Payload<'_, 'a>) -> Result<(), Fault> {
        self.lods.get_mut(lod).map_or(Ok(()), |lod| lod.load(payload))
    }

    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        // Only a property tells whether vertices have colours; without properties, both are tried.
        let start = payload.r.clone();
        let has_colors = payload.property("bHasVertexColors").unwrap_or(false);
        Self::with(payload, has_colors).or_else(|fault| {
            if payload.object.properties.is_some() {
                return Err(fault);
            }
            payload.r = start;
            Self::with(payload, true)
        })
    }

    fn with(payload: &mut Payload<'_, 'a>, has_colors: bool) -> Result<Self, Fault> {
        payload.strip_flags()?;
        let bounds = Bounds::read(payload)?;
        let slot = |payload: &mut Payload<'_, 'a>| Material::read_skeletal(payload).map(|(slot, _)| slot);
        let materials = list(payload, "materials", Material::MIN_LEN, slot)?;
        let bones = Bones::read(payload)?;
        let at = payload.r.clone();
        // Only cooked meshes have levels of detail in this form.
        if !payload.r.bool32("cooked")? {
            return Err(at.fault("cooked", FaultKind::Unsupported { found: 0 }));
        }
        let read = |payload: &mut Payload<'_, 'a>| SkeletalLod::read(payload, has_colors, bones.0.len());
        let lods = list(payload, "levels of detail", lod::MIN_LEN, read)?;
        let nanite = if payload.versions.has_skeletal_nanite() { Nanite::read(payload)? } else { None };
        if payload.versions.has_skeletal_lod_counts() {
            payload.r.array::<2>("inlined and required levels of detail")?;
        }
        // Dummy references of the engine: only their bytes matter.
        list(payload, "unused objects", 4, |payload| payload.object("unused object"))?;
        Ok(Self { bounds, materials, bones, lods, nanite })
    }
}
