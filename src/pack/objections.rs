//! Why a game would not take what is to be packed.

mod text;

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
    /// An object that neither the mod nor the game has.
    ImportMissing(String),
    /// A material without a library of its shaders.
    MaterialWithoutShaders,
    /// Another container has the id that follows from the name.
    ContainerIdTaken(PathBuf),
    /// The game's containers have another version.
    OtherThanGame { release: &'static str, game: String },
    /// A container of the game wins over the new one.
    Overridden(PathBuf),
    /// A container has no `.pak` beside it.
    NoCompanion,
    /// The id of a container is not that of its name.
    OtherContainerId(String),
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
    /// A container header lists other packages than there are.
    StaleHeader { unlisted: usize, gone: usize },
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
                | Self::ImportMissing(_)
                | Self::LooseOverridden(_)
                | Self::MaterialWithoutShaders
                | Self::OtherNameThere(_)
                | Self::NamesUncounted(_)
                | Self::OtherHashes { .. }
                | Self::SidecarLeftOut
                | Self::SidecarStale
                | Self::SidecarUnreadable(_)
        )
    }
}

/// All objections, each with the first file that it is about, and how many there are.
#[derive(Debug, Default)]
pub(super) struct Objections(BTreeMap<Objection, (u64, PathBuf)>);

impl Objections {
    /// Objects to a file. Faults are many; the first stands for all.
    pub(super) fn add(&mut self, objection: Objection, path: &Path) {
        let known = |other: &&Objection| std::mem::discriminant(*other) == std::mem::discriminant(&objection);
        let key = self.0.keys().find(known).cloned().unwrap_or(objection);
        let (count, _) = self.0.entry(key).or_insert_with(|| (0, path.to_owned()));
        *count += 1;
    }

    /// An error if there are reasons not to pack; with `force`, these are warnings, too.
    pub(super) fn settle(mut self, force: bool) -> Result<Vec<String>> {
        if force {
            self.0.remove(&Objection::Exists);
        }
        let (reasons, mut warnings) = self.texts();
        if !reasons.is_empty() && !force {
            return Err(Error::Refused { reasons });
        }
        warnings.splice(0..0, reasons);
        Ok(warnings)
    }

    /// The reasons not to pack, and the warnings.
    pub(super) fn texts(self) -> (Vec<String>, Vec<String>) {
        let (warnings, reasons): (Vec<_>, Vec<_>) =
            self.0.into_iter().partition(|(objection, _)| objection.is_warning());
        let texts = |all: Vec<(Objection, (u64, PathBuf))>| {
            all.iter().map(|(objection, (count, first))| objection.text(*count, first)).collect()
        };
        (texts(reasons), texts(warnings))
    }
}
