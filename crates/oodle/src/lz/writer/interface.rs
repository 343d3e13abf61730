//! What every writer does.
#![expect(
    clippy::inline_always,
    reason = "a writer has to live in registers, so all of it belongs into the loop"
)]

use super::lists::{FAR_LEN, FIRST_SHORT, MIN_DISTANCE, ShortLists, Source, short_counts};

/// The output of a chunk, filled from the front. All methods that write return false, and have written nothing that
/// counts, if what they are asked for is not there, does not fit, or lies before the start of the history.
pub(in crate::lz) trait Writer<'d>: Sized {
    /// An output that ends where the chunk does, and whose first bytes, up to `pos` (at least
    /// [`FIRST_BYTES`](crate::lz::chunk::FIRST_BYTES)), are already there.
    fn new(dst: &'d mut [u8], pos: usize) -> Self;

    /// How far the output is filled.
    fn pos(&self) -> usize;

    /// The byte that was appended last.
    fn last_byte(&self) -> u8;

    /// Forgets the last `count` bytes, which have been appended by this writer.
    fn take_back(&mut self, count: usize);

    /// Appends literals. With `DELTA`, they are relative to what lies `last` bytes back, at least 8.
    fn literals<const DELTA: bool>(&mut self, source: &mut Source<'_>, run: usize, last: usize) -> bool;

    /// Repeats what lies `distance` bytes back; copies may overlap themselves. Refuses distances below `LEAST`. With a
    /// `LEAST` below 8, the caller sees to it that nearer matches are no longer than their distance.
    fn copy_match<const LEAST: usize>(&mut self, distance: usize, len: usize) -> bool;

    /// Runs one command of Mermaid that is short or a short far match, at any place of the output. False, and nothing is
    /// used up, if it cannot be.
    fn short<const DELTA: bool>(&mut self, command: u8, lists: &mut ShortLists<'_>) -> bool;

    /// Runs commands from the front of `commands` as long as they are short or short far matches; may stop before any
    /// command. Returns how many it has run.
    fn shorts<const DELTA: bool>(&mut self, commands: &[u8], lists: &mut ShortLists<'_>) -> usize;

    /// Appends `run` bytes that come one by one; `next` is given the byte `distance` back.
    fn bytewise(&mut self, run: usize, distance: usize, next: impl FnMut(u8) -> Option<u8>) -> bool;

    /// Asks for the cache line of a place that will be read soon.
    fn prefetch(&self, at: usize);

    /// Asks for what will be written soon.
    fn prefetch_page(&self);
}

/// [`Writer::short`], by the other methods of a writer.
#[inline(always)]
pub(super) fn short<'d, const DELTA: bool>(
    out: &mut impl Writer<'d>,
    command: u8,
    lists: &mut ShortLists<'_>,
) -> Option<()> {
    if command < FIRST_SHORT {
        let distance = lists.far_distance(out.pos())?;
        if !out.copy_match::<MIN_DISTANCE>(distance, usize::from(command) + FAR_LEN) {
            return None;
        }
        lists.recent = distance;
        lists.far_at += 1;
        return Some(());
    }
    let (run, len) = short_counts(command);
    let distance = lists.near_distance(command)?;
    let before = lists.literals;
    if !out.literals::<DELTA>(&mut lists.literals, run, lists.recent) {
        return None;
    }
    if !out.copy_match::<MIN_DISTANCE>(distance, len) {
        lists.literals = before;
        out.take_back(run);
        return None;
    }
    lists.recent = distance;
    lists.near_at += usize::from(command < 0x80);
    Some(())
}
