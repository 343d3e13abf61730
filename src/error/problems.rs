//! Details of errors: unsupported features, options that do not fit, and differences after reading back.

use crate::asset::AssetError;
use crate::asset::texture::{AssembleError, ReplaceError};
use crate::bytecode::CodeError;
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

/// A valid but unsupported feature.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedFeature {
    /// An encryption method without a known meaning.
    #[error("encryption method {0}")]
    Encryption(u8),
    /// A compression method of bulk data.
    #[error("bulk data compressed as {0:?}")]
    BulkCompression(BulkCompression),
    /// Tiles of a virtual texture.
    #[error("{object} ({source})")]
    VirtualTexture {
        /// Object path of the texture in its package.
        object: String,
        /// The reason why it cannot be assembled.
        source: Box<AssembleError>,
    },
    /// A texture of Unreal Engine 1 to 3.
    #[error("texture {object} ({source})")]
    ClassicTexture {
        /// Object path of the texture in its package.
        object: String,
        /// The reason why it cannot be decoded.
        source: Box<classic::TextureError>,
    },
    /// Facts about a package that a sidecar cannot hold.
    #[error("what is to be kept ({0})")]
    Sidecar(#[source] SidecarError),
    /// A form of list of shader maps.
    #[error("this form of shader asset info ({0})")]
    ShaderAssetInfo(#[source] serde_json::Error),
    /// A container for a release that has none.
    #[error("a container for {0}")]
    ContainerFor(&'static Release),
    /// A container given as input to a conversion of cooked files.
    #[error("a container as an input that has to consist of cooked files")]
    ContainerInput,
    /// A `.pak` given as the original of a container.
    #[error("a .pak as the original of a container")]
    PakAsOriginal,
}

/// Fault of a block entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockProblem {
    /// A chunk starts inside the block.
    #[error("has a chunk that starts at byte {0} of it")]
    Start(u64),
    /// The table has no such entry.
    #[error("lies outside the table")]
    Outside,
    /// Its uncompressed length does not match its position in the chunk.
    #[error("has {}, expected {expected}", counted((*found).into(), "byte", "bytes"))]
    RawLen {
        /// Length in the table.
        found: u32,
        /// Length required by its position.
        expected: u64,
    },
    /// Its stored length is impossible.
    #[error("is stored in {}, expected {expected}", counted((*found).into(), "byte", "bytes"))]
    StoredLen {
        /// Length in the table.
        found: u32,
        /// Its uncompressed length.
        expected: u64,
    },
    /// It spans two partitions.
    #[error("at {0:#x} spans two partitions")]
    SpansPartitions(u64),
}

/// An option or a property of the input that prevents packing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackProblem {
    /// No released engine has the version, and its table cannot represent every chunk.
    #[error("toc version {0} cannot be written")]
    Unwritable(TocVersion),
    /// The release reads another version.
    #[error("toc version is {found}, but {release} reads {}", right.map_or_else(|| "no containers".to_owned(), |toc| format!("toc version {toc}")))]
    VersionOfRelease {
        /// The requested version.
        found: TocVersion,
        /// The requested release.
        release: &'static Release,
        /// The version that the release reads, if it reads containers.
        right: Option<TocVersion>,
    },
    /// The block size is out of range.
    #[error("block size is {0}, expected 1 to 16777215")]
    BlockSize(u32),
    /// The partition size does not fit the blocks.
    #[error("the partition size must hold a block and be a multiple of 16")]
    PartitionSize,
    /// The version has no partitions.
    #[error("toc version {0} has no partitions, expected no partition size")]
    NoPartitions(TocVersion),
    /// The target release is given neither by the options nor by the packages.
    #[error("the engine release is not known; name it")]
    ReleaseUnknown,
    /// The path of a package does not show its place in the game.
    #[error("its place in the game is not known: it has to lie in the folder Content of a project")]
    PlaceUnknown,
    /// The hash of a file in several pieces was not computed.
    #[error("the hash of its pieces is not known")]
    HashUnknown,
    /// A block cannot be compressed.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A block cannot be encrypted.
    #[error(transparent)]
    Encrypt(#[from] CipherError),
}

/// A fault in a replacement picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureProblem {
    /// The format is not recognised.
    #[error("unrecognised format, expected PNG, EXR or DDS")]
    Format,
    /// The decoder reports an error.
    #[error("{0}")]
    Decode(#[source] Cause),
    /// It needs more memory than allowed.
    #[error("it is larger than the memory that may be used")]
    Memory,
    /// One side has more pixels than texture formats can record.
    #[error("it is too large")]
    Size,
    /// The last colour of its palette is cut off.
    #[error("its palette has {0} bytes, expected three for each color")]
    Palette(usize),
    /// The decoder left palette indices unresolved.
    #[error("its palette was not resolved")]
    PaletteUnresolved,
    /// An EXR file lacks a channel.
    #[error("it has no channel {0}, expected R, G, B and A, or Y")]
    NoChannel(&'static str),
}

/// The reason why a package cannot be edited as requested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeProblem {
    /// A cooked package lacks its exports file.
    #[error("the .uexp is missing")]
    ExportsMissing,
    /// A document does not describe the package.
    #[error(transparent)]
    Document(#[from] JsonError),
    /// A document in FModel's form does not describe the package, or more than can be changed.
    #[error(transparent)]
    Shown(#[from] ShownProblem),
    /// A value cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A function cannot be changed.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A changed object is too large for its form.
    #[error(transparent)]
    Write(#[from] Fault),
    /// The package cannot be rebuilt.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// The package has no such texture.
    #[error("{}", if there.is_empty() { format!("the package has no textures, and so none of the name {wanted}") } else { format!("the package has no texture {wanted}, only {}", there.join(", ")) })]
    NoTexture {
        /// The requested name.
        wanted: String,
        /// Names of the existing textures.
        there: Vec<String>,
    },
    /// The picture of a texture cannot be replaced.
    #[error("{object}: {source}")]
    Texture {
        /// The texture.
        object: String,
        /// The reason.
        source: TextureProblem,
    },
    /// An object does not read back as written.
    #[error("{object} would not be read again: {source}")]
    ReadBack {
        /// The object.
        object: String,
        /// The difference.
        source: ReadBackProblem,
    },
}

/// The reason why a package cannot become what a document in FModel's form shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShownProblem {
    /// The document is no list of exports.
    #[error("the document is no list of exports")]
    NoList,
    /// An element of the document is no export.
    #[error("element {at} of the document is no export")]
    NoObject {
        /// Its index.
        at: usize,
    },
    /// The package has no export such as the document shows, or several.
    #[error(
        "element {at} of the document is {class} {name}, which {} of the {exports} exports of the package are, expected one",
        if *count == 0 { "none".to_owned() } else { count.to_string() }
    )]
    NoExport {
        /// Index in the document.
        at: usize,
        /// Class in the document.
        class: String,
        /// Name in the document.
        name: String,
        /// Number of exports of that class and name.
        count: usize,
        /// Number of exports of the package.
        exports: usize,
    },
    /// The package has a value that the document lacks.
    #[error(
        "{at} is in the package, but not in the document; values are not removed by a document in FModel's form"
    )]
    Lacking {
        /// Address of the value.
        at: String,
    },
    /// A value would be another one than the document shows.
    #[error(
        "{at} would not be as the document shows it: a document in FModel's form does not have all of such a value"
    )]
    Left {
        /// Address of the value.
        at: String,
    },
}

/// The reason why the picture of a texture cannot be replaced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureProblem {
    /// Two pictures were given for it.
    #[error("two pictures are for it, expected one")]
    TwoPictures,
    /// The object is of another class.
    #[error("it is no texture")]
    OtherClass,
    /// It cannot be decoded.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The picture does not fit.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
}

/// A difference between written and re-read data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadBackProblem {
    /// Less of an object can be decoded than before.
    #[error(transparent)]
    Object(#[from] ReadBackError),
    /// Its values differ.
    #[error("other values are read from it than were written")]
    Values,
    /// The mips of a texture differ.
    #[error("other mips are read from it than were written")]
    Mips,
    /// A texture is no longer one.
    #[error("it is no texture any more")]
    OtherClass,
    /// A texture can no longer be decoded.
    #[error(transparent)]
    Asset(#[from] AssetError),
}

/// Words for keys that were tried in vain.
pub(super) fn none_fits(tried: usize) -> String {
    match tried {
        1 => "the key that was given does not decrypt it".to_owned(),
        _ => format!("none of the {tried} keys that were given decrypts it"),
    }
}
