//! A writer over checked slices: whole words, too, but every one of them is looked for first.
#![expect(
    clippy::inline_always,
    reason = "a writer has to live in registers, so all of it belongs into the loop"
)]

use super::exact;
use super::interface::{Writer, short};
use super::lists::{EASY_RUN, FIRST_FAR, ShortLists, Source};

/// A writer without `unsafe`.
pub(in crate::lz) struct Slices<'d> {
    dst: &'d mut [u8],
    pos: usize,
}

/// A word of `N` bytes at `at`.
#[inline(always)]
fn load<const N: usize>(dst: &[u8], at: usize) -> Option<[u8; N]> {
    dst.get(at..)?.first_chunk().copied()
}

#[inline(always)]
fn store<const N: usize>(dst: &mut [u8], at: usize, word: [u8; N]) -> Option<()> {
    *dst.get_mut(at..)?.first_chunk_mut()? = word;
    Some(())
}

/// Adds two words byte by byte.
#[inline(always)]
fn sum(a: [u8; 8], b: [u8; 8]) -> [u8; 8] {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (a, b) = (u64::from_le_bytes(a), u64::from_le_bytes(b));
    (((a & LOW) + (b & LOW)) ^ ((a ^ b) & !LOW)).to_le_bytes()
}

impl Slices<'_> {
    /// Copies as many words of literals as an easy run has at most.
    #[inline(always)]
    fn copy_words<const DELTA: bool>(&mut self, source: &Source<'_>, last: usize) -> Option<()> {
        let words: [u8; EASY_RUN] = source.list.word(source.at)?;
        if !DELTA {
            return store(self.dst, self.pos, words);
        }
        let [low, high] = *words.as_chunks().0 else { return None };
        let base = self.pos.checked_sub(last)?;
        store(self.dst, self.pos, sum(low, load(self.dst, base)?))?;
        store(self.dst, self.pos + 8, sum(high, load(self.dst, base + 8)?))
    }
}

/// Copies as many words as a short match has at most.
#[inline(always)]
fn repeat_words(dst: &mut [u8], pos: usize, distance: usize) -> Option<()> {
    let from = pos.checked_sub(distance)?;
    let word: [u8; 8] = load(dst, from)?;
    store(dst, pos, word)?;
    let word: [u8; 8] = load(dst, from + 8)?;
    store(dst, pos + 8, word)
}

/// A match of any length, at any place.
#[inline(never)]
fn long_match(dst: &mut [u8], pos: usize, distance: usize, len: usize) -> bool {
    let mut steps = (0..len).step_by(16);
    let fits =
        (8..=pos).contains(&distance) && steps.all(|step| repeat_words(dst, pos + step, distance).is_some());
    // What has been copied already does no harm: all of it lies after `pos`.
    fits || exact::copy_match(dst, pos, distance, len)
}

impl<'d> Writer<'d> for Slices<'d> {
    fn new(dst: &'d mut [u8], pos: usize) -> Self {
        Self { dst, pos }
    }

    #[inline(always)]
    fn pos(&self) -> usize {
        self.pos
    }

    #[inline(always)]
    fn literals<const DELTA: bool>(&mut self, source: &mut Source<'_>, run: usize, last: usize) -> bool {
        if DELTA && last < 8 {
            return false;
        }
        if (run > EASY_RUN || !source.is_easy() || self.copy_words::<DELTA>(source, last).is_none())
            && !source.peek(run).is_some_and(|run| exact::literals::<DELTA>(self.dst, self.pos, run, last))
        {
            return false;
        }
        source.skip(run);
        self.pos += run;
        true
    }

    #[inline(always)]
    fn copy_match<const LEAST: usize>(&mut self, distance: usize, len: usize) -> bool {
        if distance < LEAST {
            return false;
        }
        let easy = len <= 16 && repeat_words(self.dst, self.pos, distance).is_some();
        if !easy && !long_match(self.dst, self.pos, distance, len) {
            return false;
        }
        self.pos += len;
        true
    }

    #[inline(always)]
    fn last_byte(&self) -> u8 {
        self.dst.get(self.pos.wrapping_sub(1)).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn take_back(&mut self, count: usize) {
        self.pos -= count;
    }

    fn short<const DELTA: bool>(&mut self, command: u8, lists: &mut ShortLists<'_>) -> bool {
        short::<DELTA>(self, command, lists).is_some()
    }

    #[inline(always)]
    fn shorts<const DELTA: bool>(&mut self, commands: &[u8], lists: &mut ShortLists<'_>) -> usize {
        let can = |command: &&u8| **command >= FIRST_FAR && short::<DELTA>(self, **command, lists).is_some();
        commands.iter().take_while(can).count()
    }

    #[inline(always)]
    fn bytewise(&mut self, run: usize, distance: usize, next: impl FnMut(u8) -> Option<u8>) -> bool {
        let done = exact::bytewise(self.dst, self.pos, run, distance, next);
        self.pos += if done { run } else { 0 };
        done
    }

    #[inline(always)]
    fn prefetch(&self, _: usize) {}

    #[inline(always)]
    fn prefetch_page(&self) {}
}
