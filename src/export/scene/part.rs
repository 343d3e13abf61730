//! A mesh of a scene: one level of detail, with its materials.

use crate::asset::gltf::{self, GltfError, MeshPart};
use crate::asset::mesh::{Material, SkeletalLod, SkeletalMesh, StaticLod, StaticMesh};
use crate::asset::{Asset, SourceMesh};
use crate::error::Result;
use crate::export::asker::Asker;
use crate::export::files::Target;
use crate::export::materials::Materials;
use crate::export::model::{damaged, name, section_materials, source_part};
use crate::export::nanite;
use crate::export::options::NaniteDetail;
use crate::export::source::Source;

/// A mesh for a scene.
pub(super) struct ScenePart {
    pub(super) name: String,
    pub(super) part: MeshPart,
    /// Materials of its slots, with the path that distinguishes each from others.
    pub(super) materials: Vec<(String, gltf::Material)>,
    /// Notes for the user.
    pub(super) note: Option<String>,
}

/// Makes a mesh for a scene: in full detail, or its best level of detail whose data is there and that has no more triangles than
/// were asked for. The text says why there is none.
pub(super) fn scene_part(
    source: &Source<'_, '_>,
    materials: &Materials,
    target: &Target,
) -> Result<std::result::Result<ScenePart, String>> {
    let most = source.options.scene.max_triangles.unwrap_or(u64::MAX);
    let (slots, made, note) = match &source.found.asset {
        Asset::StaticMesh(mesh) => {
            // At an error, how many triangles there are is known only once they are read.
            let is_within = matches!(source.options.nanite, NaniteDetail::Within(_));
            let is_small = mesh.nanite.as_ref().is_none_or(|nanite| u64::from(nanite.triangles) <= most);
            let detailed = if is_small || is_within { nanite::in_detail(source, mesh)? } else { None };
            let (made, note) = match detailed {
                // What is left of each of many meshes is not worth a note.
                Some(Ok((Ok(part), _))) if part.triangles() <= most => (Ok(part), None),
                Some(Err(why)) => (static_part(source, mesh, most)?, Some(why)),
                _ => (static_part(source, mesh, most)?, None),
            };
            (mesh.materials.clone(), made, note)
        }
        Asset::SkeletalMesh(mesh) => (mesh.materials.clone(), skeletal_part(source, mesh, most)?, None),
        Asset::SourceMesh(mesh) => {
            let slots = mesh.slots.iter().map(|slot| slot.material.clone()).collect();
            (slots, imported(source, mesh, most)?, None)
        }
        _ => return Ok(Err("it is no mesh that a scene can show".to_owned())),
    };
    let part = match made {
        Ok(part) => part,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let asker = source.asker(target);
    let asker = Asker { with_pictures: source.options.scene.textures, ..asker };
    let material = |slot: &Material| match source.loaded.package.path(slot.object, source.scope.name()) {
        Some(path) => (path.to_string().to_lowercase(), materials.of_path(&asker, &path)),
        None => (format!("{} {}", source.full_path(), slot.slot), gltf::Material::named(&*slot.slot)),
    };
    let (name, materials) = (name(source).to_owned(), slots.iter().map(material).collect());
    Ok(Ok(ScenePart { name, part, materials, note }))
}

/// The first of some levels of detail that has no more triangles than asked for, or the last; then all others, by which one without
/// data is replaced.
fn levels(triangles: &[u64], most: u64) -> impl Iterator<Item = usize> + use<> {
    let last = triangles.len().saturating_sub(1);
    let first = triangles.iter().position(|count| *count <= most).unwrap_or(last);
    (first..triangles.len()).chain((0..first).rev())
}

type PartMade = std::result::Result<MeshPart, GltfError>;

/// The first imported mesh with no more triangles than asked for, or the last.
fn imported(source: &Source<'_, '_>, mesh: &SourceMesh<'_>, most: u64) -> Result<PartMade> {
    let mut made = Err(GltfError::Empty);
    for lod in 0..mesh.models.len() {
        match source_part(source, mesh, lod)? {
            Some(Ok(part)) => {
                let is_small = part.triangles() <= most;
                made = Ok(part);
                if is_small {
                    break;
                }
            }
            // The engine makes coarser ones only when it cooks.
            Some(Err(error)) if made.is_err() => made = Err(error),
            Some(Err(_)) | None => break,
        }
    }
    Ok(made)
}

fn static_part(source: &Source<'_, '_>, mesh: &StaticMesh<'_>, most: u64) -> Result<PartMade> {
    let count = |lod: &StaticLod<'_>| lod.sections.iter().map(|section| u64::from(section.triangles)).sum();
    let mut made = Err(GltfError::Empty);
    for lod in levels(&mesh.lods.iter().map(count).collect::<Vec<_>>(), most) {
        made = match mesh.streamed(lod) {
            None => MeshPart::of_static(mesh, lod),
            Some(bulk) => {
                let Some(bytes) = source.bulk(bulk)? else { continue };
                let mut mesh: StaticMesh<'_> = mesh.clone();
                mesh.load(lod, &mut source.payload(&bytes)).map_err(damaged(source))?;
                MeshPart::of_static(&mesh, lod)
            }
        };
        if made.is_ok() {
            break;
        }
    }
    Ok(made)
}

fn skeletal_part(source: &Source<'_, '_>, mesh: &SkeletalMesh<'_>, most: u64) -> Result<PartMade> {
    let count = |lod: &SkeletalLod<'_>| lod.sections.iter().map(|section| u64::from(section.triangles)).sum();
    let mut made = Err(GltfError::Empty);
    for lod in levels(&mesh.lods.iter().map(count).collect::<Vec<_>>(), most) {
        let section_materials = section_materials(source, lod);
        made = match mesh.streamed(lod) {
            None => MeshPart::of_skeletal(mesh, lod, &section_materials),
            Some(bulk) => {
                let Some(bytes) = source.bulk(bulk)? else { continue };
                let mut mesh: SkeletalMesh<'_> = mesh.clone();
                mesh.load(lod, &mut source.payload(&bytes)).map_err(damaged(source))?;
                MeshPart::of_skeletal(&mesh, lod, &section_materials)
            }
        };
        if made.is_ok() {
            break;
        }
    }
    Ok(made)
}
