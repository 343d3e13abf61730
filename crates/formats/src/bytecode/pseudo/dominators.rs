//! Order, dominators and loops of a graph.

use super::flow::{Flow, FlowGraph, Next};

/// Loops of one entry above which a listing has to do.
const MAX_LOOPS: usize = 512;

/// Stands for no node.
pub(super) const NONE: u32 = u32::MAX;

/// Facts about the nodes of a graph.
pub(super) struct Order {
    /// Nodes in reverse postorder.
    pub(super) nodes: Vec<u32>,
    /// Place of each node in that order.
    pub(super) number: Vec<u32>,
    /// The node that dominates each directly.
    pub(super) dominator: Vec<u32>,
    /// Head of the innermost loop that each node is in.
    pub(super) loop_of: Vec<u32>,
    /// Head of the loop around the loop of each head.
    outer_loop: Vec<u32>,
    pub(super) is_head: Vec<bool>,
}

/// An element; those of nodes are always there.
pub(super) fn at<T: Copy>(list: &[T], node: u32, or: T) -> T {
    list.get(node as usize).copied().unwrap_or(or)
}

pub(super) fn set<T>(list: &mut [T], node: u32, value: T) {
    if let Some(place) = list.get_mut(node as usize) {
        *place = value;
    }
}

/// Nodes that a node leads to.
pub(super) fn successors(graph: &FlowGraph, node: u32) -> impl Iterator<Item = u32> + use<> {
    let next = graph.nodes.get(node as usize).map_or(Next::One(Flow::Exit), |node| node.next);
    next.flows().filter_map(|flow| match flow {
        Flow::Node(node) => Some(node),
        Flow::Exit => None,
    })
}

impl Order {
    /// Looks at a graph from its entry on; `None` if it has too many loops.
    pub(super) fn new(graph: &FlowGraph, entry: u32) -> Option<Self> {
        let count = graph.nodes.len();
        let nodes = reverse_postorder(graph, entry);
        let mut number = vec![NONE; count];
        for (place, node) in (0..).zip(&nodes) {
            set(&mut number, *node, place);
        }
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

    /// True if one node dominates another.
    pub(super) fn dominates(&self, a: u32, b: u32) -> bool {
        let (mut node, wanted) = (b, at(&self.number, a, NONE));
        while at(&self.number, node, 0) > wanted {
            node = at(&self.dominator, node, NONE);
        }
        node == a
    }

    /// True if a node is in the loop of a head.
    pub(super) fn is_in_loop(&self, node: u32, head: u32) -> bool {
        let mut innermost = at(&self.loop_of, node, NONE);
        while innermost != NONE && innermost != head {
            innermost = at(&self.outer_loop, innermost, NONE);
        }
        innermost == head
    }

    /// Finds natural loops, the inner ones first.
    fn find_loops(&mut self, before: &[Vec<u32>]) -> Option<()> {
        let empty = Vec::new();
        let mut loops = 0;
        for head in self.nodes.clone().into_iter().rev() {
            let sources = before.get(head as usize).unwrap_or(&empty);
            let is_back = |from: &u32| self.dominates(head, *from);
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
            while let Some(node) = work.pop() {
                // A node that is in inner loops stands for the outermost of these.
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
    // What is visited last comes first: the branch that is taken if a condition is true.
    let list = |node: u32| {
        let mut list: Vec<u32> = successors(graph, node).collect();
        list.reverse();
        list.into_iter()
    };
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

/// Dominators by the method of Cooper, Harvey and Kennedy.
fn dominators(nodes: &[u32], number: &[u32], before: &[Vec<u32>]) -> Vec<u32> {
    let mut dominator = vec![NONE; number.len()];
    let Some((entry, others)) = nodes.split_first() else { return dominator };
    set(&mut dominator, *entry, *entry);
    let mut changed = true;
    while changed {
        changed = false;
        for node in others {
            let mut found = NONE;
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

/// The closest node that dominates two.
fn common(a: u32, b: u32, dominator: &[u32], number: &[u32]) -> u32 {
    let (mut a, mut b) = (a, b);
    while a != b {
        if at(number, a, 0) > at(number, b, 0) {
            a = at(dominator, a, b);
        } else {
            b = at(dominator, b, a);
        }
    }
    a
}
