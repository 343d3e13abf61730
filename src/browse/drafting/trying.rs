//! Tries edits on their packages before they come into the draft.

use super::edit::{ValueEdit, Wish};
use crate::browse::refusal::Refusal;
use crate::game::{
    BuildFault, BuildOptions, Built, EditFields, Game, Preview, PreviewError, Recipe, RecipePicture,
    RecipePlace, ValueOptions,
};
use serde::Serialize;
use serde_json::Value as Json;
use std::ops::Range;

/// Values of a package with the changes of a draft, for the page.
#[derive(Debug, Serialize)]
pub(in crate::browse) struct Fields {
    #[serde(flatten)]
    fields: EditFields,
    /// Changed values of the package: address, old value and new one, as JSON.
    changed: Vec<(String, Option<String>, Option<String>)>,
    /// Reasons why changes of the draft cannot be made in this package.
    problems: Vec<String>,
}

/// The values at an address of a package.
pub(in crate::browse) fn fields(
    preview: &Preview,
    (at, range): (&str, Range<usize>),
) -> Result<Fields, Refusal> {
    let of_package = preview.built.packages.iter().flat_map(|edited| &edited.changes);
    let changed =
        of_package.map(|change| (change.address.clone(), change.from.clone(), change.to.clone())).collect();
    let problems = preview.built.problems.iter().map(|problem| said(&problem.fault)).collect();
    Ok(Fields { fields: preview.fields(at, range)?, changed, problems })
}

/// The value at an address of a package as JSON.
pub(in crate::browse) fn value_json(preview: &Preview, at: &str) -> Result<String, Refusal> {
    let json = preview.value_json(at)?;
    json.ok_or_else(|| Refusal::not_found(format!("there is no value that can be copied: {at}")))
}

/// A recipe with an edit that can be made. A value that is as it was before is no change.
pub(in crate::browse) fn try_value(
    game: &Game,
    mut recipe: Recipe,
    (edit, package): (&ValueEdit, &str),
    place: RecipePlace,
    values: ValueOptions,
) -> Result<Recipe, Refusal> {
    edit.check()?;
    let Some(at) = edit.add_to(&mut recipe, package, place) else { return Ok(recipe) };
    let Some(change) = recipe.changes.get(at) else { return Ok(recipe) };
    change.check().map_err(|problem| Refusal::unprocessable(problem.to_string()))?;
    let (place, is_new) = (change.place.clone(), change.from.is_none());
    let built = preview(game, &recipe, package, values)?.built;
    refuse(&built, &place)?;
    if matches!(edit.wish, Wish::Set { .. }) {
        let changes = built.packages.iter().flat_map(|edited| &edited.changes);
        let mut of_value = changes.filter(|change| change.address.eq_ignore_ascii_case(&edit.address));
        let last = of_value.next_back();
        let as_json =
            |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone()));
        if let Some(change) = recipe.changes.get_mut(at) {
            if is_new {
                change.from = last.and_then(|last| last.from.as_ref()).map(as_json);
            }
            let to = last.and_then(|last| last.to.as_ref()).map(as_json);
            // A package that stays as it is was changed to what it has already, unless another change of it is refused.
            let is_as_it_was = built.packages.is_empty() && built.problems.is_empty();
            if is_as_it_was || to.is_some() && to == change.from {
                recipe.changes.remove(at);
            }
        }
    }
    Ok(recipe)
}

/// A recipe with a picture that fits its texture, in place of an earlier one.
pub(in crate::browse) fn try_picture(
    game: &Game,
    mut recipe: Recipe,
    picture: RecipePicture,
    values: ValueOptions,
) -> Result<Recipe, Refusal> {
    let (package, place) = (picture.package.clone(), picture.place.clone());
    recipe
        .pictures
        .retain(|other| !(other.package.eq_ignore_ascii_case(&package) && other.object == picture.object));
    recipe.pictures.push(picture);
    refuse(&preview(game, &recipe, &package, values)?.built, &place)?;
    Ok(recipe)
}

/// A package with the changes of a recipe.
pub(in crate::browse) fn preview(
    game: &Game,
    recipe: &Recipe,
    package: &str,
    values: ValueOptions,
) -> Result<Preview, Refusal> {
    let options = BuildOptions { values, ..BuildOptions::default() };
    Ok(game.preview(recipe, package, &options)?)
}

/// Refuses a change that cannot be made, or a package that cannot be read.
fn refuse(built: &Built, place: &RecipePlace) -> Result<(), Refusal> {
    // Pictures of a package are made together, at the place of the first one.
    let problem = built.problems.iter().find(|problem| problem.place == *place);
    if let Some(problem) = problem {
        return Err(Refusal::unprocessable(said(&problem.fault)));
    }
    match built.outcome.failures.first() {
        Some(failure) => Err(Refusal::unprocessable(failure.error.to_string())),
        None if built.outcome.cancelled => Err(Refusal::given_up()),
        None => Ok(()),
    }
}

/// A fault in words, without the package: the page shows that.
pub(in crate::browse) fn said(fault: &BuildFault) -> String {
    match fault {
        BuildFault::Value { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

impl From<PreviewError> for Refusal {
    fn from(error: PreviewError) -> Self {
        match error {
            PreviewError::Game(error) => error.into(),
            PreviewError::Build(error) => Self::unprocessable(error.to_string()),
        }
    }
}
