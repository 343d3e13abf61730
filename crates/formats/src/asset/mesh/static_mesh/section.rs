use super::super::super::Payload;
use crate::wire::Fault;

/// `FStaticMeshSection`: a range of triangles with one material.
#[doc(alias = "FStaticMeshSection")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticSection {
    /// Index of the slot of its material.
    pub material: u32,
    /// First index.
    pub first_index: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Lowest vertex that its triangles use.
    pub min_vertex: u32,
    /// Highest vertex that its triangles use.
    pub max_vertex: u32,
}

impl StaticSection {
    /// Bytes of the shortest section: five numbers, two flags.
    pub(super) const MIN_LEN: usize = 28;

    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let (r, versions) = (&mut payload.r, payload.versions);
        let section = Self {
            material: r.size("material of a section")?,
            first_index: r.size("first index of a section")?,
            triangles: r.size("triangles of a section")?,
            min_vertex: r.size("lowest vertex of a section")?,
            max_vertex: r.size("highest vertex of a section")?,
        };
        r.bool32("a section collides")?;
        r.bool32("a section casts shadows")?;
        r.when(versions.has_force_opaque(), |r| r.bool32("a section is opaque"))?;
        r.when(versions.has_ray_traced_sections(), |r| r.bool32("a section is visible to rays"))?;
        r.when(versions.has_section_distance_fields(), |r| r.bool32("a section affects distance fields"))?;
        Ok(section)
    }
}
