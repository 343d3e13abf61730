//! The one error of everything that does I/O: what went wrong, and where.
//!
//! Messages say what was found, then what was expected, then where; paths come last.

mod kind;
mod problems;

pub use kind::{Bound, ErrorKind};
pub use problems::{
    BlockProblem, ChangeProblem, PackProblem, PictureProblem, ReadBackProblem, TextureProblem,
    UnsupportedFeature,
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
use std::path::{Path, PathBuf};

/// Result of everything from the `source` floor upwards.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused something.
    #[error("cannot {action}: {source}: {}", path.display())]
    Io {
        /// What was tried, such as "open" or "write".
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
    /// A structure does not follow its format.
    #[error("malformed {structure}: {source}: {}", path.display())]
    Malformed {
        /// Such as "table of contents".
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
        /// Size of the real file, as the pointer says.
        size: u64,
    },
    /// A `.ucas` partition that blocks lie in does not exist.
    #[error("data file is missing: {}", path.display())]
    MissingPartition {
        /// Where it should be.
        path: PathBuf,
    },
    /// A `.ucas` partition ends before the data that should be in it.
    #[error("data file is cut off ({} long, {} needed): {}", counted(*len, "byte", "bytes"), count(*needed), path.display())]
    TruncatedPartition {
        /// The partition.
        path: PathBuf,
        /// Its length in bytes.
        len: u64,
        /// Where the wanted data ends.
        needed: u64,
    },
    /// A valid, but unsupported feature.
    #[error("{what} is not supported: {}", path.display())]
    Unsupported {
        /// The feature.
        #[source]
        what: UnsupportedFeature,
        /// The file that uses it.
        path: PathBuf,
    },
    /// A container is encrypted and no key was given.
    #[error("encrypted, and no key was given; the key has the GUID {guid}: {}", path.display())]
    MissingKey {
        /// Which key; zero is the main key.
        guid: Guid,
        /// The container.
        path: PathBuf,
    },
    /// A container is encrypted, and none of the keys that were given decrypts it.
    #[error("encrypted, and {}; the right one has the GUID {guid}: {}", none_fits(*tried), path.display())]
    WrongKey {
        /// Which key; zero is the main key.
        guid: Guid,
        /// How many keys were tried.
        tried: usize,
        /// The container.
        path: PathBuf,
    },
    /// A chunk's blocks lie outside the table.
    #[error("{source}: {}", path.display())]
    Blocks {
        /// Which.
        source: BlockRangeError,
        /// The table of contents.
        path: PathBuf,
    },
    /// A block entry that cannot be right.
    #[error("block {block} {problem}: {}", path.display())]
    BadBlock {
        /// Position in the table.
        block: u32,
        /// What is wrong with it.
        #[source]
        problem: BlockProblem,
        /// The table of contents.
        path: PathBuf,
    },
    /// A block uses a method that we do not know.
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
        /// Reason.
        source: CipherError,
        /// The container.
        path: PathBuf,
    },
    /// A block does not decompress.
    #[error("block {block} at {offset:#x} is damaged: {source}: {}", path.display())]
    Decode {
        /// Position in the table.
        block: u32,
        /// Position in the concatenated partitions.
        offset: u64,
        /// What the decoder says.
        source: DecodeError,
        /// The container.
        path: PathBuf,
    },
    /// A package cannot be rebuilt as the cooker wrote it.
    #[error("cannot be converted: {source}: {}", path.display())]
    Convert {
        /// Reason.
        source: ConvertError,
        /// The container, or the file of a loose package.
        path: PathBuf,
    },
    /// A rebuilt asset does not hold what its package holds.
    #[error("the converted package differs from the original: {source}: {}", path.display())]
    Check {
        /// Difference.
        source: CheckFault,
        /// The container, or the file of a loose package.
        path: PathBuf,
    },
    /// Content does not have the hash that the table of contents records.
    #[error("content hash is {found}, expected {expected}: {}", path.display())]
    HashMismatch {
        /// Hash of what was read.
        found: ChunkHash,
        /// Hash in the table of contents.
        expected: ChunkHash,
        /// The container.
        path: PathBuf,
    },
    /// The table of contents records a hash that could not be compared with the content.
    #[error("the recorded hash could not be compared with the stored bytes: {}", path.display())]
    NotCompared {
        /// The container.
        path: PathBuf,
    },
    /// A part of the index of a pak does not have the hash that is recorded for it, so that names and places of files may
    /// be forged.
    #[error("{mismatch}: {}", path.display())]
    IndexHash {
        /// Which part, and the hashes.
        mismatch: IndexMismatch,
        /// The pak.
        path: PathBuf,
    },
    /// The perfect hash of a container does not lead to a chunk, so that the engine would not find it.
    #[error("not found through the perfect hash: {}", path.display())]
    Misplaced {
        /// The container.
        path: PathBuf,
    },
    /// A shader library cannot be put together, for want of one of its groups.
    #[error("shader group {group} (chunk {id}) {problem}: {}", path.display())]
    ShaderGroup {
        /// Number of the group.
        group: usize,
        /// Its chunk.
        id: RawChunkId,
        /// What is wrong with it.
        problem: ShaderGroupProblem,
        /// The container of the library.
        path: PathBuf,
    },
    /// A limit was reached.
    #[error("{what} is {}, the limit is {limit}: {}", counted(*found, "byte", "bytes"), path.display())]
    Limit {
        /// Such as "output size".
        what: &'static str,
        /// Bytes that were found.
        found: u64,
        /// Bytes that are allowed.
        limit: u64,
        /// Who sets the limit.
        bound: Bound,
        /// Where.
        path: PathBuf,
    },
    /// The game would reject this mod.
    #[error("{}", reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Refused {
        /// Objections, each with the first file that it is about.
        reasons: Vec<Finding>,
    },
    /// Options, or what they ask for, do not fit what is to be packed.
    #[error("cannot pack: {problem}: {}", path.display())]
    CannotPack {
        /// Which, and what is expected.
        #[source]
        problem: PackProblem,
        /// The file that would be written, or the one that would be packed.
        path: PathBuf,
    },
    /// The payload of an asset cannot be read.
    #[error("{object} cannot be exported: {source}: {}", path.display())]
    Asset {
        /// Its object in the package.
        object: String,
        /// Reason.
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
    /// A package cannot be changed as it was asked for.
    #[error("cannot change the package: {problem}: {}", path.display())]
    CannotChange {
        /// What was found, and what is expected.
        #[source]
        problem: Box<ChangeProblem>,
        /// The package.
        path: PathBuf,
    },
    /// A file is no picture that a texture can get.
    #[error("cannot read the picture: {problem}: {}", path.display())]
    BadPicture {
        /// What was found, and what is expected.
        #[source]
        problem: PictureProblem,
        /// The file.
        path: PathBuf,
    },
    /// A folder has no files that can be packed.
    #[error("the folder has no files to pack: {}", path.display())]
    NothingToPack {
        /// The folder.
        path: PathBuf,
    },
    /// Work was given up because it was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A worker panicked: a bug of ours.
    #[error("internal error, please report it: {message}: {}", path.display())]
    Internal {
        /// The panic message.
        message: String,
        /// The container it was working on.
        path: PathBuf,
    },
}

fn none_fits(tried: usize) -> String {
    match tried {
        1 => "the key that was given does not decrypt it".to_owned(),
        _ => format!("none of the {tried} keys that were given decrypts it"),
    }
}

/// What is wrong with a group of shaders.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShaderGroupProblem {
    /// No container has its chunk.
    #[error("is in no container")]
    Missing,
    /// Its chunk is not as long as the library says.
    #[error("is {} long, expected {expected}", counted(*found, "byte", "bytes"))]
    Length {
        /// Length of the chunk.
        found: u64,
        /// Length that the library records.
        expected: u64,
    },
    /// Its code does not decompress.
    #[error("is damaged: {0}")]
    Decode(#[from] DecodeError),
    /// Its chunk cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] Box<Error>),
}

impl Error {
    /// What kind of error it is.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::ShaderGroup { problem: ShaderGroupProblem::Read(source), .. } => source.kind(),
            Self::Io { .. } => ErrorKind::Io,
            Self::Asset { .. }
            | Self::Convert { .. }
            | Self::Malformed { .. }
            | Self::Blocks { .. }
            | Self::BadBlock { .. } => ErrorKind::Malformed,
            Self::Image { source, .. } if !matches!(source, ImageError::Format(_)) => ErrorKind::Malformed,
            Self::ShaderGroup { problem: ShaderGroupProblem::Missing, .. }
            | Self::LfsPointer { .. }
            | Self::MissingPartition { .. }
            | Self::TruncatedPartition { .. }
            | Self::NothingToPack { .. } => ErrorKind::Missing,
            Self::Image { .. }
            | Self::CannotPack { .. }
            | Self::CannotChange { .. }
            | Self::BadPicture { .. }
            | Self::Refused { .. }
            | Self::Unsupported { .. }
            | Self::UnknownMethod { .. } => ErrorKind::Unsupported,
            Self::MissingKey { .. } | Self::WrongKey { .. } => ErrorKind::Key,
            Self::Decrypt { .. }
            | Self::Decode { .. }
            | Self::HashMismatch { .. }
            | Self::NotCompared { .. }
            | Self::IndexHash { .. }
            | Self::Misplaced { .. }
            | Self::ShaderGroup { .. } => ErrorKind::Corrupt,
            Self::Limit { .. } => ErrorKind::Limit,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Check { .. } | Self::Internal { .. } => ErrorKind::Internal,
        }
    }

    /// Repeats a key problem for another chunk of the container; other errors become [`Self::Cancelled`].
    pub(crate) fn same_key_problem(&self) -> Self {
        match self {
            Self::MissingKey { guid, path } => Self::MissingKey { guid: *guid, path: path.clone() },
            Self::WrongKey { guid, tried, path } => {
                Self::WrongKey { guid: *guid, tried: *tried, path: path.clone() }
            }
            Self::Unsupported { what: UnsupportedFeature::Encryption(method), path } => {
                Self::Unsupported { what: UnsupportedFeature::Encryption(*method), path: path.clone() }
            }
            _ => Self::Cancelled,
        }
    }

    /// Turns an I/O error into ours: `.map_err(Error::io("open", path))`.
    pub fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// What a failed read of container data means. A file that is open does not go missing; so one that is not there is
    /// one that its server does not have.
    pub(crate) fn unreadable(path: PathBuf, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::MissingPartition { path },
            _ => Self::Io { action: "read", path, source },
        }
    }

    /// Turns a fault into an error: `.map_err(Error::malformed("table of contents", path))`.
    pub fn malformed(structure: &'static str, path: impl AsRef<Path>) -> impl FnOnce(Fault) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::Malformed { structure, path, source }
    }
}
