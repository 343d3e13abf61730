//! The values of the objects in a package.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::game::JsonForm;
use crate::job::Context;

/// Memory that values take for each byte of their package.
const PRICE: u64 = 8;

pub(super) fn price(asked: &Asked) -> u64 {
    let Ok(GamePlace { opened, entry, .. }) = asked.place() else { return 0 };
    let inputs = opened.game.package_inputs(&[entry]);
    inputs.items().first().map_or(0, |item| item.len).saturating_mul(PRICE)
}

/// The values of the objects in a package.
pub(super) fn properties(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let inputs = opened.game.package_inputs(&[entry]);
    let objects = opened.game.within(context).objects_in(inputs, opened.values())?;
    let objects = objects.ok_or_else(|| Refusal::not_found("not a package"))?;
    if objects.lacks_mappings() && objects.is_empty() {
        let error = "the properties of this package have no names; give the game's mappings (.usmap)";
        return Err(Refusal { needs: Some("mappings"), ..Refusal::unprocessable(error) });
    }
    let mut document = asked.kept.document(context);
    objects.write_json(JsonForm::FModel, &mut document)?;
    Ok(Answer::new("application/json", document.finish()))
}
