//! Detects the release that wrote a package.
//!
//! A package with versioning info records it. Otherwise the form of the package narrows it down, and if
//! releases sharing the form write different layouts, external clues decide, best first. Each clue leaves
//! some releases; one that contradicts the better ones is ignored. The newest of the remaining releases is
//! taken: the layouts of 5.6, 5.7 and 5.8 differ, and nothing in an unversioned package distinguishes them.

use super::error::ConvertError;
use crate::package::convert::common::unrecorded_header_len;
use crate::package::zen::Header;
use crate::version::{
    ContainerHeaderVersion, EngineRange, PackageFileVersion, Release, Releases, TocVersion,
};
use std::fmt;

/// External clues to the engine that wrote a package.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence<'a> {
    /// Clues, best first.
    pub clues: &'a [Clue],
}

/// One clue: a set of possible releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clue {
    /// Source of the clue.
    pub how: How,
    /// Releases that the clue allows.
    pub releases: Releases,
}

impl Clue {
    /// Derives a clue from a container: the version of its table of contents, that of its container header,
    /// and the length of its shader map hashes.
    #[must_use]
    pub fn of_container(
        how: How,
        toc: TocVersion,
        header: Option<ContainerHeaderVersion>,
        shader_hash_len: Option<usize>,
    ) -> Self {
        let range = EngineRange::detect(toc, header);
        let fits = |release: &Release| {
            range.is_none_or(|range| range.contains(release))
                && shader_hash_len.is_none_or(|len| release.writes_shader_hashes_of(len))
        };
        Self { how, releases: Releases::matching(fits) }
    }
}

/// Source of a detected release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[non_exhaustive]
pub enum How {
    /// Requested by the caller.
    Given,
    /// Versions recorded in the package.
    Versions,
    /// Form of the package, if only one release writes it.
    Form,
    /// Versions recorded in another package of the game.
    Neighbour,
    /// Versions of the container.
    Container,
    /// Versions of other containers of the game.
    Containers,
    /// Version of the game's asset registry.
    Registry,
    /// The game's `.uproject`.
    Project,
    /// The file `Engine/Build/Build.version`.
    Build,
    /// Version of the game's executable.
    Executable,
    /// Header layout of cooked packages.
    Layout,
    /// Data of cooked assets.
    Assets,
    /// Classes in the game's mappings.
    Mappings,
    /// No clue: the newest release that may have written it.
    Newest,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "as asked for",
            Self::Versions => "by the versions in the package",
            Self::Form => "by the form of the package",
            Self::Neighbour => "by the versions in another package",
            Self::Container => "by the container",
            Self::Containers => "by the other containers",
            Self::Registry => "by the asset registry",
            Self::Project => "by the .uproject file",
            Self::Build => "by Build.version",
            Self::Executable => "by the version of the executable",
            Self::Layout => "by the layout of the headers",
            Self::Assets => "by the data of the assets",
            Self::Mappings => "by the classes in the mappings",
            Self::Newest => "the newest that fits",
        })
    }
}

/// Release to write for, and its object versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Engine {
    pub release: &'static Release,
    pub how: How,
    /// All releases that fit.
    pub left: Releases,
    /// True if their layouts differ.
    pub is_open: bool,
    pub objects: PackageFileVersion,
}

impl Engine {
    pub(super) fn choose(
        header: &Header,
        given: Option<&'static Release>,
        evidence: Evidence<'_>,
    ) -> Result<Self, ConvertError> {
        let objects = header.versioning.as_ref().map(|versioning| versioning.objects);
        if let Some(found) = objects.filter(|objects| !objects.is_supported()) {
            return Err(ConvertError::UnknownVersion { found });
        }
        let (release, how, left) = match given {
            Some(release) if release.zen == Some(header.generation) => {
                (release, How::Given, Releases::matching(|other| other == release))
            }
            Some(wanted) => {
                // Only the layouts of the same generation can hold the package.
                return Err(ConvertError::WrongRelease { found: header.generation.releases(), wanted });
            }
            None => detect(header, evidence),
        };
        let is_open = how == How::Newest;
        Ok(Self { release, how, left, is_open, objects: objects.unwrap_or(release.objects) })
    }

    /// Returns the length of the cooker's header in bytes.
    pub(super) fn header_len(&self, header: &Header) -> i64 {
        let unrecorded = unrecorded_header_len(
            self.objects,
            self.release.cooked_import_package_name,
            header.imports.len(),
        );
        i64::from(header.cooked_header_len) + i64::try_from(unrecorded).unwrap_or(i64::MAX / 2)
    }
}

/// Returns the releases of this form that the clues allow, and the last clue that mattered.
pub(super) fn narrow(header: &Header, evidence: Evidence<'_>) -> (Releases, How) {
    let (mut left, mut how) = (Releases::of_form(header.generation), How::Form);
    let own = header.versioning.as_ref().map(|own| Clue { how: How::Versions, releases: own.releases() });
    for clue in own.iter().chain(evidence.clues) {
        let both = left.and(clue.releases);
        // A clue that leaves nothing contradicts better ones.
        if !both.is_empty() && (both != left || clue.how == How::Versions) {
            (left, how) = (both, clue.how);
        }
    }
    (left, how)
}

fn detect(header: &Header, evidence: Evidence<'_>) -> (&'static Release, How, Releases) {
    let (left, how) = narrow(header, evidence);
    let newest = left.iter().next_back().unwrap_or_else(Release::newest);
    // Object versions in the package settle everything but the names of imports.
    let open = left.layouts().nth(1).is_some();
    (newest, if open { How::Newest } else { how }, left)
}

/// Returns true if the layout of a package is known without more clues.
#[must_use]
pub fn is_settled(header: &Header, evidence: Evidence<'_>) -> bool {
    narrow(header, evidence).0.layouts().nth(1).is_none()
}
