//! A scene while it grows: JSON in memory, binary data where there is room for it.

use super::shown::LandscapeComponent;
use super::tiles::Tiles;
use super::usd;
use crate::asset::gltf::{GltfError, MeshPart, SceneFile};
use crate::error::{Error, Result};
use crate::export::files::{Files, Target};
use crate::export::options::{ExportForm, Forms, HeightForm};
use crate::sink::Spool;
use crate::values::sink_error;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
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
    spool: Spool,
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
    pub(super) fn new(target: &Target, heights: HeightForm) -> Result<Self> {
        let (file, spool) = (SceneFile::default(), target.spool()?);
        Ok(Self {
            file,
            meshes: Vec::new(),
            materials: Vec::new(),
            spool,
            notes: BTreeSet::new(),
            landscapes: HashMap::new(),
            tiles: Tiles::new(target, heights)?,
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

    /// Moves the binary data so far out of the scene.
    pub(super) fn spool(&mut self) -> Result<()> {
        self.spool.append(&self.file.take_bytes())
    }

    /// Writes the file in each form that is wanted.
    pub(super) fn finish(&mut self, name: &str, forms: &Forms, files: &mut Files<'_>) -> Result<()> {
        self.spool()?;
        if forms.wants(ExportForm::Scene, false) {
            self.write_gltf(files)?;
        }
        if forms.wants(ExportForm::Usd, false) {
            usd::write(&self.file, name, &self.spool, files)?;
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
    fn copy(&self, out: &mut dyn Write) -> Result<()> {
        let mut buffer = vec![0; PIECE];
        for start in (0..self.spool.len()).step_by(PIECE) {
            let len = usize::try_from(self.spool.len() - start).unwrap_or(PIECE).min(PIECE);
            let piece = buffer.get_mut(..len).unwrap_or_default();
            self.spool.read_at(start, piece)?;
            out.write_all(piece).map_err(not_written)?;
        }
        Ok(())
    }
}

/// The error of writing to the sink.
fn not_written(error: io::Error) -> Error {
    sink_error(error, Path::new("a scene"))
}

/// An error about what glTF does not allow, in a level.
pub(super) fn broken(level: &str) -> impl Fn(GltfError) -> Error {
    let path = std::path::PathBuf::from(level);
    move |error| Error::io("write the scene of", &path)(io::Error::other(error))
}
