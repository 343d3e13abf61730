//! Nodes in the order in which they are executed.

use super::facts::{Graph, Node};
use std::collections::HashMap;

/// The nodes of a graph, as indices into it: from entry nodes along execution, depth first; nodes without execution stand before
/// the first one that takes a value from them; all others follow by title.
#[must_use]
pub fn in_order(graph: &Graph) -> Vec<usize> {
    let at_export = graph.nodes.iter().enumerate().map(|(at, node)| (node.export, at)).collect();
    let mut order = Order { graph, at_export, is_done: vec![false; graph.nodes.len()], done: Vec::new() };
    let mut by_title: Vec<usize> = (0..graph.nodes.len()).collect();
    by_title.sort_by_cached_key(|&at| {
        graph.nodes.get(at).map(|node| (rank(node), &node.title, number_of(node), at))
    });
    for at in by_title {
        order.execute(at);
    }
    order.done
}

/// The number at the end of the name of an object, for nodes of the same title.
pub(super) fn number_of(node: &Node) -> u32 {
    crate::names::split_number(&node.name).1
}

/// Place among the nodes to start from.
fn rank(node: &Node) -> u8 {
    let is_entered = node.pins.iter().any(|pin| pin.is_exec && !pin.is_output);
    match (node.is_executed(), is_entered, node.linked(false).any(|pin| pin.is_exec)) {
        (true, false, _) => 0,
        // Not linked to anything that executes it.
        (true, true, false) => 1,
        // Reached from an entry node, unless execution only goes round.
        (true, true, true) => 2,
        // Only values; those that somebody takes come with their taker.
        (false, ..) if node.linked(true).next().is_none() && !node.pins.is_empty() => 3,
        (false, ..) if !node.pins.is_empty() => 4,
        // Comments.
        (false, ..) => 5,
    }
}

struct Order<'g> {
    graph: &'g Graph,
    at_export: HashMap<u32, usize>,
    is_done: Vec<bool>,
    done: Vec<usize>,
}

impl Order<'_> {
    /// Marks a node; true if it was not yet.
    fn begin(&mut self, at: usize) -> bool {
        self.is_done.get_mut(at).is_some_and(|done| !std::mem::replace(done, true))
    }

    /// Adds a node and all that execution reaches from it.
    fn execute(&mut self, from: usize) {
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            if self.is_done.get(at).copied().unwrap_or(true) {
                continue;
            }
            self.with_inputs(at);
            let Some(node) = self.graph.nodes.get(at) else { continue };
            let outputs = node.linked(true).filter(|pin| pin.is_exec).flat_map(|pin| &pin.links);
            let reached: Vec<usize> = outputs.filter_map(|link| self.place(link.node?)).collect();
            // The last one on the stack is the next.
            next.extend(reached.into_iter().rev());
        }
    }

    /// Adds a node after the nodes without execution that it takes values from.
    fn with_inputs(&mut self, at: usize) {
        if !self.begin(at) {
            return;
        }
        let mut open = vec![(at, self.pure_inputs(at))];
        while let Some((at, inputs)) = open.last_mut() {
            match inputs.next() {
                Some(input) => {
                    if self.begin(input) {
                        let inputs = self.pure_inputs(input);
                        open.push((input, inputs));
                    }
                }
                None => {
                    let at = *at;
                    self.done.push(at);
                    open.pop();
                }
            }
        }
    }

    fn pure_inputs(&self, at: usize) -> std::vec::IntoIter<usize> {
        let linked = self.graph.nodes.get(at).into_iter().flat_map(|node| node.linked(false));
        let sources = linked.filter(|pin| !pin.is_exec).flat_map(|pin| &pin.links);
        let sources = sources.filter_map(|link| self.place(link.node?));
        let pure = sources.filter(|&at| self.graph.nodes.get(at).is_some_and(|node| !node.is_executed()));
        pure.collect::<Vec<_>>().into_iter()
    }

    fn place(&self, export: u32) -> Option<usize> {
        self.at_export.get(&export).copied()
    }
}
