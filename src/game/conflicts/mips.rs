//! Pixels of textures that several mods change, mip by mip.

use super::{BulkOfPackages, ByName, Comparison, Side, bulk_stem};
use crate::changes::ItemKey;
use crate::error::{ErrorKind, Result};
use crate::values::edit::{Editing, TextureMips};
use crate::values::{DATA, ShownValue, ValueChange, ValueDifference, ValueOptions};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Texture as it is compared: by the hash of all but its pixels, and by words for each mip.
#[derive(Debug, PartialEq, Eq)]
struct Compared {
    object: String,
    frame: blake3::Hash,
    mips: Vec<String>,
}

/// A package in which pixels may be told from other data.
struct Candidate<'s> {
    name: &'s str,
    mods: &'s [usize],
    /// Its files with bulk data.
    files: Vec<String>,
}

impl Comparison<'_, '_> {
    /// Tells changes to the pixels of textures mip by mip, in packages in which no mod changes other data of textures. Gives the bulk
    /// data of these packages, which need not be compared as files then.
    pub(super) fn mips(
        &self,
        shared: &[(String, Vec<usize>)],
        files: &BTreeMap<ItemKey, Vec<usize>>,
        of_mods: &mut [ByName],
    ) -> Result<BulkOfPackages> {
        let Some(base) = self.base else { return Ok(BulkOfPackages::new()) };
        let candidates = self.candidates(shared, files, of_mods);
        if candidates.is_empty() {
            return Ok(BulkOfPackages::new());
        }
        // Opened once for all packages.
        let names: HashSet<String> = candidates.iter().map(|one| one.name.to_owned()).collect();
        let of_game = base.editing(&names, self.options);
        let opened: Vec<Editing> = self.sides.iter().map(|side| side.editing(&names, self.options)).collect();
        let mut told = BulkOfPackages::new();
        for Candidate { name, mods, files } in candidates {
            let of_game = compared(&of_game, name)?;
            let sides = mods.iter().filter_map(|at| Some((*at, opened.get(*at)?)));
            let found = sides.map(|(at, side)| Ok((at, compared(side, name)?)));
            let found: Vec<(usize, Vec<Compared>)> = found.collect::<Result<_>>()?;
            if of_game.is_empty() || !found.iter().all(|(_, textures)| has_same_frames(&of_game, textures)) {
                continue;
            }
            for (at, textures) in found {
                let Some(of_mod) = of_mods.get_mut(at) else { continue };
                let changes = of_mod.entry(name.to_owned()).or_default();
                let is_told = |value: &ValueDifference| {
                    value.property.as_deref() == Some(DATA)
                        && of_game.iter().any(|texture| texture.object.eq_ignore_ascii_case(&value.export))
                };
                changes.values.retain(|value| !is_told(value));
                changes.mips =
                    of_game.iter().zip(&textures).flat_map(|(old, new)| differences(old, new)).collect();
            }
            told.insert(name.to_owned(), files);
        }
        Ok(told)
    }

    /// Packages whose data or files with bulk data several mods change.
    fn candidates<'s>(
        &self,
        shared: &'s [(String, Vec<usize>)],
        files: &BTreeMap<ItemKey, Vec<usize>>,
        of_mods: &[ByName],
    ) -> Vec<Candidate<'s>> {
        let mut bulk = self.shared_bulk(files);
        let mut found = Vec::new();
        for (name, mods) in shared.iter().filter(|(name, _)| self.is_in_game(name)) {
            let has_data = |at: &usize| {
                let changes = of_mods.get(*at).and_then(|of| of.get(name));
                changes.is_some_and(|changes| {
                    changes.values.iter().any(|value| value.property.as_deref() == Some(DATA))
                })
            };
            let files = bulk.remove(name).unwrap_or_default();
            // Of each file, every mod has its own, or none has: those of another would not belong to its package.
            let is_complete = files.iter().all(|(_, having)| having == mods);
            if is_complete && (!files.is_empty() || mods.iter().any(has_data)) {
                let files = files.into_iter().map(|(path, _)| path).collect();
                found.push(Candidate { name, mods, files });
            }
        }
        found
    }

    /// Files with bulk data that mods have, by their packages, with the mods if these are several.
    fn shared_bulk(
        &self,
        files: &BTreeMap<ItemKey, Vec<usize>>,
    ) -> HashMap<String, Vec<(String, Vec<usize>)>> {
        let stems: HashMap<String, String> = self.sides.iter().flat_map(Side::stems).collect();
        let mut found: HashMap<String, Vec<(String, Vec<usize>)>> = HashMap::new();
        for side in self.sides {
            for path in side.files.keys() {
                let Some(name) = bulk_stem(path).and_then(|stem| stems.get(stem)) else { continue };
                let of_package = found.entry(name.clone()).or_default();
                if of_package.iter().any(|(known, _)| known == path) {
                    continue;
                }
                let key = ItemKey::File(path.clone());
                of_package.push((path.clone(), files.get(&key).cloned().unwrap_or_default()));
            }
        }
        found
    }
}

/// The textures of a package, as they are compared.
fn compared(side: &Editing, name: &str) -> Result<Vec<Compared>> {
    let compared = |texture: TextureMips| {
        let words = texture.mips.iter().map(|mip| {
            let hash = blake3::hash(&mip.bytes).to_hex();
            format!("{} x {} ({})", mip.width, mip.height, hash.get(..16).unwrap_or_default())
        });
        Compared { object: texture.object, frame: texture.frame, mips: words.collect() }
    };
    Ok(textures(side, name)?.into_iter().map(compared).collect())
}

/// The textures of a package, with their mips; none if it cannot be read, which reading its values has told.
fn textures(side: &Editing, name: &str) -> Result<Vec<TextureMips>> {
    let Some(at) = side.find(name) else { return Ok(Vec::new()) };
    match side.texture_mips(at) {
        Err(error) if error.kind() == ErrorKind::Cancelled => Err(error),
        found => Ok(found.unwrap_or_default()),
    }
}

impl Side<'_> {
    /// The textures of a package, with their mips; none if it cannot be read.
    pub(in crate::game) fn texture_mips(
        &self,
        name: &str,
        options: &ValueOptions,
    ) -> Result<Vec<TextureMips>> {
        textures(&self.editing(&HashSet::from([name.to_lowercase()]), options), name)
    }

    fn editing(&self, names: &HashSet<String>, options: &ValueOptions) -> Editing {
        self.game.edit(self.inputs(names), options.clone())
    }
}

fn has_same_frames(old: &[Compared], new: &[Compared]) -> bool {
    let is_same = |(old, new): (&Compared, &Compared)| {
        old.object.eq_ignore_ascii_case(&new.object)
            && old.frame == new.frame
            && old.mips.len() == new.mips.len()
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

/// The mips that differ, as values.
fn differences(old: &Compared, new: &Compared) -> Vec<ValueDifference> {
    let changed = old.mips.iter().zip(&new.mips).enumerate().filter(|(_, (old, new))| old != new);
    let value = |(at, (from, to)): (usize, (&String, &String))| ValueDifference {
        export: old.object.clone(),
        property: Some(format!("Mips[{at}]")),
        change: ValueChange::Changed,
        from: Some(ShownValue::word(from.clone())),
        to: Some(ShownValue::word(to.clone())),
    };
    changed.map(value).collect()
}
