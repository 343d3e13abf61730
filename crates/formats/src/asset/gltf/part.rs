//! Meshes apart from any file: a file of its own takes one, and a scene many.

use super::super::mesh::{Geometry, SkeletalMesh, StaticMesh};
use super::super::skeleton::Bones;
use super::attributes::attributes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::{Accessor, INDICES, Mesh, Node, Primitive, U16, U32};
use super::material::Material;
use super::nodes::{add_bones, add_socket};
use super::options::MeshOptions;
use super::skin::{add_skin, add_weights, of_sections};
use serde_json::{Map, Value};

/// Mesh with its vertices and triangles; its materials are numbers of slots.
pub struct MeshPart {
    /// Vertices and indices.
    pub(super) builder: Builder,
    /// Triangles by slot.
    pub(super) primitives: Vec<Primitive>,
    /// Names of slots.
    pub(super) slots: Vec<String>,
    /// Bones that move the vertices; none for a mesh without a skin.
    pub(super) bones: Bones,
    /// Number of triangles.
    triangles: u64,
}

/// Range of triangles: slot, first index and number of triangles.
pub(super) type Section = (u32, u32, u32);

impl MeshPart {
    /// A level of detail of a static mesh.
    pub fn of_static(mesh: &StaticMesh<'_>, lod: usize) -> Result<Self, GltfError> {
        let found = mesh.lods.get(lod).ok_or(GltfError::NoLod { asked: lod, count: mesh.lods.len() })?;
        let buffers = buffers(&found.geometry, lod)?;
        let mut builder = Builder::new();
        let attributes = attributes(&mut builder, &buffers.vertices);
        let sections = found.sections.iter();
        let sections: Vec<Section> =
            sections.map(|section| (section.material, section.first_index, section.triangles)).collect();
        let slots = mesh.materials.iter().map(|material| material.slot.to_string()).collect();
        Self::new(builder, &attributes, (&sections, |at| buffers.indices.get(at)), slots)
    }

    /// A level of detail of a skeletal mesh. `section_materials` are replacements of the slots of its sections; none if
    /// negative.
    pub fn of_skeletal(
        mesh: &SkeletalMesh<'_>,
        lod: usize,
        section_materials: &[i32],
    ) -> Result<Self, GltfError> {
        let found = mesh.lods.get(lod).ok_or(GltfError::NoLod { asked: lod, count: mesh.lods.len() })?;
        let buffers = buffers(&found.geometry, lod)?;
        let mut builder = Builder::new();
        let mut attributes = attributes(&mut builder, &buffers.vertices);
        add_weights(&mut builder, of_sections(&found.sections, buffers), &mut attributes);
        // The engine does not draw disabled sections either.
        let shown = found.sections.iter().enumerate().filter(|(_, section)| !section.is_disabled);
        let sections: Vec<Section> = shown
            // A replacement of a level of detail wins over the section's own slot.
            .map(|(at, section)| {
                let instead = section_materials.get(at).and_then(|slot| u32::try_from(*slot).ok());
                (instead.unwrap_or(section.material.into()), section.first_index, section.triangles)
            })
            .collect();
        let slots = mesh.materials.iter().map(|material| material.slot.to_string()).collect();
        let part = Self::new(builder, &attributes, (&sections, |at| buffers.indices.get(at)), slots)?;
        Ok(part.moved_by(&mesh.bones))
    }

    /// Adds a primitive for each section with triangles. All share the vertices; each has its own indices.
    pub(super) fn new(
        mut builder: Builder,
        attributes: &Map<String, Value>,
        (sections, index): (&[Section], impl Fn(usize) -> Option<u32>),
        slots: Vec<String>,
    ) -> Result<Self, GltfError> {
        let (mut primitives, mut sum) = (Vec::new(), 0);
        for (slot, first, triangles) in sections.iter().filter(|(_, _, triangles)| *triangles > 0) {
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
            let (attributes, material) = (attributes.clone(), Some(*slot as usize));
            primitives.push(Primitive { attributes, indices, material, targets: Vec::new() });
            sum += u64::from(*triangles);
        }
        if primitives.is_empty() {
            return Err(GltfError::Empty);
        }
        Ok(Self { builder, primitives, slots, bones: Bones::default(), triangles: sum })
    }

    /// The mesh with the bones of its skin.
    pub(super) fn moved_by(self, bones: &Bones) -> Self {
        Self { bones: bones.clone(), ..self }
    }

    /// Number of its triangles.
    #[must_use]
    pub const fn triangles(&self) -> u64 {
        self.triangles
    }

    /// Losses and changes, because glTF cannot express the original.
    #[must_use]
    pub fn notes(&self) -> &[&'static str] {
        self.builder.notes()
    }

    /// Adds the materials of its slots, those of the options if there are any.
    pub(super) fn add_materials(&mut self, options: &MeshOptions) {
        if options.materials.is_empty() {
            for slot in &self.slots {
                self.builder.material(&Material::named(slot));
            }
        } else {
            options.materials.iter().for_each(|material| self.builder.material(material));
        }
        let count = self.builder.document.materials.len();
        for primitive in &mut self.primitives {
            // A slot that does not exist leaves the default material.
            primitive.material = primitive.material.filter(|material| *material < count);
        }
    }

    /// Makes a file of it, with its bones and sockets.
    pub fn into_file(mut self, name: &str, options: &MeshOptions) -> Result<Glb, GltfError> {
        self.add_materials(options);
        let Self { builder, primitives, bones, .. } = self;
        let mesh = Mesh { name: name.to_owned(), primitives, weights: Vec::new(), extras: None };
        file(builder, mesh, &bones, options)
    }
}

/// Makes a file of a mesh, whose node has its name.
pub(super) fn file(
    mut builder: Builder,
    mesh: Mesh,
    bones: &Bones,
    options: &MeshOptions,
) -> Result<Glb, GltfError> {
    let name = mesh.name.clone();
    let mesh = Some(push(&mut builder.document.meshes, mesh));
    if bones.0.is_empty() {
        let node = push(&mut builder.document.nodes, Node { name, mesh, ..Node::default() });
        builder.show(node);
        for socket in &options.sockets {
            add_socket(&mut builder, node, socket);
        }
        return builder.finish();
    }
    let joints = add_bones(&mut builder, &name, bones, &options.sockets)?;
    let skin = Some(add_skin(&mut builder, &name, bones, &joints));
    // The mesh is no child of its bones: a skin ignores the transform of its node.
    let node = push(&mut builder.document.nodes, Node { name, mesh, skin, ..Node::default() });
    builder.show(node);
    builder.finish()
}

/// Returns the vertices and triangles of a level, or the reason that there are none.
pub(super) fn buffers<'m, B>(geometry: &'m Geometry<'_, B>, lod: usize) -> Result<&'m B, GltfError> {
    match geometry {
        Geometry::Inline(buffers) => Ok(buffers),
        Geometry::Streamed(_) => Err(GltfError::Streamed(lod)),
        Geometry::Absent => Err(GltfError::Empty),
    }
}
