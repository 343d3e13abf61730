//! Why a game would not take what is to be packed.

mod kind;
mod text;

use super::options::PackOptions;
use super::project_files::ProjectFile;
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is wrong with a file, or with all of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Objection {
    /// A file of the container is there already.
    Exists,
    /// No engine was released with the version.
    Unreleased { version: String, released: String },
    /// A cooker's asset is to go into a container.
    LegacyAsset,
    /// A file is named like a package.
    NoPackage(String),
    /// A zen package is to go into a pak.
    ZenInPak,
    /// A package is of another engine than the container.
    OtherEngine { package: &'static str, container: String },
    /// Nothing says what a package imports.
    ImportsUnknown,
    /// A zen package is among cooked assets.
    AlreadyZen,
    /// A file is named like a cooked package, but is not one.
    NotCooked,
    /// A package has no `.uexp`.
    ExportsMissing,
    /// A package cannot become a zen package, for some reason.
    NotConvertible(String),
    /// Neither a package nor its path says what it is called.
    NoName,
    /// The name of a package is not the one that its path gives.
    NameElsewhere(String),
    /// Packages wait for each other, whatever their bundles.
    Stuck(String),
    /// A package waits for one that is not there, so that it cannot be seen whether that one waits, too.
    CirclesUnknown(String),
    /// What was kept of a package was kept with another header.
    SidecarStale,
    /// A sidecar is not packed.
    SidecarLeftOut,
    /// A sidecar cannot be read.
    SidecarUnreadable(String),
    /// The game has a package of another name at the same path.
    OtherNameThere(String),
    /// Export data uses names that the header does not count among those that it uses.
    NamesUncounted(String),
    /// Properties of classes that the game's do not have.
    OtherSchema(String),
    /// A package calls itself by what is no name of a package.
    NotAName(String),
    /// Packages in a pak that the game has in containers.
    LooseOverridden(String),
    /// Two packages have one id.
    SameId(String),
    /// Bulk data that a package refers to is not in the file beside it.
    BulkMissing { extension: String, end: u64, found: Option<u64> },
    /// No package refers to a bulk data file.
    BulkUnused,
    /// A native object that the game does not have.
    ScriptMissing(String),
    /// An import is made of the text of a placeholder: a name that only stands for one that was not known.
    PlaceholderHashed(String),
    /// An import is a placeholder.
    PlaceholderImported(String),
    /// An object that neither the mod nor the game has.
    ImportMissing(String),
    /// A material without a library of its shaders.
    MaterialWithoutShaders,
    /// Another container has the id that follows from the name.
    ContainerIdTaken(PathBuf),
    /// The game's containers have another version.
    OtherThanGame { release: &'static str, game: String },
    /// A container of the game wins over the new one, but not over one of another name.
    Overridden { winner: PathBuf, instead: String },
    /// A container has no `.pak` beside it.
    NoCompanion,
    /// The id of a container is not that of its name.
    OtherContainerId(String),
    /// The game has an earlier build of the mod, which the new one has to take the place of.
    Replaces(PathBuf),
    /// Another mod has a package, too, and wins.
    SharedPackage { winner: PathBuf, name: String },
    /// The game's containers are signed, as this file shows, and the mod is not.
    NoSignature(PathBuf),
    /// The mod is encrypted, and whether the game has its key is not known.
    Encrypted(String),
    /// The mod is encrypted, and the game does not have its key.
    OtherKey(String),
    /// A chunk cannot be read, for some reason.
    Unreadable(String),
    /// The content of a chunk does not have the recorded hash.
    Mismatch(String),
    /// Packages of the game cannot be read, for some reason, so that imports of them are not compared.
    GameUnread(String),
    /// A container has another version than those of the game.
    OtherTocVersion { found: String, game: String },
    /// Several chunks of a container have one id.
    SharedChunkId(String),
    /// Chunks of a container are not where its perfect hash leads to.
    Misplaced(String),
    /// The hashes of a container are of another kind than its version has.
    OtherHashes { found: &'static str, expected: &'static str },
    /// Native objects of a mod are not those of the game.
    OtherScripts { added: usize, gone: usize },
    /// A container with packages has no container header.
    NoHeader,
    /// A container header is that of another container.
    StaleHeader { unlisted: usize, gone: usize },
    /// A container header lists packages that are in other containers, if they are anywhere: without the game, that is not known.
    ListedElsewhere(usize),
    /// A container header lists packages that neither the mod nor the game has.
    ListedNowhere(usize),
    /// A file that the whole project has once, in a mod.
    ProjectFile(ProjectFile),
    /// A file that the whole project has once, left out.
    ProjectFileLeftOut(ProjectFile),
    /// The mount point of a pak leads out of the game.
    MountPoint(String),
    /// Paths of a pak begin with the folder of another project than the game's.
    OtherProject { found: String, game: String },
    /// A pak is newer than those of the game.
    OtherPakVersion { found: String, game: String },
    /// The header of a package in a pak cannot be read, for some reason.
    BadHeader(String),
    /// The exports of a package do not fit into the file beside it.
    ExportsShort { end: u64, found: u64 },
    /// A package in a pak was saved by the editor, not by the cooker.
    Uncooked,
    /// The exports of a package are in a pak without its header.
    HeaderMissing,
    /// Packages in a pak for a game that has its own in containers.
    LooseNew(String),
    /// A pak without a `.utoc`, for a game that mounts none without, or, where its release is one of several, may mount none.
    NoTable { certain: bool },
    /// The name of a package is not the one that its chunk id stands for.
    OtherName(String),
    /// Properties are written otherwise than in the game.
    OtherProperties { unversioned: bool },
}

impl Objection {
    /// Whether it is worth a warning, but prevents nothing.
    const fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::NameElsewhere(_)
                | Self::BulkUnused
                | Self::CirclesUnknown(_)
                | Self::Encrypted(_)
                | Self::GameUnread(_)
                | Self::ImportMissing(_)
                | Self::ListedElsewhere(_)
                | Self::LooseNew(_)
                | Self::LooseOverridden(_)
                | Self::MaterialWithoutShaders
                | Self::OtherContainerId(_)
                | Self::OtherNameThere(_)
                | Self::OtherProject { .. }
                | Self::NamesUncounted(_)
                | Self::NoSignature(_)
                | Self::NoTable { certain: false }
                | Self::OtherHashes { .. }
                | Self::ProjectFile(_)
                | Self::ProjectFileLeftOut(_)
                | Self::Replaces(_)
                | Self::SharedPackage { .. }
                | Self::SidecarLeftOut
                | Self::SidecarStale
                | Self::SidecarUnreadable(_)
        )
    }
}

/// An objection for the user: what is wrong with how many files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its kind, such as `no-companion`; the same in all releases of this library.
    pub kind: &'static str,
    /// Files, chunks or packages that it concerns.
    pub count: u64,
    /// The first of them.
    pub first: PathBuf,
    /// The fault, a game's reaction to it, and a remedy.
    pub text: String,
}

/// All objections, each with the first file that it is about, and how many there are.
#[derive(Debug, Default)]
pub(super) struct Objections(BTreeMap<Objection, (u64, PathBuf)>);

impl Objections {
    /// Objects to a file. Faults are many; the first stands for all.
    pub(super) fn add(&mut self, objection: Objection, path: &Path) {
        self.add_many(objection, 1, path);
    }

    /// Objects to some files, of which `path` is the first.
    pub(super) fn add_many(&mut self, objection: Objection, number: u64, path: &Path) {
        let known = |other: &&Objection| other.kind() == objection.kind();
        let key = self.0.keys().find(known).cloned().unwrap_or(objection);
        let (count, _) = self.0.entry(key).or_insert_with(|| (0, path.to_owned()));
        *count += number;
    }

    /// Takes over those of others.
    pub(super) fn append(&mut self, others: Self) {
        for (objection, (count, path)) in others.0 {
            self.add_many(objection, count, &path);
        }
    }

    /// An error if there are reasons not to pack; where these are to be packed all the same, they are warnings, too.
    pub(super) fn settle(mut self, options: &PackOptions) -> Result<Vec<String>> {
        if options.replaces() {
            self.0.remove(&Objection::Exists);
        }
        let texts = |all: Vec<Finding>| all.into_iter().map(|finding| finding.text).collect::<Vec<_>>();
        let (reasons, warnings) = self.findings();
        let (reasons, mut warnings) = (texts(reasons), texts(warnings));
        if !reasons.is_empty() && !options.force {
            return Err(Error::Refused { reasons });
        }
        warnings.splice(0..0, reasons);
        Ok(warnings)
    }

    /// The reasons not to pack, and the warnings.
    pub(super) fn findings(self) -> (Vec<Finding>, Vec<Finding>) {
        let (warnings, reasons): (Vec<_>, Vec<_>) =
            self.0.into_iter().partition(|(objection, _)| objection.is_warning());
        let finding = |(objection, (count, first)): (Objection, (u64, PathBuf))| Finding {
            kind: objection.kind(),
            count,
            text: objection.text(count, &first),
            first,
        };
        let findings = |all: Vec<_>| all.into_iter().map(finding).collect();
        (findings(reasons), findings(warnings))
    }
}
