//! Folder that becomes a container: its files, the headers of its packages, and their chunks.

use super::files::{OwnNames, PackFile, identify, is_container_header};
use super::input::Input;
use super::objections::Objections;
use super::options::PackOptions;
use super::packages::{self, Named, Package};
use super::packed::SkipReason;
use super::pak_entry::PakFile;
use super::walk::{LeftOut, LooseFile, all_files, leave_out_sidecars};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, RawChunkId};
use crate::identify::has_extension;
use crate::job::Cpu;
use crate::objection::Objection;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Contents of a folder. Nothing in it depends on the version of the new container.
pub(super) struct Folder {
    files: Vec<LooseFile>,
    /// Facts from package headers, for each file.
    named: Vec<Option<Named>>,
    /// Container headers. They complete the facts about packages, and are rewritten.
    pub headers: Vec<PathBuf>,
    left_out: LeftOut,
}

/// Chunks that a folder becomes.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Files that become chunks, sorted by path.
    pub files: Vec<PackFile>,
    /// Their packages, sorted by id.
    pub packages: Vec<Package>,
    /// Files that cannot be chunks, with the reason.
    pub left_out: LeftOut,
    /// Files for the `.pak` beside the container.
    pub beside: Vec<PakFile>,
}

impl Folder {
    /// Lists a folder, and reads the headers of its packages.
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
        // Container headers alone are enough for a container with nothing but its header.
        if files.is_empty() && headers.is_empty() {
            return Err(Error::NothingToPack { path: folder.to_owned() });
        }
        let named = packages::read(&files, cpu)?;
        let headers = headers.into_iter().map(|file| file.source).collect();
        Ok(Self { files, named, headers, left_out })
    }

    /// Returns its packages, in the order of their paths.
    pub(super) fn packages(&self) -> impl Iterator<Item = &Package> {
        self.named.iter().flatten().filter_map(|named| named.package.as_ref().ok())
    }

    /// Returns its files: their paths below the mount point, and on disk.
    pub(super) fn places(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.files.iter().map(LooseFile::place)
    }

    /// Assigns files to chunks. Objects to files with the name of a package and other content.
    pub(super) fn into_chunks(self, options: &PackOptions, cpu: &Cpu, objections: &mut Objections) -> Chunks {
        let mut names = OwnNames::default();
        // All names before the first id: bulk data may sort before the package that names it.
        for (file, named) in self.files.iter().zip(&self.named) {
            if let Some(name) = named.as_ref().and_then(|named| named.name.as_deref()) {
                names.add(&file.path, name);
            }
        }
        // In parallel, since shader libraries have to be read for their ids.
        let identities = cpu.map(&self.files, |file| identify(file, &names, options));
        let mut chunks = Chunks { left_out: self.left_out, ..Chunks::default() };
        let mut seen: HashMap<RawChunkId, PathBuf> = HashMap::new();
        for ((file, named), identity) in self.files.into_iter().zip(self.named).zip(identities) {
            let LooseFile { source, len, path: below } = file;
            // A game looks for texts in paks only, though a container could hold them.
            let is_text = has_extension(&source, &["locres", "locmeta"]);
            let has_place = options.loose_beside || options.companion && options.original.is_none();
            if is_text && has_place || identity.is_none() && options.loose_beside {
                chunks.beside.push(PakFile { path: below, input: Input::file(source, len) });
                continue;
            }
            let Some((id, kind, path)) = identity else {
                chunks.left_out.push((source, SkipReason::NoChunkType(options.version())));
                continue;
            };
            // The first of two files keeps the id: their order is that of the paths, so the choice is stable.
            if let Some(first) = seen.get(&id) {
                chunks.left_out.push((source, SkipReason::SameChunkId { id, first: first.clone() }));
                continue;
            }
            match named.map(|named| named.package) {
                Some(Ok(package)) if kind == ChunkKind::ExportBundleData => {
                    // The index distinguishes an optional segment from its package.
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
