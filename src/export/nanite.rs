//! Static meshes at the detail of their Nanite form.

use super::options::NaniteDetail;
use super::source::Source;
use crate::asset::gltf::{GltfError, MeshPart};
use crate::asset::mesh::{Nanite, NaniteError, StaticMesh};
use crate::error::Result;
use crate::wire::counted;

/// A Nanite mesh, with a note for the user.
type Detailed = (std::result::Result<MeshPart, GltfError>, Option<String>);

/// A mesh in the detail that is wanted, or the reason why the fallback takes its place; `None` for a mesh that is no Nanite mesh.
pub(super) fn in_detail(
    source: &Source<'_, '_>,
    mesh: &StaticMesh<'_>,
) -> Result<Option<std::result::Result<Detailed, String>>> {
    let Some(nanite) = &mesh.nanite else { return Ok(None) };
    let detail = source.options.nanite;
    if detail == NaniteDetail::Fallback {
        return Ok(Some(Err(fallback(nanite, None))));
    }
    let is_streamed = nanite.pages.len() > nanite.root_page_count as usize;
    let streamed = if is_streamed { source.bulk(&nanite.streamed)? } else { None };
    let found = match detail {
        NaniteDetail::Within(error) => nanite.mesh_within(streamed.as_deref(), error),
        NaniteDetail::Full | NaniteDetail::Fallback => nanite.mesh(streamed.as_deref()),
    };
    Ok(Some(match found {
        Ok(found) => {
            let note = match detail {
                NaniteDetail::Within(error) => Some(simplified(nanite, found.triangles.len(), error)),
                NaniteDetail::Full | NaniteDetail::Fallback => None,
            };
            Ok((MeshPart::of_nanite(mesh, &found), note))
        }
        Err(error) => Err(fallback(nanite, Some(error))),
    }))
}

/// Tells how much of a mesh is left.
fn simplified(nanite: &Nanite<'_>, found: usize, error: f32) -> String {
    let all = counted(nanite.triangles.into(), "triangle", "triangles");
    let found = counted(found as u64, "triangle", "triangles");
    format!(
        "it is a Nanite mesh of {all}: the file has {found}, whose surface is at most {error} cm from the full one"
    )
}

/// Tells that a file does not have all triangles, and why.
fn fallback(nanite: &Nanite<'_>, why: Option<NaniteError>) -> String {
    let triangles = counted(nanite.triangles.into(), "triangle", "triangles");
    let why = why.map(|error| format!(", since {error}")).unwrap_or_default();
    format!(
        "it is a Nanite mesh of {triangles}: the file has the mesh that is shown in its place without Nanite{why}"
    )
}
