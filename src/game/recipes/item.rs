//! Recipes of single packages and files, and how they are written.

use crate::changes::{
    CodeChangeOf, PortedValue, RECIPE_FILE, RECIPE_SCHEMA, ROWS, Recipe, RecipeChange, RecipeCode,
    RecipePicture, RecipePlace, set_text,
};
use crate::error::{Error, Result};
use crate::game::merging::{ObjectsByPath, export_address, property_text};
use crate::objection::{Finding, Objection};
use crate::sink::{DirectorySink, OutputPath, Overwrite, put};
use crate::values::ShownValue;
use crate::values::edit::RuleChange;
use serde_json::Value as Json;
use std::path::Path;

/// Folder with files that are no changes of those of the game.
pub(super) const FILES: &str = "files";
const SCHEMA_FILE: &str = "recipe.schema.json";

/// Recipe of one package or file; `None` in the end means the whole.
#[derive(Default)]
pub(super) struct ItemRecipe {
    pub shown: String,
    pub recipe: Option<Recipe>,
}

/// All parts as one recipe, with paths of files below a folder.
pub(super) fn joined<'i>(items: impl Iterator<Item = &'i ItemRecipe>, folder: &Path) -> Recipe {
    let mut all = Recipe::default();
    for recipe in items.filter_map(|item| item.recipe.clone()) {
        all.changes.extend(recipe.changes);
        all.texts.extend(recipe.texts);
        all.pictures.extend(
            recipe
                .pictures
                .into_iter()
                .map(|picture| RecipePicture { file: folder.join(&picture.file), ..picture }),
        );
        all.code.extend(recipe.code.into_iter().map(|code| match code.change {
            CodeChangeOf::Listing(path) => {
                RecipeCode { change: CodeChangeOf::Listing(folder.join(path)), ..code }
            }
            _ => code,
        }));
    }
    all
}

/// Refuses to replace a recipe, or files of one, unless it is to be replaced.
pub(super) fn look_for_recipe(folder: &Path, replace: bool) -> Result<()> {
    let mut in_the_way = [RECIPE_FILE, FILES].map(|name| folder.join(name)).into_iter();
    match in_the_way.find(|path| !replace && path.exists()) {
        Some(path) => Err(Error::Refused { reasons: vec![Finding::new(Objection::Exists, &path)] }),
        None => Ok(()),
    }
}

impl Recipe {
    /// Writes the recipe, after its schema.
    pub(super) fn write_into(&self, sink: &DirectorySink) -> Result<()> {
        put(sink, &OutputPath::sanitize(SCHEMA_FILE), RECIPE_SCHEMA.as_bytes(), Overwrite::Always)?;
        put(sink, &OutputPath::sanitize(RECIPE_FILE), self.to_toml().as_bytes(), Overwrite::Always)?;
        Ok(())
    }

    pub(super) fn set_place(&mut self, place: &RecipePlace) {
        self.changes.iter_mut().for_each(|change| change.place = place.clone());
        self.pictures.iter_mut().for_each(|picture| picture.place = place.clone());
        self.texts.iter_mut().for_each(|text| text.place = place.clone());
        self.code.iter_mut().for_each(|code| code.place = place.clone());
    }
}

/// A value as a change of a recipe; `None` if the game does not have its object, or the mod not its property.
pub(super) fn value_change(
    package: &str,
    value: &PortedValue,
    [game, of]: [&ObjectsByPath; 2],
) -> Option<RecipeChange> {
    let export = export_address(game, &value.object)?;
    let whole = |objects| property_text(objects, &value.object, &value.property);
    let change = match value.text.clone().or_else(|| whole(of)) {
        Some(text) if value.text.is_none() => {
            let added = whole(game).and_then(|old| added_elements(&old, &text));
            added.map_or(RuleChange::Set(text), RuleChange::Append)
        }
        Some(text) => RuleChange::Set(text),
        // Only rows can be gone: a property that is left out has the default of its class, which nothing sets.
        None if value.property.starts_with(ROWS) => RuleChange::Remove,
        None => return None,
    };
    let from = match &value.text {
        Some(_) => value.from.as_ref().map(as_json),
        None => whole(game).map(|text| serde_json::from_str(&text).unwrap_or(Json::String(text))),
    };
    Some(RecipeChange {
        place: RecipePlace::default(),
        packages: vec![package.to_owned()],
        property: format!("{export}.{}", value.property),
        class: None,
        conditions: Vec::new(),
        from,
        change,
        is_optional: false,
    })
}

/// Elements or entries of a map that a list has after those that it had before; `None` if it differs in more. They are added to
/// whatever a later build of the game has there.
fn added_elements(old: &str, new: &str) -> Option<Vec<(Option<String>, String)>> {
    let list = |text| serde_json::from_str::<Vec<Json>>(text).ok();
    let (old, new) = (list(old)?, list(new)?);
    let (known, added) = new.split_at_checked(old.len())?;
    if known != old || added.is_empty() {
        return None;
    }
    let entry = |element: &Json| {
        let entry = element.as_object().filter(|entry| entry.len() == 2)?;
        Some((Some(set_text(entry.get("Key")?)), set_text(entry.get("Value")?)))
    };
    let is_map = new.iter().all(|element| entry(element).is_some());
    let added =
        added.iter().map(|element| if is_map { entry(element) } else { Some((None, set_text(element))) });
    added.collect()
}

/// A value as a recipe writes it: numbers and truths as such, all others as texts.
fn as_json(value: &ShownValue) -> Json {
    let bare = value.is_bare.then(|| serde_json::from_str(&value.text).ok()).flatten();
    bare.unwrap_or_else(|| Json::String(value.text.clone()))
}
