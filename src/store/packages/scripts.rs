//! Finds the script objects of a game.

use crate::container::script_objects::ScriptObjects;
use crate::error::{Error, Result};
use crate::id::ChunkKind;
use crate::store::{Container, Store};
use std::sync::Arc;

impl Store {
    /// Reads the native objects that packages refer to: from the global container, else from any other. `None` if no
    /// container has them; the first error if none can be read.
    pub fn script_objects(&self, limit: u64) -> Result<Option<ScriptObjects>> {
        let mut containers: Vec<&Arc<Container>> = self.containers().iter().collect();
        // Stable: `false` sorts first, so the global container leads and the others stay in mount order.
        containers.sort_by_key(|container| !container.is_global());
        let mut problem = None;
        for container in containers {
            match read(container, limit) {
                Ok(Some(scripts)) => return Ok(Some(scripts)),
                Ok(None) => {}
                Err(error) => drop(problem.get_or_insert(error)),
            }
        }
        problem.map_or(Ok(None), Err)
    }
}

fn read(container: &Container, limit: u64) -> Result<Option<ScriptObjects>> {
    let chunk = |kind| {
        let chunk = container.find_kind(kind);
        chunk.map(|chunk| container.read(chunk, 0..u64::MAX, limit)).transpose()
    };
    let malformed = |fault| Error::malformed("script objects", container.path())(fault);
    // UE5 has one chunk for all; UE4 spreads the same facts over three, with the names apart.
    if let Some(bytes) = chunk(ChunkKind::ScriptObjects)? {
        return ScriptObjects::parse(&bytes).map(Some).map_err(malformed);
    }
    let Some(load_meta) = chunk(ChunkKind::LoaderInitialLoadMeta)? else { return Ok(None) };
    let names = chunk(ChunkKind::LoaderGlobalNames)?.unwrap_or_default();
    let hashes = chunk(ChunkKind::LoaderGlobalNameHashes)?.unwrap_or_default();
    ScriptObjects::parse_ue4(&load_meta, &names, &hashes).map(Some).map_err(malformed)
}
