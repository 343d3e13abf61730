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

/// Purpose for which a container is mounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Its chunks are shown and unpacked.
    Content,
    /// It only lends names and packages to the others.
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
    /// The error that keeps its blocks from being decrypted.
    pub(super) locked: Option<Error>,
    /// Location of its files.
    pub(super) place: ContainerPlace,
    // Opened on first use: listing needs only the `.utoc`, and a partition may be missing.
    pub(super) source: OnceLock<Arc<dyn Source>>,
    /// True for a pak that holds package files; computed on first use.
    pub(super) has_package_files: OnceLock<bool>,
    /// Paths of packages, made from the names in their headers, for a container without a directory index.
    pub(super) package_paths: OnceLock<HashMap<PackageId, String>>,
    /// Failed hash checks of a pak's index.
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

    /// The purpose it is mounted for.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Its position in the mount order.
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

    /// The cipher of its blocks, if they are encrypted and a key fits.
    #[must_use]
    pub const fn cipher(&self) -> Option<&Cipher> {
        self.cipher.as_ref()
    }

    /// The error that keeps its blocks from being decrypted.
    #[must_use]
    pub const fn locked(&self) -> Option<&Error> {
        self.locked.as_ref()
    }

    /// True if it holds the game's global data.
    #[must_use]
    pub fn is_global(&self) -> bool {
        // Tables before version 2 record no container id, so there the file name decides.
        self.table.container_id() == Some(ContainerId::GLOBAL) || self.name().eq_ignore_ascii_case("global")
    }

    /// Its data; files are opened on first use.
    #[must_use]
    pub fn source(&self) -> Arc<dyn Source> {
        Arc::clone(self.source.get_or_init(|| self.place.data(&self.path, &self.table)))
    }

    /// Errors for parts of a pak's index that do not match their recorded hashes.
    pub fn index_errors(&self) -> impl Iterator<Item = Error> {
        let error =
            |mismatch: &IndexMismatch| Error::IndexHash { mismatch: *mismatch, path: self.path.clone() };
        self.index_mismatches.iter().map(error)
    }

    /// The hash function of its writer: the version's own, unless the smallest chunk proves that it was the other one.
    /// Third-party packers differ.
    #[must_use]
    pub fn hash_kind(&self) -> ChunkHashKind {
        let usual = self.table.chunk_hash_kind();
        // A pak's hashes are of stored bytes, whose function is fixed: there is nothing to find out.
        if matches!(self.table.hashed(), Hashed::Stored(_)) {
            return usual;
        }
        let evidence = || {
            let reader = self.reader();
            let chunk = reader.smallest()?;
            let expected = self.table.meta(chunk)?.hash;
            let content = reader.read(chunk, 0..u64::MAX, MAX_PROBE.into(), self.cipher.as_ref()).ok()?;
            // Engines before UE 5.0 recorded SHA-1, later ones BLAKE3; packers took either with either version.
            [ChunkHashKind::Blake3, ChunkHashKind::Sha1]
                .into_iter()
                .find(|kind| ChunkHash::of(*kind, &content) == expected)
        };
        evidence().unwrap_or(usual)
    }

    /// Reads part of a chunk, blocking. Fails if it is longer than the limit. Jobs on many chunks belong in the
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
            // A pak's hashes are of stored bytes, so `content` is of no use: the file is read again.
            Hashed::Stored(table) => check_file(&*self.source(), table, chunk),
        }
    }

    /// The first chunk of a kind, in table order.
    #[must_use]
    pub fn find_kind(&self, kind: ChunkKind) -> Option<ChunkIndex> {
        self.table.chunks().find(|chunk| self.table.chunk_kind(*chunk) == kind)
    }

    /// Version of its container header (`FIoContainerHeader`), read from its data; `None` if it has none or reading
    /// fails.
    #[must_use]
    pub fn header_version(&self) -> Option<ContainerHeaderVersion> {
        let chunk = self.find_kind(ChunkKind::ContainerHeader)?;
        // Magic and version are the first eight bytes; UE4 headers have no magic and are told by that.
        let start = self.read(chunk, 0..8, MAX_PROBE).ok()?;
        start.first_chunk().map(|start| ContainerHeaderVersion::sniff(*start))
    }

    /// True if it has packages, but no paths for them.
    pub(super) fn lacks_paths(&self) -> bool {
        self.table.iostore().is_some()
            && self.index.file_count() == 0
            && self.find_kind(ChunkKind::ExportBundleData).is_some()
    }

    fn reader(&self) -> ChunkReader<'_> {
        ChunkReader::new(&self.path, &self.table, self.source())
    }

    /// Sets the paths of packages by their ids; only the first call counts.
    pub(crate) fn set_package_paths(&self, paths: HashMap<PackageId, String>) {
        // A concurrent second caller has read the same names, so losing its result is harmless.
        let _ = self.package_paths.set(paths);
    }

    /// True if the container's own index gives the chunk a path.
    #[must_use]
    pub fn has_path(&self, chunk: ChunkIndex) -> bool {
        match &*self.table {
            Table::IoStore(_) => self.index.file_of(chunk).is_some(),
            Table::Pak(table) => chunk.0 < table.file_count(),
        }
    }

    /// Writes the path of a chunk, by the container's own index, into `path`, replacing its content; `false` if the
    /// index has none.
    pub fn path_into(&self, chunk: ChunkIndex, path: &mut String) -> bool {
        match &*self.table {
            Table::IoStore(_) => self.index.path_into(chunk, path),
            Table::Pak(table) => {
                table.index().path_into(FileIndex(chunk.0), path);
                // A pak whose directory index was stripped knows its files by hash only.
                !path.is_empty()
            }
        }
    }

    /// The error that keeps a chunk from being decrypted.
    #[must_use]
    pub fn locked_for(&self, chunk: ChunkIndex) -> Option<&Error> {
        // Empty chunks need no key. A container with nothing but such has no content that could prove a key, yet is
        // readable.
        let is_secret = || self.table.is_chunk_encrypted(chunk) && self.table.chunk_len(chunk) > 0;
        self.locked.as_ref().filter(|_| is_secret())
    }

    /// The root of its chunks' paths, as recorded in its index.
    #[must_use]
    pub fn mount_point(&self) -> &str {
        match &*self.table {
            Table::IoStore(_) => self.index.mount_point(),
            Table::Pak(table) => table.index().mount_point(),
        }
    }
}
