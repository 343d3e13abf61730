//! Patterns without wildcards: names of files, folders and packages.

use super::candidate::{Candidate, normal};
use crate::id::PackageId;
use crate::store::package_path::{is_below, is_of_package};

/// A name pattern. Letter case does not matter.
///
/// ```text
/// Start, Start.umap, Maps/Start, Shooter/Content/Maps/Start.umap   a file
/// Maps, Content/Maps, Shooter                                      everything below a folder of that name
/// /Shooter/Content/Maps                                            such a folder, at the root of the tree only
/// /Game/Maps/Start                                                 a package and its bulk data
/// /Game, /Game/Maps, Game/Maps, /Plugin/Icons                      the packages below a folder of package names
/// ```
///
/// `Game/Maps/Start` and `//Game/Maps/Start` are that package, too: some shells take a single slash in front for a folder of
/// their own.
#[derive(Debug)]
pub(super) struct NamePattern {
    /// Lower-cased, without leading and trailing slashes.
    path: String,
    /// True if it began with a slash.
    rooted: bool,
    /// True if it ended with a slash.
    folder: bool,
    /// True if content of a folder of that name does not match.
    names_only: bool,
    /// The package of that name, if it may be one.
    package: Option<Package>,
}

/// A package that a pattern may name, known by id in containers and by path in paks.
#[derive(Debug)]
struct Package {
    id: PackageId,
    /// Its lower-cased name without leading slash.
    name: String,
}

impl NamePattern {
    pub(super) fn new(text: &str, names_only: bool) -> Self {
        let path = normal(text);
        let rooted = path.starts_with('/');
        let package = (rooted || starts_with_game(&path)).then(|| {
            let name = text.replace('\\', "/");
            let name = name.trim_matches('/');
            // An extension is allowed after a package name, as users copy it from file listings.
            let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
            // Not from the lower-case path: ids fold only the case of ASCII letters.
            Package { id: PackageId::from_name(&format!("/{name}")), name: name.to_lowercase() }
        });
        let folder = path.ends_with('/');
        Self { path: path.trim_matches('/').to_owned(), rooted, folder, names_only, package }
    }

    pub(super) fn matches(&self, candidate: &Candidate<'_>) -> bool {
        // Chunks of packages are compared by id, which works even for containers without paths.
        let has_id = candidate.kind.belongs_to_package();
        if self.package.as_ref().is_some_and(|package| has_id && candidate.id.id() == package.id.0) {
            return true;
        }
        // Only ASCII can be compared byte by byte in any letter case; other paths have to be lower-cased first.
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
        // An unrooted name may start at any folder.
        let starts = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1);
        std::iter::once(0).chain(starts).any(|at| self.fits(path.as_bytes().get(at..).unwrap_or_default()))
    }

    /// True if the rest of a path is the name, with or without extensions, or lies below it.
    fn fits(&self, path: &[u8]) -> bool {
        let Some((front, rest)) = path.split_at_checked(self.path.len()) else { return false };
        if self.path.is_empty() || !front.eq_ignore_ascii_case(self.path.as_bytes()) {
            return false;
        }
        // The name must end at a folder or an extension, or it is only the beginning of another name.
        match rest.first() {
            None => !self.folder,
            Some(b'/') => !self.names_only,
            Some(b'.') => !self.folder && !rest.contains(&b'/'),
            Some(_) => false,
        }
    }
}

/// True for `/Game`, the root of project packages, whatever the project's folder is called.
pub(super) fn starts_with_game(path: &str) -> bool {
    path.split('/').next() == Some("game")
}
