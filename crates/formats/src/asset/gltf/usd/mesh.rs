//! A mesh in a file of its own.

use super::super::document::Primitive;
use super::super::scene::SceneFile;
use super::binary::{Numbers, SceneBytes};
use super::text::{head, identifier, numbers, tuple, tuples};
use std::collections::HashMap;
use std::fmt::{self, Write};

/// Meaning of numbers that vertices have.
const OF_VERTICES: &str = " (\n            interpolation = \"vertex\"\n        )";

/// The name of the subset of faces of a slot.
pub(super) fn subset(slot: usize) -> String {
    format!("slot_{slot}")
}

impl SceneFile {
    /// Names of all meshes.
    pub fn mesh_names(&self) -> impl Iterator<Item = &str> {
        self.meshes.iter().map(|mesh| &*mesh.name)
    }

    /// Writes a mesh as a file of USD. `binary` has all that was taken out of the scene.
    pub fn write_usd_mesh(
        &self,
        mesh: usize,
        binary: &mut dyn SceneBytes,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let found = self.meshes.get(mesh).ok_or(fmt::Error)?;
        let (name, document) = (identifier(&found.name), &self.builder.document);
        write!(out, "{}def Xform \"{name}\" (\n    kind = \"component\"\n)\n{{\n", head(&name))?;
        writeln!(out, "    def Mesh \"Mesh\"\n    {{")?;
        // All primitives of a mesh share its vertices; each has its own triangles.
        let attribute = |name: &str| {
            let of = found.primitives.first().and_then(|first| first.attributes.get(name)?.as_u64());
            of.and_then(|at| usize::try_from(at).ok())
        };
        if let Some(accessor) = attribute("POSITION").and_then(|at| document.accessors.get(at)) {
            let extent = [tuple(&accessor.min), tuple(&accessor.max)].join(", ");
            writeln!(out, "        float3[] extent = [{extent}]")?;
        }
        faces(out, &found.primitives, |at| Numbers::read(document, at, binary))?;
        let mut read = |name: &str| attribute(name).map(|at| Numbers::read(document, at, binary)).transpose();
        if let Some(points) = read("POSITION")? {
            tuples::<3>(out, ("        point3f[] points", ""), points.vectors())?;
        }
        if let Some(normals) = read("NORMAL")? {
            tuples::<3>(out, ("        normal3f[] normals", OF_VERTICES), normals.vectors())?;
        }
        for channel in 0.. {
            let Some(uvs) = read(&format!("TEXCOORD_{channel}"))? else { break };
            let name = format!("        texCoord2f[] primvars:{}", channel_name(channel));
            // The origin is at the bottom.
            tuples(out, (&name, OF_VERTICES), uvs.vectors().map(|[u, v]| [u, 1.0 - v]))?;
        }
        if let Some(colors) = read("COLOR_0")? {
            let name = "        color3f[] primvars:displayColor";
            tuples(
                out,
                (name, OF_VERTICES),
                colors.vectors().map(|[red, green, blue, _]| [red, green, blue]),
            )?;
        }
        writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
        writeln!(out, "        uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\"")?;
        subsets(out, &found.primitives, |at| document.accessors.get(at).map_or(0, |found| found.count / 3))?;
        writeln!(out, "    }}\n}}")
    }
}

/// The name of a channel of texture coordinates.
fn channel_name(channel: u32) -> String {
    if channel == 0 { "st".to_owned() } else { format!("st{channel}") }
}

/// Writes the triangles of all primitives.
fn faces(
    out: &mut dyn Write,
    primitives: &[Primitive],
    mut read: impl FnMut(usize) -> Result<Numbers, fmt::Error>,
) -> fmt::Result {
    let indices = primitives.iter().map(|of| read(of.indices)).collect::<Result<Vec<_>, _>>()?;
    let all = || indices.iter().flat_map(Numbers::indices);
    numbers(out, "        int[] faceVertexCounts", std::iter::repeat_n(3, all().count() / 3))?;
    numbers(out, "        int[] faceVertexIndices", all())
}

/// Writes which faces each slot has.
fn subsets(out: &mut dyn Write, primitives: &[Primitive], faces: impl Fn(usize) -> usize) -> fmt::Result {
    let (mut first, mut by_slot): (usize, HashMap<usize, Vec<[usize; 2]>>) = (0, HashMap::new());
    let mut slots = Vec::new();
    for primitive in primitives {
        let count = faces(primitive.indices);
        if let Some(slot) = primitive.material {
            let ranges = by_slot.entry(slot).or_default();
            if ranges.is_empty() {
                slots.push(slot);
            }
            ranges.push([first, first + count]);
        }
        first += count;
    }
    for slot in slots {
        writeln!(out, "\n        def GeomSubset \"{}\"\n        {{", subset(slot))?;
        writeln!(out, "            uniform token elementType = \"face\"")?;
        writeln!(out, "            uniform token familyName = \"materialBind\"")?;
        let ranges = by_slot.remove(&slot).unwrap_or_default();
        numbers(out, "            int[] indices", ranges.into_iter().flat_map(|[first, end]| first..end))?;
        writeln!(out, "        }}")?;
    }
    Ok(())
}
