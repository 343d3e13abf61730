//! Reasons why a game would reject or ignore a mod, or crash on it, as typed facts.
//!
//! An [`Objection`] names the fault, with the paths, ids and versions that show it; a [`Finding`] adds the number of
//! affected files and the first one. Messages are short: consequences and remedies depend on the program that shows
//! them.

mod finding;
mod kind;
mod project_file;

pub use finding::Finding;
pub use kind::ObjectionKind;
pub use project_file::ProjectFile;

use crate::id::{ContainerId, Guid, PackageId, PackageObjectIndex, RawChunkId};
use crate::package::ObjectPath;
use crate::package::convert::sidecar::SidecarError;
use crate::package::convert::to_zen::ToZenError;
use crate::version::{ChunkHashKind, PakVersion, Release, Releases, TocVersion, ZenGeneration};
use crate::wire::{Fault, FaultKind, counted};
use std::path::PathBuf;

/// Underlying cause of any type. For unreadable content it is an [`Error`](crate::error::Error), which may contain
/// objections itself.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Fault of one or more files of a mod.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Objection {
    /// An output file exists already.
    #[error("output exists already")]
    Exists,
    /// No released engine reads the toc version.
    #[error("no released engine reads toc version {version}")]
    Unreleased {
        /// The requested version.
        version: TocVersion,
    },
    /// A cooked asset was given for a container, which needs zen packages.
    #[error("legacy asset in a container")]
    LegacyAsset,
    /// A file is named like a package, but is not one.
    #[error("file is named like a package, but is not one ({0})")]
    NoPackage(#[source] Fault),
    /// A zen package was given for a pak, which needs cooked assets.
    #[error("zen package in a pak")]
    ZenInPak,
    /// A package is from another engine release than the container.
    #[error("package is from {package}, expected {expected}")]
    OtherEngine {
        /// Form of the package.
        package: ZenGeneration,
        /// Releases that the container is for.
        expected: Releases,
        /// True if these are the releases of the game the mod was compared with.
        of_game: bool,
    },
    /// The imports of a package are listed nowhere.
    #[error("package without a list of imported packages")]
    ImportsUnknown,
    /// A zen package is among cooked assets.
    #[error("package is a zen package already")]
    AlreadyZen,
    /// A file is named like a cooked package, but is not one.
    #[error("file is named like a cooked package, but is not one")]
    NotCooked,
    /// A package has no `.uexp`.
    #[error("package has no .uexp beside it")]
    ExportsMissing,
    /// A package cannot become a zen package.
    #[error("package cannot become a zen package ({0})")]
    NotConvertible(#[source] ConversionProblem),
    /// No name can be found for a package, neither in it nor from its path.
    #[error("package has no name")]
    NoName,
    /// The name of a package does not match its path.
    #[error("package has the name {0}, which its path does not have")]
    NameElsewhere(String),
    /// Packages wait for each other in a cycle, whatever their bundles.
    #[error("package waits for others that wait for it ({0})")]
    Stuck(Referent),
    /// A package waits for one that was not found, and that may wait for it in turn.
    #[error("package waits for one that is not among the inputs ({0})")]
    CirclesUnknown(Referent),
    /// A sidecar belongs to an older header.
    #[error("package header was edited since the .uncask.json was written")]
    SidecarStale,
    /// A sidecar is not packed, as it is no file of the game.
    #[error(".uncask.json is left out")]
    SidecarLeftOut,
    /// A sidecar cannot be read.
    #[error(".uncask.json is of no use ({0})")]
    SidecarUnreadable(#[source] SidecarError),
    /// The game has a package with another name at the same path.
    #[error("package {0} lies where the game has one of another name")]
    OtherNameThere(String),
    /// Export data uses names beyond those that its header counts as used by data.
    #[error(
        "package uses names that its header does not count ({class}: name {index}, {counted} are counted)"
    )]
    NamesUncounted {
        /// Path of the class of the export.
        class: String,
        /// The index of the name.
        index: u64,
        /// Number of names counted by the header.
        counted: u64,
    },
    /// A package has properties that the game's classes lack.
    #[error("package has properties that the game's classes do not have ({class}: {fault})")]
    OtherSchema {
        /// Path of the class of the export.
        class: String,
        /// The fault found in its list of properties.
        fault: FaultKind,
    },
    /// The package's own name is invalid.
    #[error("package has the name {0:?}, expected one that begins with a slash")]
    NotAName(String),
    /// A package in a pak also exists in a container of the game, which wins.
    #[error("package is in a pak, but the game has the same in containers ({0})")]
    LooseOverridden(String),
    /// Two packages have one id.
    #[error("package has the name of another ({0})")]
    SameId(String),
    /// The bulk data of a package lies beyond the end of its file, or the file is missing.
    #[error("package has bulk data up to byte {end} of a .{extension} that {}", found.map_or("was not found".to_owned(), |len| format!("has {len}")))]
    BulkMissing {
        /// Extension of the file.
        extension: String,
        /// End of the bulk data, in bytes.
        end: u64,
        /// Length of the file in bytes, if it was found.
        found: Option<u64>,
    },
    /// A bulk data file is referred to by no package.
    #[error("bulk data file belongs to no package")]
    BulkUnused,
    /// A native object does not exist in the game.
    #[error("native object {0} is not in the game")]
    ScriptMissing(Referent),
    /// An import is a hash of a placeholder's text, which stands for an unknown name.
    #[error("package {0} has imports that were made of the names of placeholders")]
    PlaceholderHashed(String),
    /// An import is a placeholder.
    #[error("package imports the placeholder {0}")]
    PlaceholderImported(ObjectPath),
    /// An imported object exists neither in the mod nor in the game.
    #[error("imported object is neither in the mod nor in the game ({0})")]
    ImportMissing(Referent),
    /// A material has no library of its shaders.
    #[error("material is packed without a shader library")]
    MaterialWithoutShaders,
    /// Another container has the id that results from the name.
    #[error("the name gives the container the id of {}", .0.display())]
    ContainerIdTaken(PathBuf),
    /// The game's containers have another version.
    #[error("written for {release}, but the containers of the game have toc version {game}")]
    OtherThanGame {
        /// The release for which the container was written.
        release: &'static Release,
        /// Version of the game's containers.
        game: TocVersion,
    },
    /// A container of the game wins over the new one, which could win under another name.
    #[error("package stays that of the game: {} wins", winner.display())]
    Overridden {
        /// The container of the game.
        winner: PathBuf,
        /// File name under which the mod would win.
        instead: String,
    },
    /// A container has no `.pak` beside it.
    #[error("no .pak beside the container")]
    NoCompanion,
    /// The id of a container does not match its name.
    #[error("the container's id {0} is that of another name")]
    OtherContainerId(ContainerId),
    /// The game contains an earlier build of the mod, which the new one has to replace.
    #[error("the game has a mod of this name: {}", .0.display())]
    Replaces(PathBuf),
    /// Another mod with the same package wins.
    #[error("package is in another mod, too: {} wins ({name})", winner.display())]
    SharedPackage {
        /// The container of the other mod.
        winner: PathBuf,
        /// Path of the package without its extension.
        name: String,
    },
    /// The mod is not signed, but the game's containers are, as this file shows.
    #[error("no .sig beside the mod, but the game's containers are signed ({})", .0.display())]
    NoSignature(PathBuf),
    /// The mod is encrypted, and no game was given to check its key.
    #[error("encrypted with the key {0}")]
    Encrypted(Guid),
    /// The mod is encrypted with a key that the game lacks.
    #[error("encrypted with the key {0}, which the game does not have")]
    OtherKey(Guid),
    /// A chunk cannot be read.
    #[error("chunk cannot be read ({0})")]
    Unreadable(#[source] Cause),
    /// The content of a chunk, named by path, does not match its recorded hash.
    #[error("chunk does not have the hash recorded for it ({0})")]
    Mismatch(String),
    /// Some packages of the game cannot be read, so imports from them are not checked.
    #[error("imports are not compared with the game, of which packages cannot be read ({0})")]
    GameUnread(#[source] Cause),
    /// A container has another version than the game's containers.
    #[error("toc version {found}, but the game's containers have {game}")]
    OtherTocVersion {
        /// Version of the container.
        found: TocVersion,
        /// Version of the game's containers.
        game: TocVersion,
    },
    /// Several chunks of a container share an id.
    #[error("chunk with the id of another in the same container ({0})")]
    SharedChunkId(RawChunkId),
    /// A chunk cannot be found by way of its container's perfect hash, which the engine uses.
    #[error("chunk is where the perfect hash of the container does not lead ({0})")]
    Misplaced(RawChunkId),
    /// The hashes of a container are of another kind than its version requires.
    #[error("the hashes of the chunks are {found}, expected {expected}")]
    OtherHashes {
        /// Kind of the hashes.
        found: ChunkHashKind,
        /// Kind required by the version.
        expected: ChunkHashKind,
    },
    /// The native objects of a mod differ from those of the game.
    #[error("the mod's native objects are not those of the game: {added} more, {gone} missing")]
    OtherScripts {
        /// Number of objects only the mod has.
        added: usize,
        /// Number of objects only the game has.
        gone: usize,
    },
    /// A container with packages has no container header.
    #[error("no container header, or one that cannot be read")]
    NoHeader,
    /// A container header belongs to another container.
    #[error(
        "the container header is that of another container: {unlisted} not in it, {gone} not in the container"
    )]
    StaleHeader {
        /// Number of packages in the container that the header does not list.
        unlisted: usize,
        /// Number of listed packages that the container lacks.
        gone: usize,
    },
    /// A container header lists packages that the container lacks; no game was given that may have them.
    #[error("the container header lists {} that are not in the container", counted(*.0 as u64, "package", "packages"))]
    ListedElsewhere(usize),
    /// A container header lists packages that neither the container nor the game has.
    #[error("the container header lists {} that neither the container nor the game has", counted(*.0 as u64, "package", "packages"))]
    ListedNowhere(usize),
    /// A mod contains a project-wide file.
    #[error("file of the whole project in the mod ({})", .0.name())]
    ProjectFile(ProjectFile),
    /// A container or pak lies among the files to pack.
    #[error("container among the files")]
    ContainerInside,
    /// A project-wide file was left out.
    #[error("file of the whole project is left out ({})", .0.name())]
    ProjectFileLeftOut(ProjectFile),
    /// The mount point of a pak is outside of the game.
    #[error("mount point {0:?} leads out of the game")]
    MountPoint(String),
    /// Paths of a pak begin with the folder of another project.
    #[error("file lies below {found}, but the project of the game is {game}")]
    OtherProject {
        /// First folder of the path.
        found: String,
        /// Project of the game.
        game: String,
    },
    /// A pak is newer than those of the game.
    #[error("pak version {found}, but the game's paks have {game}")]
    OtherPakVersion {
        /// Version of the pak.
        found: PakVersion,
        /// Newest version of the game's paks.
        game: PakVersion,
    },
    /// The header of a package in a pak cannot be read.
    #[error("package header is damaged ({0})")]
    BadHeader(#[source] Fault),
    /// The exports of a package extend beyond the end of its `.uexp`.
    #[error("package has objects up to byte {end} of a .uexp that has {found}")]
    ExportsShort {
        /// End of the last export, in bytes.
        end: u64,
        /// Length of the file, in bytes.
        found: u64,
    },
    /// A package in a pak was saved by the editor, not by the cooker.
    #[error("package was saved by the editor")]
    Uncooked,
    /// The exports of a package are in a pak without its header.
    #[error(".uexp has no .uasset or .umap beside it")]
    HeaderMissing,
    /// A package, named by path, is in a pak, but the game has its own packages in containers.
    #[error("package is in a pak, but the game has its packages in containers ({0})")]
    LooseNew(String),
    /// A pak has no `.utoc` beside it, which games since 5.6 need.
    #[error("no .utoc beside the .pak")]
    NoTable {
        /// True if the game is known to be of such a release; otherwise it may be.
        certain: bool,
    },
    /// A package has the chunk id of another name.
    #[error("package {0} lies under the chunk id of another name")]
    OtherName(String),
    /// A package has versioned properties and the game's are unversioned, or the other way round.
    #[error("package has {} properties, unlike those of the game", if *unversioned { "versioned" } else { "unversioned" })]
    OtherProperties {
        /// True if the properties of the game are unversioned.
        unversioned: bool,
    },
    /// A container header among the inputs belongs to another container.
    #[error("container header of another container, {found}, replaced by one of {own}")]
    OldHeaderReplaced {
        /// Id in the header.
        found: ContainerId,
        /// Id of the new container.
        own: ContainerId,
    },
    /// A container header among the inputs cannot be read.
    #[error("container header is not used: {0}")]
    OldHeaderUnread(#[source] Cause),
    /// Other releases fit the packages equally well, and their games may reject the container.
    #[error("written for {release}; UE {} would fit as well", others.iter().map(|other| other.name).collect::<Vec<_>>().join(", "))]
    ReleaseUncertain {
        /// The release for which the container was written.
        release: &'static Release,
        /// Other releases that fit.
        others: Vec<&'static Release>,
        /// True if the game's containers, which were not given, would decide.
        game_would_tell: bool,
    },
}

/// Reason why a cooked package cannot become a zen package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionProblem {
    /// A structure cannot be parsed.
    #[error("{structure}: {source}")]
    Malformed {
        /// Name of the structure.
        structure: &'static str,
        /// Field and offset.
        source: Fault,
    },
    /// It has something that zen packages cannot represent.
    #[error(transparent)]
    Convert(#[from] ToZenError),
}

/// A package or object that another refers to, by its name if known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Referent {
    /// By name or path.
    Named(String),
    /// Package by id.
    Package(PackageId),
    /// Object by its index in import maps.
    Object(PackageObjectIndex),
}

impl Referent {
    /// A package, by its name if known.
    pub(crate) fn package(id: PackageId, name: Option<String>) -> Self {
        name.map_or(Self::Package(id), Self::Named)
    }
}

impl std::fmt::Display for Referent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Package(id) => id.fmt(f),
            Self::Object(index) => index.fmt(f),
        }
    }
}
