//! Writes edited packages as a mod or as files.

use super::change::Editing;
use super::edited::Edited;
use super::kept::{KeptForm, KeptZen};
use crate::asset::texture::FileKey;
use crate::error::{Error, PackProblem, Result};
use crate::id::ChunkKind;
use crate::job::Context;
use crate::objection::{Finding, Objection};
use crate::pack::{
    BaseGame, ModFile, ModPackage, PackOptions, Packed, ToZenInput, pack_files, pack_packages, to_zen,
};
use crate::sink::{DirectorySink, OutputPath, Overwrite, Sink, put_together};
use crate::store::package_path;
use crate::values::bulk::chunk_kind;
use crate::version::{Release, TocVersion};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Target of edited packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditOutput {
    /// A new container, by its `.utoc`.
    Container(PathBuf),
    /// A pak, by its path.
    Pak(PathBuf),
    /// Files below a folder.
    Folder(PathBuf),
}

/// Options for writing.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The release to write the container for; by default that of the game.
    pub release: Option<&'static Release>,
    /// The game of the packages: a mod has to win over it, and zen packages are made for it.
    pub game: Option<Arc<BaseGame>>,
    /// Replace existing files.
    pub replace: bool,
    /// Write even if the game would reject the result.
    pub force: bool,
}

/// The result of writing.
#[derive(Debug, Default)]
pub struct Saved {
    /// Paths of the files written, or of those in the container.
    pub paths: Vec<String>,
    /// Total length of the files, in bytes.
    pub bytes: u64,
    /// Number of packages that could not be converted, and were left out.
    pub left_out: u64,
    /// Reasons why the game may reject the result.
    pub warnings: Vec<Finding>,
}

impl Editing {
    /// Writes edited packages.
    pub async fn save(
        &self,
        edited: &[Edited],
        output: &EditOutput,
        options: &SaveOptions,
        context: &Context,
    ) -> Result<Saved> {
        // `None` if any of them is not a zen package: only all-zen edits can go to a container as they are.
        let zen: Option<Vec<_>> = edited.iter().map(|edited| edited.content.zen()).collect();
        let target = match (output, zen) {
            (EditOutput::Container(toc), Some(zen)) => {
                return self.to_container(edited, &zen, toc, options, context).await;
            }
            (EditOutput::Folder(folder), _) => {
                // A path inside the game is preferred, but any folder will do for loose files.
                let path = |edited: &Edited| edited.game_path().or_else(|_| Ok(edited.path.clone()));
                let files = self.files(edited, path)?;
                to_folder(&files, folder, options.replace)?;
                return Ok(saved(&files, Packed::default()));
            }
            (EditOutput::Container(path) | EditOutput::Pak(path), _) => path,
        };
        let files = self.files(edited, Edited::game_path)?;
        let packing = pack_options(options);
        let packed = if matches!(output, EditOutput::Pak(_)) {
            pack_files(&files, target, &packing, options.game.as_deref(), context).await?
        } else {
            // If any package is cooked, all are converted to zen packages on the way.
            let inputs = [ToZenInput::Memory(files.clone())];
            let limit = self.library.packages().limit();
            let game = options.game.clone().filter(|game| game.toc_version().is_some());
            let made = to_zen(&inputs, target, &packing, game, limit, context).await?;
            let left_out = made.left_out;
            return Ok(Saved { left_out, ..saved(&files, made.packed) });
        };
        Ok(saved(&files, packed))
    }

    async fn to_container(
        &self,
        edited: &[Edited],
        zen: &[&KeptZen],
        toc: &Path,
        options: &SaveOptions,
        context: &Context,
    ) -> Result<Saved> {
        // A package may have been edited from several containers; the new one needs one version, so the first decides.
        let containers: BTreeSet<usize> = zen.iter().filter_map(|zen| zen.container).collect();
        let package = |(edited, zen): (&Edited, &&KeptZen)| -> Result<ModPackage> {
            let path = edited.game_path()?;
            let bulk = edited.bulk_chunks(&path);
            let imported = zen.imported.clone();
            Ok(ModPackage { file: ModFile { path, content: zen.chunk.clone() }, imported, bulk })
        };
        let files = edited.iter().zip(zen).map(package).collect::<Result<Vec<_>>>()?;
        let packages = self.library.packages();
        let all = packages.store().containers();
        let version_of = |at: &usize| Some(all.get(*at)?.table().iostore()?.version());
        let version = containers.iter().find_map(version_of);
        let version = version.or_else(|| TocVersion::of_release(options.release?));
        let version = version.ok_or_else(|| Error::CannotPack {
            problem: PackProblem::ReleaseUnknown,
            path: toc.to_owned(),
        })?;
        // Store entries of the old container headers tell imports that the new header has to repeat.
        let before = containers.iter().filter_map(|at| packages.container_header(*at)).cloned().collect();
        let packing = PackOptions { version: Some(version), ..pack_options(options) };
        let packed = pack_packages(&files, before, toc, &packing, options.game.as_deref(), context).await?;
        let bulk =
            |package: &ModPackage| package.bulk.iter().map(|(.., file)| file.clone()).collect::<Vec<_>>();
        let all: Vec<ModFile> = files
            .iter()
            .flat_map(|package| std::iter::once(package.file.clone()).chain(bulk(package)))
            .collect();
        Ok(saved(&all, packed))
    }

    /// The packages in the form a cooker writes, at the paths given by `path`.
    fn files(&self, edited: &[Edited], path: impl Fn(&Edited) -> Result<String>) -> Result<Vec<ModFile>> {
        let mut files = Vec::new();
        for edited in edited {
            let (header, exports) = match &edited.content.form {
                KeptForm::Legacy(header, exports) => (header.clone(), exports.clone()),
                KeptForm::Zen(zen) => {
                    let place = Path::new(&edited.path);
                    let [header, exports] = self.library.legacy_files(&zen.raw()?, place)?;
                    (self.shelf.keep(header)?, Some(self.shelf.keep(exports)?))
                }
            };
            let path = path(edited)?;
            let exports_path = format!("{}.uexp", package_path::strip_extensions(&path));
            let stem = package_path::strip_extensions(&path).to_owned();
            files.push(ModFile { path, content: header });
            files.extend(exports.map(|content| ModFile { path: exports_path, content }));
            for (extension, bytes) in self.library.bulk_files(&edited.item)? {
                // Bulk data that the edit replaced is added below, so the old file is left out.
                if !edited.content.files.keys().any(|key| key.extension() == extension) {
                    let content = self.shelf.keep(bytes)?;
                    files.push(ModFile { path: format!("{stem}.{extension}"), content });
                }
            }
            files.extend(edited.new_files(&stem).map(|(_, file)| file));
        }
        Ok(files)
    }
}

fn to_folder(files: &[ModFile], folder: &Path, replace: bool) -> Result<()> {
    let sink = DirectorySink::open(folder)?;
    let paths: Vec<OutputPath> = files.iter().map(|file| OutputPath::sanitize(&file.path)).collect();
    // All paths are checked before the first file is written: a refused job leaves the folder as it was.
    if let Some(path) = paths.iter().find(|path| !replace && sink.exists(path)) {
        let exists = Finding::new(Objection::Exists, &folder.join(path.as_str()));
        return Err(Error::Refused { reasons: vec![exists] });
    }
    let files: Vec<(&OutputPath, &ModFile)> = paths.iter().zip(files).collect();
    // Files of a package follow its header. Each package is replaced as a whole, so no half-new package is left behind.
    for package in files.chunk_by(|_, (path, _)| !is_header(path.as_str())) {
        let content = package.iter().map(|(_, file)| file.content.bytes()).collect::<Result<Vec<_>>>()?;
        let paths = package.iter().map(|(path, _)| *path);
        let package: Vec<(&OutputPath, &[u8])> = paths.zip(content.iter().map(|bytes| &**bytes)).collect();
        put_together(&sink, &package, Overwrite::Always)?;
    }
    Ok(())
}

fn is_header(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| ["uasset", "umap"].iter().any(|of| extension.eq_ignore_ascii_case(of)))
}

fn pack_options(options: &SaveOptions) -> PackOptions {
    let SaveOptions { release, replace, force, .. } = *options;
    let pak_table = match release {
        Some(release) => PackOptions::pak_table_of(release),
        // Without a release the mod gets the form of the game's own paks.
        None => options.game.as_ref().and_then(|game| game.pak_table()),
    };
    PackOptions { engine: release, pak_table, replace, force, ..PackOptions::default() }
}

fn saved(files: &[ModFile], packed: Packed) -> Saved {
    Saved {
        paths: files.iter().map(|file| file.path.clone()).collect(),
        bytes: files.iter().map(|file| file.content.len()).sum(),
        left_out: 0,
        warnings: packed.warnings,
    }
}

impl Edited {
    /// New files beside the package, at this path without its extension. Empty ones are left out: nothing refers to them.
    fn new_files(&self, stem: &str) -> impl Iterator<Item = (&FileKey, ModFile)> {
        self.content.files.iter().filter(|(_, content)| !content.is_empty()).map(move |(key, content)| {
            (key, ModFile { path: format!("{stem}.{}", key.extension()), content: content.clone() })
        })
    }

    /// Its new bulk data, as chunks of a container.
    fn bulk_chunks(&self, path: &str) -> Vec<(ChunkKind, u16, ModFile)> {
        let stem = package_path::strip_extensions(path);
        let chunk =
            |(key, file): (&FileKey, _)| Some((chunk_kind(key.place)?, key.cooked_index.into(), file));
        self.new_files(stem).filter_map(chunk).collect()
    }

    /// The path below the mount point: from the container, or from the folders of the file.
    fn game_path(&self) -> Result<String> {
        let full = self.item.full_path();
        let path = package_path::below_mount_point(&full);
        path.filter(|path| is_header(path)).map(str::to_owned).ok_or_else(|| Error::CannotPack {
            problem: PackProblem::PlaceUnknown,
            path: self.item.name.clone().into(),
        })
    }
}
