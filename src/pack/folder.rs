//! A folder that becomes a container: its files, what the packages among them say, and which chunks they are.

use super::files::{OwnNames, PackFile, identify, is_container_header};
use super::input::Input;
use super::objections::Objections;
use super::options::PackOptions;
use super::packages::{self, Named, Package};
use super::packed::SkipReason;
use super::walk::{LeftOut, LooseFile, all_files, leave_out_sidecars};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, RawChunkId};
use crate::job::Cpu;
use crate::objection::Objection;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A folder that was looked through. Nothing in it depends on the version of the container that is made of it.
pub(super) struct Folder {
    files: Vec<LooseFile>,
    /// Facts in the headers of packages, for each file.
    named: Vec<Option<Named>>,
    /// Container headers, which say something about packages, but are made anew.
    pub headers: Vec<PathBuf>,
    left_out: LeftOut,
}

/// The chunks that a folder becomes.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Files that become chunks, sorted by path.
    pub files: Vec<PackFile>,
    /// Packages among them, sorted by their ids.
    pub packages: Vec<Package>,
    /// Files that cannot be chunks, and why.
    pub left_out: LeftOut,
}

impl Folder {
    /// Finds the files of a folder, and reads the headers of its packages.
    pub(super) fn read(
        folder: &Path,
        mount_point: &str,
        cpu: &Cpu,
        objections: &mut Objections,
    ) -> Result<Self> {
        let (mut files, left_out) = all_files(folder, mount_point)?;
        leave_out_sidecars(&mut files, objections);
        let (headers, files): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| is_container_header(&file.path));
        if files.is_empty() && headers.is_empty() {
            return Err(Error::NothingToPack { path: folder.to_owned() });
        }
        let named = packages::read(&files, cpu)?;
        let headers = headers.into_iter().map(|file| file.source).collect();
        Ok(Self { files, named, headers, left_out })
    }

    /// Its packages, in the order of their paths.
    pub(super) fn packages(&self) -> impl Iterator<Item = &Package> {
        self.named.iter().flatten().filter_map(|named| named.package.as_ref().ok())
    }

    /// Its files: their paths below the mount point, and where they lie.
    pub(super) fn places(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.files.iter().map(LooseFile::place)
    }

    /// Identifies the chunks that its files become. What is named like a package, but is not one, is objected to.
    pub(super) fn into_chunks(self, options: &PackOptions, cpu: &Cpu, objections: &mut Objections) -> Chunks {
        let mut names = OwnNames::default();
        for (file, named) in self.files.iter().zip(&self.named) {
            if let Some(name) = named.as_ref().and_then(|named| named.name.as_deref()) {
                names.add(&file.path, name);
            }
        }
        // Shader libraries are opened for it, so all threads do it.
        let identities = cpu.map(&self.files, |file| identify(file, &names, options));
        let mut chunks = Chunks { left_out: self.left_out, ..Chunks::default() };
        let mut seen: HashMap<RawChunkId, PathBuf> = HashMap::new();
        for ((file, named), identity) in self.files.into_iter().zip(self.named).zip(identities) {
            let LooseFile { source, len, .. } = file;
            let Some((id, kind, path)) = identity else {
                chunks.left_out.push((source, SkipReason::NoChunkType(options.version())));
                continue;
            };
            if let Some(first) = seen.get(&id) {
                chunks.left_out.push((source, SkipReason::SameChunkId { id, first: first.clone() }));
                continue;
            }
            match named.map(|named| named.package) {
                Some(Ok(package)) if kind == ChunkKind::ExportBundleData => {
                    chunks.packages.push(Package { id: id.package(), optional: id.index() != 0, ..package });
                }
                Some(Err(objection))
                    if kind == ChunkKind::ExportBundleData || matches!(objection, Objection::LegacyAsset) =>
                {
                    objections.add(objection, &source);
                }
                _ => {}
            }
            seen.insert(id, source.clone());
            chunks.files.push(PackFile { input: Input::file(source, len), path, id, kind });
        }
        chunks.packages.sort_unstable_by_key(|package| package.id);
        chunks
    }
}
