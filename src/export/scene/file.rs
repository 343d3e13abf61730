//! A scene while it grows: JSON in memory, binary data on disk.

use super::shown::LandscapeComponent;
use super::tiles::Tiles;
use super::usd;
use crate::asset::gltf::{GltfError, MeshPart, SceneFile};
use crate::error::{Error, Result};
use crate::export::files::{Files, Target};
use crate::export::options::{ExportForm, Forms};
use crate::values::sink_error;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write};
use std::path::Path;

/// A scene under construction.
pub(super) struct Growing {
    /// The scene.
    pub(super) file: SceneFile,
    /// Numbers of its meshes, by their positions in the list of those that are shown; `None` if one is not there.
    pub(super) meshes: Vec<Option<AddedMesh>>,
    /// Materials that take the place of others, by their positions in the list.
    pub(super) materials: Vec<usize>,
    /// Binary data so far.
    spool: File,
    notes: BTreeSet<String>,
    /// Meshes of landscapes, by level and component.
    pub(super) landscapes: HashMap<(usize, usize), AddedLandscape>,
    /// Heights and weights of landscapes.
    pub(super) tiles: Tiles,
}

/// A component of a landscape in a scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct AddedLandscape {
    /// Its mesh in the file.
    pub(super) mesh: usize,
    /// Number of its triangles.
    pub(super) triangles: u64,
}

/// A mesh of a scene.
#[derive(Debug, Clone)]
pub(super) struct AddedMesh {
    /// Its number in the scene.
    pub(super) number: usize,
    /// Materials of its slots.
    pub(super) slots: Vec<usize>,
    /// Number of its triangles.
    pub(super) triangles: u64,
}

/// Bytes that are copied at once.
const PIECE: usize = 1 << 20;

impl Growing {
    pub(super) fn new(target: &Target) -> Result<Self> {
        let (file, spool) = (SceneFile::default(), target.scratch()?);
        Ok(Self {
            file,
            meshes: Vec::new(),
            materials: Vec::new(),
            spool,
            notes: BTreeSet::new(),
            landscapes: HashMap::new(),
            tiles: Tiles::new(target)?,
        })
    }

    /// Records what the user should know, once.
    pub(super) fn note(&mut self, note: String) {
        self.notes.insert(note);
    }

    /// Notes for the user.
    pub(super) fn notes(&self) -> Vec<String> {
        self.notes.iter().cloned().chain(self.file.notes().iter().map(|note| (*note).to_owned())).collect()
    }

    /// Adds a component of a landscape.
    pub(super) fn add_landscape(
        &mut self,
        of: &LandscapeComponent,
        part: MeshPart,
        material: usize,
    ) -> Result<()> {
        let triangles = part.triangles();
        let number = self.file.add_mesh(&format!("Landscape {} {}", of.first[0], of.first[1]), part);
        if let Some(mesh) = self.file.with_materials(number, &[Some(material)]) {
            self.landscapes.insert((of.level, of.component), AddedLandscape { mesh, triangles });
        }
        self.spool()
    }

    /// Moves the binary data so far to the disk.
    pub(super) fn spool(&mut self) -> Result<()> {
        let bytes = self.file.take_bytes();
        self.spool.write_all(&bytes).map_err(Error::io("write", Path::new(INTERMEDIATE)))
    }

    /// Writes the file in each form that is wanted.
    pub(super) fn finish(&mut self, name: &str, forms: &Forms, files: &mut Files<'_>) -> Result<()> {
        self.spool()?;
        if forms.wants(ExportForm::Scene, false) {
            self.write_gltf(files)?;
        }
        if forms.wants(ExportForm::Usd, false) {
            usd::write(&self.file, name, &mut self.spool, files)?;
        }
        Ok(())
    }

    /// Writes the file as glTF. One that is too large for its format becomes two: JSON, and a file of binary data.
    fn write_gltf(&mut self, files: &mut Files<'_>) -> Result<()> {
        match self.file.head() {
            Ok(head) => files.put_with("", "glb", |out| {
                out.write_all(&head).map_err(not_written)?;
                self.copy(out)
            }),
            Err(GltfError::TooLarge) => {
                files.put_with("", "bin", |out| self.copy(out))?;
                let path = files.written.last().map(|file| file.path.clone()).unwrap_or_default();
                let name = path.rsplit('/').next().unwrap_or_default();
                let json = self.file.json(name);
                files.put_with("", "gltf", |out| out.write_all(&json).map_err(not_written))
            }
            Err(error) => Err(broken("")(error)),
        }
    }

    /// Copies the binary data.
    fn copy(&mut self, out: &mut dyn Write) -> Result<()> {
        let read = Error::io("read", Path::new(INTERMEDIATE));
        self.spool.rewind().map_err(read)?;
        let mut buffer = vec![0; PIECE];
        loop {
            let count = self.spool.read(&mut buffer).map_err(Error::io("read", Path::new(INTERMEDIATE)))?;
            let Some(piece) = buffer.get(..count).filter(|piece| !piece.is_empty()) else { break };
            out.write_all(piece).map_err(not_written)?;
        }
        Ok(())
    }
}

/// Name of the file of binary data, which has none, in messages.
const INTERMEDIATE: &str = "a file for intermediate content";

/// The error of writing to the sink.
fn not_written(error: io::Error) -> Error {
    sink_error(error, Path::new("a scene"))
}

/// An error about what glTF does not allow, in a level.
pub(super) fn broken(level: &str) -> impl Fn(GltfError) -> Error {
    let path = std::path::PathBuf::from(level);
    move |error| Error::io("write the scene of", &path)(io::Error::other(error))
}
