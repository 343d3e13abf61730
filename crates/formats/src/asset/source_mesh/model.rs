//! The static mesh, its source models and its materials.

use super::shape::{Mesh, MeshForm};
use crate::asset::mesh::{LodSummary, Material, MeshSummary};
use crate::asset::skeleton::Bones;
use crate::asset::socket::field;
use crate::asset::source_data::{EditorBulk, SourcePlace};
use crate::asset::{Bulk, Payload};
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::{FromValue, Object, Scope, Struct, Value};
use crate::version::AssetVersions;
use crate::wire::{Fault, FaultKind, Reader};
use std::sync::Arc;

/// `UStaticMesh` or `USkeletalMesh` of an uncooked package: the meshes that levels of detail are built from.
#[doc(alias = "FStaticMeshSourceModel")]
#[doc(alias = "FSkeletalMeshSourceModel")]
#[derive(Debug, Clone, PartialEq)]
pub struct SourceMesh<'a> {
    /// Source of each level of detail, the best first.
    pub models: Vec<SourceModel<'a>>,
    /// Slots of materials.
    pub slots: Vec<ImportedSlot>,
    /// Shape for physics.
    pub body_setup: PackageIndex,
    /// Bones that move the vertices of a skeletal mesh; none for a static one.
    pub bones: Bones,
    /// Form of the data of all models.
    pub form: MeshForm,
}

/// `FStaticMeshSourceModel`: the source of a level of detail.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceModel<'a> {
    /// Location of the data; `None` if the engine makes this level of detail from a better one.
    pub place: Option<SourcePlace<'a>>,
    /// Scale of the mesh on each axis.
    pub scale: [f64; 3],
    /// Groups of triangles, and the slots that they were given in the editor.
    pub sections: Vec<(u32, u32)>,
}

/// Slot of a material, with the name that it has in the imported file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSlot {
    /// The slot.
    pub material: Material,
    /// Name of the material in the imported file.
    pub imported_name: Arc<str>,
}

/// Number of levels of detail that the engine has at most.
const MAX_MODELS: usize = 8;
/// Class of the exports that hold mesh descriptions, since 5.0.
const DESCRIPTION: &str = "StaticMeshDescriptionBulkData";

impl<'a> SourceMesh<'a> {
    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        payload.strip_flags()?;
        payload.expect("static mesh: cooked", 0)?;
        let body_setup = payload.object("body setup")?;
        payload.object("navigation collision")?;
        payload.r.string("name of the high-resolution mesh")?;
        payload.r.u32("checksum of the high-resolution mesh")?;
        payload.r.array::<16>("lighting GUID")?;
        payload.r.list("sockets", 4, |r| r.i32("socket"))?;
        let models: &[Value] = payload.property("SourceModels").unwrap_or_default();
        let at = payload.r.clone();
        if models.len() > MAX_MODELS {
            let kind = FaultKind::TooLarge { found: models.len() as u64, limit: MAX_MODELS as u64 };
            return Err(at.fault("source models", kind));
        }
        let form = MeshForm::new(&payload.versions);
        let mut found = Vec::new();
        for (lod, model) in (0..).zip(models) {
            let model = if let Value::Struct(model) = model { Some(&**model) } else { None };
            let place = if payload.versions.has_editor_bulk_data() {
                model.and_then(|model| description(payload.scope, model)).transpose()?
            } else {
                in_payload(payload, form)?
            };
            let sections = sections(payload.scope, payload.object, lod);
            found.push(SourceModel { place, scale: scale(payload.scope, model), sections });
        }
        if payload.versions.has_editor_bulk_data() {
            // Properties have all that follows.
            payload.r.bytes("wind and materials", payload.r.remaining())?;
        } else {
            materials(payload)?;
        }
        let slots = slots(payload.scope, payload.object);
        Ok(Self { models: found, slots, body_setup, bones: Bones::default(), form })
    }

    /// Reads the data of a model into a mesh.
    pub fn mesh(&self, bytes: &[u8]) -> Result<Mesh, Fault> {
        Mesh::read(bytes, self.form)
    }

    /// Returns the slot of a group of triangles: by its section, by the name of the group, or by its number.
    #[must_use]
    pub fn slot(&self, model: &SourceModel<'_>, mesh: &Mesh, group: u32) -> u32 {
        if let Some((_, slot)) = model.sections.iter().find(|(section, _)| *section == group) {
            return *slot;
        }
        let name = mesh.groups.get(group as usize);
        let named = |name: &String| {
            let same = |slot: &ImportedSlot| slot.imported_name.eq_ignore_ascii_case(name);
            self.slots.iter().position(same).and_then(|at| u32::try_from(at).ok())
        };
        name.and_then(named).unwrap_or(group)
    }

    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> MeshSummary {
        // The numbers are in compressed data, which a summary does not read.
        let lod = LodSummary { vertices: None, triangles: None };
        MeshSummary {
            lods: vec![lod; self.models.len()],
            materials: self.slots.len(),
            bones: (!self.bones.0.is_empty()).then_some(self.bones.0.len()),
            nanite_triangles: None,
        }
    }
}

impl MeshForm {
    pub(super) fn new(versions: &AssetVersions) -> Self {
        if versions.has_mesh_descriptions() {
            Self::Description {
                has_holes: !versions.has_no_polygon_holes(),
                has_triangles: versions.has_triangulated_polygons(),
            }
        } else {
            Self::Raw
        }
    }
}

/// Reads a source model of before 5.0.
fn in_payload<'a>(payload: &mut Payload<'_, 'a>, form: MeshForm) -> Result<Option<SourcePlace<'a>>, Fault> {
    let versions = payload.versions;
    if form != MeshForm::Raw && !payload.r.bool32("mesh description is present")? {
        return Ok(None);
    }
    let bulk: Bulk<'a> = payload.bulk()?;
    if form == MeshForm::Raw || versions.has_mesh_description_guids() {
        payload.r.array::<16>("GUID of a source model")?;
    }
    if form == MeshForm::Raw || versions.has_mesh_description_hashes() {
        payload.r.bool32("GUID is a hash")?;
    }
    // An empty record stands for a level of detail that is generated.
    Ok((bulk.record.raw_len > 0).then_some(SourcePlace::Bulk(bulk)))
}

/// Reads the materials at the end of a payload of before 5.0; properties have the same.
fn materials(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    let versions = payload.versions;
    if !versions.has_wind() {
        return Ok(());
    }
    if payload.r.bool32("wind")? {
        payload.r.bytes("wind", payload.r.remaining())?;
        return Ok(());
    }
    if versions.has_material_slots() {
        let len = if versions.has_uv_channel_data() { 44 } else { 20 };
        let count = payload.r.count("materials", len)?;
        payload.r.bytes("materials", count.saturating_mul(len))?;
    }
    Ok(())
}

/// Reads the export that a source model refers to since 5.0; `None` if it has none, or an empty one.
fn description<'a>(scope: &Scope<'a>, model: &Struct) -> Option<Result<SourcePlace<'a>, Fault>> {
    let object = PackageIndex::from_value(field(scope, model, DESCRIPTION)?)?;
    let PackageRef::Export(at) = object.decode() else { return None };
    let export = scope.package.exports.get(at as usize)?;
    if !scope.classes(export.class).iter().any(|class| **class == *DESCRIPTION) {
        return None;
    }
    place(scope, export).transpose()
}

/// Reads the export of a mesh description; `None` if it is empty.
pub(super) fn place<'a>(scope: &Scope<'a>, export: &Export) -> Result<Option<SourcePlace<'a>>, Fault> {
    let object = Object::read(scope, export);
    let mut r = Reader::new(&object.rest);
    let bulk = EditorBulk::read(&mut r)?;
    r.array::<16>("GUID of a mesh description")?;
    r.bool32("GUID is a hash")?;
    r.finish("mesh description")?;
    Ok((bulk.raw_len > 0).then_some(SourcePlace::Editor(bulk)))
}

/// Returns the scale in the build settings of a source model.
fn scale(scope: &Scope<'_>, model: Option<&Struct>) -> [f64; 3] {
    let settings = model.and_then(|model| structure(field(scope, model, "BuildSettings")?));
    let scale = settings.and_then(|settings| structure(field(scope, settings, "BuildScale3D")?));
    let part = |name| scale.and_then(|scale| f64::from_value(field(scope, scale, name)?)).unwrap_or(1.0);
    ["X", "Y", "Z"].map(part)
}

/// Returns the slots of the sections of a level of detail, by section.
fn sections(scope: &Scope<'_>, object: &Object, lod: u32) -> Vec<(u32, u32)> {
    let map: Option<&Struct> = object.get(scope, "SectionInfoMap");
    let map = map.and_then(|map| field(scope, map, "Map"));
    let Some(Value::Map(map)) = map else { return Vec::new() };
    let entry = |(key, value): &(Value, Value)| {
        let key = u32::try_from(i64::from_value(key)?).ok()?;
        let slot = field(scope, structure(value)?, "MaterialIndex").map_or(Some(0), i64::from_value)?;
        // Keys have the level of detail above the section.
        (key >> 16 == lod).then_some((key & 0xFFFF, u32::try_from(slot).ok()?))
    };
    map.entries.iter().filter_map(entry).collect()
}

/// Returns the slots in the properties of a mesh: since 4.14 with names, before that only the materials.
fn slots(scope: &Scope<'_>, object: &Object) -> Vec<ImportedSlot> {
    let text = |slot: &Struct, name: &str| -> Arc<str> {
        field(scope, slot, name).and_then(|value| value.text(scope)).unwrap_or_default().as_ref().into()
    };
    let slot = |value: &Value| match value {
        Value::Struct(slot) => ImportedSlot {
            material: Material {
                object: field(scope, slot, "MaterialInterface")
                    .and_then(PackageIndex::from_value)
                    .unwrap_or(PackageIndex::NONE),
                slot: text(slot, "MaterialSlotName"),
            },
            imported_name: text(slot, "ImportedMaterialSlotName"),
        },
        _ => ImportedSlot {
            material: Material {
                object: PackageIndex::from_value(value).unwrap_or(PackageIndex::NONE),
                slot: Arc::default(),
            },
            imported_name: Arc::default(),
        },
    };
    let named: Option<&[Value]> = object.get(scope, "StaticMaterials");
    let all: Option<&[Value]> = named.or_else(|| object.get(scope, "Materials"));
    all.unwrap_or_default().iter().map(slot).collect()
}

fn structure(value: &Value) -> Option<&Struct> {
    if let Value::Struct(found) = value { Some(found) } else { None }
}
