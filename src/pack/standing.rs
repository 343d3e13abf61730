//! Priority of a mod among the containers of its game: which of them win over it, and which are the mod
//! itself.

use super::objections::Objections;
use super::target::is_same_file;
use super::to_zen::BaseGame;
use crate::id::{ContainerId, PackageId};
use crate::identify::has_extension;
use crate::objection::Objection;
use crate::store::packages::Packages;
use crate::store::{Container, MountOrder, Role, package_path};
use crate::table::Table;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Mod at a path, compared with the containers of a game as if it were in the game's folder.
pub(super) struct Standing<'a> {
    game: &'a BaseGame,
    path: &'a Path,
    order: MountOrder,
}

impl<'a> Standing<'a> {
    pub(super) fn new(game: &'a BaseGame, path: &'a Path) -> Self {
        let order =
            game.folder().map_or_else(|| MountOrder::of(path), |folder| MountOrder::in_game(path, folder));
        Self { game, path, order }
    }

    /// Returns the container of the game that wins over it for a package.
    pub(super) fn winner_of_package(&self, id: PackageId) -> Option<&'a Container> {
        let packages = self.game.packages();
        self.winner(packages.store().container(packages.find(id)?)?)
    }

    /// Returns the pak of the game that wins over it for a file of a package.
    pub(super) fn winner_of_file(&self, path: &str) -> Option<&'a Container> {
        let store = self.game.packages().store();
        self.winner(store.container(store.find_cooked(path)?)?)
    }

    fn winner(&self, other: &'a Container) -> Option<&'a Container> {
        // An earlier build will be replaced, so it does not count as a competitor.
        let is_other = || !is_same_file(other.path(), self.path) && !is_earlier_build(other, self.path);
        (!self.order.beats(other.order()) && is_other()).then_some(other)
    }

    /// Returns an objection to a name under which another container wins.
    pub(super) fn objection(&self, winner: &Container) -> Objection {
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        let instead = format!("{}.{extension}", winner.order().name_that_wins(self.path));
        Objection::Overridden { winner: winner.path().to_owned(), instead }
    }
}

/// Objects to a container that would have no effect in a game, or crash it.
pub(super) fn object_to_container(
    game: &BaseGame,
    toc_path: &Path,
    id: ContainerId,
    packages: impl Iterator<Item = PackageId>,
    objections: &mut Objections,
) {
    let others = without_earlier(game, toc_path, objections);
    let game = others.as_ref().unwrap_or(game);
    let is_own = |path: &Path| is_same_file(path, toc_path);
    if let Some(other) =
        // A container of the same file name gives way to the new one, so it may have the same id.
        game.container_with(id, is_own).filter(|other| file_name(other) != file_name(toc_path))
    {
        objections.add(Objection::ContainerIdTaken(other.to_owned()), toc_path);
    }
    let standing = Standing::new(game, toc_path);
    for winner in packages.filter_map(|id| standing.winner_of_package(id)) {
        objections.add(standing.objection(winner), toc_path);
    }
}

/// Objects to a pak whose files a game would ignore. `paths` are the paths of its files.
pub(super) fn object_to_pak<'p>(
    game: &BaseGame,
    pak: &Path,
    paths: impl Iterator<Item = &'p str>,
    objections: &mut Objections,
) {
    let others = without_earlier(game, pak, objections);
    let game = others.as_ref().unwrap_or(game);
    let standing = Standing::new(game, pak);
    for path in paths.filter(|path| has_extension(Path::new(path), &["uasset", "umap"])) {
        let names = package_path::to_package_names(path);
        let id = names.iter().map(|name| PackageId::from_name(name)).find(|id| game.has(*id));
        // Packages in containers win over cooked files in paks, under any name.
        if id.is_some() {
            objections.add(Objection::LooseOverridden(path.to_owned()), pak);
        }
        let winner =
            id.and_then(|id| standing.winner_of_package(id)).or_else(|| standing.winner_of_file(path));
        if let Some(winner) = winner {
            objections.add(standing.objection(winner), pak);
        }
    }
}

/// Returns the game without earlier builds of the mod at `path`, which it replaces.
pub(super) fn without_earlier(game: &BaseGame, path: &Path, objections: &mut Objections) -> Option<BaseGame> {
    for container in game.packages().store().containers() {
        if is_earlier_build(container, path) && !is_same_file(container.path(), path) && is_whole(container) {
            objections.add(Objection::Replaces(container.path().to_owned()), path);
        }
    }
    game.without(|container| is_earlier_build(container, path))
}

/// Returns the containers of a mod itself, without the ones that only supply names.
pub(super) fn own_containers(mods: &Packages) -> impl Iterator<Item = (usize, &Arc<Container>)> {
    let all = mods.store().containers().iter().enumerate();
    all.filter(|(_, container)| container.role() == Role::Content)
}

/// True if it represents a mod, in one or more files: the `.pak` next to a `.utoc` does not.
fn is_whole(container: &Container) -> bool {
    container.table().iostore().is_some() || !container.path().with_extension("utoc").exists()
}

/// True if a container of a game is a mod of the same name, which a new build replaces. The game's own
/// containers are excluded by their names in its `Paks` folder.
pub(super) fn is_earlier_build(container: &Container, path: &Path) -> bool {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let (name, own) = (stem(container.path()), stem(path));
    // Mods may use any name in folders such as `~mods`, but in `Paks` itself, some names belong to the game.
    let in_paks = || {
        let folder = container.path().parent().and_then(Path::file_name).unwrap_or_default();
        folder.eq_ignore_ascii_case("Paks") || container.order().is_main()
    };
    name.is_some()
        && name == own
        && container.order().is_patch()
        && !(in_paks() && own.is_some_and(|own| container.order().is_main() || is_chunk_name(&own)))
}

/// True if a name, in lower case, is one that the engine's packager uses.
fn is_chunk_name(stem: &str) -> bool {
    let rest = stem.strip_prefix("pakchunk");
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// True if two containers are copies of each other, judging by their tables. Containers with an id may have
/// different names.
pub(super) fn is_copy(one: &Container, other: &Container) -> bool {
    let (a, b) = (one.table(), other.table());
    let is_same_mod = match (&**a, &**b) {
        (Table::IoStore(_), Table::IoStore(_)) => a.container_id() == b.container_id(),
        (Table::Pak(_), Table::Pak(_)) => file_name(one.path()) == file_name(other.path()),
        _ => false,
    };
    // Hashes stand for the content, so no data has to be read.
    let facts = |table: &Table, chunk| {
        let hash = table.meta(chunk).map(|meta| meta.hash);
        (table.chunk_id(chunk), table.chunk_len(chunk), hash)
    };
    is_same_mod
        && a.chunk_count() == b.chunk_count()
        && a.chunks().all(|chunk| facts(a, chunk) == facts(b, chunk))
}

fn file_name(path: &Path) -> Option<PathBuf> {
    path.file_name().map(|name| name.to_ascii_lowercase().into())
}
