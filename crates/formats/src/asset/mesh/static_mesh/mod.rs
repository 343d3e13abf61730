//! `UStaticMesh`.
//!
//! ```text
//! payload      strip flags │ bool32 cooked │ body setup │ navigation │ GUID │ sockets │ render data
//!              │ occluder (4.20–4.27)
//!              │ bool32 wind │ materials
//! render data  LODs │ u8 inlined │ Nanite (5.0) │ bool32, ray tracing proxy (5.5) │ cards (5.0)
//!              │ distance fields │ bounds
//!              │ flags │ 8 × { bool32, f32 } screen sizes │ strip flags (5.4)
//! ```

mod lod;
mod section;
mod skipped;

pub use lod::{StaticBuffers, StaticLod};
pub use section::StaticSection;

use super::super::{Bulk, Payload};
use super::common::{Bounds, Material, list, skip_list};
use super::nanite::Nanite;
use crate::id::Guid;
use crate::package::legacy::PackageIndex;
use crate::wire::{Fault, FaultKind};

/// `UStaticMesh`: a mesh without bones.
#[doc(alias = "UStaticMesh")]
#[derive(Debug, Clone, PartialEq)]
pub struct StaticMesh<'a> {
    /// Shape for physics.
    pub body_setup: PackageIndex,
    /// Shape for navigation.
    pub nav_collision: PackageIndex,
    /// GUID that changes with everything that lighting depends on.
    pub lighting_guid: Guid,
    /// Sockets: exports whose properties hold their transforms.
    pub sockets: Vec<PackageIndex>,
    /// Levels of detail, the best first.
    pub lods: Vec<StaticLod<'a>>,
    /// Nanite form. If there is one, the first level of detail is the fallback for hardware without Nanite.
    pub nanite: Option<Nanite<'a>>,
    /// Bounds of the whole mesh.
    pub bounds: Bounds,
    /// Screen size from which each level of detail is used, as a share of the screen.
    pub screen_sizes: Vec<f32>,
    /// Slots of materials, referred to by sections. Empty for a mesh with wind, whose properties hold them.
    pub materials: Vec<Material>,
}

/// Number of recorded screen sizes, independent of the number of levels.
const MAX_LODS: usize = 8;

impl<'a> StaticMesh<'a> {
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
        payload.strip_flags()?;
        let at = payload.r.clone();
        // Uncooked meshes have source models in place of render data.
        if !payload.r.bool32("cooked")? {
            return Err(at.fault("cooked", FaultKind::Unsupported { found: 0 }));
        }
        let body_setup = payload.object("body setup")?;
        let nav_collision = payload.object("navigation collision")?;
        let lighting_guid = payload.r.array("lighting GUID").map(Guid)?;
        let sockets = list(payload, "sockets", 4, |payload| payload.object("socket"))?;
        let mut mesh = Self {
            body_setup,
            nav_collision,
            lighting_guid,
            sockets,
            lods: Vec::new(),
            nanite: None,
            bounds: Bounds { origin: [0.0; 3], extent: [0.0; 3], radius: 0.0 },
            screen_sizes: Vec::new(),
            materials: Vec::new(),
        };
        mesh.render_data(payload)?;
        if payload.versions.has_occluders() && payload.r.bool32("occluder")? {
            skip_list(payload, "vertices of the occluder", 12)?;
            skip_list(payload, "indices of the occluder", 2)?;
        }
        if payload.r.bool32("wind")? {
            // Parameters of wind follow to the end. The same materials are also properties.
            payload.r.bytes("wind", payload.r.remaining())?;
        } else {
            let read = |payload: &mut Payload<'_, 'a>| Material::read(payload);
            mesh.materials = list(payload, "materials", Material::MIN_LEN, read)?;
        }
        Ok(mesh)
    }

    fn render_data(&mut self, payload: &mut Payload<'_, 'a>) -> Result<(), Fault> {
        let versions = payload.versions;
        self.lods = list(payload, "levels of detail", lod::MIN_LEN, StaticLod::read)?;
        payload.r.when(versions.has_inlined_lods(), |r| r.u8("inlined levels of detail"))?;
        if versions.has_nanite() {
            self.nanite = Nanite::read(payload)?;
        }
        if versions.has_ray_tracing_proxies() && payload.r.bool32("ray tracing proxy")? {
            skipped::ray_tracing_proxy(payload)?;
        }
        if versions.has_nanite() {
            skipped::cards(payload, self.lods.len())?;
        }
        skipped::distance_fields(payload, self.lods.len())?;
        self.bounds = Bounds::read(payload)?;
        if versions.has_mesh_flags() {
            payload.r.u8("flags of a mesh")?;
        } else {
            payload.r.bool32("levels of detail share their lighting")?;
        }
        for _ in 0..MAX_LODS {
            payload.r.bool32("screen size is cooked")?;
            self.screen_sizes.push(payload.r.f32("screen size")?);
        }
        // Unused sizes are zero.
        self.screen_sizes.truncate(self.lods.len());
        if versions.has_render_data_strip_flags() {
            payload.strip_flags()?;
        }
        Ok(())
    }
}
