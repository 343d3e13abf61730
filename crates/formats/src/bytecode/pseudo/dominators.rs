//! Order, dominators and loops of a graph.

use super::flow::{Flow, FlowGraph, Next};

/// Limit on the loops of one entry; above it, only a listing is made.
const MAX_LOOPS: usize = 512;

/// Marks the absence of a node.
pub(super) const NONE: u32 = u32::MAX;

/// Facts about the nodes of a graph.
pub(super) struct Order {
    /// Nodes in reverse postorder.
    pub(super) nodes: Vec<u32>,
    /// Index of each node in that order.
    pub(super) number: Vec<u32>,
    /// Immediate dominator of each node.
    pub(super) dominator: Vec<u32>,
    /// Head of the innermost loop around each node.
    pub(super) loop_of: Vec<u32>,
    /// Head of the loop around each loop, by its head.
    outer_loop: Vec<u32>,
    pub(super) is_head: Vec<bool>,
}

/// Returns an element; `or` is never used for nodes of the graph.
pub(super) fn at<T: Copy>(list: &[T], node: u32, or: T) -> T {
    list.get(node as usize).copied().unwrap_or(or)
}

pub(super) fn set<T>(list: &mut [T], node: u32, value: T) {
    if let Some(place) = list.get_mut(node as usize) {
        *place = value;
    }
}

/// Returns the successors of a node.
pub(super) fn successors(graph: &FlowGraph, node: u32) -> impl Iterator<Item = u32> + use<> {
    let next = graph.nodes.get(node as usize).map_or(Next::One(Flow::Exit), |node| node.next);
    next.flows().filter_map(|flow| match flow {
        Flow::Node(node) => Some(node),
        Flow::Exit => None,
    })
}

impl Order {
    /// Analyses a graph from its entry; `None` if it has too many loops.
    pub(super) fn new(graph: &FlowGraph, entry: u32) -> Option<Self> {
        let count = graph.nodes.len();
        let nodes = reverse_postorder(graph, entry);
        let mut number = vec![NONE; count];
        for (place, node) in (0..).zip(&nodes) {
            set(&mut number, *node, place);
        }
        // Predecessors, of reachable nodes only.
        let mut before = vec![Vec::new(); count];
        for node in &nodes {
            for to in successors(graph, *node) {
                if let Some(list) = before.get_mut(to as usize) {
                    list.push(*node);
                }
            }
        }
        let dominator = dominators(&nodes, &number, &before);
        let mut this = Self {
            nodes,
            number,
            dominator,
            loop_of: vec![NONE; count],
            outer_loop: vec![NONE; count],
            is_head: vec![false; count],
        };
        this.find_loops(&before)?;
        Some(this)
    }

    /// Returns true if `a` dominates `b`.
    pub(super) fn dominates(&self, a: u32, b: u32) -> bool {
        let (mut node, wanted) = (b, at(&self.number, a, NONE));
        // A dominator comes first in the order, so the walk up stops at or above it.
        while at(&self.number, node, 0) > wanted {
            node = at(&self.dominator, node, NONE);
        }
        node == a
    }

    /// Returns true if a node is in the loop of a head.
    pub(super) fn is_in_loop(&self, node: u32, head: u32) -> bool {
        let mut innermost = at(&self.loop_of, node, NONE);
        while innermost != NONE && innermost != head {
            innermost = at(&self.outer_loop, innermost, NONE);
        }
        innermost == head
    }

    /// Finds natural loops, inner ones first.
    fn find_loops(&mut self, before: &[Vec<u32>]) -> Option<()> {
        let empty = Vec::new();
        let mut loops = 0;
        // Inner heads come later in the order, so going backward finds them first.
        for head in self.nodes.clone().into_iter().rev() {
            let sources = before.get(head as usize).unwrap_or(&empty);
            let is_back = |from: &u32| self.dominates(head, *from);
            // An edge to a dominator is a back edge: it closes a loop.
            let mut work: Vec<u32> = sources.iter().copied().filter(is_back).collect();
            if work.is_empty() {
                continue;
            }
            loops += 1;
            if loops > MAX_LOOPS {
                return None;
            }
            set(&mut self.is_head, head, true);
            set(&mut self.loop_of, head, head);
            // Everything that reaches the back edge without passing the head is in the loop.
            while let Some(node) = work.pop() {
                // A node in inner loops stands for the outermost of them.
                let mut top = node;
                let mut innermost = at(&self.loop_of, node, NONE);
                while innermost != NONE {
                    top = innermost;
                    innermost = at(&self.outer_loop, innermost, NONE);
                }
                if top == head {
                    continue;
                }
                if at(&self.is_head, top, false) {
                    set(&mut self.outer_loop, top, head);
                } else {
                    set(&mut self.loop_of, top, head);
                }
                work.extend(before.get(top as usize).unwrap_or(&empty));
            }
        }
        Some(())
    }
}

fn reverse_postorder(graph: &FlowGraph, entry: u32) -> Vec<u32> {
    // The last one visited comes first in the order: the branch taken if a condition is true.
    let list = |node: u32| {
        let mut list: Vec<u32> = successors(graph, node).collect();
        list.reverse();
        list.into_iter()
    };
    // With its own stack, since a function may be a line of thousands of nodes.
    let mut seen = vec![false; graph.nodes.len()];
    let mut order = Vec::with_capacity(graph.nodes.len());
    set(&mut seen, entry, true);
    let mut work = vec![(entry, list(entry))];
    while let Some((node, next)) = work.last_mut() {
        match next.next() {
            Some(to) if !at(&seen, to, true) => {
                set(&mut seen, to, true);
                work.push((to, list(to)));
            }
            Some(_) => {}
            None => {
                order.push(*node);
                work.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Finds dominators by the method of Cooper, Harvey and Kennedy.
fn dominators(nodes: &[u32], number: &[u32], before: &[Vec<u32>]) -> Vec<u32> {
    let mut dominator = vec![NONE; number.len()];
    let Some((entry, others)) = nodes.split_first() else { return dominator };
    set(&mut dominator, *entry, *entry);
    let mut changed = true;
    while changed {
        changed = false;
        for node in others {
            let mut found = NONE;
            // Only predecessors already reached in this order count; others follow in a later round.
            for from in before.get(*node as usize).into_iter().flatten() {
                if at(&dominator, *from, NONE) == NONE {
                    continue;
                }
                found = if found == NONE { *from } else { common(found, *from, &dominator, number) };
            }
            if at(&dominator, *node, NONE) != found {
                set(&mut dominator, *node, found);
                changed = true;
            }
        }
    }
    dominator
}

/// Returns the closest common dominator of two nodes.
fn common(a: u32, b: u32, dominator: &[u32], number: &[u32]) -> u32 {
    let (mut a, mut b) = (a, b);
    while a != b {
        // The later node in the order climbs, until both meet.
        if at(number, a, 0) > at(number, b, 0) {
            a = at(dominator, a, b);
        } else {
            b = at(dominator, b, a);
        }
    }
    a
}
