//! The writer of the fast loops: whole words through pointers, one comparison for the room of each copy.
#![expect(
    unsafe_code,
    reason = "bounds checks per word cost a large part of the LZ speed: compare kernels in benches/oodle.rs"
)]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use super::exact;
use super::interface::{Writer, short};
use super::lists::{FAR_LEN, FIRST_FAR, FIRST_SHORT, ShortLists, Source, short_counts};
use super::words::{LITERAL_WORDS, MATCH_WORDS, add_literals, add8, copy_literals, copy_match, copy8};
use crate::lz::chunk::FIRST_BYTES;

/// Short commands of Mermaid for which there is room at once.
const BATCH: usize = 48;

/// How many far matches ahead their sources are asked for.
const PREFETCH_AHEAD: usize = 16;

/// All that the fast loops write goes through here. Invariants:
///
/// 1. `FIRST_BYTES <= pos <= dst.len()`.
/// 2. If `pos <= easy_end`, there are [`MATCH_WORDS`] bytes at `pos`.
///
/// So short runs and matches, which are nearly all, need one comparison for their room, whatever their length: they always
/// copy as much as the longest of them. What is too much is overwritten by what follows.
pub(in crate::lz) struct Pointers<'d> {
    dst: &'d mut [u8],
    pos: usize,
    easy_end: usize,
}

impl<'d> Writer<'d> for Pointers<'d> {
    fn new(dst: &'d mut [u8], pos: usize) -> Self {
        assert!(FIRST_BYTES <= pos && pos <= dst.len());
        // Where the output is shorter than that, no position is easy: none is less than `FIRST_BYTES`.
        let easy_end = dst.len().saturating_sub(MATCH_WORDS);
        Self { dst, pos, easy_end }
    }

    #[inline(always)]
    fn pos(&self) -> usize {
        self.pos
    }

    #[inline(always)]
    fn literals<const DELTA: bool>(&mut self, source: &mut Source<'_>, run: usize, last: usize) -> bool {
        let has_base = !DELTA || last.wrapping_sub(8) <= self.pos - 8;
        if run <= LITERAL_WORDS && self.pos <= self.easy_end && source.is_easy() && has_base {
            // SAFETY: there is room for as many bytes at `pos`, and the source has as many. `last` is 8 or more, and no more
            // than `pos`.
            unsafe {
                let (src, dst) = (source.as_ptr(), self.dst.as_mut_ptr().add(self.pos));
                if DELTA {
                    add_literals(src, dst, last, LITERAL_WORDS);
                } else {
                    copy_literals(src, dst, LITERAL_WORDS);
                }
            }
        } else if !long_literals::<DELTA>(self.dst, self.pos, *source, run, last) {
            return false;
        }
        source.skip(run);
        self.pos += run;
        true
    }

    #[inline(always)]
    fn copy_match<const LEAST: usize>(&mut self, distance: usize, len: usize) -> bool {
        const { assert!(1 <= LEAST && LEAST <= FIRST_BYTES) };
        // One comparison for both ends of the range: a distance below `LEAST` wraps to a huge number.
        let is_in_reach = distance.wrapping_sub(LEAST) <= self.pos - LEAST;
        if !is_in_reach {
            return false;
        }
        if len <= MATCH_WORDS && self.pos <= self.easy_end {
            // SAFETY: there is room for as many bytes at `pos`, and `distance` is at most `pos`.
            unsafe { copy_match(self.dst.as_mut_ptr().add(self.pos), distance, len) };
        } else if !long_match(self.dst, self.pos, distance, len) {
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
        self.pos = self.pos.saturating_sub(count).max(FIRST_BYTES);
    }

    fn short<const DELTA: bool>(&mut self, command: u8, lists: &mut ShortLists<'_>) -> bool {
        short::<DELTA>(self, command, lists).is_some()
    }

    #[inline(always)]
    fn shorts<const DELTA: bool>(&mut self, commands: &[u8], lists: &mut ShortLists<'_>) -> usize {
        // Room for as many commands once, instead of a look at four lists for each of them.
        let room = (self.easy_end.saturating_sub(self.pos) / MATCH_WORDS)
            .min(lists.literals.left() / 8)
            .min(lists.near.len() - lists.near_at.min(lists.near.len()))
            .min(commands.len())
            .min(BATCH);
        self.prefetch_page();
        let ShortLists { near_at, far_at, recent, .. } = lists;
        let (mut pos, mut near, mut last) = (self.pos, *near_at, *recent);
        let mut literals = lists.literals.as_ptr();
        let base = self.dst.as_mut_ptr();
        let mut done = 0;
        for command in commands.iter().take(room).copied() {
            if command < FIRST_SHORT {
                core::hint::cold_path();
                let Some(offset) = lists.far.get(*far_at).filter(|_| command >= FIRST_FAR) else { break };
                if let Some(ahead) = lists.far.get(*far_at + PREFETCH_AHEAD) {
                    prefetch(base.wrapping_add(lists.far_base).wrapping_sub(*ahead as usize));
                }
                let distance = *offset as usize + (pos - lists.far_base);
                if distance.wrapping_sub(8) > pos - 8 {
                    break;
                }
                let len = usize::from(command) + FAR_LEN;
                // SAFETY: a command has room for `MATCH_WORDS` bytes, more than `len`, and `distance` is at most `pos`.
                unsafe { copy_match(base.add(pos), distance, len & 31) };
                last = distance;
                pos += len & 31;
                *far_at += 1;
            } else {
                let (run, len) = short_counts(command);
                // SAFETY: there are `room` offsets.
                let new = usize::from(u16::from_le_bytes(unsafe { *lists.near.get_unchecked(near) }));
                // Which distance it is cannot be predicted.
                let distance = core::hint::select_unpredictable(command < 0x80, new, last);
                let match_at = pos + run;
                if distance > match_at || (DELTA && last.wrapping_sub(8) > pos - 8) {
                    break;
                }
                // Always 8 literals and 16 bytes of match: no short command has more.
                // SAFETY: there are 8 literals for each of the `room` commands, and room for more than these 24 bytes.
                // `distance` is at most `match_at`; in delta mode `last` is at most `pos`.
                unsafe {
                    let dst = base.add(pos);
                    if DELTA {
                        add8(literals, dst.sub(last), dst);
                    } else {
                        copy8(literals, dst);
                    }
                    let dst = base.add(match_at);
                    let src = dst.sub(distance);
                    copy8(src, dst);
                    copy8(src.add(8), dst.add(8));
                }
                literals = literals.wrapping_add(run);
                last = distance;
                pos = match_at + len;
                near += 1 - usize::from(command >> 7);
            }
            done += 1;
        }
        self.pos = pos;
        *near_at = near;
        *recent = last;
        lists.literals.skip(literals.addr() - lists.literals.as_ptr().addr());
        done
    }

    #[inline(always)]
    fn bytewise(&mut self, run: usize, distance: usize, next: impl FnMut(u8) -> Option<u8>) -> bool {
        let done = exact::bytewise(self.dst, self.pos, run, distance, next);
        self.pos += if done { run } else { 0 };
        done
    }

    #[inline(always)]
    fn prefetch(&self, at: usize) {
        prefetch(self.dst.as_ptr().wrapping_add(at));
    }

    #[inline(always)]
    fn prefetch_page(&self) {
        // Processors that see a run of writes ask for more by themselves, but not beyond the page.
        const PAGE: usize = 4096;
        let at = self.dst.as_ptr().wrapping_add(self.pos);
        let next = at.wrapping_add(PAGE - at.addr() % PAGE);
        for line in 0..4 {
            prefetch(next.wrapping_add(64 * line));
        }
    }
}

/// A run of any length, at any place: whole words if there is room for them, else exactly.
///
/// Like all that is rare, this is not part of the loops, which would have to keep more in memory for it. So the state of the
/// writer is handed over piece by piece: a reference to a writer would keep all of it in memory, always.
#[inline(never)]
fn long_literals<const DELTA: bool>(
    dst: &mut [u8],
    pos: usize,
    source: Source<'_>,
    run: usize,
    last: usize,
) -> bool {
    let Some(literals) = source.peek(run) else { return false };
    let has_room = has_room(dst, pos, run, LITERAL_WORDS);
    if !has_room || (DELTA && !(8..=pos).contains(&last)) {
        return exact::literals::<DELTA>(dst, pos, literals, last);
    }
    // SAFETY: there is room for `run` bytes and one step more at `pos`; `literals` is followed by `SLACK`. `last` is 8 or more,
    // and no more than `pos`.
    unsafe {
        let (src, dst) = (source.as_ptr(), dst.as_mut_ptr().add(pos));
        if DELTA {
            add_literals(src, dst, last, run);
        } else {
            copy_literals(src, dst, run);
        }
    }
    true
}

/// A match of any length, at any place: whole words if there is room for them, else exactly.
#[inline(never)]
fn long_match(dst: &mut [u8], pos: usize, distance: usize, len: usize) -> bool {
    let has_room = has_room(dst, pos, len, MATCH_WORDS);
    if !has_room || distance > pos {
        return exact::copy_match(dst, pos, distance, len);
    }
    // SAFETY: there is room for `len` bytes and `MATCH_WORDS` more at `pos`; `distance` is at most `pos`.
    unsafe { copy_match(dst.as_mut_ptr().add(pos), distance, len) };
    true
}

/// Whether there are `len` bytes at `pos`, and `more` after them.
fn has_room(dst: &[u8], pos: usize, len: usize, more: usize) -> bool {
    let room = dst.len().checked_sub(pos).and_then(|room| room.checked_sub(more));
    room.is_some_and(|room| len <= room)
}

/// Asks for the cache line at `at`, wherever that is.
#[inline(always)]
fn prefetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing; SSE is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
