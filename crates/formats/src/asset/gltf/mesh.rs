use super::super::mesh::{MorphData, MorphDelta, SkeletalMesh, StaticMesh};
use super::attributes::finite;
use super::axes;
use super::builder::{Builder, Glb, GltfError};
use super::document::Mesh;
use super::options::MeshOptions;
use super::part::{MeshPart, buffers, file};
use serde_json::{Map, Value, json};

/// Limit of morph targets, summed over all sections: each section lists all of them.
const MAX_TARGETS: usize = 1 << 17;

/// Writes a static mesh as a file.
pub fn static_mesh(name: &str, mesh: &StaticMesh<'_>, options: &MeshOptions) -> Result<Glb, GltfError> {
    MeshPart::of_static(mesh, options.lod)?.into_file(name, options)
}

/// Writes a skeletal mesh as a file, with its bones and morph targets.
pub fn skeletal_mesh(name: &str, mesh: &SkeletalMesh<'_>, options: &MeshOptions) -> Result<Glb, GltfError> {
    let mut part = MeshPart::of_skeletal(mesh, options.lod, &options.section_materials)?;
    part.add_materials(options);
    let MeshPart { mut builder, mut primitives, .. } = part;
    let has_normals = primitives.iter().all(|primitive| primitive.attributes.contains_key("NORMAL"));
    let lod = mesh.lods.get(options.lod);
    let lod = lod.ok_or(GltfError::NoLod { asked: options.lod, count: mesh.lods.len() })?;
    let buffers = buffers(&lod.geometry, options.lod)?;
    let mut count = buffers.morphs.as_ref().map_or(0, MorphData::len);
    // JSON repeats every target in every primitive, so its size is their product.
    if count * primitives.len() > MAX_TARGETS {
        builder.note("it has too many morph targets and sections: morph targets are left out");
        count = 0;
    }
    for target in 0..count {
        let deltas = buffers.morphs.iter().flat_map(|morphs| morphs.target(target));
        let target = morph(&mut builder, deltas.collect(), buffers.vertices.len(), has_normals);
        for primitive in &mut primitives {
            primitive.targets.push(target.clone());
        }
    }
    // glTF has no names of targets; most programs read them from these extras.
    let names =
        (0..count).map(|at| options.morph_names.get(at).cloned().unwrap_or_else(|| format!("Morph_{at}")));
    let extras = (count > 0).then(|| json!({ "targetNames": names.collect::<Vec<_>>() }));
    let weights = vec![0.0; count];
    let made = Mesh { name: name.to_owned(), primitives, weights, extras };
    file(builder, made, &mesh.bones, options)
}

/// Adds a morph target: differences of positions, and of normals if the mesh has any.
fn morph(
    builder: &mut Builder,
    mut deltas: Vec<MorphDelta>,
    vertices: usize,
    has_normals: bool,
) -> Map<String, Value> {
    // Sparse accessors need strictly ascending indices; the first delta of a vertex wins.
    deltas.sort_by_key(|delta| delta.vertex);
    deltas.dedup_by_key(|delta| delta.vertex);
    let of = |part: fn(&MorphDelta) -> [f32; 3]| -> Vec<(u32, [f32; 3])> {
        deltas.iter().map(|delta| (delta.vertex, part(delta).map(finite))).collect()
    };
    let positions = builder.sparse(vertices, &of(|delta| axes::position(delta.position)), true);
    let mut target = Map::new();
    target.insert("POSITION".to_owned(), positions.into());
    if has_normals {
        let normals = builder.sparse(vertices, &of(|delta| axes::direction(delta.normal)), false);
        target.insert("NORMAL".to_owned(), normals.into());
    }
    target
}
