//! Functions that a merged package takes from other mods.

use super::{MergeError, Merging};
use crate::changes::{MergePlan, MergedPackage, PackageChanges, Unmerged, UnmergedReason};
use crate::code::{CodeForm, CodeOptions, FunctionNames, ListingDocument};
use crate::error::Result;
use crate::game::Game;
use crate::game::conflicts::{ByName, Side, compare};
use crate::values::ValueOptions;
use crate::values::edit::CodeEdit;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The listings of functions of a package of a game, as one text; `None` if it has none, or not all can be read.
pub(in crate::game) fn listing_of(
    of: &Game,
    package: &str,
    functions: &[String],
    values: &ValueOptions,
) -> Result<Option<String>> {
    let mut text = String::new();
    let name = |path: &String| path.rsplit(['.', ':']).next().unwrap_or_default().to_owned();
    let functions: Vec<String> = functions.iter().map(name).collect();
    let options = CodeOptions {
        form: CodeForm::Listing,
        functions: FunctionNames::new(&functions),
        values: values.clone(),
    };
    let inputs = Side::new(of).inputs(&HashSet::from([package.to_lowercase()]));
    let outcome = of.each_code(inputs, options, |code| {
        text = code.text;
        Ok(())
    })?;
    Ok(Some(text).filter(|text| !text.is_empty() && outcome.failures.is_empty()))
}

impl Merging<'_> {
    /// Finds out which functions have other bytes in the mods from which some are taken: all of these have to be taken, and none of
    /// them may be one that the package has already changed. Packages of which that is so cannot be merged.
    pub(super) fn settle_functions(&self, plan: &mut MergePlan) -> Result<()> {
        let packages = plan.packages.iter().filter(|package| !package.functions.is_empty());
        let names: HashSet<String> = packages.map(|package| package.path.to_lowercase()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let game = self.game.without_mods(self.mods);
        let base = Side::new(&game);
        let options = [&self.options.values; 2];
        let of_mods = self.mods.iter().map(|of| Ok(compare([&base, &Side::new(of)], &names, options)?.0));
        let of_mods: Vec<ByName> = of_mods.collect::<Result<_>>()?;
        let in_bytes = |mod_at: usize, path: &str| {
            let changes = of_mods.get(mod_at).and_then(|of| of.get(&path.to_lowercase()));
            changes.map(PackageChanges::functions_in_bytes).unwrap_or_default()
        };
        for package in &mut plan.packages {
            let mods: BTreeSet<usize> = package.functions.iter().map(|(mod_at, _)| *mod_at).collect();
            let mut taken = in_bytes(package.base, &package.path);
            let (mut functions, mut shared) = (Vec::new(), Vec::new());
            for mod_at in mods {
                for function in in_bytes(mod_at, &package.path) {
                    if taken.insert(function.clone()) {
                        functions.push((mod_at, function));
                    } else {
                        shared.push(function);
                    }
                }
            }
            // With only some of its functions, a mod would be half there.
            if !shared.is_empty() {
                functions.clear();
                let (path, reason) = (package.path.clone(), UnmergedReason::SameFunction);
                plan.unmerged.push(Unmerged { path, reason, places: shared });
            }
            package.functions = functions;
        }
        plan.packages.retain(|package| !package.takes_nothing());
        Ok(())
    }

    /// Edits that put the functions of other mods into a package.
    pub(super) fn code(&self, package: &MergedPackage) -> std::result::Result<Vec<CodeEdit>, MergeError> {
        let mut by_mod: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (mod_at, function) in &package.functions {
            by_mod.entry(*mod_at).or_default().push(function.clone());
        }
        let mut edits = Vec::new();
        for (mod_at, functions) in by_mod {
            let lost = || MergeError::Lost {
                package: package.path.clone(),
                object: functions.first().cloned().unwrap_or_default(),
                property: "()".to_owned(),
            };
            let of = self.mods.get(mod_at).ok_or_else(lost)?;
            let text = listing_of(of, &package.path, &functions, &self.options.values)?.ok_or_else(lost)?;
            let document = ListingDocument::parse(&text).map_err(|_| lost())?;
            let listed = document.functions.into_iter();
            edits.extend(listed.map(|(function, listing)| CodeEdit::Assemble { function, listing }));
        }
        Ok(edits)
    }

    /// A function of a merged package whose code is not that of the mod that it was taken from.
    pub(super) fn lost_function(&self, package: &MergedPackage, merged: &Game) -> Result<Option<String>> {
        for (mod_at, function) in &package.functions {
            let Some(of) = self.mods.get(*mod_at) else { continue };
            let functions = std::slice::from_ref(function);
            let [wanted, found] =
                [of, merged].map(|game| listing_of(game, &package.path, functions, &self.options.values));
            if wanted? != found? {
                return Ok(Some(function.clone()));
            }
        }
        Ok(None)
    }
}
