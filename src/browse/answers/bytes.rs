//! Some bytes of a chunk.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::refusal::Refusal;
use crate::browse::session::Opened;
use crate::pipeline::Context;

/// Bytes that are given at a time.
const MOST: u64 = 1 << 20;

/// Some bytes of a chunk.
pub(super) fn bytes(opened: &Opened, asked: &Asked, _: &Context) -> Result<Answer, Refusal> {
    let entry = opened.entry(asked.parameters.needed("row")?)?;
    let from: u64 = asked.parameters.number("from")?.unwrap_or(0);
    let count = asked.parameters.number("count")?.unwrap_or(MOST).min(MOST);
    let store = opened.game.store();
    let container = store.container(entry).ok_or_else(|| Refusal::not_found("there is no such row"))?;
    let end = from.saturating_add(count).min(store.chunk(entry).len());
    let bytes = if from < end { container.read(entry.chunk, from..end, MOST)? } else { Vec::new() };
    Ok(Answer::new("application/octet-stream", bytes))
}
