//! A scene as USD: a file of nodes, and one for each mesh.

use crate::asset::gltf::{SceneBytes, SceneFile};
use crate::error::{Error, Result};
use crate::export::files::Files;
use crate::sink::Spool;
use crate::values::sink_error;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// Binary data of a scene, and the reason why they cannot be read.
struct Binary<'s> {
    spool: &'s Spool,
    error: Option<Error>,
}

impl SceneBytes for Binary<'_> {
    fn read(&mut self, offset: u64, bytes: &mut [u8]) -> fmt::Result {
        self.spool.read_at(offset, bytes).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// A file of text, and the reason why it cannot be written.
struct Text<'o> {
    out: &'o mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// Writes the files. `spool` has all binary data of the scene.
pub(super) fn write(scene: &SceneFile, name: &str, spool: &Spool, files: &mut Files<'_>) -> Result<()> {
    let mut binary = Binary { spool, error: None };
    let mut paths = Vec::new();
    for (mesh, own) in scene.mesh_names().enumerate() {
        let suffix = format!("_meshes/{}", own.replace(['/', '\\'], "_"));
        put(files, &suffix, &mut binary, |binary, out| scene.write_usd_mesh(mesh, binary, out))?;
        // The last two parts of the path are the folder and the file.
        let path = files.written.last().map(|file| &*file.path).unwrap_or_default();
        let start = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
        paths.push(format!("./{}", path.get(start..).unwrap_or_default()));
    }
    put(files, "", &mut binary, |binary, out| scene.write_usd_stage((name, &paths), binary, out))
}

/// Writes one of the files.
fn put(
    files: &mut Files<'_>,
    suffix: &str,
    binary: &mut Binary<'_>,
    write: impl FnOnce(&mut dyn SceneBytes, &mut dyn fmt::Write) -> fmt::Result,
) -> Result<()> {
    files.put_with(suffix, "usda", |out| {
        let mut text = Text { out, error: None };
        let Err(error) = write(binary, &mut text) else { return Ok(()) };
        if let Some(unread) = binary.error.take() {
            return Err(unread);
        }
        Err(sink_error(text.error.unwrap_or_else(|| io::Error::other(error)), Path::new("a scene")))
    })
}
