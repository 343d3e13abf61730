//! Functions of blueprints whose flow is made to hurt: read, listed, moved and written as pseudo-code.

use super::{Allowance, Meter, Scale, in_process};
use crate::fuzz;
use std::time::Duration;

/// A statement is a few bytes in the file; it becomes an expression, a node of a graph, and a line.
const WRITTEN: Allowance = Allowance { floor: 4 << 20, per_byte: 512 };

/// A shape: a name, a first size, and how its script is made.
type Shape = (&'static str, usize, fn(usize) -> Script);

const SHAPES: [Shape; 8] = [
    ("branches in a row", 100, branches),
    ("branches inside one another", 100, nested),
    ("values that are carried on", 200, carried),
    ("loops in a row", 100, loops),
    ("loops inside one another", 50, nested_loops),
    ("sequences", 100, sequences),
    ("one statement with many stacks", 20, stacks),
    ("one call with many arguments", 200, arguments),
];

/// Names of the target's package: a member, and variables that the compiler makes up.
const MEMBER: u32 = 3;
const TEMPORARY: u32 = 9;

/// A script of 5.4 as the target `bytecode` takes it, and where its end is in memory.
struct Script {
    bytes: Vec<u8>,
    at: u32,
}

impl Script {
    /// Release, entry, and the jump to it.
    fn new() -> Self {
        let mut this = Self { bytes: vec![6, 10, 0], at: 0 };
        this.token(0x4E).variable(MEMBER, 0);
        this
    }

    fn put(&mut self, bytes: &[u8], memory: u32) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self.at += memory;
        self
    }

    fn token(&mut self, token: u8) -> &mut Self {
        self.put(&[token], 1)
    }

    fn number(&mut self, number: u32) -> &mut Self {
        self.put(&number.to_le_bytes(), 4)
    }

    fn variable(&mut self, name: u32, number: u32) -> &mut Self {
        let path = [1, name, number, 2].map(u32::to_le_bytes).concat();
        self.token(0).put(&path, 8)
    }

    /// `a = b`.
    fn set(&mut self, to: (u32, u32), from: (u32, u32)) -> &mut Self {
        self.token(0x0F).put(&[0; 8], 8).variable(to.0, to.1).variable(from.0, from.1)
    }

    /// `JumpIfNot`.
    fn unless(&mut self, target: u32) -> &mut Self {
        self.token(0x07).number(target).variable(MEMBER, 0)
    }

    fn end(mut self) -> Self {
        self.token(0x04).token(0x0B).token(0x53);
        self
    }
}

/// Bytes of `set` and `unless` in memory.
const SET: u32 = 27;
const UNLESS: u32 = 14;
const JUMP: u32 = 5;

fn u(size: usize) -> u32 {
    u32::try_from(size).unwrap()
}

fn branches(size: usize) -> Script {
    let mut script = Script::new();
    for number in 0..u(size) {
        let after = script.at + UNLESS + SET;
        script.unless(after).set((MEMBER, number), (MEMBER, 1));
    }
    script.end()
}

fn nested(size: usize) -> Script {
    let mut script = Script::new();
    let end = script.at + u(size) * (UNLESS + SET);
    for number in 0..u(size) {
        script.unless(end).set((MEMBER, number), (MEMBER, 1));
    }
    script.end()
}

fn carried(size: usize) -> Script {
    let mut script = Script::new();
    for number in 1..u(size) {
        script.set((TEMPORARY, number + 1), (TEMPORARY, number));
    }
    script.end()
}

fn loops(size: usize) -> Script {
    let mut script = Script::new();
    for number in 0..u(size) {
        let head = script.at;
        script.unless(head + UNLESS + SET + JUMP).set((MEMBER, number), (MEMBER, 1)).token(0x06).number(head);
    }
    script.end()
}

fn nested_loops(size: usize) -> Script {
    let mut script = Script::new();
    let start = script.at;
    let head = |depth: u32| start + depth * (UNLESS + SET);
    let tail = |depth: u32| head(u(size)) + (u(size) - depth) * JUMP;
    for depth in 0..u(size) {
        script.unless(tail(depth)).set((MEMBER, depth), (MEMBER, 1));
    }
    for depth in (0..u(size)).rev() {
        script.token(0x06).number(head(depth));
    }
    script.end()
}

/// Each pushes the next, does something, and pops.
fn sequences(size: usize) -> Script {
    let mut script = Script::new();
    for number in 0..u(size) {
        let next = script.at + JUMP + SET + 1;
        script.token(0x4C).number(next).set((MEMBER, number), (MEMBER, 1)).token(0x4D);
    }
    script.end()
}

/// Every branch pushes one of two places, so that stacks double with each.
fn stacks(size: usize) -> Script {
    let mut script = Script::new();
    let end = script.at + u(size) * (UNLESS + 3 * JUMP);
    for _ in 0..size {
        let other = script.at + UNLESS + 2 * JUMP;
        script.unless(other).token(0x4C).number(end).token(0x06).number(other + JUMP);
        script.token(0x4C).number(end + SET);
    }
    script.set((MEMBER, 1), (MEMBER, 2)).set((MEMBER, 3), (MEMBER, 4)).token(0x4D);
    script.end()
}

/// Values that one call takes.
fn arguments(size: usize) -> Script {
    let mut script = Script::new();
    for number in 1..u(size) {
        script.set((TEMPORARY, number), (MEMBER, number));
    }
    script.token(0x1B).put(&[MEMBER, 0].map(u32::to_le_bytes).concat(), 12);
    for number in (1..u(size)).rev() {
        script.variable(TEMPORARY, number);
    }
    script.token(0x16);
    script.end()
}

#[test]
fn functions_that_hurt_cost_no_more_than_their_size() {
    let _turn = Meter::turn();
    let mut scale = Scale::new(Duration::from_millis(2), Duration::from_millis(20), 16 << 10);
    for (name, size, make) in SHAPES {
        scale.measure(&format!("bytecode, {name}"), size, WRITTEN, |size| {
            let script = make(size);
            in_process(script.bytes.len(), || fuzz::run("bytecode", &script.bytes))
        });
    }
    scale.finish();
}
