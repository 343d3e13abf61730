//! Pseudo-code of the functions in a package.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::bytecode::CodeLink;
use crate::error::Error;
use crate::game::CodeOptions;
use crate::job::Context;
use serde::Serialize;
use std::collections::BTreeMap;

/// The code of a package.
#[derive(Default, Serialize)]
struct ShownCode {
    text: String,
    functions: u64,
    /// Packages of which words in the text are objects.
    links: BTreeMap<String, CodeLink>,
}

/// Answers with the pseudo-code of a package; an empty text if it has none.
pub(super) fn code(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let inputs = opened.game.package_inputs(&[entry]);
    if inputs.is_empty() {
        return Err(Refusal::not_found("not a package"));
    }
    let options = CodeOptions { values: opened.values(), ..CodeOptions::default() };
    let mut shown = ShownCode::default();
    let mut outcome = opened.game.within(context).each_code(inputs, options, |code| {
        shown = ShownCode { text: code.text, functions: code.functions, links: code.links };
        Ok(())
    })?;
    match outcome.failures.pop() {
        Some(failure) => Err(failure.error.into()),
        None if outcome.cancelled => Err(Error::Cancelled.into()),
        None => {
            // The text may be many times as long as its package, so it pays for memory as it is written.
            let mut document = asked.kept.document(context);
            serde_json::to_writer(&mut document, &shown).map_err(refusal)?;
            Ok(Answer::new("application/json", document.finish()))
        }
    }
}

fn refusal(error: serde_json::Error) -> Refusal {
    match std::io::Error::from(error).downcast::<Error>() {
        Ok(error) => error.into(),
        Err(error) => Refusal::internal(error.to_string()),
    }
}
