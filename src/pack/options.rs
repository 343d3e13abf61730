//! How a container is made, and what of it no container can be.

use super::original::Original;
use crate::codec::Method;
use crate::container::toc::raw;
use crate::crypto::{AesKey, BLOCK_LEN};
use crate::error::{Error, PackProblem, Result};
use crate::id::Guid;
use crate::version::{Release, Releases, TocVersion};
use std::path::Path;
use std::sync::Arc;

/// How a container is made.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Layout; `None` for that of the release that the packages are of.
    pub version: Option<TocVersion>,
    /// Compression of the blocks.
    pub method: Method,
    /// Its level; `None` for the method's usual one.
    pub level: Option<i32>,
    /// Uncompressed size of a full block, in bytes: 1 to 0xFF_FFFF.
    pub block_size: u32,
    /// Largest size of a `.ucas`, in bytes; `None` for a single file.
    pub partition_size: Option<u64>,
    /// Key and its GUID.
    pub key: Option<(Guid, AesKey)>,
    /// What paths are relative to.
    pub mount_point: String,
    /// Whether chunks get paths.
    pub directory_index: bool,
    /// The engine release of the game, where several share the layout; `None` for the newest that the packages allow.
    pub engine: Option<&'static Release>,
    /// A container that the new one is made like.
    pub original: Option<Arc<Original>>,
    /// Whether to write the `.pak` beside a container without which games do not find it, unless one is there.
    pub companion: bool,
    /// Packs files that the whole project has once, which take the place of those of the game.
    pub project_files: bool,
    /// The version of the empty container to write beside a pak, for games that mount a pak only with one; `None` for none.
    pub pak_table: Option<TocVersion>,
    /// Replaces a container that is there.
    pub replace: bool,
    /// Whether to pack what no game would take, and to replace a container that is there.
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
            project_files: false,
            pak_table: None,
            replace: false,
            force: false,
        }
    }
}

impl PackOptions {
    /// The layout of a container for which nothing names a release: engines refuse newer ones than their own, and take older ones.
    pub(super) const USUAL_VERSION: TocVersion = TocVersion::ReplaceIoChunkHashWithIoHash;

    /// Layout that is written.
    pub(super) fn version(&self) -> TocVersion {
        let of_engine = || self.engine.and_then(TocVersion::of_release);
        self.version.or_else(of_engine).unwrap_or(Self::USUAL_VERSION)
    }

    /// Options that make a container like another: of the same layout, with its key if it is encrypted.
    #[must_use]
    pub fn like(original: &Arc<Original>) -> Self {
        let usual = Self { original: Some(Arc::clone(original)), ..Self::default() };
        let Some(toc) = original.toc() else { return usual };
        let mut methods = toc.methods().names().filter_map(Method::from_name);
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

    /// The version of the empty container that games of a release need beside a `.pak`; `None` if they do without.
    #[must_use]
    pub fn pak_table_of(release: &Release) -> Option<TocVersion> {
        let needs_one = Releases::needing_tables_beside_paks().iter().any(|other| other == release);
        TocVersion::of_release(release).filter(|_| needs_one)
    }

    /// True if files that are there are replaced.
    pub(super) const fn replaces(&self) -> bool {
        self.force || self.replace
    }

    /// Whether a container can be made so; its path is for messages.
    pub(super) fn check(&self, toc_path: &Path) -> Result<()> {
        let (version, refused) =
            (self.version(), |problem| Err(Error::CannotPack { problem, path: toc_path.to_owned() }));
        if version.has_perfect_hash() && !version.has_perfect_hash_overflow() {
            // Its table cannot hold chunks that the hash does not place, and no engine was released with it.
            return refused(PackProblem::Unwritable(version));
        }
        let toc_of_engine = self.engine.map(|release| (release, TocVersion::of_release(release)));
        if let Some((release, toc)) = toc_of_engine.filter(|(_, toc)| *toc != Some(version)) {
            return refused(PackProblem::VersionOfRelease { found: version, release, right: toc });
        }
        if !(1..=raw::Block::MAX_LEN).contains(&self.block_size) {
            return refused(PackProblem::BlockSize(self.block_size));
        }
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
