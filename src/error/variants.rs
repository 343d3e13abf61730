//! Every error, with its location.

use super::kind::Bound;
use super::problems::{
    BlockProblem, ChangeProblem, PackProblem, PictureProblem, UnsupportedFeature, none_fits,
};
use crate::asset::AssetError;
use crate::codec::DecodeError;
use crate::container::toc::BlockRangeError;
use crate::crypto::CipherError;
use crate::id::{ChunkHash, Guid, RawChunkId};
use crate::image::ImageError;
use crate::objection::Finding;
use crate::package::convert::{CheckFault, ConvertError};
use crate::pak::IndexMismatch;
use crate::wire::{Fault, count, counted};
use std::io;
use std::path::PathBuf;

/// An error, with its location.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An operation of the operating system failed.
    #[error("cannot {action}: {source}: {}", path.display())]
    Io {
        /// The failed action, such as "open" or "write".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A structure does not follow its format.
    #[error("malformed {structure}: {source}: {}", path.display())]
    Malformed {
        /// Name of the structure, such as "table of contents".
        structure: &'static str,
        /// The file that holds it.
        path: PathBuf,
        /// Field and offset.
        source: Fault,
    },
    /// A file holds a Git-LFS pointer instead of data.
    #[error("file is a Git LFS pointer, the data of {} is not here; `git lfs pull` fetches it: {}", counted(*size, "byte", "bytes"), path.display())]
    LfsPointer {
        /// The pointer file.
        path: PathBuf,
        /// Size of the real file in bytes, as recorded in the pointer.
        size: u64,
    },
    /// A file of bulk data ends before the data that an asset has in it.
    #[error("it has only {}, but an asset needs its first {}: {}", counted(*found, "byte", "bytes"), count(*needed), path.display())]
    ShortBulkData {
        /// The file or chunk.
        path: PathBuf,
        /// Its length, in bytes.
        found: u64,
        /// Offset of the end of the data, in bytes.
        needed: u64,
    },
    /// A `.ucas` partition with blocks does not exist.
    #[error("data file is missing: {}", path.display())]
    MissingPartition {
        /// Its expected path.
        path: PathBuf,
    },
    /// A `.ucas` partition ends before its last block.
    #[error("data file is cut off ({} long, {} needed): {}", counted(*len, "byte", "bytes"), count(*needed), path.display())]
    TruncatedPartition {
        /// The partition.
        path: PathBuf,
        /// Its length in bytes.
        len: u64,
        /// End of the requested data, in bytes.
        needed: u64,
    },
    /// A valid but unsupported feature.
    #[error("{what} is not supported: {}", path.display())]
    Unsupported {
        /// The feature.
        #[source]
        what: UnsupportedFeature,
        /// The file that uses it.
        path: PathBuf,
    },
    /// A container is encrypted, and no key was given.
    #[error("encrypted, and no key was given; the key has the GUID {guid}: {}", path.display())]
    MissingKey {
        /// GUID of the key; zero for the main key.
        guid: Guid,
        /// The container.
        path: PathBuf,
    },
    /// A container is encrypted, and none of the given keys fits.
    #[error("encrypted, and {}; the right one has the GUID {guid}: {}", none_fits(*tried), path.display())]
    WrongKey {
        /// GUID of the key; zero for the main key.
        guid: Guid,
        /// Number of keys tried.
        tried: usize,
        /// The container.
        path: PathBuf,
    },
    /// The blocks of a chunk lie outside the table.
    #[error("{source}: {}", path.display())]
    Blocks {
        /// The chunk and its blocks.
        source: BlockRangeError,
        /// The table of contents.
        path: PathBuf,
    },
    /// A block entry is impossible.
    #[error("block {block} {problem}: {}", path.display())]
    BadBlock {
        /// Position in the table.
        block: u32,
        /// The fault.
        #[source]
        problem: BlockProblem,
        /// The table of contents.
        path: PathBuf,
    },
    /// A block uses an unknown compression method.
    #[error("block {block} has the unknown compression method {method:?} (index {index}): {}", path.display())]
    UnknownMethod {
        /// Position in the table.
        block: u32,
        /// The method index.
        index: u8,
        /// Its name in the table of contents; empty if the table has none.
        method: String,
        /// The table of contents.
        path: PathBuf,
    },
    /// A block cannot be decrypted.
    #[error("cannot decrypt block {block}: {source}: {}", path.display())]
    Decrypt {
        /// Position in the table.
        block: u32,
        /// The reason.
        source: CipherError,
        /// The container.
        path: PathBuf,
    },
    /// A block cannot be decompressed.
    #[error("block {block} at {offset:#x} is damaged: {source}: {}", path.display())]
    Decode {
        /// Position in the table.
        block: u32,
        /// Position in the concatenated partitions.
        offset: u64,
        /// Error of the decoder.
        source: DecodeError,
        /// The container.
        path: PathBuf,
    },
    /// A package cannot be rebuilt in the cooker's form.
    #[error("cannot be converted: {source}: {}", path.display())]
    Convert {
        /// The reason.
        source: ConvertError,
        /// The container, or the file of a loose package.
        path: PathBuf,
    },
    /// A rebuilt asset differs from its package.
    #[error("the converted package differs from the original: {source}: {}", path.display())]
    Check {
        /// The difference.
        source: CheckFault,
        /// The container, or the file of a loose package.
        path: PathBuf,
    },
    /// The content does not match the hash in the table of contents.
    #[error("content hash is {found}, expected {expected}: {}", path.display())]
    HashMismatch {
        /// Hash of the content.
        found: ChunkHash,
        /// Hash in the table of contents.
        expected: ChunkHash,
        /// The container.
        path: PathBuf,
    },
    /// A recorded hash could not be compared with the content.
    #[error("the recorded hash could not be compared with the stored bytes: {}", path.display())]
    NotCompared {
        /// The container.
        path: PathBuf,
    },
    /// A part of a pak's index does not match its recorded hash, so names and offsets of files may be forged.
    #[error("{mismatch}: {}", path.display())]
    IndexHash {
        /// The part, and both hashes.
        mismatch: IndexMismatch,
        /// The pak.
        path: PathBuf,
    },
    /// A chunk cannot be found by way of its container's perfect hash, so the engine would not find it.
    #[error("not found through the perfect hash: {}", path.display())]
    Misplaced {
        /// The container.
        path: PathBuf,
    },
    /// A shader library cannot be rebuilt, because one of its groups is not available.
    #[error("shader group {group} (chunk {id}) {problem}: {}", path.display())]
    ShaderGroup {
        /// Number of the group.
        group: usize,
        /// Its chunk.
        id: RawChunkId,
        /// The fault.
        problem: ShaderGroupProblem,
        /// The container of the library.
        path: PathBuf,
    },
    /// A limit was exceeded.
    #[error("{what} is {}, the limit is {limit}: {}", counted(*found, "byte", "bytes"), path.display())]
    Limit {
        /// Name of the limited quantity, such as "output size".
        what: &'static str,
        /// Number of bytes found.
        found: u64,
        /// Number of bytes allowed.
        limit: u64,
        /// Origin of the limit.
        bound: Bound,
        /// The affected file.
        path: PathBuf,
    },
    /// The game would reject this mod.
    #[error("{}", reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Refused {
        /// Objections, each with its first file.
        reasons: Vec<Finding>,
    },
    /// An option does not fit the files to be packed.
    #[error("cannot pack: {problem}: {}", path.display())]
    CannotPack {
        /// The option, and the expected value.
        #[source]
        problem: PackProblem,
        /// The output file, or the file to be packed.
        path: PathBuf,
    },
    /// The payload of an asset cannot be decoded.
    #[error("{object} cannot be exported: {source}: {}", path.display())]
    Asset {
        /// Object path of the asset in the package.
        object: String,
        /// The reason.
        source: Box<AssetError>,
        /// The package.
        path: PathBuf,
    },
    /// A picture cannot be decoded.
    #[error("{object} cannot be exported: {source}: {}", path.display())]
    Image {
        /// Its object in the package.
        object: String,
        /// Reason.
        source: ImageError,
        /// The package.
        path: PathBuf,
    },
    /// A package cannot be edited as requested.
    #[error("cannot change the package: {problem}: {}", path.display())]
    CannotChange {
        /// The problem, with found and expected values.
        #[source]
        problem: Box<ChangeProblem>,
        /// The package.
        path: PathBuf,
    },
    /// A file cannot be used as a picture.
    #[error("cannot read the picture: {problem}: {}", path.display())]
    BadPicture {
        /// The problem, with found and expected values.
        #[source]
        problem: PictureProblem,
        /// The file.
        path: PathBuf,
    },
    /// A folder has no files to pack.
    #[error("the folder has no files to pack: {}", path.display())]
    NothingToPack {
        /// The folder.
        path: PathBuf,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A worker panicked, which is a bug in this library.
    #[error("internal error, please report it: {message}: {}", path.display())]
    Internal {
        /// The panic message.
        message: String,
        /// The container it was working on.
        path: PathBuf,
    },
}

/// A fault in a group of shaders.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShaderGroupProblem {
    /// Its chunk was not found.
    #[error("is in no container")]
    Missing,
    /// Its chunk has another length than the library records.
    #[error("is {} long, expected {expected}", counted(*found, "byte", "bytes"))]
    Length {
        /// Length of the chunk.
        found: u64,
        /// Length recorded in the library.
        expected: u64,
    },
    /// Its code cannot be decompressed.
    #[error("is damaged: {0}")]
    Decode(#[from] DecodeError),
    /// Its chunk cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] Box<Error>),
}
