//! Rebuilds shader libraries from the chunks of a container.
//!
//! ```text
//! library chunk ──► ShaderLibrary ──► LooseShaderLibrary ──► header ───────────────┐
//! group chunks  ──► read · check · decompress, many at a time ──► code of shaders ─┴─► one staged file
//! ```
//!
//! The index of the library is held in memory, its code is not: each group is paid for out of the budget and written as
//! soon as it is decompressed, straight to its place in the file.

mod groups;
mod name;

pub use name::shader_library_path;

use super::inputs::read_chunk;
use crate::container::shader_library::{LooseShaderLibrary, ShaderLibrary};
use crate::error::{Bound, Error, Result};
use crate::job::Context;
use crate::sink::{OutputPath, Overwrite, PutOutcome, Replacement, Sink};
use crate::store::{Entry, Store};
use groups::{Groups, Wanted};
use std::path::PathBuf;
use std::sync::Arc;

/// Summary of a rebuilt shader library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct RebuiltShaderLibrary {
    /// Number of shader maps.
    pub shader_maps: usize,
    /// Number of shaders.
    pub shaders: usize,
    /// Number of groups that held its code.
    pub groups: usize,
    /// Length of the file in bytes.
    pub len: u64,
}

/// Writes the `.ushaderbytecode` file that a ShaderCodeLibrary chunk was made from, to `path` ([`shader_library_path`]
/// gives the usual one).
///
/// Its groups may be in any container of the store. All but the compression of the code is as in the cooker's file:
/// shaders are stored uncompressed, which the engine accepts, because the method used by the cooker is not recorded. So
/// the file is larger, with different offsets and sizes; hashes, shader maps, the order of the code and the numbers of
/// preload entries are the same.
///
/// A missing or damaged group is an error that names it, and no file is written. `context` says if hashes are checked;
/// one library and one group must fit into its budget. The observer gets an event per group. The second value tells if
/// the file was written, or the existing one kept.
pub async fn rebuild_shader_library(
    store: &Store,
    library: Entry,
    sink: &dyn Sink,
    path: &OutputPath,
    overwrite: Overwrite,
    context: &Context,
) -> Result<(RebuiltShaderLibrary, PutOutcome)> {
    let place = place(store, library);
    let index = read_index(store, library, context, &place).await?;
    let wanted = Wanted::find(store, &index, context, &place)?;
    // The layout needs only lengths, so it is known before any code is read.
    let loose = LooseShaderLibrary::lay_out(&index, |shader| {
        index.shaders.get(shader).map_or(0, |shader| shader.len)
    });
    let header = loose.header().map_err(Error::malformed("shader library", &place))?;
    let code_at = header.len() as u64;
    let rebuilt = RebuiltShaderLibrary {
        shader_maps: loose.shader_maps.len(),
        shaders: loose.shaders.len(),
        groups: index.groups.len(),
        len: code_at + loose.code_len(),
    };
    // An existing file that has to stay ends the job before any group is read.
    let Some(file) = Replacement::create(sink, path, rebuilt.len, overwrite)? else {
        return Ok((rebuilt, PutOutcome::Kept));
    };
    file.write_at(0, &header)?;
    let file = Arc::new(file);
    let groups = Groups { index, loose, code_at, file: Arc::clone(&file), place, context: context.clone() };
    Arc::new(groups).write(wanted).await?;
    // Only a complete library is committed: a failed group has returned above.
    Ok((rebuilt, file.commit()?))
}

/// The container of a library, for messages.
fn place(store: &Store, library: Entry) -> PathBuf {
    store.container(library).map(|container| container.path().to_owned()).unwrap_or_default()
}

/// Reads the index of a library, if it fits into the budget.
async fn read_index(
    store: &Store,
    library: Entry,
    context: &Context,
    place: &std::path::Path,
) -> Result<ShaderLibrary> {
    let found = store.container(library).map_or(0, |container| container.table().chunk_len(library.chunk));
    let limit = context.budget().total();
    if found > limit {
        let what = "size of a shader library's index";
        return Err(Error::Limit { what, found, limit, bound: Bound::Memory, path: place.to_owned() });
    }
    let mut bytes = Vec::new();
    let check = read_chunk(store, library, context, |part| {
        bytes.extend_from_slice(part);
        Ok(())
    });
    if let Some(error) = check.await?.error(place)
        && context.verifies()
    {
        return Err(error);
    }
    // A cancelled read ends early without an error; do not parse the part.
    if context.cancel_token().is_cancelled() {
        return Err(Error::Cancelled);
    }
    ShaderLibrary::parse(&bytes).map_err(Error::malformed("shader library", place))
}
