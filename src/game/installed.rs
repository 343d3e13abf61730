//! Mods that are installed in a game.

use super::Game;
use super::conflicts::{Side, in_mount_order};
use crate::changes::{ItemKey, is_of_a_mod};
use crate::store::packages::Packages;
use crate::store::{Container, Role};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A mod in a game: a container, a pak, or both under one name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GameMod {
    /// Name of its files, without extension.
    pub name: String,
    /// Its `.utoc` and `.pak`.
    pub files: Vec<PathBuf>,
    /// Number that the engine compares first: the greater one wins.
    pub order: u64,
    /// Number of packages and files that the game has, too.
    pub changes: u64,
    /// Number of packages and files that only it has.
    pub adds: u64,
    /// Packages and files that the game takes from another mod.
    pub hidden: Vec<String>,
    /// Reason that the game does not see it, if there is one.
    pub ignored: Option<IgnoredMod>,
}

/// A reason that a game does not see a mod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IgnoredMod {
    /// A container without a `.pak` of its name, which games find it by.
    NoPak,
    /// A key for it is missing or wrong.
    Locked,
}

impl Game {
    /// The mods among its containers, the one that wins over all others first.
    #[must_use]
    pub fn mods(&self) -> Vec<GameMod> {
        let mut mods: BTreeMap<PathBuf, Vec<&Arc<Container>>> = BTreeMap::new();
        let own = self.containers().iter().filter(|container| container.role() == Role::Content);
        for container in own.filter(|container| is_of_a_mod(container)) {
            mods.entry(container.path().with_extension("")).or_default().push(container);
        }
        let mut mods: Vec<Vec<&Arc<Container>>> = mods.into_values().collect();
        mods.sort_by_key(|of| std::cmp::Reverse(of.iter().map(|container| in_mount_order(container)).max()));
        let base = self.with_containers(|container| !is_of_a_mod(container));
        let of_base: HashSet<ItemKey> = Side::new(&base).keys().collect();
        // Those of mods that win over the one that is looked at.
        let mut taken: HashSet<ItemKey> = HashSet::new();
        let mut found = Vec::with_capacity(mods.len());
        for containers in &mods {
            let paths: HashSet<_> = containers.iter().map(|container| container.path()).collect();
            let alone = self.with_containers(|container| paths.contains(container.path()));
            let keys: Vec<ItemKey> = Side::new(&alone).keys().collect();
            found.push(game_mod(containers, &keys, &of_base, &taken));
            // What a game does not see hides nothing.
            if found.last().is_some_and(|found: &GameMod| found.ignored.is_none()) {
                taken.extend(keys);
            }
        }
        found
    }

    /// The game with those of its containers that are wanted.
    pub(super) fn with_containers(&self, is_wanted: impl Fn(&Container) -> bool) -> Self {
        let store = self.store.without(|container| !is_wanted(container));
        let packages = Arc::new(Packages::new(&store, self.packages.limit()));
        Self { store, packages, winners: Arc::default(), ..self.clone() }
    }
}

fn game_mod(
    containers: &[&Arc<Container>],
    keys: &[ItemKey],
    of_base: &HashSet<ItemKey>,
    taken: &HashSet<ItemKey>,
) -> GameMod {
    let changes = keys.iter().filter(|key| of_base.contains(key)).count() as u64;
    let mut hidden: Vec<String> =
        keys.iter().filter(|key| taken.contains(key)).map(|key| key.path().to_owned()).collect();
    hidden.sort();
    let mut files: Vec<PathBuf> = containers.iter().map(|container| container.path().to_owned()).collect();
    files.sort();
    let is_without_pak = |path: &PathBuf| !path.with_extension("pak").is_file();
    let ignored = if files.iter().any(is_without_pak) {
        Some(IgnoredMod::NoPak)
    } else if containers.iter().any(|container| container.locked().is_some()) {
        Some(IgnoredMod::Locked)
    } else {
        None
    };
    GameMod {
        name: containers.first().map(|container| container.name()).unwrap_or_default(),
        order: containers.iter().map(|container| container.order().number()).max().unwrap_or_default(),
        files,
        changes,
        adds: keys.len() as u64 - changes,
        hidden,
        ignored,
    }
}
