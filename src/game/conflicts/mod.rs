//! Packages and files that several mods have.

mod files;
mod mips;

use super::{Game, code_differences, value_differences};
use crate::changes::{
    self, ItemKey, PackageChanges, SharedChange, SharedItem, SharedKeys, Verdict, is_of_a_mod, judge,
};
use crate::error::{Error, Result};
use crate::job::Outcome;
use crate::store::{Container, Entry, MountOrder, Role};
use crate::values::{IgnoredValues, PackageInputs, ValueOptions, ValuesRead};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// Packages and files that several mods share, and outcomes of reading them.
#[derive(Debug, Default)]
pub struct SharedItems {
    /// Packages and files that several mods have, conflicts first, then by path.
    pub items: Vec<SharedItem>,
    /// Outcomes of reading, one for each comparison of two sides.
    pub outcomes: Vec<Outcome<ValuesRead>>,
    /// Files that could not be read; they are not among the items.
    pub unread: Vec<Error>,
    /// Bulk data of packages whose textures are told mip by mip; it is not among the items.
    pub(super) told: Box<BulkOfPackages>,
}

/// Files with bulk data, by the package that they belong to. All names are in lower case.
type BulkOfPackages = HashMap<String, Vec<String>>;

/// Finds the packages and files that several mods have, and holds their changes against each other: value by value and
/// function by function against the game if it is given, against each other if it is not.
pub fn shared_items(mods: &[Game], game: Option<&Game>, options: &ValueOptions) -> Result<SharedItems> {
    let game = game.map(|game| game.without_mods(mods));
    let sides: Vec<Side<'_>> = mods.iter().map(Side::new).collect();
    let mut keys = SharedKeys::default();
    for (at, side) in sides.iter().enumerate() {
        keys.add(at, side.keys());
    }
    let base = game.as_ref().map(Side::new);
    let mut comparison =
        Comparison { sides: &sides, base: base.as_ref(), options, found: SharedItems::default() };
    let several = keys.several();
    comparison.packages(&several)?;
    comparison.files(&several)?;
    let mut found = comparison.found;
    found.items.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

impl Game {
    /// The game without these mods, and without all in folders of their own.
    pub(crate) fn without_mods(&self, mods: &[Self]) -> Self {
        // Those that lend names to a mod are the game itself.
        let own = mods.iter().flat_map(Self::containers).filter(|of| of.role() == Role::Content);
        let given: HashSet<&Path> = own.map(|container| container.path()).collect();
        self.with_containers(|container| !is_of_a_mod(container) && !given.contains(container.path()))
    }
}

/// A mod, or the game.
pub(super) struct Side<'g> {
    game: &'g Game,
    /// Packages by their names in lower case: the path that is shown, and the chunk of the header.
    packages: HashMap<String, (String, Option<Entry>)>,
    /// Files by their paths in lower case.
    files: HashMap<String, Entry>,
}

impl<'g> Side<'g> {
    pub(super) fn new(game: &'g Game) -> Self {
        let named = |item: &crate::values::PackageInput| {
            let name = item.package_name();
            (name.to_lowercase(), (name, item.entry()))
        };
        let packages = game.all_packages().items().iter().map(named).collect();
        let file = |entry: &Entry| match changes::own_key(game.at(*entry)) {
            Some(ItemKey::File(path)) => Some((path, *entry)),
            _ => None,
        };
        let files = game.entries().iter().filter_map(file).collect();
        Self { game, packages, files }
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = ItemKey> {
        let packages = self.packages.keys().cloned().map(ItemKey::Package);
        packages.chain(self.files.keys().cloned().map(ItemKey::File))
    }

    /// The name or path of an item, as it is shown.
    pub(super) fn shown(&self, key: &ItemKey) -> String {
        let shown = match key {
            ItemKey::Package(name) => self.packages.get(name).map(|(name, _)| name.clone()),
            ItemKey::File(path) => self.files.get(path).map(|entry| self.game.at(*entry).display_path()),
        };
        shown.unwrap_or_else(|| key.path().to_owned())
    }

    /// Its packages of these names.
    pub(super) fn inputs(&self, names: &HashSet<String>) -> PackageInputs {
        let mut inputs = self.game.all_packages();
        inputs.retain(|item| names.contains(&item.package_name().to_lowercase()));
        inputs
    }

    /// The chunks of packages and files with these paths, in lower case.
    pub(super) fn entries(&self, paths: &HashSet<String>) -> Vec<Entry> {
        let files = self.files.iter().filter(|(path, _)| paths.contains(*path)).map(|(_, entry)| *entry);
        files.chain(self.package_entries(paths)).collect()
    }

    /// The chunks of packages of these names, in lower case. Exports of a package in a pak go with its header.
    pub(super) fn package_entries(&self, names: &HashSet<String>) -> Vec<Entry> {
        let packages = self.packages.iter().filter(|(name, _)| names.contains(*name));
        let headers = packages.filter_map(|(_, (_, entry))| *entry);
        let exports = |entry: &Entry| {
            let path = self.game.at(*entry).display_path();
            let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
            self.game.store.find_cooked(&format!("{stem}.uexp"))
        };
        headers.flat_map(|entry| [Some(entry), exports(&entry)]).flatten().collect()
    }

    /// Names of packages by the paths of their files, without extension and in lower case.
    pub(super) fn stems(&self) -> HashMap<String, String> {
        let stem = |(name, (_, entry)): (&String, &(String, Option<Entry>))| {
            let path = self.game.at((*entry)?).display_path().to_lowercase();
            Some((path.rsplit_once('.')?.0.to_owned(), name.clone()))
        };
        self.packages.iter().filter_map(stem).collect()
    }

    /// The content of a file.
    pub(super) fn file(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.files.get(path).map(|entry| self.game.read_chunk(self.game.at(*entry))).transpose()
    }

    pub(super) fn hash(&self, path: &str) -> Result<Option<blake3::Hash>> {
        self.files.get(path).map(|entry| self.hash_of(*entry)).transpose()
    }

    /// Hash of the content of a chunk.
    pub(super) fn hash_of(&self, entry: Entry) -> Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        self.game.read_chunk_with(self.game.at(entry), |bytes| {
            hasher.update(bytes);
            Ok(())
        })?;
        Ok(hasher.finalize())
    }

    /// Place in the mount order of the container of a chunk, as if it were among the mods of a game.
    fn order(&self, entry: Option<Entry>) -> Option<(bool, MountOrder)> {
        Some(in_mount_order(self.game.at(entry?).container()?))
    }
}

/// Name of a package in lower case, with its changes.
pub(super) type ByName = HashMap<String, PackageChanges>;

/// Changes by the positions of mods.
type OfMods<'o> = &'o [(usize, PackageChanges)];

struct Comparison<'c, 'g> {
    sides: &'c [Side<'g>],
    base: Option<&'c Side<'g>>,
    options: &'c ValueOptions,
    found: SharedItems,
}

impl Comparison<'_, '_> {
    fn packages(&mut self, several: &BTreeMap<ItemKey, Vec<usize>>) -> Result<()> {
        let package = |(key, mods): (&ItemKey, &Vec<usize>)| match key {
            ItemKey::Package(name) => Some((name.clone(), mods.clone())),
            ItemKey::File(_) => None,
        };
        let shared: Vec<(String, Vec<usize>)> = several.iter().filter_map(package).collect();
        let mut of_mods = self.against_game(&shared)?;
        self.found.told = self.mips(&shared, several, &mut of_mods)?.into();
        let mut between = self.against_first(&shared)?;
        for (name, mods) in shared {
            let first = mods.first().copied().unwrap_or_default();
            let mut take =
                |at: &usize| (*at, of_mods.get_mut(*at).and_then(|of| of.remove(&name)).unwrap_or_default());
            let changes: Vec<(usize, PackageChanges)> = mods.iter().map(&mut take).collect();
            let other = |at: &usize| Some((*at, between.get_mut(&[first, *at])?.remove(&name)?));
            let others: Vec<(usize, PackageChanges)> = mods.iter().skip(1).filter_map(other).collect();
            self.package(&name, mods, (&changes, &others));
        }
        Ok(())
    }

    /// Adds a package: the changes of each mod to it, and the differences of the others from the first one.
    fn package(&mut self, name: &str, mods: Vec<usize>, (of_mods, others): (OfMods<'_>, OfMods<'_>)) {
        let first = mods.first().copied().unwrap_or_default();
        let in_game = self.is_in_game(name);
        let (verdict, changes) = if in_game {
            judge(of_mods, others)
        } else {
            let rows = others.iter().flat_map(|(other, changes)| changes.between([first, *other]));
            let rows: Vec<SharedChange> = rows.collect();
            (rows.iter().map(|row| row.verdict).max().unwrap_or(Verdict::Same), rows)
        };
        let path = self.sides.get(first).and_then(|side| side.packages.get(name));
        let path = path.map_or_else(|| name.to_owned(), |(path, _)| path.clone());
        let winner = self.winner(&mods, |side| side.packages.get(name).and_then(|(_, entry)| *entry));
        let cut = of_mods.iter().chain(others).any(|(_, changes)| changes.cut);
        self.found.items.push(SharedItem { path, mods, winner, in_game, verdict, changes, cut });
    }

    fn is_in_game(&self, name: &str) -> bool {
        self.base.is_some_and(|base| base.packages.contains_key(name))
    }

    /// Changes of each mod to the packages that the game has.
    fn against_game(&mut self, shared: &[(String, Vec<usize>)]) -> Result<Vec<ByName>> {
        let (sides, base) = (self.sides, self.base);
        let mut all = Vec::with_capacity(sides.len());
        for (at, side) in sides.iter().enumerate() {
            let names = shared.iter().filter(|(name, mods)| mods.contains(&at) && self.is_in_game(name));
            let names: HashSet<String> = names.map(|(name, _)| name.clone()).collect();
            let changes = base.map(|base| self.compare([base, side], &names)).transpose()?;
            all.push(changes.unwrap_or_default());
        }
        Ok(all)
    }

    /// Differences of all mods that have a package from the first one that has it.
    fn against_first(&mut self, shared: &[(String, Vec<usize>)]) -> Result<HashMap<[usize; 2], ByName>> {
        let mut pairs: BTreeMap<[usize; 2], HashSet<String>> = BTreeMap::new();
        for (name, mods) in shared {
            let first = mods.first().copied().unwrap_or_default();
            for other in mods.iter().skip(1) {
                pairs.entry([first, *other]).or_default().insert(name.clone());
            }
        }
        let (sides, mut between) = (self.sides, HashMap::new());
        for (pair, names) in pairs {
            let [Some(first), Some(other)] = pair.map(|at| sides.get(at)) else { continue };
            between.insert(pair, self.compare([first, other], &names)?);
        }
        Ok(between)
    }

    fn compare(&mut self, sides: [&Side<'_>; 2], names: &HashSet<String>) -> Result<ByName> {
        let (found, outcomes) = compare(sides, names, [self.options; 2])?;
        self.found.outcomes.extend(outcomes);
        Ok(found)
    }

    /// The mod that a game takes a chunk from.
    fn winner(&self, mods: &[usize], entry: impl Fn(&Side<'_>) -> Option<Entry>) -> usize {
        let order = |at: &&usize| {
            let side = self.sides.get(**at)?;
            side.order(entry(side))
        };
        mods.iter().max_by(|a, b| order(a).cmp(&order(b))).copied().unwrap_or_default()
    }
}

/// Differences of some packages, values and functions, by name; and what became of reading them.
pub(super) fn compare(
    sides: [&Side<'_>; 2],
    names: &HashSet<String>,
    options: [&ValueOptions; 2],
) -> Result<(ByName, Vec<Outcome<ValuesRead>>)> {
    let mut found = ByName::new();
    if names.is_empty() {
        return Ok((found, Vec::new()));
    }
    let inputs = || sides.map(|side| side.inputs(names));
    let options = || options.map(Clone::clone);
    let games = sides.map(|side| side.game);
    let ignored = IgnoredValues::default().with_data();
    let values = value_differences(games, inputs(), options(), ignored, |package| {
        let changes = found.entry(package.package.to_lowercase()).or_default();
        (changes.values, changes.cut) = (package.values, package.cut);
        Ok(())
    })?;
    let functions = code_differences(games, inputs(), options(), |package| {
        found.entry(package.package.to_lowercase()).or_default().functions = package.functions;
        Ok(())
    })?;
    Ok((found, vec![values, functions]))
}

/// Place of a mod among the mods of a game; the greatest one wins.
pub(super) fn order_of(of: &Game) -> Option<(bool, MountOrder)> {
    let own = of.containers().iter().filter(|container| container.role() == Role::Content);
    own.map(|container| in_mount_order(container)).max()
}

pub(super) fn in_mount_order(container: &Container) -> (bool, MountOrder) {
    let order = MountOrder::in_game(container.path(), Path::new("Game/Content/Paks"));
    // Packages in containers win over cooked files in paks.
    (container.table().iostore().is_some(), order)
}

/// Path of bulk data without its extension; `None` for other files.
pub(super) fn bulk_stem(path: &str) -> Option<&str> {
    const BULK: [&str; 3] = [".m.ubulk", ".ubulk", ".uptnl"];
    BULK.iter().find_map(|end| path.strip_suffix(end))
}
