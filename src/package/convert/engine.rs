//! Which release wrote a package.
//!
//! A package with versioning info says it. Another one is told by its form, and where several releases share that form, by
//! what its container says. What is left is settled for the newest: the layouts of 5.6, 5.7 and 5.8 differ, and nothing in
//! an unversioned package tells which of them it was.

use super::ConvertError;
use crate::package::zen::Header;
use crate::version::{ContainerHeaderVersion, EngineRange, PackageFileVersion, Release, TocVersion};
use std::fmt;

/// What a container says about the engine that wrote it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Version of its table of contents.
    pub toc: Option<TocVersion>,
    /// Version of its container header.
    pub container_header: Option<ContainerHeaderVersion>,
    /// Bytes of the hashes of shader maps in its container header, if it has any.
    pub shader_hash_len: Option<usize>,
}

/// How a release was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum How {
    /// It was asked for.
    Given,
    /// By the versions that the package names.
    Versions,
    /// It is the only one that writes packages of this form.
    Form,
    /// By what the container says.
    Container,
    /// It is the newest of those that may have written it.
    Newest,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "as asked for",
            Self::Versions => "by the versions in the package",
            Self::Form => "by the form of the package",
            Self::Container => "by the container",
            Self::Newest => "the newest that fits; --engine names another",
        })
    }
}

/// The release to write for, and its object versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Engine {
    pub release: &'static Release,
    pub how: How,
    pub objects: PackageFileVersion,
}

impl Engine {
    pub(super) fn choose(
        header: &Header,
        given: Option<&'static Release>,
        evidence: Evidence,
    ) -> Result<Self, ConvertError> {
        let objects = header.versioning.as_ref().map(|versioning| versioning.objects);
        if let Some(found) = objects.filter(|objects| !objects.is_supported()) {
            return Err(ConvertError::UnknownVersion { found });
        }
        let (release, how) = match given {
            Some(release) if release.zen == Some(header.generation) => (release, How::Given),
            Some(wanted) => {
                return Err(ConvertError::WrongRelease { found: header.generation.releases(), wanted });
            }
            None => detect(header, evidence),
        };
        Ok(Self { release, how, objects: objects.unwrap_or(release.objects) })
    }

    /// Bytes that the cooker's header had, as the zen package tells: from 5.7 on that count leaves out the import type
    /// hierarchies, from 5.8 on also the third name of imports.
    pub(super) fn header_len(&self, header: &Header) -> i64 {
        let hierarchies = if self.objects.has_import_type_hierarchies() { 8 } else { 0 };
        let names = if self.release.cooked_import_package_name { 8 * header.imports.len() } else { 0 };
        i64::from(header.cooked_header_len) + hierarchies + i64::try_from(names).unwrap_or(i64::MAX / 2)
    }
}

fn detect(header: &Header, evidence: Evidence) -> (&'static Release, How) {
    let of_form = || Release::all().rev().filter(|release| release.zen == Some(header.generation));
    if let Some(versioning) = &header.versioning {
        // A package that uses little of the engine has the numbers of several releases.
        let newest = versioning.release().and_then(Release::from_name);
        let older = Release::all()
            .rev()
            .skip_while(|release| newest.is_some_and(|newest| newest.name != release.name));
        let fitting = |release: &&'static Release| {
            release.objects == versioning.objects && release.zen == Some(header.generation)
        };
        let same = || older.clone().filter(fitting);
        if let Some(release) = same().find(|release| fits(release, evidence)).or_else(|| same().next()) {
            return (release, How::Versions);
        }
    }
    let fitting: Vec<&'static Release> = of_form().filter(|release| fits(release, evidence)).collect();
    match fitting.as_slice() {
        [only] if of_form().count() == 1 => (only, How::Form),
        [only] => (only, How::Container),
        [newest, ..] => (newest, How::Newest),
        // The container contradicts the package.
        [] => (of_form().next().unwrap_or_else(Release::newest), How::Newest),
    }
}

/// Whether a release writes such containers.
fn fits(release: &Release, evidence: Evidence) -> bool {
    let range = evidence.toc.and_then(|toc| EngineRange::detect(toc, evidence.container_header));
    range.is_none_or(|range| range.contains(release))
        && evidence.shader_hash_len.is_none_or(|len| release.writes_shader_hashes_of(len))
}
