//! Reasons why a game would reject a mod, crash on it or ignore it, as facts.
//!
//! [`Objection`] says which fault it is, with the paths, ids and versions that show it; [`Finding`] adds how many files have it
//! and which is the first. Texts are short: consequences and remedies depend on the program that shows them.

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

/// Cause of any type. For something that cannot be read it is an [`Error`](crate::error::Error), which may hold objections itself.
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
        /// The version that was asked for.
        version: TocVersion,
    },
    /// A cooker's asset is to go into a container.
    #[error("legacy asset in a container")]
    LegacyAsset,
    /// A file is named like a package, but is not one.
    #[error("file is named like a package, but is not one ({0})")]
    NoPackage(#[source] Fault),
    /// A zen package is to go into a pak.
    #[error("zen package in a pak")]
    ZenInPak,
    /// A package is of another engine release than the container.
    #[error("package is from {package}, expected {expected}")]
    OtherEngine {
        /// Form of the package.
        package: ZenGeneration,
        /// Releases that the container is for.
        expected: Releases,
        /// The releases are those of the game that the mod was compared with.
        of_game: bool,
    },
    /// Nothing lists the packages that a package imports.
    #[error("package without a list of imported packages")]
    ImportsUnknown,
    /// A zen package lies among cooked assets.
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
    /// Neither a package nor its path has a name for it.
    #[error("package has no name")]
    NoName,
    /// The name of a package is not the one that its path gives.
    #[error("package has the name {0}, which its path does not have")]
    NameElsewhere(String),
    /// Packages wait for each other, whatever their bundles.
    #[error("package waits for others that wait for it ({0})")]
    Stuck(Referent),
    /// A package waits for one that was not found, which may wait for it.
    #[error("package waits for one that is not among the inputs ({0})")]
    CirclesUnknown(Referent),
    /// A sidecar belongs to an older header.
    #[error("package header was edited since the .uncask.json was written")]
    SidecarStale,
    /// A sidecar is not packed.
    #[error(".uncask.json is left out")]
    SidecarLeftOut,
    /// A sidecar cannot be read.
    #[error(".uncask.json is of no use ({0})")]
    SidecarUnreadable(#[source] SidecarError),
    /// The game has a package of another name at the same path.
    #[error("package {0} lies where the game has one of another name")]
    OtherNameThere(String),
    /// Export data uses names that the header does not count among those that data uses.
    #[error(
        "package uses names that its header does not count ({class}: name {index}, {counted} are counted)"
    )]
    NamesUncounted {
        /// Path of the class of the export.
        class: String,
        /// The name.
        index: u64,
        /// Names that the header counts.
        counted: u64,
    },
    /// A package has properties that the game's classes do not have.
    #[error("package has properties that the game's classes do not have ({class}: {fault})")]
    OtherSchema {
        /// Path of the class of the export.
        class: String,
        /// Value in its list of properties.
        fault: FaultKind,
    },
    /// The package's own name is invalid.
    #[error("package has the name {0:?}, expected one that begins with a slash")]
    NotAName(String),
    /// A package in a pak is in a container of the game, too.
    #[error("package is in a pak, but the game has the same in containers ({0})")]
    LooseOverridden(String),
    /// Two packages have one id.
    #[error("package has the name of another ({0})")]
    SameId(String),
    /// Bulk data that a package refers to is not in the file beside it.
    #[error("package has bulk data up to byte {end} of a .{extension} that {}", found.map_or("was not found".to_owned(), |len| format!("has {len}")))]
    BulkMissing {
        /// Extension of the file.
        extension: String,
        /// Where the bulk data ends.
        end: u64,
        /// Length of the file, if it was found.
        found: Option<u64>,
    },
    /// No package refers to a bulk data file.
    #[error("bulk data file belongs to no package")]
    BulkUnused,
    /// The game does not have a native object.
    #[error("native object {0} is not in the game")]
    ScriptMissing(Referent),
    /// An import hashes the text of a placeholder: a name that stands for one that was not known.
    #[error("package {0} has imports that were made of the names of placeholders")]
    PlaceholderHashed(String),
    /// An import is a placeholder.
    #[error("package imports the placeholder {0}")]
    PlaceholderImported(ObjectPath),
    /// Neither the mod nor the game has an imported object.
    #[error("imported object is neither in the mod nor in the game ({0})")]
    ImportMissing(Referent),
    /// A material comes without a library of its shaders.
    #[error("material is packed without a shader library")]
    MaterialWithoutShaders,
    /// Another container has the id that follows from the name.
    #[error("the name gives the container the id of {}", .0.display())]
    ContainerIdTaken(PathBuf),
    /// The game's containers have another version.
    #[error("written for {release}, but the containers of the game have toc version {game}")]
    OtherThanGame {
        /// Release that the container was written for.
        release: &'static Release,
        /// Version of the game's containers.
        game: TocVersion,
    },
    /// A container of the game wins over the new one, but not over one of another name.
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
    /// The id of a container is not that of its name.
    #[error("the container's id {0} is that of another name")]
    OtherContainerId(ContainerId),
    /// The game has an earlier build of the mod, which the new one has to replace.
    #[error("the game has a mod of this name: {}", .0.display())]
    Replaces(PathBuf),
    /// Another mod that wins has the same package.
    #[error("package is in another mod, too: {} wins ({name})", winner.display())]
    SharedPackage {
        /// The container of the other mod.
        winner: PathBuf,
        /// Path of the package without its extension.
        name: String,
    },
    /// The mod is not signed, unlike the game's containers, as this file shows.
    #[error("no .sig beside the mod, but the game's containers are signed ({})", .0.display())]
    NoSignature(PathBuf),
    /// The mod is encrypted, and no game was given that has its key.
    #[error("encrypted with the key {0}")]
    Encrypted(Guid),
    /// The mod is encrypted, and the game does not have its key.
    #[error("encrypted with the key {0}, which the game does not have")]
    OtherKey(Guid),
    /// A chunk cannot be read.
    #[error("chunk cannot be read ({0})")]
    Unreadable(#[source] Cause),
    /// The content of a chunk, given by its path, does not have the recorded hash.
    #[error("chunk does not have the hash recorded for it ({0})")]
    Mismatch(String),
    /// Packages of the game cannot be read, so that imports of them are not compared.
    #[error("imports are not compared with the game, of which packages cannot be read ({0})")]
    GameUnread(#[source] Cause),
    /// A container has another version than those of the game.
    #[error("toc version {found}, but the game's containers have {game}")]
    OtherTocVersion {
        /// Version of the container.
        found: TocVersion,
        /// Version of the game's containers.
        game: TocVersion,
    },
    /// Several chunks of a container have one id.
    #[error("chunk with the id of another in the same container ({0})")]
    SharedChunkId(RawChunkId),
    /// A chunk is not where the perfect hash of its container leads to.
    #[error("chunk is where the perfect hash of the container does not lead ({0})")]
    Misplaced(RawChunkId),
    /// The hashes of a container are of another kind than its version has.
    #[error("the hashes of the chunks are {found}, expected {expected}")]
    OtherHashes {
        /// Kind of the hashes.
        found: ChunkHashKind,
        /// Kind that the version has.
        expected: ChunkHashKind,
    },
    /// Native objects of a mod are not those of the game.
    #[error("the mod's native objects are not those of the game: {added} more, {gone} missing")]
    OtherScripts {
        /// Objects that only the mod has.
        added: usize,
        /// Objects that only the game has.
        gone: usize,
    },
    /// A container with packages has no container header.
    #[error("no container header, or one that cannot be read")]
    NoHeader,
    /// A container header is that of another container.
    #[error(
        "the container header is that of another container: {unlisted} not in it, {gone} not in the container"
    )]
    StaleHeader {
        /// Packages of the container that the header does not list.
        unlisted: usize,
        /// Packages that the header lists, and the container does not have.
        gone: usize,
    },
    /// A container header lists packages that the container does not have; no game was given that may have them.
    #[error("the container header lists {} that are not in the container", counted(*.0 as u64, "package", "packages"))]
    ListedElsewhere(usize),
    /// A container header lists packages that neither the mod nor the game has.
    #[error("the container header lists {} that neither the container nor the game has", counted(*.0 as u64, "package", "packages"))]
    ListedNowhere(usize),
    /// A mod has a file of the whole project.
    #[error("file of the whole project in the mod ({})", .0.name())]
    ProjectFile(ProjectFile),
    /// A file of the whole project was left out.
    #[error("file of the whole project is left out ({})", .0.name())]
    ProjectFileLeftOut(ProjectFile),
    /// The mount point of a pak leads out of the game.
    #[error("mount point {0:?} leads out of the game")]
    MountPoint(String),
    /// Paths of a pak begin with the folder of another project than the game's.
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
    /// The exports of a package do not fit into the file beside it.
    #[error("package has objects up to byte {end} of a .uexp that has {found}")]
    ExportsShort {
        /// Where the last export ends.
        end: u64,
        /// Length of the file.
        found: u64,
    },
    /// A package in a pak was saved by the editor, not by the cooker.
    #[error("package was saved by the editor")]
    Uncooked,
    /// The exports of a package are in a pak without its header.
    #[error(".uexp has no .uasset or .umap beside it")]
    HeaderMissing,
    /// A package, given by its path, is in a pak, but the game has its own in containers.
    #[error("package is in a pak, but the game has its packages in containers ({0})")]
    LooseNew(String),
    /// A pak has no `.utoc` beside it, and games since 5.6 need one.
    #[error("no .utoc beside the .pak")]
    NoTable {
        /// The game is known to be of such a release; otherwise it may be.
        certain: bool,
    },
    /// A package lies under the chunk id of another name.
    #[error("package {0} lies under the chunk id of another name")]
    OtherName(String),
    /// A package writes its properties otherwise than the game.
    #[error("package has {} properties, unlike those of the game", if *unversioned { "versioned" } else { "unversioned" })]
    OtherProperties {
        /// The properties of the game are unversioned.
        unversioned: bool,
    },
    /// A container header among the inputs is that of another container.
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
    /// Other releases fit the packages as well, and their games may not take the container.
    #[error("written for {release}; UE {} would fit as well", others.iter().map(|other| other.name).collect::<Vec<_>>().join(", "))]
    ReleaseUncertain {
        /// Release that the container is for.
        release: &'static Release,
        /// Other releases that fit.
        others: Vec<&'static Release>,
        /// The game's containers, which were not given, would tell.
        game_would_tell: bool,
    },
}

/// Reason why a cooked package cannot become a zen package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionProblem {
    /// It cannot be read.
    #[error("{structure}: {source}")]
    Malformed {
        /// Name of the structure.
        structure: &'static str,
        /// Field and offset.
        source: Fault,
    },
    /// It has something that zen packages cannot have.
    #[error(transparent)]
    Convert(#[from] ToZenError),
}

/// Package or object that another refers to: by its name, if that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Referent {
    /// By name or path.
    Named(String),
    /// Package by its id.
    Package(PackageId),
    /// Object by its index in import maps.
    Object(PackageObjectIndex),
}

impl Referent {
    /// A package, by its name if that is known.
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
