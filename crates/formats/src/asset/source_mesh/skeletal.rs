//! Uncooked skeletal meshes.

use super::model::{ImportedSlot, SourceMesh, SourceModel, place};
use super::shape::MeshForm;
use crate::asset::Payload;
use crate::asset::mesh::{Bounds, Material, list};
use crate::asset::skeleton::Bones;
use crate::package::legacy::{Export, PackageIndex};
use crate::wire::Fault;

/// Class of the exports that hold mesh descriptions, since 5.4.
const DESCRIPTION: &str = "SkeletalMeshDescriptionBulkData";

impl<'a> SourceMesh<'a> {
    /// Reads a skeletal mesh. It has no models if none is in a mesh description.
    pub(crate) fn read_skeletal(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let mut found = Self {
            models: Vec::new(),
            slots: Vec::new(),
            body_setup: PackageIndex::NONE,
            bones: Bones::default(),
            form: MeshForm::new(&payload.versions),
        };
        for description in descriptions(payload) {
            let place = place(payload.scope, description)?;
            found.models.push(SourceModel { place, scale: [1.0; 3], sections: Vec::new() });
        }
        if !found.models.is_empty() {
            payload.strip_flags()?;
            Bounds::read(payload)?;
            found.slots = list(payload, "materials", Material::MIN_LEN, |payload| {
                let (material, imported_name) = Material::read_skeletal(payload)?;
                Ok(ImportedSlot { material, imported_name: imported_name.unwrap_or_default() })
            })?;
            found.bones = Bones::read(payload)?;
        }
        payload.r.bytes("data for the editor", payload.r.remaining())?;
        Ok(found)
    }
}

/// Exports that describe a mesh, the best level of detail first.
fn descriptions<'s>(payload: &Payload<'s, '_>) -> Vec<&'s Export> {
    let mut found: Vec<&Export> = payload.inside(DESCRIPTION).collect();
    // They are made in this order, and numbered as they are made.
    found.sort_by_key(|export| export.name.number);
    found
}
