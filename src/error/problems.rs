//! Details of errors: what exactly is not supported, does not fit, or was read otherwise than it was written.

use crate::asset::AssetError;
use crate::asset::texture::{AssembleError, ReplaceError};
use crate::codec::EncodeError;
use crate::crypto::CipherError;
use crate::objection::Cause;
use crate::package::bulk::BulkCompression;
use crate::package::classic;
use crate::package::convert::sidecar::SidecarError;
use crate::package::rebuild::RebuildError;
use crate::property::edit::{EditError, ReadBackError};
use crate::property::json::JsonError;
use crate::version::{Release, TocVersion};
use crate::wire::{Fault, counted};

/// Valid, but unsupported feature.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedFeature {
    /// An encryption method without a known meaning.
    #[error("encryption method {0}")]
    Encryption(u8),
    /// Compression of bulk data.
    #[error("bulk data compressed as {0:?}")]
    BulkCompression(BulkCompression),
    /// Tiles of a virtual texture.
    #[error("{object} ({source})")]
    VirtualTexture {
        /// The texture in its package.
        object: String,
        /// Reason why it cannot be put together.
        source: Box<AssembleError>,
    },
    /// A texture of Unreal Engine 1 to 3.
    #[error("texture {object} ({source})")]
    ClassicTexture {
        /// The texture in its package.
        object: String,
        /// Reason why it cannot be decoded.
        source: Box<classic::TextureError>,
    },
    /// Facts about a package that a sidecar cannot hold.
    #[error("what is to be kept ({0})")]
    Sidecar(#[source] SidecarError),
    /// The form of a list of shader maps.
    #[error("this form of shader asset info ({0})")]
    ShaderAssetInfo(#[source] serde_json::Error),
    /// A container for a release that has none.
    #[error("a container for {0}")]
    ContainerFor(&'static Release),
    /// A container among the inputs of a conversion that takes cooked files.
    #[error("a container as an input that has to consist of cooked files")]
    ContainerInput,
    /// A container made like a `.pak`.
    #[error("a .pak as the original of a container")]
    PakAsOriginal,
}

/// Fault of a block entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockProblem {
    /// A chunk does not start where the block does.
    #[error("has a chunk that starts at byte {0} of it")]
    Start(u64),
    /// The table has no such entry.
    #[error("lies outside the table")]
    Outside,
    /// Its uncompressed length is not that of its place in the chunk.
    #[error("has {}, expected {expected}", counted((*found).into(), "byte", "bytes"))]
    RawLen {
        /// Length in the table.
        found: u32,
        /// Length by its place.
        expected: u64,
    },
    /// Its stored length cannot be right.
    #[error("is stored in {}, expected {expected}", counted((*found).into(), "byte", "bytes"))]
    StoredLen {
        /// Length in the table.
        found: u32,
        /// Its uncompressed length.
        expected: u64,
    },
    /// It does not lie in one partition.
    #[error("at {0:#x} spans two partitions")]
    SpansPartitions(u64),
}

/// Option, or property of the input, that prevents packing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackProblem {
    /// No engine was released with the version, and its table cannot hold every chunk.
    #[error("toc version {0} cannot be written")]
    Unwritable(TocVersion),
    /// The release reads another version.
    #[error("toc version is {found}, but {release} reads {}", right.map_or_else(|| "no containers".to_owned(), |toc| format!("toc version {toc}")))]
    VersionOfRelease {
        /// The version that was asked for.
        found: TocVersion,
        /// The release that was asked for.
        release: &'static Release,
        /// The version that it reads, if it reads any.
        right: Option<TocVersion>,
    },
    /// The block size is out of range.
    #[error("block size is {0}, expected 1 to 16777215")]
    BlockSize(u32),
    /// A partition cannot be filled with blocks.
    #[error("the partition size must hold a block and be a multiple of 16")]
    PartitionSize,
    /// The version knows no partitions.
    #[error("toc version {0} has no partitions, expected no partition size")]
    NoPartitions(TocVersion),
    /// Neither the options nor the packages say which release the container is for.
    #[error("the engine release is not known; name it")]
    ReleaseUnknown,
    /// The path of a package does not say where it belongs.
    #[error("its place in the game is not known: it has to lie in the folder Content of a project")]
    PlaceUnknown,
    /// The hash of a file in several pieces was not made.
    #[error("the hash of its pieces is not known")]
    HashUnknown,
    /// A block cannot be compressed.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A block cannot be encrypted.
    #[error(transparent)]
    Encrypt(#[from] CipherError),
}

/// Fault of a picture that a texture is to get.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureProblem {
    /// Its first bytes are those of no known format.
    #[error("unrecognised format, expected PNG, EXR or DDS")]
    Format,
    /// The decoder refuses it.
    #[error("{0}")]
    Decode(#[source] Cause),
    /// It takes more memory than allowed.
    #[error("it is larger than the memory that may be used")]
    Memory,
    /// It has more pixels on one side than the formats of textures can say.
    #[error("it is too large")]
    Size,
    /// The last color of its palette is cut off.
    #[error("its palette has {0} bytes, expected three for each color")]
    Palette(usize),
    /// The decoder left indices of a palette.
    #[error("its palette was not resolved")]
    PaletteUnresolved,
    /// An EXR file lacks a channel.
    #[error("it has no channel {0}, expected R, G, B and A, or Y")]
    NoChannel(&'static str),
}

/// Reason why a package cannot be changed as it was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeProblem {
    /// A cooked package has no exports.
    #[error("the .uexp is missing")]
    ExportsMissing,
    /// A document does not describe the package.
    #[error(transparent)]
    Document(#[from] JsonError),
    /// A value cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A changed object is too large for its form.
    #[error(transparent)]
    Write(#[from] Fault),
    /// The package cannot be put together again.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// The package has no such texture.
    #[error("there is no texture {wanted}: it has {}", if there.is_empty() { "none".to_owned() } else { there.join(", ") })]
    NoTexture {
        /// The name that was looked for.
        wanted: String,
        /// The textures that it has.
        there: Vec<String>,
    },
    /// A texture cannot get a picture.
    #[error("{object}: {source}")]
    Texture {
        /// The texture.
        object: String,
        /// Reason.
        source: TextureProblem,
    },
    /// An object would be read otherwise than it was written.
    #[error("{object} would not be read again: {source}")]
    ReadBack {
        /// The object.
        object: String,
        /// Difference.
        source: ReadBackProblem,
    },
}

/// Reason why a texture cannot get a picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureProblem {
    /// Several pictures are for it.
    #[error("two pictures are for it, expected one")]
    TwoPictures,
    /// The object is of another class.
    #[error("it is no texture")]
    OtherClass,
    /// It cannot be read.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The picture does not fit.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
}

/// Difference between what was written and what is read of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadBackProblem {
    /// Less of an object is understood than before.
    #[error(transparent)]
    Object(#[from] ReadBackError),
    /// Its values are others.
    #[error("other values are read from it than were written")]
    Values,
    /// The mips of a texture are others.
    #[error("other mips are read from it than were written")]
    Mips,
    /// A texture is none any more.
    #[error("it is no texture any more")]
    OtherClass,
    /// A texture cannot be read any more.
    #[error(transparent)]
    Asset(#[from] AssetError),
}
