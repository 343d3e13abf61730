//! Values of the objects in a package.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::game::JsonForm;
use crate::job::Context;

/// Answers with the values of a package's objects.
pub(super) fn properties(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let inputs = opened.game.package_inputs(&[entry]);
    let objects = opened.game.within(context).objects_in(inputs, opened.values())?;
    let objects = objects.ok_or_else(|| Refusal::not_found("not a package"))?;
    // If at least some object could be read, show it; otherwise ask the user for mappings.
    if objects.lacks_mappings() && objects.is_empty() {
        let error = "the properties of this package have no names; give the game's mappings (.usmap)";
        return Err(Refusal { needs: Some("mappings"), ..Refusal::unprocessable(error) });
    }
    // The document may be many times as long as its package, so it pays for memory as it grows.
    let mut document = asked.kept.document(context);
    objects.write_json(JsonForm::FModel, &mut document)?;
    Ok(Answer::new("application/json", document.finish()))
}
