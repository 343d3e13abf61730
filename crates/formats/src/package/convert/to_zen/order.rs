//! Loading steps, sorted so that each comes after its dependencies.
//!
//! Of the ready steps the smallest is taken: in UE5 public exports first, then creation, then export index;
//! in UE4 export index, then creation.

use super::error::ToZenError;
use super::preload::Preload;
use crate::package::legacy::PackageRef;
use crate::package::zen::{BundleEntry, Command, Export, PublicId};
use crate::version::ZenGeneration;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of exports named in a message.
const SHOWN: usize = 8;

pub(super) fn steps(
    exports: &[Export],
    preload: &Preload<'_>,
    generation: ZenGeneration,
) -> Result<Vec<BundleEntry>, ToZenError> {
    let mut waiting = Waiting::new(exports.len(), preload);
    let ready = |node: usize| Reverse((Rank::of(step(node), exports, generation), node));
    let mut heap: BinaryHeap<_> =
        (0..2 * exports.len()).filter(|node| waiting.is_ready(*node)).map(ready).collect();
    let mut order = Vec::with_capacity(2 * exports.len());
    while let Some(Reverse((_, node))) = heap.pop() {
        order.push(step(node));
        waiting.done(node, |next| heap.push(ready(next)));
    }
    // Steps left over wait for each other.
    if order.len() == 2 * exports.len() { Ok(order) } else { Err(ToZenError::Circle(waiting.stuck())) }
}

/// Rank among ready steps, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(bool, u32, u32);

impl Rank {
    pub(super) fn of(step: BundleEntry, exports: &[Export], generation: ZenGeneration) -> Self {
        let is_public = exports.get(step.export as usize).is_some_and(|e| e.public != PublicId::Private);
        let serialize = u32::from(step.command == Command::Serialize);
        if generation.is_ue4() {
            Self(false, step.export, serialize)
        } else {
            // Creation comes before the export index.
            Self(!is_public, serialize, step.export)
        }
    }

    /// Returns the rank of a unit that keeps its place in file order.
    pub(super) const fn in_order(place: u32) -> Self {
        Self(false, place, 0)
    }
}

/// Decodes a node: create and serialize of each export, side by side.
fn step(node: usize) -> BundleEntry {
    let command = if node.is_multiple_of(2) { Command::Create } else { Command::Serialize };
    BundleEntry { export: u32::try_from(node / 2).unwrap_or(u32::MAX), command }
}

const fn node(export: usize, command: Command) -> usize {
    match command {
        Command::Create => 2 * export,
        Command::Serialize => 2 * export + 1,
    }
}

/// Dependencies between steps.
struct Waiting {
    /// For each step, the steps that wait for it.
    next: Vec<Vec<usize>>,
    /// For each step, its number of open dependencies.
    open: Vec<usize>,
}

impl Waiting {
    fn new(exports: usize, preload: &Preload<'_>) -> Self {
        let mut this = Self { next: vec![Vec::new(); 2 * exports], open: vec![0; 2 * exports] };
        for (export, lists) in preload.iter().enumerate() {
            let (create, serialize) = (node(export, Command::Create), node(export, Command::Serialize));
            this.add(create, serialize);
            for (to, command) in [(create, Command::Create), (serialize, Command::Serialize)] {
                for (from, index) in lists.before(command) {
                    if let PackageRef::Export(other) = index.decode() {
                        this.add(node(other as usize, from), to);
                    }
                }
            }
        }
        this
    }

    /// Makes `to` wait for `from`; a step never waits for itself.
    fn add(&mut self, from: usize, to: usize) {
        // An export may list itself: its serialization waits for its creation in any case.
        let Some(next) = self.next.get_mut(from).filter(|_| from != to) else { return };
        next.push(to);
        if let Some(open) = self.open.get_mut(to) {
            *open += 1;
        }
    }

    fn is_ready(&self, node: usize) -> bool {
        self.open.get(node) == Some(&0)
    }

    /// Completes a step and reports the steps that become ready.
    fn done(&mut self, node: usize, mut ready: impl FnMut(usize)) {
        for next in self.next.get_mut(node).map(std::mem::take).unwrap_or_default() {
            let Some(open) = self.open.get_mut(next) else { continue };
            *open -= 1;
            if *open == 0 {
                ready(next);
            }
        }
    }

    /// Names the exports that still wait.
    fn stuck(&self) -> String {
        let mut exports: Vec<usize> =
            (0..).zip(&self.open).filter(|(_, open)| **open > 0).map(|(at, _): (usize, _)| at / 2).collect();
        exports.dedup();
        let shown: Vec<String> = exports.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = exports.len().saturating_sub(SHOWN);
        if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
    }
}
