//! A mod for another build of its game.

mod texts;

use super::conflicts::{Side, bulk_stem, compare};
use super::merging::{ObjectsByPath, export_address, objects_of, property_text, unpack_items};
use super::{Game, GameOptions, JoinError, SameChunk};
use crate::changes::{ItemKey, PortReason, PortedDoubt, PortedValue, Renames, split};
use crate::error::Result;
use crate::job::Outcome;
use crate::pack::{PackOptions, Packed};
use crate::property::edit::Address;
use crate::sink::{DirectorySink, OutputPath, Overwrite, ScratchFolder, put};
use crate::values::edit::{Edited, Editing, Wanted};
use crate::values::{ValueOptions, ValuesRead};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// Options for porting a mod.
#[derive(Debug, Clone, Default)]
pub struct PortOptions {
    /// Options for reading values of the mod and of the old build.
    pub old_values: ValueOptions,
    /// Options for reading values of the new build.
    pub new_values: ValueOptions,
    /// Options for packing the ported mod.
    pub packing: PackOptions,
    /// Names of properties in the old build, and what the new one calls them.
    pub renames: Vec<[String; 2]>,
}

/// A ported mod.
#[derive(Debug, Default)]
pub struct Ported {
    /// Packages of the new build that got the values of the mod.
    pub packages: Vec<Edited>,
    /// Localization files of the new build that got the texts of the mod.
    pub texts: Vec<String>,
    /// Packages and files that are those of the mod, since the new build has them as the old one did, or not at all.
    pub whole: Vec<String>,
    /// Changes that did not come along, and those that the new build made, too.
    pub doubts: Vec<PortedDoubt>,
    /// The container or pak; `None` if that was not to be written, or if nothing is left of the mod.
    pub packed: Option<Packed>,
    /// Outcomes of reading, one for each comparison of two sides.
    pub outcomes: Vec<Outcome<ValuesRead>>,
}

impl GameOptions {
    /// Makes a mod for a new build out of one for an old build: the packages of the new build, with the values that the mod
    /// changes in those of the old one. Nothing is written if `output` is `None`.
    pub fn port(
        &self,
        of: &Game,
        [old, new]: [&Game; 2],
        output: Option<&Path>,
        options: &PortOptions,
    ) -> std::result::Result<Ported, JoinError> {
        let (old, new) =
            (old.without_mods(std::slice::from_ref(of)), new.without_mods(std::slice::from_ref(of)));
        let porting = Porting { of, old: &old, new: &new, options };
        let (mut ported, plan, files) = porting.plan()?;
        let (editing, edited) = porting.edit(&plan, &mut ported)?;
        let is_something = !(ported.whole.is_empty() && edited.is_empty() && files.is_empty());
        if let Some(output) = output.filter(|_| is_something) {
            let scratch = ScratchFolder::for_output(output)?;
            let mut inputs = Vec::new();
            let paths: HashSet<String> = ported.whole.iter().map(|path| path.to_lowercase()).collect();
            inputs.extend(unpack_items(of, &paths, || scratch.inner("whole"))?);
            if !files.is_empty() {
                let folder = scratch.inner("texts")?;
                let sink = DirectorySink::open(&folder)?;
                for (path, bytes) in &files {
                    put(&sink, &OutputPath::sanitize(path), bytes, Overwrite::Always)?;
                }
                inputs.push(folder);
            }
            if !edited.is_empty() {
                let part = scratch.inner("part")?.join(output.file_name().unwrap_or_default());
                self.save_part((&editing, &edited), &part, (&new, options.new_values.release))?;
                inputs.push(part);
            }
            // Texts go beside a container, as those of the mod do.
            let packing = PackOptions { loose_beside: true, ..options.packing.clone() };
            ported.packed = Some(self.join(&inputs, output, &packing, SameChunk::TakeLast)?);
        }
        ported.packages = edited;
        Ok(ported)
    }
}

struct Porting<'p> {
    of: &'p Game,
    old: &'p Game,
    new: &'p Game,
    options: &'p PortOptions,
}

/// Packages of the new build, each with the values that it gets.
type Plan = Vec<(String, Vec<PortedValue>)>;

/// Paths and contents of files that are put together.
type Files = Vec<(String, Vec<u8>)>;

/// Extension of localization files.
const TEXTS: &str = ".locres";

impl Porting<'_> {
    /// Compares the mod with the old build, and that with the new one.
    fn plan(&self) -> Result<(Ported, Plan, Files)> {
        let sides = [self.of, self.old, self.new].map(Side::new);
        let [of, old, new] = &sides;
        let (mut ported, mut plan, mut files) = (Ported::default(), Plan::new(), Files::new());
        let keys: BTreeSet<ItemKey> = of.keys().collect();
        let [of_old, of_new]: [HashSet<ItemKey>; 2] = [old, new].map(|side| side.keys().collect());
        let is_shared = |key: &ItemKey| of_old.contains(key) && of_new.contains(key);
        let names: HashSet<String> = keys
            .iter()
            .filter(|key| matches!(key, ItemKey::Package(_)) && is_shared(key))
            .map(|key| key.path().to_owned())
            .collect();
        let (old_values, new_values) = (&self.options.old_values, &self.options.new_values);
        let (mut changes, read) = compare([old, of], &names, [old_values; 2])?;
        let (mut updates, read_new) = compare([old, new], &names, [old_values, new_values])?;
        ported.outcomes = read.into_iter().chain(read_new).collect();
        let stems = of.stems();
        let renames = Renames(self.options.renames.clone());
        let is_updated: HashSet<String> = updates.keys().cloned().collect();
        for key in keys {
            let path = of.shown(&key);
            if of_old.contains(&key) && !of_new.contains(&key) {
                ported.doubts.push(PortedDoubt::of_whole(path, PortReason::PackageGone));
                continue;
            }
            if matches!(key, ItemKey::File(_)) {
                // Bulk data fits only the package that it was made with.
                let package = bulk_stem(key.path()).and_then(|stem| stems.get(stem));
                if package.is_some_and(|package| is_updated.contains(package)) {
                    ported.doubts.push(PortedDoubt::of_whole(path, PortReason::NotAValue));
                    continue;
                }
                if is_shared(&key) && old.hash(key.path())? != new.hash(key.path())? {
                    let texts =
                        if key.path().ends_with(TEXTS) { self.texts(key.path(), &path)? } else { None };
                    if let Some((bytes, doubts)) = texts {
                        ported.doubts.extend(doubts);
                        ported.texts.push(path.clone());
                        files.push((path, bytes));
                        continue;
                    }
                    ported.doubts.push(PortedDoubt::of_whole(path.clone(), PortReason::ChangedByBoth));
                }
            }
            // What only the mod has, and what the update left alone, stays as it is.
            let Some(update) = updates.remove(key.path()).filter(|_| is_shared(&key)) else {
                ported.whole.push(path);
                continue;
            };
            let own = changes.remove(key.path()).unwrap_or_default();
            let (values, doubts) = split(&path, own, update, &renames);
            ported.doubts.extend(doubts);
            if !values.is_empty() {
                plan.push((path, values));
            }
        }
        Ok((ported, plan, files))
    }

    /// Sets the values in the packages of the new build. What it does not have is told.
    fn edit(&self, plan: &Plan, ported: &mut Ported) -> Result<(Editing, Vec<Edited>)> {
        let names: HashSet<String> = plan.iter().map(|(path, _)| path.to_lowercase()).collect();
        let editing = self.new.edit(Side::new(self.new).inputs(&names), self.options.new_values.clone());
        let mut all = Vec::new();
        for (path, values) in plan {
            let Some(place) = editing.find(path) else { continue };
            let [new, of] = [(self.new, &self.options.new_values), (self.of, &self.options.old_values)]
                .map(|(game, options)| objects_of(game, path, options));
            let (new, of) = (new?, of?);
            let mut fitting = Vec::new();
            for value in values {
                let wanted = wanted(value, [&new, &of]);
                // Each alone first: one that does not fit must not keep the others out.
                let fits = wanted
                    .filter(|wanted| editing.edit(place, &Wanted::Values(vec![wanted.clone()])).is_ok());
                match fits {
                    Some(wanted) => fitting.push(wanted),
                    None => {
                        let gone = gone(path, value);
                        // That it is no longer there says more than that it was changed.
                        ported
                            .doubts
                            .retain(|doubt| (&doubt.path, &doubt.place) != (&gone.path, &gone.place));
                        ported.doubts.push(gone);
                    }
                }
            }
            let edited = editing.edit(place, &Wanted::Values(fitting))?;
            if edited.exports > 0 {
                all.push(edited);
            }
        }
        Ok((editing, all))
    }
}

/// The doubt about a value that the new build does not take.
fn gone(path: &str, value: &PortedValue) -> PortedDoubt {
    PortedDoubt {
        place: format!("{}.{}", value.object, value.property),
        maybe_renamed: value.maybe_renamed.clone(),
        ..PortedDoubt::of_whole(path.to_owned(), PortReason::Gone)
    }
}

/// Address and text of a value; `None` if the new build does not have its object, or the mod not its property.
fn wanted(value: &PortedValue, [new, of]: [&ObjectsByPath; 2]) -> Option<(Address, String)> {
    let export = export_address(new, &value.object)?;
    let text = value.text.clone().or_else(|| property_text(of, &value.object, &value.property))?;
    let property = value.renamed.as_ref().unwrap_or(&value.property);
    Some((format!("{export}.{property}").parse::<Address>().ok()?, text))
}
