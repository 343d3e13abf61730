//! Static meshes at the full detail of their Nanite form.

use super::options::NaniteDetail;
use super::source::Source;
use crate::asset::gltf::{GltfError, MeshPart};
use crate::asset::mesh::{Nanite, NaniteError, StaticMesh};
use crate::error::Result;
use crate::wire::counted;

/// A mesh in full, if that is wanted, or the reason why the fallback takes its place; `None` for a mesh that is no Nanite mesh.
pub(super) fn in_full(
    source: &Source<'_, '_>,
    mesh: &StaticMesh<'_>,
) -> Result<Option<std::result::Result<std::result::Result<MeshPart, GltfError>, String>>> {
    let Some(nanite) = &mesh.nanite else { return Ok(None) };
    if source.options.nanite == NaniteDetail::Fallback {
        return Ok(Some(Err(fallback(nanite, None))));
    }
    let is_streamed = nanite.pages.len() > nanite.root_page_count as usize;
    let streamed = if is_streamed { source.bulk(&nanite.streamed)? } else { None };
    Ok(Some(match nanite.mesh(streamed.as_deref()) {
        Ok(found) => Ok(MeshPart::of_nanite(mesh, &found)),
        Err(error) => Err(fallback(nanite, Some(error))),
    }))
}

/// Tells that a file does not have all triangles, and why.
fn fallback(nanite: &Nanite<'_>, why: Option<NaniteError>) -> String {
    let triangles = counted(nanite.triangles.into(), "triangle", "triangles");
    let why = why.map(|error| format!(", since {error}")).unwrap_or_default();
    format!(
        "it is a Nanite mesh of {triangles}: the file has the mesh that is shown in its place without Nanite{why}"
    )
}
