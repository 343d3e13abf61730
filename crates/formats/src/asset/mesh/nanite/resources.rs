//! Header of the resources.

use super::super::super::{Bulk, Payload};
use super::super::common::skip_list;
use crate::version::AssetVersions;
use crate::wire::{Fault, Reader};

/// `FNaniteResources`: the mesh as clusters of triangles, in pages.
#[doc(alias = "FNaniteResources")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nanite<'a> {
    /// Pages that are streamed.
    pub streamed: Bulk<'a>,
    /// Pages that are always in memory.
    pub root: &'a [u8],
    /// Places of all pages, those in `root` first.
    pub pages: Vec<NanitePage>,
    /// Number of pages in `root`.
    pub root_page_count: u32,
    /// Pages that others refer to.
    pub(super) dependencies: Vec<u32>,
    /// Nodes of the hierarchy.
    pub(super) hierarchy: &'a [u8],
    /// Number of transforms of the meshes that an assembly consists of.
    pub transforms: usize,
    /// Triangles of the source mesh.
    pub triangles: u32,
    /// Vertices of the source mesh.
    pub vertices: u32,
    /// Number of clusters, since 5.1.
    pub clusters: Option<u32>,
    pub(super) versions: AssetVersions,
}

/// `FPageStreamingState`: the place of a page.
#[doc(alias = "FPageStreamingState")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NanitePage {
    /// Start in its buffer, in bytes.
    pub offset: u32,
    /// Length in bytes.
    pub len: u32,
    /// First of the pages that it refers to, among those of all pages, and their number.
    pub(super) dependencies: [u32; 2],
}

/// Slices of a node of the hierarchy.
pub(super) const SLICES: usize = 4;

impl<'a> Nanite<'a> {
    /// Reads the resources; `None` if the mesh has none.
    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Option<Self>, Fault> {
        if payload.strip_flags()?.is_audio_visual_data_stripped() {
            return Ok(None);
        }
        let versions = payload.versions;
        payload.r.u32("flags of Nanite resources")?;
        let streamed = payload.bulk()?;
        let root = payload.byte_array("root pages")?;
        let len = versions.len_of_nanite_page();
        let pages = payload.r.list("states of pages", len, |r| NanitePage::read(r, &versions))?;
        let nodes = payload.r.count("nodes of the hierarchy", SLICES * versions.len_of_nanite_node())?;
        let hierarchy =
            payload.r.bytes("nodes of the hierarchy", nodes * SLICES * versions.len_of_nanite_node())?;
        skip_list(payload, "offsets of roots", 4)?;
        // 5.7 narrowed the indices of pages.
        let dependencies = if versions.has_nanite_voxels() {
            payload.r.list("dependencies of pages", 2, |r| r.u16("page").map(u32::from))?
        } else {
            payload.r.list("dependencies of pages", 4, |r| r.u32("page"))?
        };
        // 5.6 added assemblies and bounds.
        let transforms = if versions.has_nanite_assemblies() { assembly(payload)? } else { 0 };
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
        // Every mesh has this header since 5.0; only pages make it a Nanite mesh.
        let is_nanite = !pages.is_empty();
        let nanite = Self {
            streamed,
            root,
            pages,
            root_page_count,
            dependencies,
            hierarchy,
            transforms,
            triangles,
            vertices,
            clusters,
            versions,
        };
        Ok(is_nanite.then_some(nanite))
    }
}

impl NanitePage {
    fn read(r: &mut Reader<'_>, versions: &AssetVersions) -> Result<Self, Fault> {
        let (offset, len) = (r.u32("offset of a page")?, r.u32("size of a page")?);
        r.u32("size of a page in memory")?;
        let first = r.u32("first dependency of a page")?;
        let count = if versions.has_short_nanite_pages() {
            let count = r.u16("dependencies of a page")?.into();
            r.array::<2>("depth and flags of a page")?;
            count
        } else {
            let count = r.u32("dependencies of a page")?;
            r.u32("flags of a page")?;
            count
        };
        Ok(Self { offset, len, dependencies: [first, count] })
    }
}

/// Skips assemblies of several meshes, and fields that were added after them; returns the number of transforms.
fn assembly(payload: &mut Payload<'_, '_>) -> Result<usize, Fault> {
    let versions = payload.versions;
    let transforms = skip_list(payload, "transforms of an assembly", 48)?;
    if versions.has_nanite_voxels() {
        skip_list(payload, "bone attachments", 4)?;
        if versions.has_nanite_curves() {
            skip_list(payload, "bones", 4)?;
        }
        skip_list(payload, "ranges of pages", 4)?;
    }
    payload.floats::<7>("bounds of Nanite resources")?;
    Ok(transforms)
}
