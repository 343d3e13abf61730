//! Raw bytes of a chunk.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::job::Context;
use crate::store::ReadLimit;

/// The most bytes per answer.
const MOST: u64 = 1 << 20;

/// Memory budget: the stored and the decoded bytes.
pub(super) fn price(asked: &Asked) -> u64 {
    count(asked).map_or(0, |count| count * 2)
}

fn count(asked: &Asked) -> Result<u64, Refusal> {
    Ok(asked.parameters.number("count")?.unwrap_or(MOST).min(MOST))
}

/// Reads a range of a chunk.
pub(super) fn bytes(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let from: u64 = asked.parameters.number("from")?.unwrap_or(0);
    let chunk = opened.game.at(entry);
    let container = chunk.container().ok_or_else(|| Refusal::not_found("there is no such row"))?;
    // The request is not trusted: neither the start nor the count can exceed the chunk.
    let end = from.saturating_add(count(asked)?).min(chunk.len());
    // Past the end: an empty answer, which the hex view takes for the end.
    if from >= end {
        return Ok(Answer::new("application/octet-stream", Vec::new()));
    }
    let bytes = container.read(
        entry.chunk,
        from..end,
        ReadLimit { bytes: MOST, cancel: Some(context.cancel_token()) },
    )?;
    Ok(Answer::new("application/octet-stream", bytes))
}
