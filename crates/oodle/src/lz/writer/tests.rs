//! Every writer does what exact copies do, up to the last byte of an output, and nothing outside it.

use super::interface::{Writer, short};
use super::lists::{ShortLists, Source};
#[cfg(not(feature = "safe-only"))]
use super::pointers::Pointers;
use super::slices::Slices;
use crate::lz::plain::Output;
use crate::views::{Padded, SLACK};
use alloc::{format, string::String, vec, vec::Vec};

/// Bytes after an output that have to stay as they are.
const CANARY: [u8; 80] = [0xC5; 80];

/// A small, seeded generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % bound.max(1)
    }

    /// Mostly small, now and then large.
    fn count(&mut self) -> usize {
        let bound = [4, 20, 40, 100][self.below(4)];
        self.below(bound)
    }
}

/// What a writer is asked for.
#[derive(Clone, Copy, Debug)]
enum Call {
    Literals { run: usize },
    Delta { run: usize, last: usize },
    Match { distance: usize, len: usize },
    Short { command: u8 },
    Shorts,
}

fn calls(random: &mut Random, pos_bound: usize) -> Vec<Call> {
    let call = |random: &mut Random| match random.below(6) {
        0 => Call::Literals { run: random.count() },
        1 => Call::Delta { run: random.count(), last: 8 + random.below(pos_bound) },
        2 | 3 => Call::Match { distance: random.below(pos_bound), len: random.count() },
        4 => Call::Short { command: random.below(256).to_le_bytes()[0].max(3) },
        _ => Call::Shorts,
    };
    (0..40).map(|_| call(random)).collect()
}

/// The lists that the calls use up.
struct Lists {
    literals: Vec<u8>,
    near: Vec<[u8; 2]>,
    far: Vec<u32>,
    commands: Vec<u8>,
}

impl Lists {
    fn new(random: &mut Random) -> Self {
        let len = random.below(300);
        Self {
            literals: (0..len + SLACK).map(|_| random.below(256).to_le_bytes()[0]).collect(),
            near: (0..64).map(|_| [8 + random.below(112).to_le_bytes()[0], 0]).collect(),
            far: (0..20).map(|_| u32::try_from(random.below(9)).expect("small")).collect(),
            commands: (0..30).map(|_| random.below(256).to_le_bytes()[0]).collect(),
        }
    }

    fn short(&self) -> ShortLists<'_> {
        let literals = Padded::new(&self.literals, self.literals.len() - SLACK);
        ShortLists {
            literals: Source::new(literals, 0),
            near: &self.near,
            near_at: 0,
            far: &self.far,
            far_at: 0,
            far_base: 8,
            recent: 8,
        }
    }
}

/// What the calls say and leave behind, by a writer of an output of `len` bytes.
fn run<'d, W: Writer<'d>>(dst: &'d mut [u8], lists: &Lists, calls: &[Call]) -> Vec<String> {
    let mut out = W::new(dst, 8);
    let mut lists_left = lists.short();
    let mut seen = Vec::new();
    for call in calls {
        let done = match *call {
            Call::Literals { run } => out.literals::<false>(&mut lists_left.literals, run, 0),
            Call::Delta { run, last } => out.literals::<true>(&mut lists_left.literals, run, last),
            Call::Match { distance, len } => out.copy_match::<8>(distance, len),
            Call::Short { command } => out.short::<false>(command, &mut lists_left),
            Call::Shorts => {
                // May stop anywhere; what it has left over is done one by one.
                let mut done = out.shorts::<true>(&lists.commands, &mut lists_left);
                while let Some(command) = lists.commands.get(done).filter(|command| **command >= 3)
                    && out.short::<true>(*command, &mut lists_left)
                {
                    done += 1;
                }
                seen.push(format!("{done} commands"));
                true
            }
        };
        let short = &lists_left;
        let used = (short.literals.used(), short.near_at, short.far_at, short.recent);
        seen.push(format!("{call:?}: {done}, at {}, lists {used:?}", out.pos()));
    }
    seen
}

/// A writer that copies byte by byte.
struct Exact<'d> {
    dst: &'d mut [u8],
    pos: usize,
}

impl<'d> Writer<'d> for Exact<'d> {
    fn new(dst: &'d mut [u8], pos: usize) -> Self {
        Self { dst, pos }
    }

    fn pos(&self) -> usize {
        self.pos
    }

    fn last_byte(&self) -> u8 {
        self.dst[self.pos - 1]
    }

    fn take_back(&mut self, count: usize) {
        self.pos -= count;
    }

    fn literals<const DELTA: bool>(&mut self, source: &mut Source<'_>, run: usize, last: usize) -> bool {
        let mut out = Output::at(self.dst, self.pos);
        let mut append = |run: &[u8]| if DELTA { out.add(run, last).is_ok() } else { out.copy(run).is_ok() };
        let done = source.peek(run).is_some_and(&mut append);
        source.skip(if done { run } else { 0 });
        self.pos += if done { run } else { 0 };
        done
    }

    fn copy_match<const LEAST: usize>(&mut self, distance: usize, len: usize) -> bool {
        let done = distance >= LEAST && Output::at(self.dst, self.pos).copy_match(distance, len).is_ok();
        self.pos += if done { len } else { 0 };
        done
    }

    fn short<const DELTA: bool>(&mut self, command: u8, lists: &mut ShortLists<'_>) -> bool {
        short::<DELTA>(self, command, lists).is_some()
    }

    fn shorts<const DELTA: bool>(&mut self, _: &[u8], _: &mut ShortLists<'_>) -> usize {
        0
    }

    fn bytewise(&mut self, _: usize, _: usize, _: impl FnMut(u8) -> Option<u8>) -> bool {
        false
    }

    fn prefetch(&self, _: usize) {}

    fn prefetch_page(&self) {}
}

/// Runs calls by a writer on an output between other bytes; returns what it said, and the output up to where it came.
fn outcome(len: usize, run: impl FnOnce(&mut [u8]) -> (Vec<String>, usize)) -> (Vec<String>, Vec<u8>) {
    let mut memory = vec![7; len];
    memory.iter_mut().take(8).zip(1..).for_each(|(slot, byte)| *slot = byte);
    memory.extend(CANARY);
    let (out, canary) = memory.split_at_mut(len);
    let (seen, pos) = run(out);
    assert_eq!(canary, CANARY, "bytes after the output");
    (seen, memory[..pos].to_vec())
}

fn check(name: &str, run_other: impl Fn(&mut [u8], &Lists, &[Call]) -> (Vec<String>, usize)) {
    let mut random = Random(11);
    for round in 0..if cfg!(miri) { 12 } else { 3000 } {
        let len = 8 + random.below(400);
        let (lists, calls) = (Lists::new(&mut random), calls(&mut random, 60));
        let expected = outcome(len, |out| finish::<Exact<'_>>(out, &lists, &calls));
        let found = outcome(len, |out| run_other(out, &lists, &calls));
        assert_eq!(found, expected, "{name}, round {round}, {len} bytes");
    }
}

fn finish<'d, W: Writer<'d>>(out: &'d mut [u8], lists: &Lists, calls: &[Call]) -> (Vec<String>, usize) {
    let seen = run::<W>(out, lists, calls);
    let pos = seen.last().and_then(|line| line.split("at ").nth(1)?.split(',').next()?.parse().ok());
    (seen, pos.expect("a position"))
}

#[test]
fn slices_do_what_exact_copies_do() {
    check("slices", |out, lists, calls| finish::<Slices<'_>>(out, lists, calls));
}

#[cfg(not(feature = "safe-only"))]
#[test]
fn pointers_do_what_exact_copies_do() {
    check("pointers", |out, lists, calls| finish::<Pointers<'_>>(out, lists, calls));
}
