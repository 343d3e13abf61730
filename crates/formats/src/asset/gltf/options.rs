use super::super::socket::Socket;
use super::material::Material;

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
