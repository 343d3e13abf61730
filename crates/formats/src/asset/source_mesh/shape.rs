//! A mesh as it was imported, from any of the forms.

/// `FMeshDescription`, `FRawMesh`: an imported mesh. Positions are in centimetres, X forward, Y right, Z up.
#[doc(alias = "FMeshDescription")]
#[doc(alias = "FRawMesh")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Positions of vertices, each shared by several corners.
    pub positions: Vec<[f32; 3]>,
    /// Corners of triangles; those that look alike may be shared.
    pub corners: Vec<Corner>,
    /// Texture coordinates of all corners, one list for each channel.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Colours of all corners, as linear red, green, blue and alpha; empty if the mesh has none.
    pub colors: Vec<[f32; 4]>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
    /// Names of the groups that triangles belong to: those of the materials in the imported file.
    pub groups: Vec<String>,
    /// Bones that move each position, of those of the mesh; empty without a skin.
    pub weights: Vec<Vec<BoneWeight>>,
}

/// `FBoneWeight`: share of a bone in the motion of a vertex.
#[doc(alias = "FBoneWeight")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoneWeight {
    /// Index of the bone.
    pub bone: u16,
    /// Share, of 65,535.
    pub weight: u16,
}

/// Corner of a triangle: a vertex instance of a mesh description, a wedge of a raw mesh.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Corner {
    /// Vertex.
    pub vertex: u32,
    /// Direction away from the surface; zero if the editor computes it.
    pub normal: [f32; 3],
    /// Direction of U of the first texture coordinates; zero if the editor computes it.
    pub tangent: [f32; 3],
    /// Handedness, 1 or −1; 0 if the editor computes it.
    pub sign: f32,
}

/// Triangle of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triangle {
    /// Its corners.
    pub corners: [u32; 3],
    /// Its group, which decides about the material.
    pub group: u32,
}

/// Form of the data of a mesh, by the versions of its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshForm {
    /// Raw mesh, to 4.21.
    Raw,
    /// Mesh description of before 5.0.
    Description {
        /// Polygons list their holes, before Editor 30.
        has_holes: bool,
        /// Polygons are triangulated, since Editor 35.
        has_triangles: bool,
    },
}
