use super::super::{Bulk, Payload};
use super::common::skip_list;
use crate::wire::Fault;

/// `FNaniteResources`: the mesh as clusters of triangles, in pages. Only the header is read.
#[doc(alias = "FNaniteResources")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nanite<'a> {
    /// Streamed pages.
    pub pages: Bulk<'a>,
    /// Number of all pages.
    pub page_count: usize,
    /// Number of pages that are always in memory.
    pub root_page_count: u32,
    /// Triangles of the source mesh.
    pub triangles: u32,
    /// Vertices of the source mesh.
    pub vertices: u32,
    /// Number of clusters, since 5.1.
    pub clusters: Option<u32>,
}

/// Nodes of the hierarchy per group.
const NODES: usize = 4;

impl<'a> Nanite<'a> {
    /// Reads the resources; `None` if the mesh has none.
    pub(super) fn read(payload: &mut Payload<'_, 'a>) -> Result<Option<Self>, Fault> {
        if payload.strip_flags()?.is_audio_visual_data_stripped() {
            return Ok(None);
        }
        let versions = payload.versions;
        payload.r.u32("flags of Nanite resources")?;
        let pages = payload.bulk()?;
        payload.byte_array("root pages")?;
        let page_count = skip_list(payload, "states of pages", versions.len_of_nanite_page())?;
        skip_list(payload, "nodes of the hierarchy", NODES * versions.len_of_nanite_node())?;
        skip_list(payload, "offsets of roots", 4)?;
        // 5.7 narrowed the indices of pages.
        let dependency = if versions.has_nanite_voxels() { 2 } else { 4 };
        skip_list(payload, "dependencies of pages", dependency)?;
        if versions.has_nanite_assemblies() {
            // 5.6 added assemblies and bounds.
            assembly(payload)?;
        }
        if !versions.has_nanite_curves() {
            // Imposters ended with 5.8.
            skip_list(payload, "imposters", 2)?;
        }
        let root_page_count = payload.r.size("number of root pages")?;
        payload.r.i32("precision of positions")?;
        payload.r.when(versions.has_nanite_normals(), |r| r.i32("precision of normals"))?;
        let (triangles, vertices) = (payload.r.u32("triangles")?, payload.r.u32("vertices")?);
        payload.r.when(!versions.has_nanite_assemblies(), |r| r.array::<4>("meshes and channels"))?;
        let clusters = payload.r.when(versions.has_nanite_cluster_count(), |r| r.u32("clusters"))?;
        payload.r.when(versions.has_nanite_voxels(), |r| r.u64("voxel materials"))?;
        payload.r.when(versions.has_nanite_curves(), |r| r.u32("curves"))?;
        let nanite = Self { pages, page_count, root_page_count, triangles, vertices, clusters };
        // Every mesh has this header since 5.0; only pages make it a Nanite mesh.
        Ok((page_count > 0).then_some(nanite))
    }
}

/// Skips assemblies of several meshes, and fields that were added after them.
fn assembly(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    let versions = payload.versions;
    skip_list(payload, "transforms of an assembly", 48)?;
    if versions.has_nanite_voxels() {
        skip_list(payload, "bone attachments", 4)?;
        if versions.has_nanite_curves() {
            skip_list(payload, "bones", 4)?;
        }
        skip_list(payload, "ranges of pages", 4)?;
    }
    payload.floats::<7>("bounds of Nanite resources").map(drop)
}
