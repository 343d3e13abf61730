//! Which release wrote a package.
//!
//! A package with versioning info records it. For others, the form of the package narrows it down, and where releases that
//! share the form write different layouts, clues from outside do, the best first. Each leaves some releases; one that
//! contradicts those before it does not count. What is left is settled for the newest: the layouts of 5.6, 5.7 and 5.8 differ,
//! and nothing in an unversioned package tells which of them it was.

use super::error::ConvertError;
use crate::package::convert::common::header_len;
use crate::package::zen::Header;
use crate::version::{
    ContainerHeaderVersion, EngineRange, PackageFileVersion, Release, Releases, TocVersion,
};
use std::fmt;

/// What is known from outside about the engine that wrote a package: clues, the best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence<'a> {
    /// The clues.
    pub clues: &'a [Clue],
}

/// Something that leaves some releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clue {
    /// What it is.
    pub how: How,
    /// The releases that it leaves.
    pub releases: Releases,
}

impl Clue {
    /// What a container says: the version of its table of contents, that of its container header, and the length of the hashes
    /// of shader maps in it.
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

/// How a release was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[non_exhaustive]
pub enum How {
    /// It was asked for.
    Given,
    /// By the versions that the package names.
    Versions,
    /// It is the only one that writes packages of this form.
    Form,
    /// By the versions that another package of the game names.
    Neighbour,
    /// By what the container says.
    Container,
    /// By what other containers of the game say.
    Containers,
    /// By the version of the game's asset registry.
    Registry,
    /// By the game's `.uproject`.
    Project,
    /// By `Engine/Build/Build.version`.
    Build,
    /// By the version of the game's executable.
    Executable,
    /// By the layout of the headers of cooked packages.
    Layout,
    /// By the data of cooked assets.
    Assets,
    /// It is the newest of those that may have written it.
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
            Self::Newest => "the newest that fits",
        })
    }
}

/// The release to write for, and its object versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Engine {
    pub release: &'static Release,
    pub how: How,
    /// The releases that fit as well; empty unless their layouts differ.
    pub fitting: Option<Releases>,
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
        let (release, how, fitting) = match given {
            Some(release) if release.zen == Some(header.generation) => (release, How::Given, None),
            Some(wanted) => {
                return Err(ConvertError::WrongRelease { found: header.generation.releases(), wanted });
            }
            None => detect(header, evidence),
        };
        Ok(Self { release, how, fitting, objects: objects.unwrap_or(release.objects) })
    }

    /// Bytes that the cooker's header had.
    pub(super) fn header_len(&self, header: &Header) -> i64 {
        let unrecorded = header_len::unrecorded(
            self.objects,
            self.release.cooked_import_package_name,
            header.imports.len(),
        );
        i64::from(header.cooked_header_len) + i64::try_from(unrecorded).unwrap_or(i64::MAX / 2)
    }
}

/// The releases that clues leave of those that write packages of this form, and the last clue that mattered.
pub(super) fn narrow(header: &Header, evidence: Evidence<'_>) -> (Releases, How) {
    let (mut left, mut how) = (Releases::of_form(header.generation), How::Form);
    let own = header.versioning.as_ref().map(|own| Clue { how: How::Versions, releases: own.releases() });
    for clue in own.iter().chain(evidence.clues) {
        let both = left.and(clue.releases);
        // One that leaves nothing contradicts what is known better.
        if !both.is_empty() && (both != left || clue.how == How::Versions) {
            (left, how) = (both, clue.how);
        }
    }
    (left, how)
}

fn detect(header: &Header, evidence: Evidence<'_>) -> (&'static Release, How, Option<Releases>) {
    let (left, how) = narrow(header, evidence);
    let newest = left.iter().next_back().unwrap_or_else(Release::newest);
    // Object versions in the package leave no doubt but for the names of imports.
    let open = left.layouts().nth(1).is_some();
    if open { (newest, How::Newest, Some(left)) } else { (newest, how, None) }
}

/// Whether the layout that a package had is known without more clues.
#[must_use]
pub fn is_settled(header: &Header, evidence: Evidence<'_>) -> bool {
    narrow(header, evidence).0.layouts().nth(1).is_none()
}
