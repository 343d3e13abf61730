//! Packing of content that is not in files, such as changed packages.

use super::engine;
use super::files::PackFile;
use super::input::{Input, Make};
use super::job::{Beside, PackJob};
use super::objections::Objections;
use super::old_headers::OldHeaders;
use super::options::PackOptions;
use super::packages::{self, Imports};
use super::packed::Packed;
use super::pak::{existing, publish, write_pak};
use super::pak_entry::PakFile;
use super::standing::{object_to_container, object_to_pak};
use super::target::{container_id, make_folder, object_to_existing};
use super::to_zen::BaseGame;
use crate::container::container_header::ContainerHeader;
use crate::error::{Error, Result};
use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::job::Context;
use crate::package::zen::Header;
use crate::source::Shelved;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// File of a mod, with its content.
#[derive(Debug, Clone)]
pub struct ModFile {
    /// Path below the mount point.
    pub path: String,
    /// Content.
    pub content: Shelved,
}

/// Zen package of a mod.
#[derive(Debug, Clone)]
pub struct ModPackage {
    /// The package itself.
    pub file: ModFile,
    /// The packages that it imports, if they are not those that its old container lists.
    pub imported: Option<Vec<PackageId>>,
    /// Its bulk data for the same container: kind of chunk and chunk index.
    pub bulk: Vec<(ChunkKind, u16, ModFile)>,
}

impl Make for Shelved {
    fn open(&self) -> Result<Box<dyn Read + Send + '_>> {
        Ok(self.open_at(0))
    }
}

/// Packs zen packages into `toc_path`, its `.ucas` files and its `.pak`. `before` are the headers of the
/// containers that they come from: these hold facts that packages lack. `game` is the game that they are for.
pub async fn pack_packages(
    packages: &[ModPackage],
    before: Vec<ContainerHeader>,
    toc_path: &Path,
    options: &PackOptions,
    game: Option<&BaseGame>,
    context: &Context,
) -> Result<Packed> {
    let mut job = PackJob::begin(toc_path, options, context)?;
    let (mut files, mut of_store) = (Vec::new(), Vec::new());
    let numbering = options.version().chunk_kind_numbering();
    let chunk = |id: PackageId, kind: ChunkKind, index: u16, file: &ModFile| PackFile {
        input: file.into(),
        path: Some(file.path.clone()),
        id: RawChunkId::new(id.0, index, kind.to_wire(numbering).unwrap_or_default()),
        kind,
    };
    for ModPackage { file, imported, bulk } in packages {
        let found = Header::parse(&file.content.bytes()?);
        let found = found.map_err(Error::malformed("zen package", Path::new(&file.path)))?;
        // The package's own name determines the id, whatever its path.
        let package = chunk(found.id(), ChunkKind::ExportBundleData, 0, file);
        let mut facts = packages::of_header(&found, &package.input.source, package.input.len);
        if let Some(imported) = imported {
            facts.imports = Imports::Known(imported.clone());
        }
        of_store.push(facts);
        files.push(package);
        files.extend(bulk.iter().map(|(kind, index, file)| chunk(found.id(), *kind, *index, file)));
    }
    // Container headers list packages by ascending id.
    of_store.sort_unstable_by_key(|package| package.id);
    if let Some(game) = game {
        let ids = of_store.iter().map(|package| package.id);
        object_to_container(game, toc_path, container_id(toc_path, options), ids, &mut job.objections);
    }
    let old = OldHeaders::of(before);
    let verdict = engine::of_packages(options, of_store.iter(), &old);
    let header = job.header(&of_store, &old, &verdict);
    job.finish(files, Some(header), Beside::Companion).await
}

/// Packs files into a pak. `game` is the game that it is for.
pub async fn pack_files(
    files: &[ModFile],
    pak: &Path,
    options: &PackOptions,
    game: Option<&BaseGame>,
    context: &Context,
) -> Result<Packed> {
    let mut objections = Objections::default();
    object_to_existing(&existing(pak), &mut objections)?;
    if let Some(game) = game {
        object_to_pak(game, pak, files.iter().map(|file| &*file.path), &mut objections);
    }
    // Nothing is written before this point.
    let warnings = objections.settle(options)?;
    make_folder(pak)?;
    let raw_bytes = files.iter().map(|file| file.content.len()).sum();
    let of_pak: Vec<PakFile> = files.iter().map(PakFile::from).collect();
    let staged = write_pak(pak, of_pak, options, context).await?;
    let stored_bytes = staged.file().metadata().map_err(Error::io("write", pak))?.len();
    publish(pak, staged, options, context).await?;
    let chunks = files.len() as u64;
    Ok(Packed { chunks, raw_bytes, stored_bytes, partitions: 1, warnings, ..Packed::default() })
}

impl From<&ModFile> for PakFile {
    fn from(file: &ModFile) -> Self {
        Self { input: file.into(), path: file.path.clone() }
    }
}

impl From<&ModFile> for Input {
    fn from(file: &ModFile) -> Self {
        Self {
            source: file.path.clone().into(),
            len: file.content.len(),
            made: Some(Arc::new(file.content.clone())),
        }
    }
}
