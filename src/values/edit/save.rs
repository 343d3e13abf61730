//! A changed package as a mod, or as files.

use super::change::{Edited, Editing};
use crate::error::{Error, Result};
use crate::pack::{BaseGame, MemoryFile, PackOptions, Packed, ToZenInput, pack_files, pack_packages, to_zen};
use crate::pipeline::Cpu;
use crate::report::Observer;
use crate::sink::{DirectorySink, OutputPath, Sink};
use crate::store::package_path;
use crate::values::load::RawPackage;
use crate::version::{Release, TocVersion};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a changed package goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditOutput {
    /// A container of its own, by its `.utoc`.
    Container(PathBuf),
    /// A pak, by its path.
    Pak(PathBuf),
    /// Files below a folder.
    Folder(PathBuf),
}

/// How it is written.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    /// The release that the container is for; without it, that of the game.
    pub release: Option<&'static Release>,
    /// The containers of the game, for a package that becomes a zen package.
    pub game: Option<Arc<BaseGame>>,
    /// Replace what is there.
    pub force: bool,
}

/// What was written.
#[derive(Debug, Default)]
pub struct Saved {
    /// The paths of the files that were written, or that are in the container.
    pub paths: Vec<String>,
    /// Bytes of its files.
    pub bytes: u64,
    /// What games may not take.
    pub warnings: Vec<String>,
}

impl Editing {
    /// Writes changed packages.
    pub fn save(
        &self,
        edited: &[Edited],
        output: &EditOutput,
        options: &SaveOptions,
        cpu: &Cpu,
        observer: &dyn Observer,
    ) -> Result<Saved> {
        match output {
            EditOutput::Container(toc) => self.to_container(edited, toc, options, cpu, observer),
            EditOutput::Pak(pak) => {
                let files = self.files(edited, Edited::game_path)?;
                let packed = pack_files(&files, pak, &pack_options(options), cpu, observer)?;
                Ok(saved(&files, packed))
            }
            EditOutput::Folder(folder) => {
                let files =
                    self.files(edited, |edited| edited.game_path().or_else(|_| Ok(edited.path.clone())))?;
                to_folder(&files, folder, options.force)?;
                Ok(saved(&files, Packed::default()))
            }
        }
    }

    fn to_container(
        &self,
        edited: &[Edited],
        toc: &Path,
        options: &SaveOptions,
        cpu: &Cpu,
        observer: &dyn Observer,
    ) -> Result<Saved> {
        let (mut files, mut containers) = (Vec::new(), BTreeSet::new());
        for found in edited {
            let RawPackage::Zen(chunk, container) = &found.raw else {
                return self.cooked_to_container(edited, toc, options, cpu, observer);
            };
            containers.extend(container);
            files.push(MemoryFile { path: found.game_path()?, bytes: chunk.as_slice().into() });
        }
        let packages = self.library.packages();
        let all = packages.store().containers();
        let version_of = |at: &usize| Some(all.get(*at)?.table().iostore()?.version());
        let version = containers.iter().find_map(version_of);
        let version = version.or_else(|| TocVersion::of_release(options.release?));
        let version = version.ok_or_else(|| Error::CannotPack {
            reason: "the engine release is not known; name it".to_owned(),
            path: toc.to_owned(),
        })?;
        let before = containers.iter().filter_map(|at| packages.container_header(*at)).cloned().collect();
        let pack_options = PackOptions { version, ..pack_options(options) };
        let packed = pack_packages(&files, before, toc, &pack_options, cpu, observer)?;
        Ok(saved(&files, packed))
    }

    /// Where one package is cooked, all become zen packages on the way.
    fn cooked_to_container(
        &self,
        edited: &[Edited],
        toc: &Path,
        options: &SaveOptions,
        cpu: &Cpu,
        observer: &dyn Observer,
    ) -> Result<Saved> {
        let files = self.files(edited, Edited::game_path)?;
        let limit = self.library.packages().limit();
        let inputs = [ToZenInput::Memory(files.clone())];
        let game = options.game.clone();
        let made = to_zen(&inputs, toc, &pack_options(options), game, limit, cpu, observer)?;
        Ok(saved(&files, made.packed))
    }

    /// The packages as a cooker writes them, at these paths.
    fn files(&self, edited: &[Edited], path: impl Fn(&Edited) -> Result<String>) -> Result<Vec<MemoryFile>> {
        let mut files = Vec::new();
        for edited in edited {
            let (header, exports) = match &edited.raw {
                RawPackage::Legacy(header, exports) => (header.clone(), exports.clone()),
                RawPackage::Zen(chunk, container) => {
                    let place = Path::new(&edited.path);
                    let [header, exports] = self.library.legacy_files(chunk, *container, place)?;
                    (header, Some(exports))
                }
            };
            let path = path(edited)?;
            let exports_path = format!("{}.uexp", package_path::strip_extensions(&path));
            files.push(MemoryFile { path, bytes: header.into() });
            files.extend(exports.map(|exports| MemoryFile { path: exports_path, bytes: exports.into() }));
        }
        Ok(files)
    }
}

fn to_folder(files: &[MemoryFile], folder: &Path, force: bool) -> Result<()> {
    let sink = DirectorySink::open(folder)?;
    let paths: Vec<OutputPath> = files.iter().map(|file| OutputPath::sanitize(&file.path)).collect();
    if let Some(path) = paths.iter().find(|path| !force && sink.exists(path)) {
        let reasons = vec![format!("exists already: {}", folder.join(path.as_str()).display())];
        return Err(Error::Refused { reasons });
    }
    for (file, path) in files.iter().zip(paths) {
        let staged = sink.create(&path, file.bytes.len() as u64)?;
        staged.write_at(0, &file.bytes)?;
        staged.commit()?;
    }
    Ok(())
}

fn pack_options(options: &SaveOptions) -> PackOptions {
    PackOptions { engine: options.release, force: options.force, ..PackOptions::default() }
}

fn saved(files: &[MemoryFile], packed: Packed) -> Saved {
    Saved {
        paths: files.iter().map(|file| file.path.clone()).collect(),
        bytes: files.iter().map(|file| file.bytes.len() as u64).sum(),
        warnings: packed.warnings,
    }
}

impl Edited {
    /// The path below the mount point: that in the container, or what the folders of a file say.
    fn game_path(&self) -> Result<String> {
        let name = self.item.full_path();
        let below = name.trim_start_matches("../").trim_start_matches('/');
        let parts: Vec<&str> = below.split('/').collect();
        let is_content = |part: &&str| part.eq_ignore_ascii_case("Content");
        let content = parts.iter().rposition(is_content).filter(|at| *at > 0);
        // A plugin lies in a project, or in the engine.
        let is_plugins = |part: &&str| part.eq_ignore_ascii_case("Plugins");
        let plugins = content.and_then(|at| parts.iter().take(at).position(is_plugins)).filter(|at| *at > 0);
        let start = plugins.or(content).map(|at| at - 1);
        let path = start.and_then(|at| parts.get(at..)).map(|parts| parts.join("/"));
        let is_package = |path: &String| {
            let extension = path.rsplit_once('.').map(|(_, extension)| extension);
            extension.is_some_and(|extension| {
                ["uasset", "umap"].iter().any(|of| extension.eq_ignore_ascii_case(of))
            })
        };
        path.filter(is_package).ok_or_else(|| Error::CannotPack {
            reason: "its place in the game is not known: it has to lie in the folder Content of a project"
                .to_owned(),
            path: self.item.name.clone().into(),
        })
    }
}
