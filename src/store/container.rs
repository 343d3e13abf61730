use super::MountOrder;
use super::chunk_reader::{ChunkReader, MAX_PROBE, ReadLimit};
use super::place::ContainerPlace;
use crate::container::{ChunkIndex, DirectoryIndex};
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::{ChunkHash, ChunkKind, ContainerId, PackageId};
use crate::pak::{FileIndex, IndexMismatch};
use crate::pipeline::{Check, check_file};
use crate::source::Source;
use crate::table::{Hashed, Table};
use crate::version::{ChunkHashKind, ContainerHeaderVersion};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What a container is mounted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Its chunks are shown and unpacked.
    Content,
    /// It only lends its names and packages to the others.
    Base,
}

/// One opened container.
#[derive(Debug)]
pub struct Container {
    pub(super) path: PathBuf,
    pub(super) role: Role,
    pub(super) order: MountOrder,
    pub(super) table: Arc<Table>,
    pub(super) index: DirectoryIndex,
    pub(super) cipher: Option<Cipher>,
    /// Why the blocks cannot be decrypted, if they cannot.
    pub(super) locked: Option<Error>,
    /// Where its files are.
    pub(super) place: ContainerPlace,
    pub(super) source: OnceLock<Arc<dyn Source>>,
    /// Whether it is a pak with files of packages in it.
    pub(super) has_package_files: OnceLock<bool>,
    /// Paths of packages, made from the names in their headers, where the directory index has none.
    pub(super) package_paths: OnceLock<HashMap<PackageId, String>>,
    /// What is wrong with its index, if it is a pak.
    pub(super) index_mismatches: Vec<IndexMismatch>,
}

impl Container {
    /// The `.utoc`: a file, or the address of one on a server.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// File name without extension.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// What it is mounted for.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Its place in the mount order.
    #[must_use]
    pub const fn order(&self) -> &MountOrder {
        &self.order
    }

    /// Its table of contents.
    #[must_use]
    pub const fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Its directory index; empty if it has none, or if it is locked.
    #[must_use]
    pub const fn index(&self) -> &DirectoryIndex {
        &self.index
    }

    /// How its blocks are decrypted.
    #[must_use]
    pub const fn cipher(&self) -> Option<&Cipher> {
        self.cipher.as_ref()
    }

    /// Why its blocks cannot be decrypted, if they cannot.
    #[must_use]
    pub const fn locked(&self) -> Option<&Error> {
        self.locked.as_ref()
    }

    /// Whether it holds the game's global data.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.table.container_id() == Some(ContainerId::GLOBAL) || self.name().eq_ignore_ascii_case("global")
    }

    /// Its data; files are opened on first use.
    #[must_use]
    pub fn source(&self) -> Arc<dyn Source> {
        Arc::clone(self.source.get_or_init(|| self.place.data(&self.path, &self.table)))
    }

    /// Parts of its index that do not have the hash recorded for them, if it is a pak.
    pub fn index_errors(&self) -> impl Iterator<Item = Error> {
        let error =
            |mismatch: &IndexMismatch| Error::IndexHash { mismatch: *mismatch, path: self.path.clone() };
        self.index_mismatches.iter().map(error)
    }

    /// Which hash function its writer used: the one that the version calls for, unless the smallest chunk says that
    /// it was the other one. Third-party packers differ.
    #[must_use]
    pub fn hash_kind(&self) -> ChunkHashKind {
        let usual = self.table.chunk_hash_kind();
        if matches!(self.table.hashed(), Hashed::Stored(_)) {
            return usual;
        }
        let evidence = || {
            let reader = self.reader();
            let chunk = reader.smallest()?;
            let expected = self.table.meta(chunk)?.hash;
            let content = reader.read(chunk, 0..u64::MAX, MAX_PROBE.into(), self.cipher.as_ref()).ok()?;
            [ChunkHashKind::Blake3, ChunkHashKind::Sha1]
                .into_iter()
                .find(|kind| ChunkHash::of(*kind, &content) == expected)
        };
        evidence().unwrap_or(usual)
    }

    /// Reads part of a chunk, blocking. More bytes than the limit are an error; jobs on many chunks belong into the
    /// [pipeline](crate::pipeline).
    pub fn read<'a>(
        &self,
        chunk: ChunkIndex,
        range: Range<u64>,
        limit: impl Into<ReadLimit<'a>>,
    ) -> Result<Vec<u8>> {
        match self.locked_for(chunk) {
            Some(locked) => Err(locked.same_key_problem()),
            None => self.reader().read(chunk, range, limit.into(), self.cipher.as_ref()),
        }
    }

    /// Compares the whole content of a chunk with its recorded hash, blocking.
    #[must_use]
    pub fn check(&self, chunk: ChunkIndex, content: &[u8]) -> Check {
        match self.table.hashed() {
            Hashed::Content => Check::of(&self.table, chunk, self.table.chunk_hash_kind(), content),
            Hashed::Stored(table) => check_file(&*self.source(), table, chunk),
        }
    }

    /// The first chunk of a kind, in table order.
    #[must_use]
    pub fn find_kind(&self, kind: ChunkKind) -> Option<ChunkIndex> {
        self.table.chunks().find(|chunk| self.table.chunk_kind(*chunk) == kind)
    }

    /// Layout of its container header, read from the data; `None` if it has none or it cannot be read.
    #[must_use]
    pub fn header_version(&self) -> Option<ContainerHeaderVersion> {
        let chunk = self.find_kind(ChunkKind::ContainerHeader)?;
        let start = self.read(chunk, 0..8, MAX_PROBE).ok()?;
        start.first_chunk().map(|start| ContainerHeaderVersion::sniff(*start))
    }

    /// Whether it has packages, but no paths for them.
    pub(super) fn lacks_paths(&self) -> bool {
        self.table.iostore().is_some()
            && self.index.file_count() == 0
            && self.find_kind(ChunkKind::ExportBundleData).is_some()
    }

    fn reader(&self) -> ChunkReader<'_> {
        ChunkReader::new(&self.path, &self.table, self.source())
    }

    /// Gives paths to packages by their ids; only the first call counts.
    pub(crate) fn set_package_paths(&self, paths: HashMap<PackageId, String>) {
        // A second caller has read the same names.
        let _ = self.package_paths.set(paths);
    }

    /// Whether a chunk has a path of its own.
    #[must_use]
    pub fn has_path(&self, chunk: ChunkIndex) -> bool {
        match &*self.table {
            Table::IoStore(_) => self.index.file_of(chunk).is_some(),
            Table::Pak(table) => chunk.0 < table.file_count(),
        }
    }

    /// Writes the path of a chunk by the container's own index into `path`, replacing what it holds; `false` if it has
    /// none there.
    pub fn path_into(&self, chunk: ChunkIndex, path: &mut String) -> bool {
        match &*self.table {
            Table::IoStore(_) => self.index.path_into(chunk, path),
            Table::Pak(table) => {
                table.index().path_into(FileIndex(chunk.0), path);
                !path.is_empty()
            }
        }
    }

    /// Why a chunk cannot be decrypted, if it cannot.
    #[must_use]
    pub fn locked_for(&self, chunk: ChunkIndex) -> Option<&Error> {
        // A chunk without bytes takes no key; and if all are such, there is nothing that could prove one.
        let is_secret = || self.table.is_chunk_encrypted(chunk) && self.table.chunk_len(chunk) > 0;
        self.locked.as_ref().filter(|_| is_secret())
    }

    /// What the paths of its chunks are relative to, as it stands in its index.
    #[must_use]
    pub fn mount_point(&self) -> &str {
        match &*self.table {
            Table::IoStore(_) => self.index.mount_point(),
            Table::Pak(table) => table.index().mount_point(),
        }
    }
}
