//! Checks of paks, and of the packages in them.

use crate::id::PackageId;
use crate::job::Cpu;
use crate::objection::Objection;
use crate::pack::objections::Objections;
use crate::pack::standing::{Standing, own_containers};
use crate::pack::to_zen::{Asset, BaseGame, CookedFile, bulk, in_pak};
use crate::package::PackageKind;
use crate::package::legacy::{FILTER_EDITOR_ONLY, Package, UNVERSIONED_PROPERTIES};
use crate::package::placeholder;
use crate::store::packages::Packages;
use crate::store::{Container, package_path};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Length of the start that identifies a file, in bytes.
const START_LEN: u64 = 64;

/// Mount point of paks by default: three folders up from the game's program.
const ROOT: &str = "../../../";

/// Checks the paks of a mod, and returns the number of packages in them. Names of packages that the game has
/// go to `replaced`.
pub(super) fn check(
    mods: &Packages,
    game: Option<&BaseGame>,
    cpu: &Cpu,
    replaced: &mut BTreeSet<String>,
    objections: &mut Objections,
) -> u64 {
    let mut count = 0;
    for (_, pak) in own_containers(mods).filter(|(_, container)| container.table().pak().is_some()) {
        mounted(pak, game, objections);
        if pak.locked().is_some() {
            continue;
        }
        let found = in_pak(pak);
        if let Some(game) = game {
            project(pak, game, objections);
        }
        let check = InPak { pak, game, limit: mods.limit() };
        let verdicts = cpu.map(&found.assets, |asset| check.asset(asset));
        for (objection, path) in verdicts.into_iter().flatten() {
            objections.add(objection, &path);
        }
        for orphan in &found.orphans {
            check.orphan(orphan, objections);
        }
        replaced.extend(found.assets.iter().filter_map(|asset| check.replaced(&asset.header.path)));
        count += found.assets.len() as u64;
    }
    count
}

/// Checks that the game mounts the pak, and finds its files at the expected paths.
fn mounted(pak: &Arc<Container>, game: Option<&BaseGame>, objections: &mut Objections) {
    let Some(table) = pak.table().pak() else { return };
    let mount = pak.mount_point();
    // Paths of games start at this root; files elsewhere are never looked up.
    let below = mount.strip_prefix(ROOT);
    let leads_out = below.is_none_or(|below| below.split('/').any(|folder| folder == ".."));
    if table.file_count() > 0 && leads_out {
        objections.add(Objection::MountPoint(mount.to_owned()), pak.path());
    }
    let Some(game) = game else { return };
    let version = |container: &Arc<Container>| Some(container.table().pak()?.index().footer().version);
    let newest = game.packages().store().containers().iter().filter_map(version).max();
    // A newer pak than all of the game's own shows that it was made for a later engine.
    if let Some((found, game)) = version(pak).zip(newest).filter(|(found, game)| found > game) {
        objections.add(Objection::OtherPakVersion { found, game }, pak.path());
    }
    let (may_need, certain) = game.needs_tables();
    if may_need && !pak.path().with_extension("utoc").exists() {
        objections.add(Objection::NoTable { certain }, pak.path());
    }
}

/// Finds files below the folder of another project.
fn project(pak: &Arc<Container>, game: &BaseGame, objections: &mut Objections) {
    let Some(project) = game.project() else { return };
    let mut path = String::new();
    for chunk in pak.table().chunks() {
        path.clear();
        if !pak.path_into(chunk, &mut path) {
            continue;
        }
        let Some((root, _)) = path.split_once("/Content/") else { continue };
        // The first component only: plugins are below the folder of the project or the engine.
        let root = root.split('/').next().unwrap_or(root);
        if !root.eq_ignore_ascii_case("Engine") && !root.eq_ignore_ascii_case(&project) {
            let (found, game) = (root.to_owned(), project.clone());
            objections.add(Objection::OtherProject { found, game }, pak.path());
        }
    }
}

/// Pak whose packages are checked.
struct InPak<'a> {
    pak: &'a Arc<Container>,
    game: Option<&'a BaseGame>,
    limit: u64,
}

impl InPak<'_> {
    fn asset(&self, asset: &Asset) -> Vec<(Objection, PathBuf)> {
        let mut found = Vec::new();
        match self.header(asset) {
            Err(objection) => found.push(objection),
            Ok(package) => {
                found.extend(self.exports(&package, asset));
                found.extend(self.bulk(&package, asset));
                found.extend(self.properties(&package, asset));
                let placeholder = placeholder::imports(&package).next();
                found.extend(placeholder.map(Objection::PlaceholderImported));
            }
        }
        let path = |objection| (objection, asset.header.shown().to_owned());
        let in_game = self.in_game(&asset.header.path).map(|objection| match objection {
            // This one concerns the whole pak, not the package.
            Objection::Overridden { .. } => (objection, self.pak.path().to_owned()),
            other => path(other),
        });
        found.into_iter().map(path).chain(in_game).collect()
    }

    /// Returns the header of a package that games can load, or the fault that prevents it.
    fn header(&self, asset: &Asset) -> Result<Package, Objection> {
        let unreadable = |error: crate::error::Error| Objection::Unreadable(error.into());
        let start = asset.header.start(START_LEN).map_err(unreadable)?;
        match PackageKind::sniff(&start) {
            Some(PackageKind::Zen(_)) => return Err(Objection::ZenInPak),
            Some(PackageKind::Legacy(_)) => {}
            _ => return Err(Objection::NotCooked),
        }
        let bytes = asset.header.read(self.limit).map_err(unreadable)?;
        let package = Package::parse(&bytes).map_err(Objection::BadHeader)?;
        // Uncooked packages hold data for the editor, which games cannot read.
        let is_cooked = package.summary.package_flags & FILTER_EDITOR_ONLY != 0;
        if is_cooked { Ok(package) } else { Err(Objection::Uncooked) }
    }

    /// Checks the export data, which is in a separate file since about 4.15.
    fn exports(&self, package: &Package, asset: &Asset) -> Option<Objection> {
        let ends =
            // The largest end, since exports need not be in the order of their data.
            package.exports.iter().map(|export| export.serial_offset.saturating_add(export.serial_len));
        let end = u64::try_from(ends.max()?).unwrap_or(u64::MAX);
        let header_len = package.header_len();
        let in_game = || self.has_file(&with_extension(&asset.header.path, "uexp"));
        match &asset.exports {
            _ if end <= asset.header.len => None,
            None => (!in_game()).then_some(Objection::ExportsMissing),
            Some(exports) if exports.len < end.saturating_sub(header_len) => {
                Some(Objection::ExportsShort { end: end - header_len.min(end), found: exports.len })
            }
            Some(_) => None,
        }
    }

    /// Returns the fault of bulk data that neither the pak nor the game has.
    fn bulk(&self, package: &Package, asset: &Asset) -> Option<Objection> {
        let (missing, _) = bulk(package, asset);
        // A file that is too short stays a fault, even if the game has a longer one: the pak's file wins.
        missing.filter(|missing| {
            let Objection::BulkMissing { extension, found: None, .. } = missing else { return true };
            !self.has_file(&with_extension(&asset.header.path, extension))
        })
    }

    /// Objects to properties that are stored differently from the game's package.
    fn properties(&self, package: &Package, asset: &Asset) -> Option<Objection> {
        let game = self.game?;
        let flags = package.summary.package_flags;
        let ids = ids(&asset.header.path);
        if let Some(id) = ids.iter().find(|id| game.has(**id)) {
            return game.property_format(*id, flags);
        }
        // Not in a container: the game may have the package as cooked files in a pak.
        let store = game.packages().store();
        let entry = store.find_cooked(&asset.header.path)?;
        let bytes = store.container(entry)?.read(entry.chunk, 0..u64::MAX, self.limit).ok()?;
        let base = Package::parse(&bytes).ok()?.summary.package_flags;
        let unversioned = base & UNVERSIONED_PROPERTIES != 0;
        ((base ^ flags) & UNVERSIONED_PROPERTIES != 0).then_some(Objection::OtherProperties { unversioned })
    }

    /// Returns the objection to a package that the game loads from elsewhere.
    fn in_game(&self, path: &str) -> Option<Objection> {
        let game = self.game?;
        // Packages in containers win over loose ones in paks.
        if ids(path).iter().any(|id| game.has(*id)) {
            return Some(Objection::LooseOverridden(path.to_owned()));
        }
        let standing = Standing::new(game, self.pak.path());
        if let Some(winner) = standing.winner_of_file(path) {
            return Some(standing.objection(winner));
        }
        (game.toc_version().is_some() && !self.has_file(path)).then(|| Objection::LooseNew(path.to_owned()))
    }

    /// Checks a file whose package header is not in the pak: it then belongs to the game's header, if there
    /// is one.
    fn orphan(&self, file: &CookedFile, objections: &mut Objections) {
        let header =
            ["uasset", "umap"].iter().any(|extension| self.has_file(&with_extension(&file.path, extension)));
        if header || ids(&file.path).iter().any(|id| self.game.is_some_and(|game| game.has(*id))) {
            return;
        }
        let is_exports = file.path.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("uexp"));
        let objection = if is_exports { Objection::HeaderMissing } else { Objection::BulkUnused };
        objections.add(objection, file.shown());
    }

    /// Returns the name of a package that the game has as well.
    fn replaced(&self, path: &str) -> Option<String> {
        let game = self.game?;
        let names = package_path::to_package_names(path);
        let of_container = names.iter().find(|name| game.has(PackageId::from_name(name)));
        of_container.or_else(|| names.first().filter(|_| self.has_file(path))).cloned()
    }

    /// True if a pak of the game has a file.
    fn has_file(&self, path: &str) -> bool {
        self.game.is_some_and(|game| game.packages().store().find_cooked(path).is_some())
    }
}

/// Returns the ids of the packages that a path may stand for.
fn ids(path: &str) -> Vec<PackageId> {
    package_path::to_package_names(path).iter().map(|name| PackageId::from_name(name)).collect()
}

fn with_extension(path: &str, extension: &str) -> String {
    let stem = package_path::package_file(path).map_or(path, |(stem, _)| stem);
    format!("{stem}.{extension}")
}
