//! A mod out of a recipe.

use super::{Game, GameOptions, JoinError, SameChunk};
use crate::changes::{CodeChangeOf, Recipe, RecipeError, RecipePlace, RecipePlan};
use crate::code::ListingDocument;
use crate::error::{Error, Result};
use crate::identify::has_extension;
use crate::job::{Kind, Outcome};
use crate::objection::Finding;
use crate::pack::PackOptions;
use crate::replace::{picture_len, read_picture};
use crate::sink::{DirectorySink, OutputPath, Overwrite, ScratchFolder, put};
use crate::source::read_file;
use crate::texts::{AppliedFile, KeyedSheet, KeyedText, apply};
use crate::values::ValueOptions;
use crate::values::edit::{
    CodeEdit, EditOutput, Edited, Editing, RuleOutcome, RuleSet, SaveOptions, TextureWish, Wanted,
};
use crate::wire::decode_text;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options for building a mod.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// Options for reading values.
    pub values: ValueOptions,
    /// Options for packing the mod.
    pub packing: PackOptions,
    /// Write the mod although some changes cannot be made.
    pub keep_going: bool,
}

/// A built mod.
#[derive(Debug)]
pub struct Built {
    /// Packages that were changed. Of many changes only the first ones are listed.
    pub packages: Vec<Edited>,
    /// Localization files that were changed.
    pub texts: Vec<AppliedFile>,
    /// Number of values that each change of the recipe was applied to.
    pub values: Vec<usize>,
    /// Values that were not what the recipe expects.
    pub doubts: Vec<BuildDoubt>,
    /// Changes that could not be made.
    pub problems: Vec<BuildProblem>,
    /// The files that were written; `None` if there were to be none, or nothing changed.
    pub written: Option<WrittenMod>,
    /// Outcome of reading and changing the packages.
    pub outcome: Outcome,
}

/// Files of a mod.
#[derive(Debug, Default)]
pub struct WrittenMod {
    /// Number of chunks, or of files.
    pub chunks: u64,
    /// Their length, in bytes.
    pub bytes: u64,
    /// Number of packages that could not be converted, and were left out.
    pub left_out: u64,
    /// Reasons why the game may reject it.
    pub warnings: Vec<Finding>,
}

/// A value that was not what a recipe expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildDoubt {
    /// Place in the recipe.
    pub place: RecipePlace,
    /// The package or file.
    pub path: String,
    /// Address of the value, or key of the text.
    pub address: String,
    /// The expected value.
    pub expected: String,
    /// The value of the game.
    pub found: String,
}

/// A change that could not be made.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct BuildProblem {
    /// Place in the recipe.
    pub place: RecipePlace,
    /// The fault.
    #[source]
    pub fault: BuildFault,
}

/// A reason that a change could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildFault {
    /// The game does not have a package.
    #[error("the game has no package {0}")]
    NoPackage(String),
    /// No value in any package is one of the change.
    #[error("no value to change")]
    Nothing,
    /// A value cannot be changed.
    #[error("{reason}: {package}")]
    Value {
        /// The package.
        package: String,
        /// The reason.
        reason: String,
    },
    /// A localization file of the game does not have the text.
    #[error("no culture has a text with the namespace {namespace:?} and the key {key:?}: {file}")]
    NoText {
        /// The file.
        file: String,
        /// The namespace.
        namespace: String,
        /// The key.
        key: String,
    },
    /// A listing cannot be read.
    #[error("not a listing: {0}")]
    Listing(String),
    /// A picture or function cannot be changed, or a file not be read.
    #[error(transparent)]
    Other(#[from] Error),
}

/// A reason that no mod was built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The recipe has an error.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The texts of the game cannot be changed.
    #[error(transparent)]
    Texts(#[from] crate::texts::SheetError),
    /// The mod cannot be put together.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The game cannot be read, or the mod not be written.
    #[error(transparent)]
    Io(#[from] Error),
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
        let packages = building.packages(&editing, &plan);
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

/// What is changed in a package; numbers are positions in the recipe.
#[derive(Default)]
struct PackageWork {
    rules: Vec<Arc<RuleSet>>,
    code: Vec<(usize, Vec<CodeEdit>)>,
    pictures: Vec<usize>,
}

/// A package after all changes.
struct BuiltPackage {
    edited: Option<Edited>,
    rules: Vec<RuleOutcome>,
    problems: Vec<BuildProblem>,
    name: String,
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
            written: None,
            outcome: Outcome::of(Kind::Package),
        };
        Self { recipe, built, listed: 0 }
    }

    fn problem(&mut self, place: &RecipePlace, fault: impl Into<BuildFault>) {
        self.built.problems.push(BuildProblem { place: place.clone(), fault: fault.into() });
    }

    /// The packages that the recipe changes, by their position.
    fn packages(&mut self, editing: &Editing, plan: &RecipePlan) -> BTreeMap<usize, PackageWork> {
        let mut packages: BTreeMap<usize, PackageWork> = BTreeMap::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (at, item) in editing.inputs().iter().enumerate() {
            let name = item.package_name();
            let rules = plan.rules_for(&name);
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
        let BuiltPackage { edited, rules, problems, name } = package;
        self.built.problems.extend(problems);
        for outcome in rules {
            let Some(change) = self.recipe.changes.get(outcome.rule) else { continue };
            if let Some(values) = self.built.values.get_mut(outcome.rule) {
                *values += outcome.values;
            }
            self.built.doubts.extend(outcome.differing.into_iter().map(|[address, expected, found]| {
                BuildDoubt { place: change.place.clone(), path: name.clone(), address, expected, found }
            }));
            if let Some(reason) = outcome.problem.filter(|_| !change.is_optional) {
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
        for (number, change) in recipe.changes.iter().enumerate().filter(|(_, change)| !change.is_optional) {
            let is_idle = self.built.values.get(number) == Some(&0);
            if is_idle && !self.built.problems.iter().any(|problem| problem.place == change.place) {
                self.problem(&change.place, BuildFault::Nothing);
            }
        }
        self.built.problems.sort_by(|a, b| a.place.at.cmp(&b.place.at));
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

impl PackageWork {
    /// Makes all changes of a package: values, then functions, then pictures.
    fn edit(&self, editing: &Editing, at: usize, (recipe, limit): (&Recipe, u64)) -> Result<BuiltPackage> {
        let name = editing.inputs().get(at).map(|item| item.package_name()).unwrap_or_default();
        let mut built = BuiltPackage { edited: None, rules: Vec::new(), problems: Vec::new(), name };
        if !self.rules.is_empty() {
            let mut edited = editing.edit(at, &Wanted::Rules(self.rules.clone()))?;
            built.rules = std::mem::take(&mut edited.rules);
            built.edited = Some(edited).filter(|edited| edited.exports > 0);
        }
        for (number, edits) in &self.code {
            let wanted = Wanted::Code(edits.clone());
            let edited = match built.edited.take() {
                Some(before) => editing.edit_again(before, &wanted),
                None => editing.edit(at, &wanted),
            };
            built.take(edited, recipe.code.get(*number).map(|code| &code.place));
        }
        if self.pictures.is_empty() {
            return Ok(built);
        }
        let pictures: Vec<_> =
            self.pictures.iter().filter_map(|number| recipe.pictures.get(*number)).collect();
        let place = pictures.first().map(|picture| &picture.place);
        let read = pictures.iter().map(|picture| Ok((picture, read_picture(&picture.file, limit)?)));
        let files = match read.collect::<Result<Vec<_>>>() {
            Ok(files) => files,
            Err(error) => {
                built.take(Err(error), place);
                return Ok(built);
            }
        };
        let wishes: Vec<TextureWish<'_>> = files
            .iter()
            .filter_map(|(picture, file)| {
                let (object, is_optional) = (picture.object.clone(), picture.is_optional);
                Some(TextureWish { object, picture: file.picture()?, is_optional })
            })
            .collect();
        let edited = match built.edited.take() {
            Some(before) => editing.replace_textures_again(before, &wishes),
            None => editing.replace_textures(at, &wishes),
        };
        built.take(edited, place);
        Ok(built)
    }
}

impl BuiltPackage {
    /// Takes the package after a further change, or the reason that it could not be made.
    fn take(&mut self, edited: Result<Edited>, place: Option<&RecipePlace>) {
        match edited {
            Ok(edited) => self.edited = Some(edited),
            Err(error) => {
                let place = place.cloned().unwrap_or_default();
                self.problems.push(BuildProblem { place, fault: error.into() });
            }
        }
    }
}

/// The package and the edits of a change of functions.
fn code_edits(change: &CodeChangeOf) -> std::result::Result<(String, Vec<CodeEdit>), BuildFault> {
    /// Length of the largest listing, in bytes.
    const MAX_LISTING: u64 = 256 << 20;
    let bad = |problem: &dyn std::fmt::Display| BuildFault::Listing(problem.to_string());
    Ok(match change {
        CodeChangeOf::Listing(path) => {
            let bytes = read_file(path, MAX_LISTING)?;
            let text = decode_text(&bytes).map_err(|error| bad(&error))?;
            let ListingDocument { package, functions } =
                ListingDocument::parse(&text).map_err(|error| bad(&error))?;
            let edit = |(function, listing)| CodeEdit::Assemble { function, listing };
            (package, functions.into_iter().map(edit).collect())
        }
        CodeChangeOf::Constant { package, at, from, set } => {
            let place = at.parse().map_err(|error: crate::bytecode::CodePlaceError| bad(&error))?;
            let edit = CodeEdit::Set { place, value: set.clone(), was: from.clone() };
            (package.clone(), vec![edit])
        }
        CodeChangeOf::NoOp { package, at } => {
            let place = at.parse().map_err(|error: crate::bytecode::CodePlaceError| bad(&error))?;
            (package.clone(), vec![CodeEdit::Remove(place)])
        }
    })
}

struct Writing<'w> {
    making: &'w GameOptions,
    base: &'w Game,
    editing: &'w Editing,
    options: &'w BuildOptions,
}

impl Writing<'_> {
    fn write(
        &self,
        built: &Built,
        files: &[PathBuf],
        output: &Path,
    ) -> std::result::Result<WrittenMod, BuildError> {
        let is_folder = !has_extension(output, &["utoc", "pak"]);
        let has_loose = !(built.texts.is_empty() && files.is_empty());
        if is_folder {
            let mut written = WrittenMod::default();
            if !built.packages.is_empty() {
                written = self.save(&built.packages, EditOutput::Folder(output.to_owned()))?;
            }
            let overwrite =
                if self.options.packing.replace { Overwrite::Always } else { Overwrite::Different };
            write_texts(&built.texts, output, overwrite)?;
            written.chunks += built.texts.len() as u64;
            written.bytes += built.texts.iter().map(|file| file.bytes.len() as u64).sum::<u64>();
            let sink = DirectorySink::open(output)?;
            for folder in files {
                let copied = super::joining::copy_into(folder, &sink, SameChunk::TakeLast)?;
                written.chunks += copied.len() as u64;
            }
            return Ok(written);
        }
        let target = |path: &Path| match has_extension(path, &["pak"]) {
            true => EditOutput::Pak(path.to_owned()),
            false => EditOutput::Container(path.to_owned()),
        };
        if !has_loose {
            return self.save(&built.packages, target(output));
        }
        let scratch = ScratchFolder::for_output(output)?;
        let mut inputs = Vec::new();
        let (mut left_out, mut warnings) = (0, Vec::new());
        if !built.packages.is_empty() {
            let part = scratch.inner("part")?.join(output.file_name().unwrap_or_default());
            let saved = self.save(&built.packages, target(&part))?;
            (left_out, warnings) = (saved.left_out, saved.warnings);
            inputs.push(part);
        }
        if !built.texts.is_empty() {
            let folder = scratch.inner("texts")?;
            write_texts(&built.texts, &folder, Overwrite::Always)?;
            inputs.push(folder);
        }
        inputs.extend(files.iter().cloned());
        let game = self.base.as_base();
        let own = self.options.packing.clone();
        let packing = PackOptions {
            loose_beside: true,
            version: own.version.or_else(|| game.toc_version().filter(|_| own.engine.is_none())),
            pak_table: own.pak_table.or_else(|| game.pak_table()),
            ..own
        };
        let packed = self.making.join(&inputs, output, &packing, SameChunk::TakeLast)?;
        // Those of the part are about a container that was there for a moment.
        drop(warnings);
        Ok(WrittenMod {
            chunks: packed.chunks,
            bytes: packed.stored_bytes,
            left_out,
            warnings: packed.warnings,
        })
    }

    fn save(&self, packages: &[Edited], output: EditOutput) -> std::result::Result<WrittenMod, BuildError> {
        let packing = &self.options.packing;
        let options = SaveOptions {
            release: self.options.values.release,
            game: Some(Arc::new(self.base.as_base())),
            replace: packing.replace,
            force: packing.force,
        };
        let saved = self.making.save(self.editing, packages, &output, &options)?;
        Ok(WrittenMod {
            chunks: saved.paths.len() as u64,
            bytes: saved.bytes,
            left_out: saved.left_out,
            warnings: saved.warnings,
        })
    }
}

fn write_texts(texts: &[AppliedFile], folder: &Path, overwrite: Overwrite) -> Result<()> {
    if texts.is_empty() {
        return Ok(());
    }
    let sink = DirectorySink::open(folder)?;
    for file in texts {
        put(&sink, &OutputPath::sanitize(&file.path), &file.bytes, overwrite)?;
    }
    Ok(())
}
