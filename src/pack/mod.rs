//! Makes containers: the mirror of everything below.
//!
//! ```text
//! folder ──► files ──────────► blocks ───────────────────► .ucas, _s1.ucas, …
//!            id, kind, path    compress · encrypt · pad     └─► .utoc (blocks, hashes, index)
//! ```
//!
//! Packages and their bulk data get the ids that the engine would look them up by; other files become external
//! files; `chunks/<id>.<type>` keeps its id, so that what `unpack` writes packs again. The last chunk is a container
//! header for the packages inside, without which a game finds none of them; it stays uncompressed. Stored blocks follow
//! the engine's rules: aligned to 16 bytes, padded with the block's own bytes repeated, never across partitions, and a
//! block that does not get smaller is stored as it is.
//!
//! Cooked assets become packages of a container on the way ([`to_zen()`]), and containers that are there can be checked for what
//! makes games crash on mods or ignore them ([`check()`]).
//!
//! What no game would take is refused by name, unless the options say otherwise. A container appears whole, or not at all.

mod blocks;
mod check;
mod data;
mod engine;
mod files;
mod header;
mod load_order;
mod objections;
mod old_headers;
mod packages;
mod pak;
mod staging;
mod to_zen;
mod walk;
mod write;

use crate::codec::Method;
use crate::container::toc::raw;
use crate::crypto::{AesKey, BLOCK_LEN};
use crate::error::{Error, Result};
use crate::id::{ContainerId, Guid};
use crate::pipeline::Cpu;
use crate::report::Observer;
use crate::version::{EngineRange, Release, TocVersion};
pub use check::{Checked, check};
use files::find_files;
use objections::{Objection, Objections};
use old_headers::OldHeaders;
pub use pak::{pack_pak, write_companion};
use std::path::{Path, PathBuf};
pub use to_zen::{BaseGame, ToZenInput, Zenned, to_zen};
use write::Content;

/// How a container is made.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Layout.
    pub version: TocVersion,
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
    /// Whether to pack what no game would take, and to replace a container that is there.
    pub force: bool,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            version: TocVersion::ReplaceIoChunkHashWithIoHash,
            method: Method::None,
            level: None,
            block_size: 64 << 10,
            partition_size: None,
            key: None,
            mount_point: "../../../".to_owned(),
            directory_index: true,
            engine: None,
            force: false,
        }
    }
}

/// Files that were left out, and why.
type LeftOut = Vec<(PathBuf, String)>;

/// What was made.
#[derive(Debug, Default)]
pub struct Packed {
    /// Chunks in the container.
    pub chunks: u64,
    /// Their uncompressed bytes.
    pub raw_bytes: u64,
    /// Bytes of all `.ucas` files.
    pub stored_bytes: u64,
    /// Number of `.ucas` files.
    pub partitions: u32,
    /// Files that were left out, and why.
    pub skipped: Vec<(PathBuf, String)>,
    /// What was done otherwise than one might expect, and what games will not take.
    pub warnings: Vec<String>,
}

/// Packs the files of a folder into `toc_path` and the `.ucas` files beside it. All appear together, at the end; missing
/// folders above them are made.
pub fn pack(
    folder: &Path,
    toc_path: &Path,
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    check_options(toc_path, options)?;
    let mut objections = Objections::default();
    object_to_target(toc_path, options, &mut objections)?;
    let found = find_files(folder, options)?;
    if found.files.is_empty() && found.headers.is_empty() {
        return Err(Error::NothingToPack { path: folder.to_owned() });
    }
    let container = container_id_of(toc_path);
    let mut warnings = Vec::new();
    let packages = packages::read(&found.files, cpu, &mut objections)?;
    let old = OldHeaders::read(&found.headers, container, &mut warnings);
    let mut header = None;
    if !packages.is_empty() || !found.headers.is_empty() {
        let layout = engine::layout(options, &packages, &old, &mut objections, &mut warnings);
        header = Some(header::make(container, layout, &packages, &old, &mut objections).write());
    }
    warnings.extend(objections.settle(options.force)?);

    let content = Content { files: found.files, header };
    let packed = write::container(toc_path, options, &content, cpu, observer)?;
    Ok(Packed { skipped: found.left_out, warnings, ..packed })
}

/// The id of a container, by its name.
fn container_id_of(toc_path: &Path) -> ContainerId {
    let name = toc_path.file_stem().unwrap_or_default().to_string_lossy();
    if name.eq_ignore_ascii_case("global") { ContainerId::GLOBAL } else { ContainerId::from_name(&name) }
}

/// Objects to a container that is there, and to one that no game reads.
fn object_to_target(toc_path: &Path, options: &PackOptions, objections: &mut Objections) -> Result<()> {
    object_to_existing(&data::existing(toc_path), objections)?;
    if !options.version.is_released() {
        let name = |version: TocVersion| {
            EngineRange::detect(version, None).map(|range| format!("{} ({range})", version.to_wire()))
        };
        let released = TocVersion::ALL.into_iter().filter(|version| version.is_released());
        let released: Vec<String> = released.filter_map(name).collect();
        let (version, released) = (options.version.to_string(), released.join(", "));
        objections.add(Objection::Unreleased { version, released }, toc_path);
    }
    Ok(())
}

/// Objects to files that are there; folders cannot be replaced at all.
fn object_to_existing(existing: &[PathBuf], objections: &mut Objections) -> Result<()> {
    for path in existing {
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return Err(Error::io("write", path)(std::io::ErrorKind::IsADirectory.into()));
        }
        objections.add(Objection::Exists, path);
    }
    Ok(())
}

/// Makes the folder of a file.
fn make_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), |folder| std::fs::create_dir_all(folder).map_err(Error::io("create folder", folder)))
}

fn check_options(toc_path: &Path, options: &PackOptions) -> Result<()> {
    let unsupported =
        |reason: &str| Err(Error::CannotPack { reason: reason.to_owned(), path: toc_path.to_owned() });
    if options.version.has_perfect_hash() && !options.version.has_perfect_hash_overflow() {
        // Its table cannot hold chunks that the hash does not place, and no engine was released with it.
        return unsupported(&format!("toc version {} cannot be written", options.version));
    }
    let toc_of_engine = options.engine.map(|release| (release, TocVersion::of_release(release)));
    if let Some((release, toc)) = toc_of_engine.filter(|(_, toc)| *toc != Some(options.version)) {
        let right = toc.map_or("no containers".to_owned(), |toc| format!("toc version {toc}"));
        return unsupported(&format!("toc version is {}, but {release} reads {right}", options.version));
    }
    if !(1..=raw::Block::MAX_LEN).contains(&options.block_size) {
        return unsupported(&format!("block size is {}, expected 1 to 16777215", options.block_size));
    }
    let largest = u64::from(options.block_size).next_multiple_of(BLOCK_LEN as u64);
    if options.partition_size.is_some_and(|size| size < largest || !size.is_multiple_of(BLOCK_LEN as u64)) {
        return unsupported("the partition size must hold a block and be a multiple of 16");
    }
    if !options.version.has_partitions() && options.partition_size.is_some() {
        return unsupported(&format!(
            "toc version {} has no partitions, expected no partition size",
            options.version
        ));
    }
    Ok(())
}
