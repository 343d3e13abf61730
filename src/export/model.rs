//! Meshes, skeletons and animations as glTF.

use super::files::Files;
use super::materials::Materials;
use super::nanite;
use super::options::Levels;
use super::other;
use super::source::Source;
use super::source_data;
use crate::asset::gltf::{self, Glb, GltfError, MeshOptions, MeshPart};
use crate::asset::mesh::{Material, SkeletalMesh, StaticMesh};
use crate::asset::{Animation, Asset, CollisionBody, GeometryCollection, Skeleton, Socket, SourceMesh};
use crate::error::{Error, Result};
use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::{Body, FromValue, Object, Value};
use crate::wire::{Fault, counted};

type Made = std::result::Result<Glb, GltfError>;

/// Writes a static mesh. The text says what was not written, and why.
pub(super) fn static_mesh(
    source: &Source<'_, '_>,
    mesh: &StaticMesh<'_>,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let options = options((source, materials), files, &mesh.materials);
    // Its full detail takes the place of the best level.
    let is_wanted = source.options.lods.may_want(0);
    let detailed = if is_wanted { nanite::in_detail(source, mesh)? } else { None };
    let (mut full, fallback) = match detailed.transpose() {
        Ok(made) => made.map_or((None, None), |(made, note)| (Some(made), note)),
        Err(why) => (None, Some(why)),
    };
    let note = lods(source, files, mesh.lods.len(), |lod| {
        if let Some(made) = full.take() {
            return Ok(Some(made.and_then(|part| part.into_file(name(source), &options))));
        }
        let options = MeshOptions { lod, ..options.clone() };
        let Some(bulk) = mesh.streamed(lod) else {
            return Ok(Some(gltf::static_mesh(name(source), mesh, &options)));
        };
        // Streamed levels of detail are loaded into a copy of the mesh, one at a time, and dropped after writing.
        let Some(bytes) = source.bulk(bulk)? else { return Ok(None) };
        let mut mesh: StaticMesh<'_> = mesh.clone();
        mesh.load(lod, &mut source.payload(&bytes)).map_err(damaged(source))?;
        Ok(Some(gltf::static_mesh(name(source), &mesh, &options)))
    })?;
    let shapes = collision(source, mesh.body_setup, files)?;
    let notes: Vec<String> = note.into_iter().chain(fallback).chain(shapes).collect();
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
}

/// The imported mesh of a level of detail; `None` for one that does not exist.
pub(super) fn source_part(
    source: &Source<'_, '_>,
    mesh: &SourceMesh<'_>,
    lod: usize,
) -> Result<Option<std::result::Result<MeshPart, GltfError>>> {
    let obstacle = |why| Ok(Some(Err(GltfError::Obstacle(why))));
    let Some(model) = mesh.models.get(lod) else { return Ok(None) };
    let Some(place) = &model.place else {
        return obstacle("the engine makes it from a better one, so it has no source");
    };
    let bytes = match source_data::bytes(source, place)? {
        Ok(bytes) => bytes,
        Err(why) => return obstacle(why),
    };
    let found = mesh.mesh(&bytes).map_err(Error::malformed("imported mesh", &source.loaded.path))?;
    Ok(Some(MeshPart::of_source(mesh, model, &found)))
}

/// Writes the imported meshes of an uncooked mesh. The text says what was not written, and why.
pub(super) fn source_mesh(
    source: &Source<'_, '_>,
    mesh: &SourceMesh<'_>,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    if mesh.models.is_empty() {
        return Ok(Some(
            "it is not cooked, and has no mesh description, as the editor keeps since UE 5.4".to_owned(),
        ));
    }
    let slots: Vec<Material> = mesh.slots.iter().map(|slot| slot.material.clone()).collect();
    let options = options((source, materials), files, &slots);
    let note = lods(source, files, mesh.models.len(), |lod| {
        let part = source_part(source, mesh, lod)?;
        Ok(part.map(|part| part.and_then(|part| part.into_file(name(source), &options))))
    })?;
    let shapes = collision(source, mesh.body_setup, files)?;
    let notes: Vec<String> = note.into_iter().chain(shapes).collect();
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
}

/// Writes the simple shapes of a mesh, if they are requested. The text says why there are none.
fn collision(
    source: &Source<'_, '_>,
    body_setup: PackageIndex,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    if !source.options.collision {
        return Ok(None);
    }
    let PackageRef::Export(at) = body_setup.decode() else { return Ok(None) };
    bodies(source, &[at], "_collision", files)
}

/// Writes the simple shapes of some `UBodySetup`s as one file. The text says why there is none.
pub(super) fn bodies(
    source: &Source<'_, '_>,
    exports: &[u32],
    suffix: &str,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let exports = exports.iter().filter_map(|at| source.loaded.package.exports.get(*at as usize));
    let body = |export| CollisionBody::of_object(source.scope, &Object::read(source.scope, export));
    let bodies: Vec<CollisionBody> = exports.filter_map(body).collect();
    if bodies.is_empty() {
        return Ok(Some("it has no simple shapes for collisions".to_owned()));
    }
    put(gltf::collision(name(source), &bodies), suffix, files)
}

/// Writes a skeletal mesh. The text says what was not written, and why.
pub(super) fn skeletal_mesh(
    source: &Source<'_, '_>,
    mesh: &SkeletalMesh<'_>,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let options = MeshOptions {
        morph_names: morph_names(source),
        ..options((source, materials), files, &mesh.materials)
    };
    lods(source, files, mesh.lods.len(), |lod| {
        let section_materials = section_materials(source, lod);
        let options = MeshOptions { lod, section_materials, ..options.clone() };
        let Some(bulk) = mesh.streamed(lod) else {
            return Ok(Some(gltf::skeletal_mesh(name(source), mesh, &options)));
        };
        let Some(bytes) = source.bulk(bulk)? else { return Ok(None) };
        let mut mesh: SkeletalMesh<'_> = mesh.clone();
        mesh.load(lod, &mut source.payload(&bytes)).map_err(damaged(source))?;
        Ok(Some(gltf::skeletal_mesh(name(source), &mesh, &options)))
    })
}

/// Writes a file. The text says what was left out, or why there is none.
pub(super) fn put(made: Made, suffix: &str, files: &mut Files<'_>) -> Result<Option<String>> {
    match made {
        Ok(glb) => {
            files.put(suffix, "glb", &glb.bytes)?;
            Ok((!glb.notes.is_empty()).then(|| glb.notes.join("; ")))
        }
        Err(error) => Ok(Some(error.to_string())),
    }
}

/// Writes the requested levels of detail. `make` makes the file of one; `None` if its data is missing.
fn lods(
    source: &Source<'_, '_>,
    files: &mut Files<'_>,
    count: usize,
    mut make: impl FnMut(usize) -> Result<Option<Made>>,
) -> Result<Option<String>> {
    let choice = source.options.lods;
    let mut notes: Vec<String> = Vec::new();
    // Levels of detail of one mesh usually have the same notes; say each once.
    let mut note = |note: String| {
        if !notes.contains(&note) {
            notes.push(note);
        }
    };
    if let Levels::One(lod) = choice
        && lod >= count
    {
        let levels = counted(count as u64, "level of detail", "levels of detail");
        note(format!("it has only {levels}"));
    }
    for lod in (0..count).filter(|lod| choice.may_want(*lod)) {
        match make(lod)? {
            None => note(format!("the data of level of detail {lod} was not found")),
            Some(Err(error)) => note(format!("level of detail {lod}: {error}")),
            Some(Ok(glb)) => {
                files.put(&choice.suffix("LOD", lod), "glb", &glb.bytes)?;
                glb.notes.iter().for_each(|text| note((*text).to_owned()));
                // The best level whose data is available is enough.
                if choice == Levels::Best {
                    break;
                }
            }
        }
    }
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
}

pub(super) fn damaged(source: &Source<'_, '_>) -> impl Fn(Fault) -> Error {
    let path = source.loaded.path.clone();
    move |fault| Error::malformed("streamed level of detail", &path)(fault)
}

/// The asset's name in its file.
pub(super) fn name<'s>(source: &'s Source<'_, '_>) -> &'s str {
    source.object.rsplit(['.', ':']).next().unwrap_or_default()
}

/// Writes the pieces of an object that breaks. The text says what was not written, and why.
pub(super) fn geometry_collection(
    source: &Source<'_, '_>,
    collection: &GeometryCollection<'_>,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let target = files.target;
    let slots = collection.materials.iter().enumerate();
    let slots: Vec<gltf::Material> =
        slots.map(|(at, object)| materials.of(source, target, *object, &format!("slot {at}"))).collect();
    put(gltf::geometry_collection(name(source), collection, &slots), "", files)
}

/// Writes a skeleton. The text says what was not written, and why.
pub(super) fn skeleton(
    source: &Source<'_, '_>,
    skeleton: &Skeleton,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    put(gltf::skeleton(name(source), &skeleton.bones), "", files)
}

/// Writes an animation, with the bones of its skeleton. The text says what was not written, and why.
pub(super) fn animation(
    source: &Source<'_, '_>,
    animation: &Animation<'_>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    if animation.is_empty() {
        // A cooked one has only curves or notifies, which glTF cannot hold.
        let is_cooked = source.loaded.package.form.cooked;
        return Ok((!is_cooked).then(|| "it is not cooked, and no tracks were found in it".to_owned()));
    }
    if let Some(obstacle) = animation.obstacle() {
        return Ok(Some(obstacle.to_owned()));
    }
    if source.fields.properties.is_none() {
        return Ok(Some("its properties, which name its skeleton, need mappings".to_owned()));
    }
    let Some(skeleton) = skeleton_of(source) else {
        return Ok(Some("its skeleton is not here, or cannot be read".to_owned()));
    };
    let clip = |base: Option<&Animation<'_>>| gltf::animation(name(source), animation, &skeleton.bones, base);
    // An additive animation stores differences from a base, so the base is needed to get poses.
    let base = animation
        .additive
        .and_then(|additive| source.loaded.package.path(additive.sequence, source.scope.name()));
    let made = base.and_then(|path| {
        other::object(source.job, &path, |scope, export, object| {
            match crate::asset::read(scope, export, object)?.ok()?.asset {
                Asset::Animation(base) => Some(clip(Some(&base))),
                _ => None,
            }
        })
    });
    put(made.unwrap_or_else(|| clip(None)), "", files)
}

/// Materials, as far as they can be found, and sockets of a mesh.
fn options(
    (source, materials): (&Source<'_, '_>, &Materials),
    files: &Files<'_>,
    slots: &[Material],
) -> MeshOptions {
    let material = |slot: &Material| materials.of(source, files.target, slot.object, &slot.slot);
    MeshOptions {
        materials: slots.iter().map(material).collect(),
        sockets: Socket::of_mesh(source.scope, source.index),
        ..MeshOptions::default()
    }
}

fn object_name(source: &Source<'_, '_>, object: PackageIndex) -> Option<String> {
    source.loaded.package.path(object, "").map(|path| path.name().to_owned())
}

fn morph_names(source: &Source<'_, '_>) -> Vec<String> {
    let targets: &[Value] = source.fields.get(source.scope, "MorphTargets").unwrap_or_default();
    let object = |target: &Value| match target {
        Value::Object(object) => *object,
        _ => PackageIndex::NONE,
    };
    let name = |target: &Value| object_name(source, object(target)).unwrap_or_default();
    targets.iter().map(name).collect()
}

/// Material indices that a level of detail uses instead of those of its sections.
pub(super) fn section_materials(source: &Source<'_, '_>, lod: usize) -> Vec<i32> {
    let levels: &[Value] = source.fields.get(source.scope, "LODInfo").unwrap_or_default();
    let Some(Value::Struct(level)) = levels.get(lod) else { return Vec::new() };
    let Body::List(list) = &level.body else { return Vec::new() };
    let map = list.find(&source.loaded.package, "LODMaterialMap");
    let map: &[Value] = map.and_then(|map| map.get()).unwrap_or_default();
    // -1 stands for "no replacement" in the engine, so unreadable entries are treated as that.
    map.iter().map(|material| i32::from_value(material).unwrap_or(-1)).collect()
}

/// The skeleton of an animation, from its own package or another one.
fn skeleton_of(source: &Source<'_, '_>) -> Option<Skeleton> {
    let object: PackageIndex = source.fields.get(source.scope, "Skeleton")?;
    let path = source.loaded.package.path(object, "")?;
    other::object(source.job, &path, |scope, export, object| {
        match crate::asset::read(scope, export, object)?.ok()?.asset {
            Asset::Skeleton(skeleton) => Some(*skeleton),
            _ => None,
        }
    })
}
