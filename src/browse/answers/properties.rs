//! The values of the objects in a package.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::refusal::Refusal;
use crate::browse::session::Opened;
use crate::pipeline::Context;
use crate::values::{JsonForm, PackageInputs, read_objects};
use std::sync::Arc;

/// The values of the objects in a package.
pub(super) fn properties(opened: &Opened, asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let entry = opened.entry(asked.parameters.needed("row")?)?;
    let inputs = PackageInputs::of_store(opened.game.store(), &[entry]);
    let objects = read_objects(Arc::clone(opened.game.packages()), inputs, opened.values())?;
    let objects = objects.ok_or_else(|| Refusal::not_found("not a package"))?;
    if objects.lacks_mappings() && objects.is_empty() {
        let error = "the properties of this package have no names; give the game's mappings (.usmap)";
        return Err(Refusal { needs: Some("mappings"), ..Refusal::unprocessable(error) });
    }
    let mut document = asked.kept.document(context);
    objects.write_json(JsonForm::FModel, &mut document)?;
    Ok(Answer::new("application/json", document.finish()))
}
