use super::super::mesh::{Geometry, MorphData, MorphDelta, SkeletalMesh, StaticMesh};
use super::super::socket::Socket;
use super::attributes::{attributes, finite};
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::{Accessor, INDICES, Mesh, Node, Primitive, U16, U32};
use super::material::Material;
use super::nodes::{add_bones, add_socket};
use super::skin::{add_skin, add_weights};
use serde_json::{Map, Value, json};

/// Options for the export of meshes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshOptions {
    /// Level of detail; 0 is the best.
    pub lod: usize,
    /// Materials by slot; if empty, they are named after the slots of the mesh.
    pub materials: Vec<Material>,
    /// Sockets, exported as empty nodes.
    pub sockets: Vec<Socket>,
    /// Names of morph targets, in the order of the mesh.
    pub morph_names: Vec<String>,
    /// Replacement material of each section; none if negative.
    pub section_materials: Vec<i32>,
}

/// Limit of morph targets, summed over all sections: each section lists all of them.
const MAX_TARGETS: usize = 1 << 17;

/// Range of triangles: material, first index and number of triangles.
pub(super) type Section = (u32, u32, u32);

/// Writes a static mesh as a file.
pub fn static_mesh(name: &str, mesh: &StaticMesh<'_>, options: &MeshOptions) -> Result<Glb, GltfError> {
    let lod = mesh.lods.get(options.lod);
    let lod = lod.ok_or(GltfError::NoLod { asked: options.lod, count: mesh.lods.len() })?;
    let buffers = buffers(&lod.geometry, options.lod)?;
    let mut builder = Builder::new();
    let attributes = attributes(&mut builder, &buffers.vertices);
    let slots = mesh.materials.iter().map(|material| &*material.slot);
    let materials = materials(&mut builder, slots, options);
    let sections: Vec<Section> = lod
        .sections
        .iter()
        .map(|section| (section.material, section.first_index, section.triangles))
        .collect();
    let index = |at| buffers.indices.get(at);
    let primitives = primitives(&mut builder, &sections, index, &attributes, materials)?;
    finish(builder, name, primitives, &options.sockets)
}

/// Adds a node with a mesh and its sockets, and assembles the file.
pub(super) fn finish(
    mut builder: Builder,
    name: &str,
    primitives: Vec<Primitive>,
    sockets: &[Socket],
) -> Result<Glb, GltfError> {
    let mesh = Mesh { name: name.to_owned(), primitives, weights: Vec::new(), extras: None };
    let mesh = push(&mut builder.document.meshes, mesh);
    let node = Node { name: name.to_owned(), mesh: Some(mesh), ..Node::default() };
    let node = push(&mut builder.document.nodes, node);
    builder.show(node);
    for socket in sockets {
        add_socket(&mut builder, node, socket);
    }
    builder.finish()
}

/// Writes a skeletal mesh as a file, with its bones and morph targets.
pub fn skeletal_mesh(name: &str, mesh: &SkeletalMesh<'_>, options: &MeshOptions) -> Result<Glb, GltfError> {
    let lod = mesh.lods.get(options.lod);
    let lod = lod.ok_or(GltfError::NoLod { asked: options.lod, count: mesh.lods.len() })?;
    let buffers = buffers(&lod.geometry, options.lod)?;
    let mut builder = Builder::new();
    let mut attributes = attributes(&mut builder, &buffers.vertices);
    add_weights(&mut builder, &lod.sections, buffers, &mut attributes);
    let slots = mesh.materials.iter().map(|material| &*material.slot);
    let materials = materials(&mut builder, slots, options);
    // The engine does not draw disabled sections either.
    let shown = lod.sections.iter().enumerate().filter(|(_, section)| !section.is_disabled);
    let sections: Vec<Section> = shown
        // A replacement of a level of detail wins over the section's own slot.
        .map(|(at, section)| {
            let instead =
                options.section_materials.get(at).and_then(|material| u32::try_from(*material).ok());
            (instead.unwrap_or(section.material.into()), section.first_index, section.triangles)
        })
        .collect();
    let index = |at| buffers.indices.get(at);
    let mut primitives = primitives(&mut builder, &sections, index, &attributes, materials)?;
    let mut count = buffers.morphs.as_ref().map_or(0, MorphData::len);
    // JSON repeats every target in every primitive, so its size is their product.
    if count * primitives.len() > MAX_TARGETS {
        builder.note("it has too many morph targets and sections: morph targets are left out");
        count = 0;
    }
    for target in 0..count {
        let deltas = buffers.morphs.iter().flat_map(|morphs| morphs.target(target));
        let target =
            morph(&mut builder, deltas.collect(), buffers.vertices.len(), attributes.contains_key("NORMAL"));
        for primitive in &mut primitives {
            primitive.targets.push(target.clone());
        }
    }
    // glTF has no names of targets; most programs read them from these extras.
    let names =
        (0..count).map(|at| options.morph_names.get(at).cloned().unwrap_or_else(|| format!("Morph_{at}")));
    let extras = (count > 0).then(|| json!({ "targetNames": names.collect::<Vec<_>>() }));
    let weights = vec![0.0; count];
    let gltf = Mesh { name: name.to_owned(), primitives, weights, extras };
    let gltf = push(&mut builder.document.meshes, gltf);
    let joints = add_bones(&mut builder, name, &mesh.bones, &options.sockets)?;
    let skin = add_skin(&mut builder, name, &mesh.bones, &joints);
    // The mesh is no child of its bones: a skin ignores the transform of its node.
    let node = Node { name: name.to_owned(), mesh: Some(gltf), skin: Some(skin), ..Node::default() };
    let node = push(&mut builder.document.nodes, node);
    builder.show(node);
    builder.finish()
}

/// Returns the vertices and triangles of a level, or the reason that there are none.
fn buffers<'m, B>(geometry: &'m Geometry<'_, B>, lod: usize) -> Result<&'m B, GltfError> {
    match geometry {
        Geometry::Inline(buffers) => Ok(buffers),
        Geometry::Streamed(_) => Err(GltfError::Streamed(lod)),
        Geometry::Absent => Err(GltfError::Empty),
    }
}

pub(super) fn materials<'s>(
    builder: &mut Builder,
    slots: impl Iterator<Item = &'s str>,
    options: &MeshOptions,
) -> usize {
    if options.materials.is_empty() {
        slots.for_each(|slot| builder.material(&Material::named(slot)));
    } else {
        options.materials.iter().for_each(|material| builder.material(material));
    }
    builder.document.materials.len()
}

/// Adds a primitive for each section with triangles. All share the vertices; each has its own indices.
pub(super) fn primitives(
    builder: &mut Builder,
    sections: &[Section],
    index: impl Fn(usize) -> Option<u32>,
    attributes: &Map<String, Value>,
    materials: usize,
) -> Result<Vec<Primitive>, GltfError> {
    let used = sections.iter().filter(|(_, _, triangles)| *triangles > 0);
    let mut primitives = Vec::new();
    for (material, first, triangles) in used {
        let count = *triangles as usize * 3;
        let range = || (*first as usize..).take(count).filter_map(&index);
        // 65,535 is reserved: it restarts a primitive.
        let is_short = range().all(|index| index < u16::MAX.into());
        let view = if is_short {
            let short = range().filter_map(|index| u16::try_from(index).ok());
            builder.view(short.flat_map(u16::to_le_bytes), Some(INDICES))
        } else {
            builder.view(range().flat_map(u32::to_le_bytes), Some(INDICES))
        };
        let indices = builder.accessor(Accessor {
            buffer_view: Some(view),
            component_type: if is_short { U16 } else { U32 },
            count,
            kind: "SCALAR",
            ..Accessor::default()
        });
        primitives.push(Primitive {
            attributes: attributes.clone(),
            indices,
            // A slot that does not exist leaves the default material.
            material: Some(*material as usize).filter(|material| *material < materials),
            targets: Vec::new(),
        });
    }
    if primitives.is_empty() { Err(GltfError::Empty) } else { Ok(primitives) }
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
