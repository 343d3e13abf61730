use super::super::mesh::{Bounds, Material, SkeletalMesh, StaticMesh};
use super::parts::{GuidText, Vector};
use crate::package::legacy::PackageIndex;
use crate::property::Scope;
use crate::property::json::Reference;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct BoundsJson {
    origin: Vector<f64>,
    box_extent: Vector<f64>,
    sphere_radius: f64,
}

impl From<&Bounds> for BoundsJson {
    fn from(bounds: &Bounds) -> Self {
        let Bounds { origin, extent, radius } = *bounds;
        Self { origin: origin.into(), box_extent: extent.into(), sphere_radius: radius }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct SectionJson {
    material_index: u32,
    first_index: u32,
    num_triangles: u32,
    min_vertex_index: u32,
    max_vertex_index: u32,
}

/// A level of detail.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct LodJson<S> {
    sections: Vec<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_deviation: Option<f32>,
}

#[derive(Serialize)]
struct RenderDataJson {
    #[serde(rename = "LODs")]
    lods: Vec<LodJson<SectionJson>>,
    #[serde(rename = "Bounds")]
    bounds: BoundsJson,
    #[serde(rename = "ScreenSize")]
    screen_size: Vec<f32>,
}

impl StaticMesh<'_> {
    pub(super) fn write_json<M: SerializeMap>(&self, scope: &Scope<'_>, map: &mut M) -> Result<(), M::Error> {
        let reference = |index: PackageIndex| Reference { scope, index };
        map.serialize_entry("BodySetup", &reference(self.body_setup))?;
        map.serialize_entry("NavCollision", &reference(self.nav_collision))?;
        map.serialize_entry("LightingGuid", &GuidText(self.lighting_guid))?;
        let lods = self.lods.iter().map(|lod| LodJson {
            sections: lod
                .sections
                .iter()
                .map(|section| SectionJson {
                    material_index: section.material,
                    first_index: section.first_index,
                    num_triangles: section.triangles,
                    min_vertex_index: section.min_vertex,
                    max_vertex_index: section.max_vertex,
                })
                .collect(),
            max_deviation: Some(lod.max_deviation),
        });
        let (lods, bounds) = (lods.collect(), (&self.bounds).into());
        map.serialize_entry(
            "RenderData",
            &RenderDataJson { lods, bounds, screen_size: self.screen_sizes.clone() },
        )
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct SkeletalSectionJson {
    material_index: u16,
    base_index: u32,
    num_triangles: u32,
    base_vertex_index: u32,
    num_vertices: u32,
    max_bone_influences: u32,
}

struct SlotJson<'s, 'a> {
    scope: &'s Scope<'a>,
    material: &'s Material,
}

impl Serialize for SlotJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("MaterialSlotName", &*self.material.slot)?;
        map.serialize_entry("Material", &Reference { scope: self.scope, index: self.material.object })?;
        map.end()
    }
}

impl SkeletalMesh<'_> {
    pub(super) fn write_json<M: SerializeMap>(&self, scope: &Scope<'_>, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("ImportedBounds", &BoundsJson::from(&self.bounds))?;
        let slots: Vec<SlotJson<'_, '_>> =
            self.materials.iter().map(|material| SlotJson { scope, material }).collect();
        map.serialize_entry("Materials", &slots)?;
        let lods = self.lods.iter().map(|lod| LodJson {
            sections: lod
                .sections
                .iter()
                .map(|section| SkeletalSectionJson {
                    material_index: section.material,
                    base_index: section.first_index,
                    num_triangles: section.triangles,
                    base_vertex_index: section.first_vertex,
                    num_vertices: section.vertices,
                    max_bone_influences: section.max_influences,
                })
                .collect(),
            max_deviation: None,
        });
        map.serialize_entry("LODModels", &lods.collect::<Vec<_>>())
    }
}
