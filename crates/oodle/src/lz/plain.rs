//! Plain output: whole words through checked slices, and byte by byte where these do not fit.
//!
//! ```text
//!   match of 13 bytes, 9 back    … a b c d e f g h i │ . . . . . . . . . . . . . . . .
//!   first 8 bytes at once                            │ a b c d e f g h
//! next 8: `a` is written by now                    │ a b c d e f g h i a b c d e f g    3 too many,
//!   overwritten later
//! ```
//!
//! Runs are short, so a call of `memcpy` for each of them, or a loop over its bytes, costs more than its
//! bytes. Nearly all are done with one step of [`STEP`] bytes, whatever their length.
#![expect(
    clippy::inline_always,
    reason = "the state of an output has to stay in registers, so its common paths belong into the loops"
)]

use super::chunk::Window;
use crate::error::{Error, Result, StreamPart};

/// Bytes that one step copies.
const STEP: usize = 16;

/// Distance below which matches are not copied by words.
const WORD: usize = 8;

/// Output of a chunk, filled from front to back.
pub(super) struct Output<'d> {
    /// The history, and the chunk up to its end. Steps stay inside, so the last bytes of a chunk are copied
    /// one by one.
    dst: &'d mut [u8],
    pos: usize,
}

impl<'d> Output<'d> {
    /// Output of a chunk whose first bytes, up to `first`, are already filled.
    pub(super) fn new(window: &'d mut Window<'_>, first: usize) -> Self {
        Self { dst: window.dst.get_mut(..window.end).unwrap_or_default(), pos: first }
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    pub(super) fn left(&self) -> usize {
        self.dst.len() - self.pos
    }

    /// Returns the byte `distance` bytes back.
    pub(super) fn back(&self, distance: usize) -> Result<u8> {
        let at = self.pos.checked_sub(distance).ok_or(Error::Malformed(StreamPart::Match))?;
        self.dst.get(at).copied().ok_or(Error::Malformed(StreamPart::Match))
    }

    pub(super) fn push(&mut self, byte: u8) -> Result<()> {
        *self.dst.get_mut(self.pos).ok_or(Error::Malformed(StreamPart::Literals))? = byte;
        self.pos += 1;
        Ok(())
    }

    /// Takes `run` literals off the front of a list. With `DELTA`, they are relative to the bytes `last`
    /// back.
    #[inline(always)]
    pub(super) fn literals<const DELTA: bool>(
        &mut self,
        source: &mut &[u8],
        run: usize,
        last: usize,
    ) -> Result<()> {
        // A step writes 16 bytes, whatever the run; those too many are overwritten by what follows.
        if run > STEP || literal_step::<DELTA>(self.dst, self.pos, source, last).is_none() {
            exact_literals::<DELTA>(self.dst, self.pos, source, run, last)?;
        }
        *source = source.get(run..).unwrap_or_default();
        self.pos += run;
        Ok(())
    }

    /// Repeats the bytes `distance` back; copies may overlap themselves.
    #[inline(always)]
    pub(super) fn copy_match(&mut self, distance: usize, len: usize) -> Result<()> {
        if len > STEP || distance < WORD || match_step(self.dst, self.pos, distance).is_none() {
            exact_match(self.dst, self.pos, distance, len)?;
        }
        self.pos += len;
        Ok(())
    }

    /// Returns the memory and the position, for loops that keep both in registers; [`Output::moved_to`] sets
    /// the position.
    pub(super) fn parts(&mut self) -> (&mut [u8], usize) {
        (self.dst, self.pos)
    }

    /// Continues at a position up to which everything is filled.
    pub(super) fn moved_to(&mut self, pos: usize) {
        self.pos = pos.min(self.dst.len());
    }
}

/// Copies, or adds, a step of literals, if list and output have room for one.
#[inline(always)]
fn literal_step<const DELTA: bool>(dst: &mut [u8], pos: usize, source: &[u8], last: usize) -> Option<()> {
    let literals: [u8; STEP] = *source.first_chunk()?;
    if !DELTA {
        *dst.get_mut(pos..)?.first_chunk_mut()? = literals;
        return Some(());
    }
    // Nearer bases would lie inside the word that is being written.
    let base = pos.checked_sub(last).filter(|_| last >= WORD)?;
    for (at, literals) in [0, WORD].into_iter().zip(literals.as_chunks().0) {
        let base = word(dst, base + at)?;
        *dst.get_mut(pos + at..)?.first_chunk_mut()? = sum(*literals, base);
    }
    Some(())
}

/// Copies a step of a match, if there is room for one. `distance` is at least [`WORD`].
#[inline(always)]
pub(super) fn match_step(dst: &mut [u8], pos: usize, distance: usize) -> Option<()> {
    let from = pos.checked_sub(distance)?;
    // The second word may be what the first one has just written.
    let first = word(dst, from)?;
    // Room is checked for the whole step before the first word is written.
    *dst.get_mut(pos..)?.first_chunk_mut::<STEP>()?.first_chunk_mut()? = first;
    let second = word(dst, from + WORD)?;
    *dst.get_mut(pos..)?.first_chunk_mut::<STEP>()?.last_chunk_mut()? = second;
    Some(())
}

#[inline(always)]
pub(super) fn word(dst: &[u8], at: usize) -> Option<[u8; WORD]> {
    dst.get(at..)?.first_chunk().copied()
}

/// Adds two words, byte by byte.
#[inline(always)]
pub(super) fn sum(a: [u8; WORD], b: [u8; WORD]) -> [u8; WORD] {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (a, b) = (u64::from_le_bytes(a), u64::from_le_bytes(b));
    // Without the top bits no carry crosses a byte; these are then added without carry.
    (((a & LOW) + (b & LOW)) ^ ((a ^ b) & !LOW)).to_le_bytes()
}

/// Copies any number of literals at any position. Like everything rare, this is no part of the loops, and
/// takes the state of an output piece by piece: a reference would force the state into memory.
#[inline(never)]
fn exact_literals<const DELTA: bool>(
    dst: &mut [u8],
    pos: usize,
    source: &[u8],
    run: usize,
    last: usize,
) -> Result<()> {
    const FAULT: Error = Error::Malformed(StreamPart::Literals);
    let literals = source.get(..run).ok_or(FAULT)?;
    if !DELTA {
        let slots = dst.get_mut(pos..).and_then(|dst| dst.get_mut(..run));
        slots.ok_or(FAULT)?.copy_from_slice(literals);
        return Ok(());
    }
    // From the first byte that is added, up to the last one that is written.
    let base = pos.checked_sub(last).ok_or(Error::Malformed(StreamPart::Match))?;
    let reach = dst.get_mut(base..).and_then(|dst| dst.get_mut(..last + run)).ok_or(FAULT)?;
    // Word by word only if a word does not overlap its own base.
    let (words, rest) = if last >= WORD { literals.as_chunks() } else { (&[][..], literals) };
    for (index, literals) in words.iter().enumerate() {
        let base = word(reach, WORD * index).ok_or(FAULT)?;
        let slots = reach.get_mut(last + WORD * index..).and_then(<[u8]>::first_chunk_mut);
        *slots.ok_or(FAULT)? = sum(*literals, base);
    }
    for (at, literal) in (run - rest.len()..).zip(rest) {
        let base = reach.get(at).copied().ok_or(FAULT)?;
        *reach.get_mut(at + last).ok_or(FAULT)? = literal.wrapping_add(base);
    }
    Ok(())
}

/// Copies a match of any length at any position.
#[inline(never)]
fn exact_match(dst: &mut [u8], pos: usize, distance: usize, len: usize) -> Result<()> {
    /// Length from which a call of `memcpy` is faster.
    const LONG: usize = 64;
    let from = pos.checked_sub(distance).filter(|_| len <= dst.len() - pos);
    let from = from.ok_or(Error::Malformed(StreamPart::Match))?;
    // `copy_within` does not repeat bytes, so it only serves matches that do not overlap themselves.
    if len >= LONG && len <= distance {
        dst.copy_within(from..from + len, pos);
        return Ok(());
    }
    let mut done = 0;
    if distance >= WORD {
        while done < len && match_step(dst, pos + done, distance).is_some() {
            done += STEP;
        }
    }
    // Byte by byte, as each may be the source of a later one.
    for at in from + done..from + len {
        let byte = dst.get(at).copied().unwrap_or_default();
        if let Some(slot) = dst.get_mut(at + distance) {
            *slot = byte;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Bytes of a history, and of the chunk after it.
    const HISTORY: usize = 50;
    const CHUNK: usize = 150;

    fn memory() -> Vec<u8> {
        (0..HISTORY + CHUNK + 40).map(|at| (at * at / 3).to_le_bytes()[0]).collect()
    }

    /// Returns the result of a call on an output that is filled up to `pos`, and all filled bytes.
    fn outcome(pos: usize, call: impl FnOnce(&mut Output<'_>) -> Result<()>) -> Result<Vec<u8>> {
        let mut dst = memory();
        let mut window = Window { dst: &mut dst, start: HISTORY, end: HISTORY + CHUNK };
        let mut out = Output::new(&mut window, pos);
        call(&mut out)?;
        let end = out.pos();
        assert_eq!(dst[HISTORY + CHUNK..], memory()[HISTORY + CHUNK..], "bytes after the chunk");
        assert_eq!(dst[..pos], memory()[..pos], "bytes before the position");
        Ok(dst[..end].to_vec())
    }

    /// Returns the bytes before `pos`, and `len` more that follow from those at a distance; `None` if they do
    /// not fit.
    fn extended(pos: usize, distance: usize, len: usize, next: impl Fn(usize, u8) -> u8) -> Option<Vec<u8>> {
        let mut bytes = memory();
        bytes.truncate(pos);
        pos.checked_sub(distance).filter(|_| pos + len <= HISTORY + CHUNK)?;
        for index in 0..len {
            bytes.push(next(index, bytes[pos + index - distance]));
        }
        Some(bytes)
    }

    #[test]
    fn matches_of_any_length_are_copied_at_any_place() {
        for pos in [HISTORY, HISTORY + 1, 120, 165, 184, 185, 192, 199, 200] {
            for distance in (1..=40).chain([pos - 1, pos, pos + 1, usize::MAX]) {
                for len in (0..=80).chain([CHUNK, 151]) {
                    let expected = extended(pos, distance, len, |_, byte| byte);
                    // A match of no bytes may lead anywhere if a step is not even tried.
                    let found = outcome(pos, |out| out.copy_match(distance, len));
                    assert_eq!(found.ok(), expected, "{len} bytes, {distance} back, at {pos}");
                }
            }
        }
    }

    #[test]
    fn literals_of_any_number_are_copied_and_added_at_any_place() {
        let list: Vec<u8> = (0..100).map(|at| (at * 37 + 5_usize).to_le_bytes()[0]).collect();
        for pos in [HISTORY, 120, 184, 185, 192, 199, 200] {
            for run in 0..=list.len() + 1 {
                let raw = (run <= list.len()).then(|| extended(pos, 1, run, |index, _| list[index]));
                let mut left = &list[..];
                let found = outcome(pos, |out| out.literals::<false>(&mut left, run, 0));
                assert_eq!(found.ok(), raw.flatten(), "{run} literals at {pos}");
                for last in (1..20).chain([pos]) {
                    let next = |index: usize, byte: u8| list[index].wrapping_add(byte);
                    let added = (run <= list.len()).then(|| extended(pos, last, run, next));
                    let mut left = &list[..];
                    let found = outcome(pos, |out| out.literals::<true>(&mut left, run, last));
                    assert_eq!(found.clone().ok(), added.flatten(), "{run} at {pos}, {last} back");
                    if found.is_ok() {
                        assert_eq!(left, &list[run..]);
                    }
                }
            }
        }
    }

    #[test]
    fn words_are_added_byte_by_byte() {
        assert_eq!(
            sum([0, 1, 0x7F, 0x80, 0xFF, 0xFF, 200, 255], [0, 2, 1, 0x80, 1, 0xFF, 100, 0]),
            [0, 3, 0x80, 0, 0, 0xFE, 44, 255]
        );
    }
}
