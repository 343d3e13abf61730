//! Features of pages and clusters, by release.

use crate::version::AssetVersions;

/// Features of the pages and clusters of a release. Versions are asked once, not for each of many clusters.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a change that some release made")]
pub(super) struct PageForm {
    /// Numbers of vertices are in planes of bytes, as differences.
    pub(super) has_planes: bool,
    pub(super) has_normal_bits: bool,
    pub(super) has_tangents: bool,
    pub(super) has_assemblies: bool,
    pub(super) has_voxels: bool,
    pub(super) has_bones: bool,
    /// Number of rows, each of four words, that a packed cluster has.
    pub(super) rows: usize,
}

impl PageForm {
    pub(super) fn new(versions: &AssetVersions) -> Self {
        let has_bones = versions.has_skeletal_nanite();
        Self {
            has_planes: versions.has_nanite_planes(),
            has_normal_bits: versions.has_nanite_normals(),
            has_tangents: versions.has_nanite_tangents(),
            has_assemblies: versions.has_nanite_assemblies(),
            has_voxels: versions.has_nanite_voxels(),
            has_bones,
            rows: match (has_bones, versions.has_nanite_cluster_count()) {
                (true, _) => 8,
                (_, true) => 7,
                _ => 6,
            },
        }
    }
}
