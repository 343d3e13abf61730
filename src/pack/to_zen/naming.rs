//! Names and paths of packages.
//!
//! From 5.1 on, cooked packages contain their names. Before, only the folders show them:
//! `<Project>/Content/Maps/Level` is `/Game/Maps/Level`. A plugin may have another name than its folder, so
//! of several possible names, one that the game has is preferred.

use super::game::BaseGame;
use crate::id::PackageId;
use crate::package::legacy::Package;
use crate::store::package_path;

/// Name and path of a package.
pub(super) struct Named {
    /// Name, such as `/Game/Maps/Level`.
    pub name: String,
    /// Path below the mount point, without extension.
    pub stem: String,
    /// True if the path stands for another name.
    pub is_elsewhere: bool,
}

/// Names a package. `stem` is the path of its file without extension. Returns `None` if neither the package
/// nor the path shows a name.
pub(super) fn name(package: &Package, stem: &str, game: Option<&BaseGame>, project: &str) -> Option<Named> {
    let by_path = package_path::to_package_names(stem);
    let own = package.name();
    if own.is_empty() {
        let of_game =
            by_path.iter().find(|name| game.is_some_and(|game| game.has(PackageId::from_name(name))));
        let name = of_game.or_else(|| by_path.first())?.clone();
        return Some(Named { name, stem: stem.to_owned(), is_elsewhere: false });
    }
    // The engine only uses the name in the header, so a different path is worth a warning, but no change.
    let is_there = by_path.iter().any(|name| name.eq_ignore_ascii_case(own));
    let stem =
        if by_path.is_empty() { package_path::from_package_name(own, project)? } else { stem.to_owned() };
    Some(Named { name: own.to_owned(), stem, is_elsewhere: !is_there && !by_path.is_empty() })
}
