//! Options for containers, and checks for impossible combinations.

use super::original::Original;
use crate::codec::Method;
use crate::container::toc::raw;
use crate::crypto::{AesKey, BLOCK_LEN};
use crate::error::{Error, PackProblem, Result};
use crate::id::Guid;
use crate::version::{Release, Releases, TocVersion};
use std::path::Path;
use std::sync::Arc;

/// Options for making a container.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Version of the table of contents; `None` for that of the packages' release.
    pub version: Option<TocVersion>,
    /// Compression of the blocks.
    pub method: Method,
    /// Compression level; `None` for the method's default.
    pub level: Option<i32>,
    /// Uncompressed size of a full block, in bytes: 1 to 0xFF_FFFF.
    pub block_size: u32,
    /// Largest size of a `.ucas`, in bytes; `None` for a single file.
    pub partition_size: Option<u64>,
    /// Encryption key and its GUID.
    pub key: Option<(Guid, AesKey)>,
    /// Path that all file paths are relative to.
    pub mount_point: String,
    /// True if chunks get paths in a directory index.
    pub directory_index: bool,
    /// Engine release of the game, if several share the version; `None` for the newest that the packages
    /// allow.
    pub engine: Option<&'static Release>,
    /// Container whose layout the new one follows.
    pub original: Option<Arc<Original>>,
    /// True if a missing `.pak` is written next to the container: games do not find one without it.
    pub companion: bool,
    /// Put files that no chunk of a container can be, such as texts, into the `.pak` beside it, instead of leaving them out.
    pub loose_beside: bool,
    /// True if files that exist once in a project are packed. They replace the game's.
    pub project_files: bool,
    /// Version of the empty container to write next to a pak, for games that only mount a pak with one;
    /// `None` for none.
    pub pak_table: Option<TocVersion>,
    /// True if an existing container is replaced.
    pub replace: bool,
    /// True if objections become warnings. An existing container is still an objection that stops the job.
    pub force: bool,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            version: None,
            method: Method::None,
            level: None,
            block_size: 64 << 10,
            partition_size: None,
            key: None,
            mount_point: "../../../".to_owned(),
            directory_index: true,
            engine: None,
            original: None,
            companion: false,
            loose_beside: false,
            project_files: false,
            pak_table: None,
            replace: false,
            force: false,
        }
    }
}

impl PackOptions {
    /// Version for containers without any evidence of a release: engines read older versions, but not newer
    /// ones.
    pub(super) const USUAL_VERSION: TocVersion = TocVersion::ReplaceIoChunkHashWithIoHash;

    /// Returns the version that is written.
    pub(super) fn version(&self) -> TocVersion {
        let of_engine = || self.engine.and_then(TocVersion::of_release);
        self.version.or_else(of_engine).unwrap_or(Self::USUAL_VERSION)
    }

    /// Options for a container with the layout of another, and its key if it is encrypted.
    #[must_use]
    pub fn like(original: &Arc<Original>) -> Self {
        let usual = Self { original: Some(Arc::clone(original)), ..Self::default() };
        let Some(toc) = original.toc() else { return usual };
        let mut methods = toc.methods().names().filter_map(Method::from_name);
        // An unlimited partition is stored as the largest size.
        let is_split = toc.version().has_partitions() && toc.partition_size() != u64::MAX;
        Self {
            version: Some(toc.version()),
            method: methods.find(|method| *method != Method::None).unwrap_or(Method::None),
            block_size: if toc.block_size() > 0 { toc.block_size() } else { usual.block_size },
            partition_size: is_split.then(|| toc.partition_size()),
            key: original.key(),
            directory_index: !toc.directory_index_bytes().is_empty(),
            ..usual
        }
    }

    /// Returns the version of the empty container that games of a release need next to a `.pak`; `None` if
    /// they need none.
    #[must_use]
    pub fn pak_table_of(release: &Release) -> Option<TocVersion> {
        let needs_one = Releases::needing_tables_beside_paks().iter().any(|other| other == release);
        TocVersion::of_release(release).filter(|_| needs_one)
    }

    /// Fails if no container can have these options. `toc_path` is for messages.
    pub(super) fn check(&self, toc_path: &Path) -> Result<()> {
        let (version, refused) =
            (self.version(), |problem| Err(Error::CannotPack { problem, path: toc_path.to_owned() }));
        if version.has_perfect_hash() && !version.has_perfect_hash_overflow() {
            // Such a table cannot hold chunks that the hash does not place, and no engine release uses it.
            return refused(PackProblem::Unwritable(version));
        }
        let toc_of_engine = self.engine.map(|release| (release, TocVersion::of_release(release)));
        if let Some((release, toc)) = toc_of_engine.filter(|(_, toc)| *toc != Some(version)) {
            return refused(PackProblem::VersionOfRelease { found: version, release, right: toc });
        }
        if !(1..=raw::Block::MAX_LEN).contains(&self.block_size) {
            return refused(PackProblem::BlockSize(self.block_size));
        }
        // A partition must hold at least one full block, since blocks never cross its end.
        let largest = u64::from(self.block_size).next_multiple_of(BLOCK_LEN as u64);
        if self.partition_size.is_some_and(|size| size < largest || !size.is_multiple_of(BLOCK_LEN as u64)) {
            return refused(PackProblem::PartitionSize);
        }
        if !version.has_partitions() && self.partition_size.is_some() {
            return refused(PackProblem::NoPartitions(version));
        }
        Ok(())
    }
}
