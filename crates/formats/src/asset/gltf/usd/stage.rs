//! The file that has all nodes of a scene.

use super::super::scene::{SceneFile, SceneMesh};
use super::binary::SceneBytes;
use super::material::material;
use super::mesh::subset;
use super::nodes::Nodes;
use super::text::{Identifiers, asset, head, identifier};
use std::fmt::{self, Write};

impl SceneFile {
    /// Writes the file that has all nodes. `meshes` are paths of the files of meshes, relative to it; `binary` has all that was
    /// taken out of the scene.
    pub fn write_usd_stage(
        &self,
        (name, meshes): (&str, &[String]),
        binary: &mut dyn SceneBytes,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let mut taken = Identifiers::default();
        let root = taken.unique(name);
        let [prototypes, materials] = ["Prototypes", "Materials"].map(|name| taken.unique(name));
        writeln!(out, "{}def Xform \"{root}\" (\n    kind = \"assembly\"\n)\n{{", head(&root))?;
        let mut of_materials = Vec::new();
        writeln!(out, "    def Scope \"{materials}\"\n    {{")?;
        for of in &self.builder.document.materials {
            let name = taken.unique(&of.name);
            let path = format!("/{root}/{materials}/{name}");
            material(out, &self.builder.document, (of, &path, &name))?;
            of_materials.push(path);
        }
        // Prims of a class are nothing by themselves: nodes inherit them.
        writeln!(out, "    }}\n\n    class Scope \"{prototypes}\"\n    {{")?;
        let mut of_meshes = vec![None; self.builder.document.meshes.len()];
        for (mesh, file) in self.meshes.iter().zip(meshes) {
            let mut made: Vec<_> = mesh.made.iter().collect();
            made.sort_by_key(|(_, at)| **at);
            for (own, at) in made {
                let name = taken.unique(&mesh.name);
                self.prototype(out, (mesh, own), (&name, file), &of_materials)?;
                if let Some(path) = of_meshes.get_mut(*at) {
                    *path = Some(format!("/{root}/{prototypes}/{name}"));
                }
            }
        }
        writeln!(out, "    }}\n")?;
        Nodes::new(self, &of_meshes, taken).write(binary, out)?;
        writeln!(out, "}}")
    }

    /// Writes a mesh with its materials, which nodes inherit.
    fn prototype(
        &self,
        out: &mut dyn Write,
        (mesh, slots): (&SceneMesh, &[Option<usize>]),
        (name, file): (&str, &str),
        paths: &[String],
    ) -> fmt::Result {
        let source = identifier(&mesh.name);
        writeln!(
            out,
            "        def Xform \"{name}\" (\n            prepend references = {}</{source}>\n        )",
            asset(file)
        )?;
        writeln!(out, "        {{\n            over \"Mesh\"\n            {{")?;
        let material = |slot: usize| slots.get(slot).copied().flatten();
        let mut used: Vec<usize> =
            mesh.primitives.iter().filter_map(|primitive| primitive.material).collect();
        used.sort_unstable();
        used.dedup();
        let materials = &self.builder.document.materials;
        let is_two_sided =
            |slot: &usize| material(*slot).and_then(|at| materials.get(at)).is_some_and(|of| of.double_sided);
        if used.iter().any(is_two_sided) {
            writeln!(out, "                uniform bool doubleSided = true")?;
        }
        for slot in used {
            let Some(path) = material(slot).and_then(|at| paths.get(at)) else { continue };
            let name = subset(slot);
            writeln!(
                out,
                "\n                over \"{name}\" (\n                    prepend apiSchemas = [\"MaterialBindingAPI\"]\n                )"
            )?;
            writeln!(
                out,
                "                {{\n                    rel material:binding = <{path}>\n                }}"
            )?;
        }
        writeln!(out, "            }}\n        }}\n")
    }
}
