//! A mod out of a recipe.

mod outcome;
mod preview;
mod work;
mod writing;

pub use outcome::{BuildDoubt, BuildError, BuildFault, BuildOptions, BuildProblem, Built, WrittenMod};
pub use preview::{Preview, PreviewError};

use super::{Game, GameOptions};
use crate::changes::{Recipe, RecipePlace, RecipePlan};
use crate::error::{Error, Result};
use crate::job::{Cpu, Kind, Outcome};
use crate::replace::picture_len;
use crate::texts::{KeyedSheet, KeyedText, apply};
use crate::values::ValueOptions;
use crate::values::edit::Editing;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use work::{BuiltPackage, PackageWork, code_edits};
use writing::Writing;

impl Game {
    /// Makes the mod that a recipe describes for this game, as [`GameOptions::build`] does, with the mappings of this game.
    ///
    /// ```
    /// use uncask::Game;
    /// use uncask::game::{BuildOptions, Recipe};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let file = folder.path().join("mod.toml");
    /// std::fs::write(&file, r#"
    ///     [[change]]
    ///     packages = "/Game/Blueprints/*"
    ///     property = "*.OpenAngle"
    ///     multiply = 2
    /// "#).unwrap();
    /// let recipe = Recipe::open(&file).unwrap();
    /// let built = Game::open("testdata/demo")?.build(&recipe, None, &BuildOptions::default()).unwrap();
    /// assert_eq!(built.packages[0].changes[0].to.as_deref(), Some("180"));
    /// # Ok::<(), uncask::GameError>(())
    /// ```
    pub fn build(
        &self,
        recipe: &Recipe,
        output: Option<&Path>,
        options: &BuildOptions,
    ) -> std::result::Result<Built, BuildError> {
        let options = BuildOptions { values: self.value_options(), ..options.clone() };
        let mut making = GameOptions::default();
        making.settings = self.settings.clone();
        making.build(recipe, self, output, &options)
    }
}

/// Bytes of memory for each byte of pixels, in a format without compression.
const OF_PIXELS: u64 = 7;
/// Changes that are listed of a mod.
const MAX_LISTED: usize = 10_000;

impl GameOptions {
    /// Makes the mod that a recipe describes. Nothing is written if a change cannot be made, unless it is to go on; or if `output`
    /// is `None`.
    pub fn build(
        &self,
        recipe: &Recipe,
        game: &Game,
        output: Option<&Path>,
        options: &BuildOptions,
    ) -> std::result::Result<Built, BuildError> {
        let plan = RecipePlan::new(recipe)?;
        let base = game.without_mods(&[]);
        let values = ValueOptions { verify: true, ..options.values.clone() };
        let editing = Arc::new(base.edit(base.all_packages(), values));
        let mut building = Building::new(recipe);
        let packages = building.packages(&editing, &plan, game.cpu());
        building.edit(&base, &editing, packages)?;
        building.look_for_idle_changes();
        building.texts(&base)?;
        let Building { mut built, .. } = building;
        let is_sound =
            built.problems.is_empty() && built.outcome.failures.is_empty() && !built.outcome.cancelled;
        let is_something = !(built.packages.is_empty() && built.texts.is_empty() && recipe.files.is_empty());
        if let Some(output) = output.filter(|_| is_something && (is_sound || options.keep_going)) {
            let writing = Writing { making: self, base: &base, editing: &editing, options };
            built.written = Some(writing.write(&built, &recipe.files, output)?);
        }
        Ok(built)
    }
}

struct Building<'r> {
    recipe: &'r Recipe,
    built: Built,
    listed: usize,
}

impl<'r> Building<'r> {
    fn new(recipe: &'r Recipe) -> Self {
        let built = Built {
            packages: Vec::new(),
            texts: Vec::new(),
            values: vec![0; recipe.changes.len()],
            doubts: Vec::new(),
            problems: Vec::new(),
            unread: 0,
            written: None,
            outcome: Outcome::of(Kind::Package),
        };
        Self { recipe, built, listed: 0 }
    }

    fn problem(&mut self, place: &RecipePlace, fault: impl Into<BuildFault>) {
        self.built.problems.push(BuildProblem { place: place.clone(), fault: fault.into() });
    }

    /// The packages that the recipe changes, by their position.
    fn packages(&mut self, editing: &Editing, plan: &RecipePlan, cpu: &Cpu) -> BTreeMap<usize, PackageWork> {
        let mut packages: BTreeMap<usize, PackageWork> = BTreeMap::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        // Every name is held against all patterns.
        let of_items = cpu.map(editing.inputs(), |item| {
            let name = item.package_name();
            let rules = plan.rules_for(&name);
            (name, rules)
        });
        for (at, (name, rules)) in of_items.into_iter().enumerate() {
            places.entry(name.to_lowercase()).or_insert(at);
            if !rules.is_empty() {
                packages.entry(at).or_default().rules = rules;
            }
        }
        let recipe = self.recipe;
        for change in recipe.changes.iter().filter(|change| change.names_packages() && !change.is_optional) {
            for name in change.packages.iter().filter(|name| !places.contains_key(&name.to_lowercase())) {
                self.problem(&change.place, BuildFault::NoPackage(name.clone()));
            }
        }
        for (number, picture) in recipe.pictures.iter().enumerate() {
            match places.get(&picture.package.to_lowercase()) {
                Some(at) => packages.entry(*at).or_default().pictures.push(number),
                None if picture.is_optional => {}
                None => self.problem(&picture.place, BuildFault::NoPackage(picture.package.clone())),
            }
        }
        for (number, code) in recipe.code.iter().enumerate() {
            match code_edits(&code.change) {
                Err(fault) => self.problem(&code.place, fault),
                Ok((package, edits)) => match places.get(&package.to_lowercase()) {
                    Some(at) => packages.entry(*at).or_default().code.push((number, edits)),
                    None if code.is_optional => {}
                    None => self.problem(&code.place, BuildFault::NoPackage(package)),
                },
            }
        }
        packages
    }

    /// Makes the changes of all packages.
    fn edit(
        &mut self,
        base: &Game,
        editing: &Arc<Editing>,
        packages: BTreeMap<usize, PackageWork>,
    ) -> Result<()> {
        let picked: Vec<usize> = packages.keys().copied().collect();
        let recipe = Arc::new(self.recipe.clone());
        let packages = Arc::new(packages);
        let (priced, of_pictures) = (Arc::clone(&packages), Arc::clone(&recipe));
        let further = move |at: usize| {
            let pictures = priced.get(&at).map_or(&[][..], |work| &work.pictures);
            let files = pictures.iter().filter_map(|number| of_pictures.pictures.get(*number));
            files.map(|picture| picture_len(&picture.file).saturating_mul(OF_PIXELS)).sum()
        };
        let limit = base.memory();
        let work = move |editing: &Editing, at: usize| {
            packages.get(&at).map(|work| work.edit(editing, at, (&recipe, limit))).transpose()
        };
        let mut outcome = Outcome::of(Kind::Package);
        base.run(true, async |context| {
            let done = |package: BuiltPackage| {
                self.take(package);
                Ok::<(), Error>(())
            };
            editing.each(&picked, context, &mut outcome, (further, work), done).await
        })??;
        self.built.outcome = outcome;
        Ok(())
    }

    /// Adds a package.
    fn take(&mut self, package: BuiltPackage) {
        let BuiltPackage { edited, rules, problems, name, unread } = package;
        self.built.unread += unread as u64;
        self.built.problems.extend(problems);
        for outcome in rules {
            let Some(change) = self.recipe.changes.get(outcome.rule) else { continue };
            if let Some(values) = self.built.values.get_mut(outcome.rule) {
                *values += outcome.values;
            }
            self.built.doubts.extend(outcome.differing.into_iter().map(|[address, expected, found]| {
                BuildDoubt { place: change.place.clone(), path: name.clone(), address, expected, found }
            }));
            // An optional change may miss its value, but not have one that is refused.
            if let Some(reason) = outcome.problem.filter(|_| outcome.is_refused || !change.is_optional) {
                self.problem(&change.place, BuildFault::Value { package: name.clone(), reason });
            }
        }
        if let Some(mut edited) = edited.filter(|edited| edited.exports > 0) {
            // Whole games may be changed: what is listed of it stays within bounds.
            let left = MAX_LISTED.saturating_sub(self.listed);
            edited.cut |= edited.changes.len() > left;
            edited.changes.truncate(left);
            self.listed += edited.changes.len();
            self.built.packages.push(edited);
        }
    }

    /// Reports changes that were applied to nothing.
    fn look_for_idle_changes(&mut self) {
        let recipe = self.recipe;
        // Changes of a file without places are told once.
        let mut told: HashSet<RecipePlace> =
            self.built.problems.iter().map(|problem| problem.place.clone()).collect();
        for (number, change) in recipe.changes.iter().enumerate().filter(|(_, change)| !change.is_optional) {
            let is_idle = self.built.values.get(number) == Some(&0);
            if is_idle && told.insert(change.place.clone()) {
                self.problem(&change.place, BuildFault::Nothing);
            }
        }
        self.built.problems.sort_by_key(|problem| problem.place.at);
    }

    /// Changes the texts of localization files.
    fn texts(&mut self, base: &Game) -> std::result::Result<(), BuildError> {
        if self.recipe.texts.is_empty() {
            return Ok(());
        }
        let files = base.find_texts(&[])?.files;
        let texts: Vec<KeyedText<'_>> = self
            .recipe
            .texts
            .iter()
            .map(|text| KeyedText {
                file: &text.file,
                culture: &text.culture,
                namespace: &text.namespace,
                key: &text.key,
                text: &text.set,
            })
            .collect();
        let KeyedSheet { sheet, old } = KeyedSheet::new(&texts, &files);
        let recipe = self.recipe;
        for (text, old) in recipe.texts.iter().zip(old) {
            let Some(old) = old else {
                let (file, namespace, key) = (text.file.clone(), text.namespace.clone(), text.key.clone());
                if !text.is_optional {
                    self.problem(&text.place, BuildFault::NoText { file, namespace, key });
                }
                continue;
            };
            if let Some(expected) =
                text.from.as_ref().filter(|from| **from != old.clone().unwrap_or_default())
            {
                self.built.doubts.push(BuildDoubt {
                    place: text.place.clone(),
                    path: text.file.replace("{culture}", &text.culture),
                    address: text.key.clone(),
                    expected: format!("{expected:?}"),
                    found: old.map_or_else(|| "no text".to_owned(), |old| format!("{old:?}")),
                });
            }
        }
        let mut applied = apply(&sheet, &files)?;
        applied.retain(|file| file.changed + file.added > 0);
        self.built.texts = applied;
        Ok(())
    }
}
