//! Patterns without wildcards: what a name may be the name of.

use super::candidate::{Candidate, normal};
use crate::id::PackageId;
use crate::store::package_path::{is_below, is_of_package};

/// A name. Letter case does not matter.
///
/// ```text
/// Start, Start.umap, Maps/Start, Shooter/Content/Maps/Start.umap   a file
/// Maps, Content/Maps, Shooter                                      everything below a folder of that name
/// /Shooter/Content/Maps                                            the same, but from the root of the tree
/// /Game/Maps/Start                                                 a package and its bulk data
/// /Game, /Game/Maps, Game/Maps, /Plugin/Icons                      the packages below a folder of package names
/// ```
#[derive(Debug)]
pub(super) struct NamePattern {
    /// Lower-cased, without slashes at its ends.
    path: String,
    /// It began with a slash.
    rooted: bool,
    /// It ended with a slash.
    folder: bool,
    /// What lies in a folder of that name does not match.
    names_only: bool,
    /// The package of that name.
    package: Option<Package>,
}

/// A package that a pattern may name: chunks of containers know it by its id, files of paks by their paths.
#[derive(Debug)]
struct Package {
    id: PackageId,
    /// Its name, lower-cased, without the slash at its start.
    name: String,
}

impl NamePattern {
    pub(super) fn new(text: &str, names_only: bool) -> Self {
        let rooted = text.starts_with('/');
        let package = rooted.then(|| {
            let name = text.trim_end_matches('/');
            let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
            Package { id: PackageId::from_name(name), name: name.trim_start_matches('/').to_lowercase() }
        });
        let path = normal(text);
        let folder = path.ends_with('/');
        Self { path: path.trim_matches('/').to_owned(), rooted, folder, names_only, package }
    }

    pub(super) fn matches(&self, candidate: &Candidate<'_>) -> bool {
        let has_id = candidate.kind.belongs_to_package();
        if self.package.as_ref().is_some_and(|package| has_id && candidate.id.id() == package.id.0) {
            return true;
        }
        // What is not ASCII has no case that can be compared byte by byte.
        let lowered = (!candidate.path.is_ascii()).then(|| candidate.path.to_lowercase());
        let path = lowered.as_deref().unwrap_or(candidate.path);
        let is_package_folder = self.rooted || starts_with_game(&self.path);
        if is_package_folder && !self.names_only && is_below(path, &self.path) {
            return true;
        }
        if self.package.as_ref().is_some_and(|package| !has_id && is_of_package(path, &package.name)) {
            return true;
        }
        if self.rooted {
            return self.fits(path.as_bytes());
        }
        let starts = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1);
        std::iter::once(0).chain(starts).any(|at| self.fits(path.as_bytes().get(at..).unwrap_or_default()))
    }

    /// Whether the end of a path is the name, with or without extensions, or lies below it.
    fn fits(&self, path: &[u8]) -> bool {
        let Some((front, rest)) = path.split_at_checked(self.path.len()) else { return false };
        if self.path.is_empty() || !front.eq_ignore_ascii_case(self.path.as_bytes()) {
            return false;
        }
        match rest.first() {
            None => !self.folder,
            Some(b'/') => !self.names_only,
            Some(b'.') => !self.folder && !rest.contains(&b'/'),
            Some(_) => false,
        }
    }
}

/// `/Game` is where packages of the project are, whatever its folder is called.
pub(super) fn starts_with_game(path: &str) -> bool {
    path.split('/').next() == Some("game")
}
