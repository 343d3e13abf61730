//! One mod out of several.

mod functions;
mod mips;
mod properties;
mod texts;

#[cfg(feature = "recipes")]
pub(super) use functions::listing_of;

use super::conflicts::{SharedItems, Side, compare, order_of, shared_items};
use super::joining::unpack_whole;
use super::{Game, GameError, GameOptions, JoinError, SameChunk};
use crate::changes::{MergePlan, MergedPackage, ROWS, Unmerged, plan};
use crate::error::Error;
use crate::extract::Outputs;
use crate::identify::has_extension;
use crate::pack::{PackOptions, Packed};
use crate::property::edit::Address;
use crate::sink::{DirectorySink, ScratchFolder};
use crate::store::Lend;
use crate::values::edit::{EditOutput, Edited, Editing, SaveOptions, Wanted};
use crate::values::{JsonForm, ValueOptions};
use crate::version::Release;
use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options for merging mods.
#[derive(Debug, Clone, Default)]
pub struct MergeOptions {
    /// The mod that wins wherever mods cannot be merged, by its position.
    pub prefer: Option<usize>,
    /// Options for reading values.
    pub values: ValueOptions,
    /// Options for packing the merged mod.
    pub packing: PackOptions,
}

/// A merged mod.
#[derive(Debug)]
pub struct Merged {
    /// Packages and files that the mods share.
    pub shared: SharedItems,
    /// Packages that were put together, with what was set in each.
    pub packages: Vec<Edited>,
    /// Localization files that were put together.
    pub texts: Vec<String>,
    /// Packages and files of which something was left out, since another mod is preferred.
    pub dropped: Vec<Unmerged>,
    /// The container or pak; `None` if that was not to be written.
    pub packed: Option<Packed>,
}

/// A reason that mods were not merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Packages or files cannot be merged.
    #[error("{} cannot be merged, such as {}", crate::wire::counted(_0.len() as u64, "package or file", "packages and files"), _0.first().map_or("", |first| first.path.as_str()))]
    Unmerged(Vec<Unmerged>, SharedItems),
    /// A value cannot be put into the package of another mod.
    #[error("cannot be merged: {package}: {source}")]
    Value {
        /// The package.
        package: String,
        /// The fault.
        source: Box<Error>,
    },
    /// A merged package would lack a change.
    #[error("a change would be lost: {object}.{property} of {package}")]
    Lost {
        /// The package.
        package: String,
        /// Path of the object in it.
        object: String,
        /// Path of the value in the object.
        property: String,
    },
    /// The mods cannot be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A mod or the game cannot be read.
    #[error(transparent)]
    Io(#[from] Error),
}

impl From<GameError> for MergeError {
    fn from(error: GameError) -> Self {
        Self::Join(error.into())
    }
}

impl GameOptions {
    /// Makes one mod out of several that are for this game: every package as the mod has it that a game would take it from,
    /// with the values that the others change. Nothing is written if something cannot be merged, and no mod is preferred; or
    /// if `output` is `None`.
    pub fn merge(
        &self,
        (paths, mods): (&[PathBuf], &[Game]),
        game: &Game,
        output: Option<&Path>,
        options: &MergeOptions,
    ) -> Result<Merged, MergeError> {
        let shared = shared_items(mods, Some(game), &options.values)?;
        let mut ranks: Vec<usize> = (0..mods.len()).collect();
        ranks.sort_by_key(|at| (Some(*at) == options.prefer, mods.get(*at).map(order_of)));
        let merging = Merging { game, mods, options };
        let mut plan = plan(&shared.items, &ranks, options.prefer);
        merging.settle_functions(&mut plan)?;
        merging.join_properties(&mut plan)?;
        let MergePlan { packages, texts, moved, unmerged } = plan;
        if options.prefer.is_none() && !unmerged.is_empty() {
            return Err(MergeError::Unmerged(unmerged, shared));
        }
        let Some(output) = output else {
            let edited = merging.edit_all(&packages)?.into_iter().flat_map(|(_, edited)| edited).collect();
            let texts = merging.texts(&texts, None)?;
            return Ok(Merged { shared, packages: edited, texts, dropped: unmerged, packed: None });
        };
        let scratch = ScratchFolder::for_output(output)?;
        let name = output.file_name().unwrap_or_default();
        let inner = |folder: &str| Ok::<PathBuf, Error>(scratch.inner(folder)?.join(name));
        // In the order of their ranks: the last one wins.
        let mut inputs: Vec<PathBuf> = ranks.iter().filter_map(|at| paths.get(*at).cloned()).collect();
        // Bulk data goes with the package that it is of.
        let with_bulk = |(path, at): &(String, usize)| {
            let bulk = shared.told.get(path).into_iter().flatten().map(|file| (file.clone(), *at));
            [(path.clone(), *at)].into_iter().chain(bulk).collect::<Vec<_>>()
        };
        let moved: Vec<(String, usize)> = moved.iter().flat_map(with_bulk).collect();
        for (at, of) in mods.iter().enumerate() {
            let paths = moved.iter().filter(|(_, from)| *from == at).map(|(path, _)| path.clone());
            inputs.extend(unpack_items(of, &paths.collect(), || scratch.inner(&format!("moved{at}")))?);
        }
        let of_texts = scratch.inner("texts")?;
        let texts = merging.texts(&texts, Some(&of_texts))?;
        if !texts.is_empty() {
            inputs.push(of_texts);
        }
        let edited = merging.edit_all(&packages)?;
        for (at, (editing, edited)) in edited.iter().enumerate() {
            let part = inner(&format!("part{at}"))?;
            self.save_part((editing, edited), &part, (game, options.values.release))?;
            inputs.push(part);
        }
        let whole = inner("whole")?;
        let packing = PackOptions { replace: true, loose_beside: true, ..options.packing.clone() };
        self.join(&inputs, &whole, &packing, SameChunk::TakeLast)?;
        merging.check(self, &whole, &packages)?;
        // Written once more, under its name: it is there as a whole, or not at all.
        let packed = self.join(&[whole], output, &options.packing, SameChunk::TakeLast)?;
        let packages = edited.into_iter().flat_map(|(_, edited)| edited).collect();
        Ok(Merged { shared, packages, texts, dropped: unmerged, packed: Some(packed) })
    }

    /// Writes edited packages into a container or pak that others are joined with.
    pub(super) fn save_part(
        &self,
        (editing, edited): (&Editing, &[Edited]),
        part: &Path,
        (game, release): (&Game, Option<&'static Release>),
    ) -> Result<(), Error> {
        let is_pak = has_extension(part, &["pak"]);
        let output =
            if is_pak { EditOutput::Pak(part.to_owned()) } else { EditOutput::Container(part.to_owned()) };
        // Objections are those to the whole, once it is written.
        let game = Some(Arc::new(game.as_base()));
        let options = SaveOptions { release, game, replace: true, force: true };
        self.save(editing, edited, &output, &options).map(drop)
    }
}

/// Writes packages and files of a mod, by their paths in lower case, into a folder; `None` if it has none of them.
pub(super) fn unpack_items(
    of: &Game,
    paths: &HashSet<String>,
    folder: impl FnOnce() -> Result<PathBuf, Error>,
) -> Result<Option<PathBuf>, Error> {
    let entries = Side::new(of).entries(paths);
    if entries.is_empty() {
        return Ok(None);
    }
    let folder = folder()?;
    let sink = Arc::new(DirectorySink::open(&folder)?);
    unpack_whole(of, Outputs::new(&of.store, &entries, None), &sink)?;
    Ok(Some(folder))
}

/// Objects of a package as JSON, with their paths in it.
pub(super) type ObjectsByPath = Vec<(String, serde_json::Value)>;

/// The objects of a package of a game.
pub(super) fn objects_of(of: &Game, name: &str, options: &ValueOptions) -> Result<ObjectsByPath, Error> {
    let inputs = Side::new(of).inputs(&HashSet::from([name.to_lowercase()]));
    let Some(objects) = of.objects_in(inputs, options.clone())? else { return Ok(Vec::new()) };
    // As documents show them: with the rows of tables.
    let document: Vec<serde_json::Value> =
        serde_json::from_slice(&objects.json(JsonForm::FModel)?).unwrap_or_default();
    Ok(objects.iter().map(|object| object.path()).zip(document).collect())
}

/// Address of an object: its name, or its place where the name is not enough.
pub(super) fn export_address(objects: &ObjectsByPath, object: &str) -> Option<String> {
    let name = |path: &str| path.rsplit(['.', ':']).next().unwrap_or_default().to_lowercase();
    let at = objects.iter().position(|(path, _)| path.eq_ignore_ascii_case(object))?;
    let own = object.rsplit(['.', ':']).next().unwrap_or_default();
    let is_alone = objects.iter().filter(|(path, _)| name(path) == own.to_lowercase()).count() == 1;
    let is_plain = !own.is_empty() && !own.starts_with('#') && !own.contains(['[', ']', '"']);
    Some(if is_alone && is_plain { own.to_owned() } else { format!("#{at}") })
}

/// A whole property of an object, or a row of a table, as text to set it by.
pub(super) fn property_text(objects: &ObjectsByPath, object: &str, property: &str) -> Option<String> {
    // A text is given as such; JSON in quotation marks would be taken for a text with these.
    property_json(objects, object, property).map(|value| match value {
        serde_json::Value::String(text) => text.clone(),
        json => json.to_string(),
    })
}

/// A whole property of an object, or a row of a table, as JSON.
pub(super) fn property_json<'o>(
    objects: &'o ObjectsByPath,
    object: &str,
    property: &str,
) -> Option<&'o serde_json::Value> {
    let (_, json) = objects.iter().find(|(path, _)| path.eq_ignore_ascii_case(object))?;
    let (of, name) = match property.strip_prefix(ROWS) {
        Some(row) => (json.get("Rows")?, row.trim_end_matches(']')),
        None => (json.get("Properties")?, property),
    };
    let name = name.trim_matches('"');
    let (_, value) = of.as_object()?.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(value)
}

/// Packages of one mod, open for editing, and those that were edited.
type EditedOfMod = (Editing, Vec<Edited>);

struct Merging<'m> {
    game: &'m Game,
    mods: &'m [Game],
    options: &'m MergeOptions,
}

impl Merging<'_> {
    /// Puts the values of other mods into the packages of each mod.
    fn edit_all(&self, packages: &[MergedPackage]) -> Result<Vec<EditedOfMod>, MergeError> {
        let mut all = Vec::new();
        for (at, of) in self.mods.iter().enumerate() {
            let own: Vec<&MergedPackage> = packages.iter().filter(|package| package.base == at).collect();
            if own.is_empty() {
                continue;
            }
            let names: HashSet<String> = own.iter().map(|package| package.path.to_lowercase()).collect();
            let editing = of.edit(Side::new(of).inputs(&names), self.options.values.clone());
            let mut edited = Vec::new();
            for package in own {
                let values = self.values(package)?;
                let refused =
                    |error| MergeError::Value { package: package.path.clone(), source: Box::new(error) };
                let Some(place) = editing.find(&package.path) else { continue };
                let code = self.code(package)?;
                let has_code = !code.is_empty();
                let first = if has_code { Wanted::Code(code) } else { Wanted::Values(values.clone()) };
                let mut new = editing.edit(place, &first).map_err(refused)?;
                if has_code && !values.is_empty() {
                    new = editing.edit_again(new, &Wanted::Values(values)).map_err(refused)?;
                }
                edited.push(self.with_mips(package, (&editing, place), new)?);
            }
            all.push((editing, edited));
        }
        Ok(all)
    }

    /// Addresses and texts of the values that a package takes.
    fn values(&self, package: &MergedPackage) -> Result<Vec<(Address, String)>, MergeError> {
        let own = self.objects(package.base, &package.path)?;
        let mut others = HashMap::new();
        let mut values = Vec::new();
        for taken in &package.takes {
            let lost = || MergeError::Lost {
                package: package.path.clone(),
                object: taken.object.clone(),
                property: taken.property.clone(),
            };
            let export = export_address(&own, &taken.object).ok_or_else(lost)?;
            let address =
                |property: &str| format!("{export}.{property}").parse::<Address>().map_err(|_| lost());
            if taken.is_whole {
                let found = match others.entry(taken.mod_at) {
                    Slot::Occupied(known) => known.into_mut(),
                    Slot::Vacant(new) => new.insert(self.objects(taken.mod_at, &package.path)?),
                };
                if let Some(text) = property_text(found, &taken.object, &taken.property) {
                    values.push((address(&taken.property)?, text));
                    continue;
                }
            }
            for (property, text) in taken.values.as_ref().ok_or_else(lost)? {
                values.push((address(property)?, text.clone()));
            }
        }
        Ok(values)
    }

    /// The objects of a package of a mod.
    fn objects(&self, mod_at: usize, name: &str) -> Result<ObjectsByPath, MergeError> {
        match self.mods.get(mod_at) {
            Some(of) => Ok(objects_of(of, name, &self.options.values)?),
            None => Ok(Vec::new()),
        }
    }

    /// Reads the merged mod again, and makes sure that it has every change.
    fn check(
        &self,
        options: &GameOptions,
        merged: &Path,
        packages: &[MergedPackage],
    ) -> Result<(), MergeError> {
        let bases = self.game.containers().iter().map(|container| container.path().to_owned());
        let options = bases.fold(options.clone().lend(Lend::Always), GameOptions::base);
        let merged = options.open(merged)?;
        let names: HashSet<String> = packages.iter().map(|package| package.path.to_lowercase()).collect();
        let game = self.game.without_mods(self.mods);
        let sides = [&game, &merged].map(Side::new);
        let (found, _) = compare(sides.each_ref(), &names, [&self.options.values; 2])?;
        for package in packages {
            if let Some(object) = self.lost_function(package, &merged)? {
                let (package, property) = (package.path.clone(), "()".to_owned());
                return Err(MergeError::Lost { package, object, property });
            }
            if let Some(object) = self.lost_mip(package, &merged)? {
                let (package, property) = (package.path.clone(), "Mips".to_owned());
                return Err(MergeError::Lost { package, object, property });
            }
            let changes = found.get(&package.path.to_lowercase());
            let values = changes.map(|changes| changes.values.as_slice()).unwrap_or_default();
            for wanted in &package.expected {
                let value = values.iter().find(|value| {
                    value.export.eq_ignore_ascii_case(&wanted.object)
                        && value
                            .property
                            .as_deref()
                            .is_some_and(|of| of.eq_ignore_ascii_case(&wanted.property))
                });
                let text = value.and_then(|value| value.to.as_ref()).map(|value| value.text.clone());
                if value.is_none() || text != wanted.text {
                    return Err(MergeError::Lost {
                        package: package.path.clone(),
                        object: wanted.object.clone(),
                        property: wanted.property.clone(),
                    });
                }
            }
        }
        Ok(())
    }
}
