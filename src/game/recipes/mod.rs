//! A recipe out of a mod: its changes, tried out until they make the same mod.

mod beside;
mod item;
mod outcome;
mod parts;

pub use outcome::{ExtractedRecipe, RecipeOptions};

use super::building::{BuildError, BuildOptions};
use super::conflicts::{ByName, Side, compare};
use super::joining::{copy_into, with_pak};
use super::merging::{listing_of, objects_of, unpack_items};
use super::{Game, GameOptions, JoinError, SameChunk};
use crate::changes::{
    CodeChangeOf, ItemKey, NamedChanges, PackageChanges, RECIPE_FILE, Recipe, RecipeCode, RecipePicture,
    RecipePlace, RecipeText, changes_of,
};
use crate::error::{Error, Result};
use crate::export::{ExportForm, ExportInputs, ExportOptions, Forms, Levels};
use crate::pack::PackOptions;
use crate::sink::{DirectorySink, OutputPath, Overwrite, ScratchFolder, put};
use crate::source::{Links, files_below};
use crate::store::Lend;
use crate::texts::{Sheet, TextFile};
use crate::values::DATA;
use item::{FILES, ItemRecipe, joined, look_for_recipe, value_change};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders of a recipe.
const PICTURES: &str = "pictures";
const CODE: &str = "code";
/// Extension of localization files.
const TEXTS: &str = ".locres";
/// Times that a recipe is tried: what fails is taken as a whole the next time.
const TRIES: usize = 4;

impl GameOptions {
    /// Writes a recipe for a mod into a folder. It is built and compared with the mod: packages and files that come out in another
    /// way are in it as wholes.
    pub fn extract_recipe(
        &self,
        (path, of): (&Path, &Game),
        game: &Game,
        folder: &Path,
        options: &RecipeOptions,
    ) -> std::result::Result<ExtractedRecipe, BuildError> {
        let sink = DirectorySink::open(folder)?;
        look_for_recipe(folder, options.replace)?;
        let game = game.without_mods(std::slice::from_ref(of));
        let scratch = ScratchFolder::for_output(&folder.join(RECIPE_FILE))?;
        let parts = scratch.inner("recipe")?;
        let mut extracting =
            Extracting { making: self, of, game: &game, options, parts, found: ExtractedRecipe::default() };
        let mut changes = extracting.changes()?;
        extracting.settle(&mut changes, (path, &scratch))?;
        extracting.finish(&changes, (&sink, folder), &scratch)
    }
}

/// Changes to each package and file, by name in lower case.
type ByItem = BTreeMap<ItemKey, ItemRecipe>;

struct Extracting<'e> {
    making: &'e GameOptions,
    of: &'e Game,
    game: &'e Game,
    options: &'e RecipeOptions,
    /// Folder with the pictures and listings of the recipe.
    parts: PathBuf,
    found: ExtractedRecipe,
}

impl Extracting<'_> {
    /// The changes of the mod, as far as a recipe can name them.
    fn changes(&mut self) -> Result<ByItem> {
        let (of, game) = (Side::new(self.of), Side::new(self.game));
        // Bulk data goes with its package.
        let bulk = of.bulk_files();
        let is_bulk: HashSet<&String> = bulk.values().flatten().collect();
        let is_item =
            |key: &ItemKey| matches!(key, ItemKey::Package(_)) || !is_bulk.contains(&key.path().to_owned());
        let keys: BTreeSet<ItemKey> = of.keys().filter(is_item).collect();
        let of_game: HashSet<ItemKey> = game.keys().collect();
        let names: HashSet<String> = keys
            .iter()
            .filter(|key| matches!(key, ItemKey::Package(_)) && of_game.contains(key))
            .map(|key| key.path().to_owned())
            .collect();
        let (mut by_name, outcomes) = compare([&game, &of], &names, [&self.options.values; 2])?;
        self.found.outcomes.extend(outcomes);
        let pictures = self.pictures(&of, &by_name)?;
        let mut changes = ByItem::new();
        for key in keys {
            let shown = of.shown(&key);
            let recipe = match &key {
                ItemKey::Package(_) | ItemKey::File(_) if !of_game.contains(&key) => None,
                ItemKey::Package(name) => match by_name.remove(name) {
                    Some(found) => changes_of(found)
                        .map(|found| self.package((&of, &shown), found, &pictures))
                        .transpose()?
                        .flatten(),
                    None if of.package_parts(name, &bulk, &game)?
                        == game.package_parts(name, &HashMap::new(), &game)? =>
                    {
                        self.found.unchanged.push(shown);
                        continue;
                    }
                    None => None,
                },
                ItemKey::File(path) => {
                    if of.hash(path)? == game.hash(path)? {
                        self.found.unchanged.push(shown);
                        continue;
                    }
                    path.ends_with(TEXTS).then(|| self.texts(path, &shown)).transpose()?.flatten()
                }
            };
            changes.insert(key, ItemRecipe { shown, recipe });
        }
        // Each change knows what it belongs to by its place.
        for (number, item) in changes.values_mut().enumerate() {
            let place = RecipePlace { path: Path::new("").into(), at: Some((number, 0)) };
            item.recipe.iter_mut().for_each(|recipe| recipe.set_place(&place));
        }
        Ok(changes)
    }

    /// Writes the pictures of textures whose data differs, and returns the paths of all that there are, in lower case.
    fn pictures(&self, of: &Side<'_>, by_name: &ByName) -> Result<HashSet<String>> {
        let is_data = |changes: &PackageChanges| {
            changes.values.iter().any(|value| value.property.as_deref() == Some(DATA))
        };
        let names: HashSet<String> =
            by_name.iter().filter(|(_, changes)| is_data(changes)).map(|(name, _)| name.clone()).collect();
        if names.is_empty() {
            return Ok(HashSet::new());
        }
        let folder = self.parts.join(PICTURES);
        let sink = Arc::new(DirectorySink::open(&folder)?);
        let forms = Forms::new(vec![ExportForm::Dds]);
        let options = ExportOptions { forms, mips: Levels::Best, ..ExportOptions::default() };
        let inputs = ExportInputs::from(of.inputs(&names));
        // Objects that are no textures, or cannot be read, have no picture, and their packages are taken as wholes.
        self.of.export(inputs, sink, options, self.options.values.clone())?;
        let files = files_below(&folder, Links::Ignore, |_| true).files;
        let relative =
            |path: &PathBuf| path.strip_prefix(&folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
        Ok(files.iter().map(relative).collect())
    }

    /// The recipe of a package; `None` if it cannot be told by its changes.
    fn package(
        &self,
        (of, shown): (&Side<'_>, &str),
        found: NamedChanges,
        pictures: &HashSet<String>,
    ) -> Result<Option<Recipe>> {
        let mut recipe = Recipe::default();
        let [of_game, of_mod] =
            [self.game, self.of].map(|game| objects_of(game, shown, &self.options.values));
        let (of_game, of_mod) = (of_game?, of_mod?);
        for value in found.values {
            let Some(change) = value_change(shown, &value, [&of_game, &of_mod]) else { return Ok(None) };
            recipe.changes.push(change);
        }
        if !found.functions.is_empty() {
            let Some(listing) = self.listing(shown, &found.functions)? else { return Ok(None) };
            let change = CodeChangeOf::Listing(listing);
            recipe.code.push(RecipeCode { place: RecipePlace::default(), change, is_optional: false });
        }
        for object in found.data {
            let name = object.rsplit(['.', ':']).next().unwrap_or_default();
            let Some(file) = of.picture(shown, name, pictures) else { return Ok(None) };
            recipe.pictures.push(RecipePicture {
                place: RecipePlace::default(),
                package: shown.to_owned(),
                object: Some(name.to_owned()),
                file: Path::new(PICTURES).join(file),
                is_optional: false,
            });
        }
        Ok(Some(recipe))
    }

    /// Writes the listing of functions of a package.
    fn listing(&self, shown: &str, functions: &[String]) -> Result<Option<PathBuf>> {
        let text = listing_of(self.of, shown, functions, &self.options.values)?;
        let Some(text) = text else { return Ok(None) };
        let path = OutputPath::sanitize(&format!("{CODE}/{}.txt", shown.trim_start_matches('/')));
        put(&DirectorySink::open(&self.parts)?, &path, text.as_bytes(), Overwrite::Always)?;
        Ok(Some(PathBuf::from(path.as_str())))
    }

    /// The recipe of a localization file; `None` if texts come or go, or it cannot be read.
    fn texts(&self, path: &str, shown: &str) -> Result<Option<Recipe>> {
        let file = |game: &Game| {
            let chunk = game.entries().iter().map(|entry| game.at(*entry));
            let chunk = chunk.into_iter().find(|chunk| chunk.display_path().eq_ignore_ascii_case(path));
            let bytes = chunk.map(|chunk| game.read_chunk(chunk)).transpose()?;
            Ok::<_, Error>(TextFile { path: shown.to_owned(), bytes: bytes.unwrap_or_default() })
        };
        let (before, after) = (file(self.game)?, file(self.of)?);
        let ((before, bad), (after, worse)) = (Sheet::of_files(&[before]), Sheet::of_files(&[after]));
        if !(bad.is_empty() && worse.is_empty()) || before.rows().len() != after.rows().len() {
            return Ok(None);
        }
        let culture = after.cultures().first().cloned().unwrap_or_default();
        let mut recipe = Recipe::default();
        for (old, new) in before.rows().iter().zip(after.rows()) {
            let is_one =
                (&old.namespace, &old.key, old.source_hash) == (&new.namespace, &new.key, new.source_hash);
            if !is_one {
                return Ok(None);
            }
            let [from, set] = [old, new].map(|row| row.text(0).unwrap_or_default().to_owned());
            if from != set {
                recipe.texts.push(RecipeText {
                    place: RecipePlace::default(),
                    file: new.file.to_string(),
                    culture: culture.clone(),
                    namespace: new.namespace.to_string(),
                    key: new.key.clone(),
                    from: Some(from),
                    set,
                    is_optional: false,
                });
            }
        }
        Ok(Some(recipe))
    }

    /// Builds the recipe until every part of it makes what the mod has; parts that do not become wholes.
    fn settle(
        &mut self,
        changes: &mut ByItem,
        (path, scratch): (&Path, &ScratchFolder),
    ) -> std::result::Result<(), BuildError> {
        let name = path.file_name().unwrap_or_default();
        for number in 0..TRIES {
            let recipe = joined(changes.values(), &self.parts);
            if recipe == Recipe::default() {
                return Ok(());
            }
            let output = scratch.inner(&format!("try{number}"))?.join(name);
            let packing = PackOptions { replace: true, force: true, ..PackOptions::default() };
            let options = BuildOptions { values: self.options.values.clone(), packing, keep_going: true };
            let built = self.making.build(&recipe, self.game, Some(&output), &options)?;
            let failed: HashSet<usize> =
                built.problems.iter().filter_map(|problem| Some(problem.place.at?.0)).collect();
            let mut bad: Vec<ItemKey> = changes
                .keys()
                .enumerate()
                .filter(|(at, _)| failed.contains(at))
                .map(|(_, key)| key.clone())
                .collect();
            if bad.is_empty() && !built.outcome.failures.is_empty() {
                // Nothing says which part it was.
                bad = changes.keys().cloned().collect();
            }
            if bad.is_empty() {
                bad = self.compare(changes, &output)?;
            }
            for key in &bad {
                changes.entry(key.clone()).or_default().recipe = None;
            }
            if bad.is_empty() {
                return Ok(());
            }
        }
        // Whatever is still in doubt is taken as it is.
        for item in changes.values_mut() {
            item.recipe = None;
        }
        Ok(())
    }

    /// Compares a built mod with the mod: items that differ.
    fn compare(&mut self, changes: &ByItem, built: &Path) -> Result<Vec<ItemKey>, BuildError> {
        let bases = self.game.containers().iter().map(|container| container.path().to_owned());
        let options = bases.fold(self.making.clone().lend(Lend::Always), GameOptions::base);
        let built = options.open_all(with_pak(built)).map_err(JoinError::from)?;
        let (built, of, game) = (Side::new(&built), Side::new(self.of), Side::new(self.game));
        let (of_built, of_mod) = (built.bulk_files(), of.bulk_files());
        let (mut exact, mut differ, mut bad) = (Vec::new(), HashMap::new(), Vec::new());
        for (key, item) in changes.iter().filter(|(_, item)| item.recipe.is_some()) {
            match key {
                ItemKey::File(path) if built.hash(path)? == of.hash(path)? => exact.push(item.shown.clone()),
                ItemKey::File(_) => bad.push(key.clone()),
                ItemKey::Package(name) => {
                    let ours = built.package_parts(name, &of_built, &game)?;
                    let theirs = of.package_parts(name, &of_mod, &game)?;
                    if ours == theirs {
                        exact.push(item.shown.clone());
                    } else if ours.bulk == theirs.bulk {
                        differ.insert(name.clone(), item.shown.clone());
                    } else {
                        bad.push(key.clone());
                    }
                }
            }
        }
        let names: HashSet<String> = differ.keys().cloned().collect();
        let (found, outcomes) = compare([&of, &built], &names, [&self.options.values; 2])?;
        // What cannot be read cannot be called alike.
        let is_unread =
            outcomes.iter().any(|outcome| outcome.unread_exports > 0 || !outcome.failures.is_empty());
        let (mut alike, has) = (Vec::new(), built.keys().collect::<HashSet<ItemKey>>());
        for (name, shown) in differ {
            let key = ItemKey::Package(name);
            if is_unread || found.contains_key(key.path()) || !has.contains(&key) {
                bad.push(key);
            } else {
                alike.push(shown);
            }
        }
        alike.sort();
        (self.found.exact, self.found.alike) = (exact, alike);
        Ok(bad)
    }

    /// Writes the recipe and all that belongs to it, the recipe itself last.
    fn finish(
        self,
        changes: &ByItem,
        (sink, folder): (&DirectorySink, &Path),
        scratch: &ScratchFolder,
    ) -> std::result::Result<ExtractedRecipe, BuildError> {
        let mut found = self.found;
        found.recipe = joined(changes.values(), Path::new(""));
        let whole = changes.iter().filter(|(_, item)| item.recipe.is_none());
        let mut paths: HashSet<String> = whole.clone().map(|(key, _)| key.path().to_owned()).collect();
        let bulk = Side::new(self.of).bulk_files();
        paths.extend(whole.clone().filter_map(|(key, _)| bulk.get(key.path())).flatten().cloned());
        found.whole = whole.map(|(_, item)| item.shown.clone()).collect();
        let unpacked = unpack_items(self.of, &paths, || scratch.inner(FILES))?;
        let files = put_files(unpacked.as_deref(), &folder.join(FILES))?;
        found.recipe.files.extend(files.then(|| PathBuf::from(FILES)));
        let used = found.recipe.pictures.iter().map(|picture| &picture.file);
        let listings = found.recipe.code.iter().filter_map(|code| match &code.change {
            CodeChangeOf::Listing(path) => Some(path),
            _ => None,
        });
        for path in used.chain(listings) {
            let bytes = std::fs::read(self.parts.join(path)).map_err(Error::io("read", path))?;
            let output = OutputPath::sanitize(&path.to_string_lossy().replace('\\', "/"));
            put(sink, &output, &bytes, Overwrite::Always)?;
        }
        found.recipe.write_into(sink)?;
        Ok(found)
    }
}

/// Puts files into the folder of a recipe, and removes those of the recipe before, which would go into the mod. True if there are any.
fn put_files(unpacked: Option<&Path>, folder: &Path) -> Result<bool> {
    let mut wanted = HashSet::new();
    if let Some(unpacked) = unpacked {
        copy_into(unpacked, &DirectorySink::open(folder)?, SameChunk::TakeLast).map_err(
            |error| match error {
                JoinError::Io(error) => error,
                error => Error::io("write", folder)(std::io::Error::other(error)),
            },
        )?;
        let files = files_below(unpacked, Links::Ignore, |_| true).files;
        wanted.extend(files.iter().filter_map(|path| path.strip_prefix(unpacked).ok()).map(Path::to_owned));
    }
    if folder.is_dir() {
        for path in files_below(folder, Links::Ignore, |_| true).files {
            if path.strip_prefix(folder).is_ok_and(|below| !wanted.contains(below)) {
                std::fs::remove_file(&path).map_err(Error::io("remove", &path))?;
            }
        }
    }
    Ok(!wanted.is_empty())
}
