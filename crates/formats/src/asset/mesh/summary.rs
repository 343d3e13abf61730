use super::{SkeletalMesh, StaticMesh};
use crate::property::{Object, Scope};
use crate::wire::counted;
use std::fmt;

/// Summary of a mesh, with or without bones.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct MeshSummary {
    /// Its levels of detail.
    pub lods: Vec<LodSummary>,
    /// Number of materials.
    pub materials: usize,
    /// Number of bones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bones: Option<usize>,
    /// Triangles of the Nanite form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nanite_triangles: Option<u32>,
}

/// Summary of a level of detail. Its numbers are unknown if it is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct LodSummary {
    /// Number of vertices.
    pub vertices: Option<usize>,
    /// Number of triangles.
    pub triangles: Option<usize>,
}

impl StaticMesh<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> MeshSummary {
        let lods = self.lods.iter().map(|lod| {
            LodSummary::new(lod.geometry.inline().map(|found| (found.vertices.len(), found.indices.len())))
        });
        MeshSummary {
            lods: lods.collect(),
            materials: self.materials.len(),
            bones: None,
            nanite_triangles: self.nanite.as_ref().map(|nanite| nanite.triangles),
        }
    }
}

impl SkeletalMesh<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> MeshSummary {
        let lods = self.lods.iter().map(|lod| {
            LodSummary::new(lod.geometry.inline().map(|found| (found.vertices.len(), found.indices.len())))
        });
        MeshSummary {
            lods: lods.collect(),
            materials: self.materials.len(),
            bones: Some(self.bones.0.len()),
            nanite_triangles: self.nanite.as_ref().map(|nanite| nanite.triangles),
        }
    }
}

impl LodSummary {
    /// Summary from the numbers of vertices and indices, if these are known.
    fn new(sizes: Option<(usize, usize)>) -> Self {
        Self {
            vertices: sizes.map(|(vertices, _)| vertices),
            triangles: sizes.map(|(_, indices)| indices / 3),
        }
    }
}

impl fmt::Display for MeshSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mesh:")?;
        for (at, lod) in self.lods.iter().enumerate() {
            write!(f, " LOD {at} {lod};")?;
        }
        write!(f, " {}", counted(self.materials as u64, "material", "materials"))?;
        if let Some(bones) = self.bones {
            write!(f, ", {}", counted(bones as u64, "bone", "bones"))?;
        }
        match self.nanite_triangles {
            Some(triangles) => write!(f, ", Nanite: {}", counted(triangles.into(), "triangle", "triangles")),
            None => Ok(()),
        }
    }
}

impl fmt::Display for LodSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.vertices, self.triangles) {
            (Some(vertices), Some(triangles)) => {
                let vertices = counted(vertices as u64, "vertex", "vertices");
                write!(f, "has {vertices}, {}", counted(triangles as u64, "triangle", "triangles"))
            }
            _ => f.write_str("is elsewhere"),
        }
    }
}
