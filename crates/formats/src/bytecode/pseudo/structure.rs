//! Nested statements from graphs.
//!
//! Every node is written once, in the place given by its dominator: a node with several predecessors follows
//! the statement of its dominator. A flow to anywhere but the following statement becomes `continue`,
//! `break`, `return` or, as a last resort, `goto`.

use super::dominators::{NONE, Order, at, set, successors};
use super::flow::{Flow, FlowGraph, Next};
use super::lines::{Block, CodeLine, Label};
use super::lower::Lower;

/// Limit on nesting; deeper statements are written after everything else.
const MAX_NESTING: usize = 100;

/// Limit on the nodes repeated in place of a jump.
const MAX_COPIED: usize = 3;

/// Limit on the size in memory of each of them.
const MAX_COPIED_LEN: usize = 512;

/// A loop around a position.
#[derive(Clone, Copy)]
struct Around {
    head: u32,
    /// Target of the flow after the loop.
    after: Flow,
}

/// A position in the output.
#[derive(Clone)]
struct Spot {
    /// Target of the flow after it.
    follow: Flow,
    /// Loops around it, innermost last.
    loops: Vec<Around>,
    depth: usize,
}

impl Spot {
    fn before(&self, follow: Flow) -> Self {
        Self { follow, loops: self.loops.clone(), depth: self.depth + 1 }
    }
}

struct Structure<'g, 'l> {
    graph: &'g FlowGraph,
    order: Order,
    lower: &'g Lower<'l>,
    /// Nodes written after the statement of their dominator.
    merges: Vec<bool>,
    /// The same nodes, by dominator.
    children: Vec<Vec<u32>>,
    /// Target of the flow after each loop.
    after: Vec<u32>,
    written: Vec<bool>,
    /// Nodes that would be nested too deep in their place.
    deferred: Vec<u32>,
}

/// Writes a graph; `None` if it is too complex.
pub(super) fn structure(graph: &FlowGraph, lower: &Lower<'_>) -> Option<Block> {
    let Flow::Node(entry) = graph.entry else { return Some(Block::new()) };
    let order = Order::new(graph, entry)?;
    let count = graph.nodes.len();
    let mut s = Structure {
        graph,
        order,
        lower,
        merges: vec![false; count],
        children: vec![Vec::new(); count],
        after: vec![NONE; count],
        written: vec![false; count],
        deferred: Vec::new(),
    };
    s.place_merges();
    let top = Spot { follow: Flow::Exit, loops: Vec::new(), depth: 0 };
    let mut block = Block::new();
    s.node(entry, &top, &mut block);
    while let Some(node) = s.deferred.pop() {
        // Deferred nodes come after the end, where the flow must not run into them.
        if !block.last().is_some_and(CodeLine::is_end) {
            block.push(CodeLine::Return(None));
        }
        s.node(node, &top, &mut block);
    }
    Some(block)
}

impl Structure<'_, '_> {
    /// Finds the nodes that follow the statement of their dominator.
    fn place_merges(&mut self) {
        let mut forward = vec![0_u32; self.graph.nodes.len()];
        for node in &self.order.nodes {
            for to in successors(self.graph, *node) {
                // Back edges do not count: a loop head with one way in is no merge.
                if at(&self.order.number, *node, 0) < at(&self.order.number, to, 0) {
                    let count = at(&forward, to, 0) + 1;
                    set(&mut forward, to, count);
                }
            }
        }
        let mut parents = self.order.dominator.clone();
        for node in &self.order.nodes {
            set(&mut self.merges, *node, at(&forward, *node, 0) > 1);
        }
        for node in self.order.nodes.clone() {
            if at(&self.order.is_head, node, false)
                && let Some(after) = self.after_loop(node)
            {
                set(&mut self.after, node, after);
                // The node after a loop is written after the loop, even if its dominator is inside.
                set(&mut parents, after, node);
                set(&mut self.merges, after, true);
            }
        }
        for node in &self.order.nodes {
            let parent = at(&parents, *node, NONE);
            if at(&self.merges, *node, false)
                && let Some(children) = self.children.get_mut(parent as usize)
            {
                children.push(*node);
            }
        }
    }

    /// Returns the node after a loop: the target of its condition, else the most frequent exit.
    fn after_loop(&self, head: u32) -> Option<u32> {
        let is_out = |node: &u32| {
            // Outside of the loop, but dominated from inside: no other way leads there.
            !self.order.is_in_loop(*node, head)
                && self.order.is_in_loop(at(&self.order.dominator, *node, NONE), head)
        };
        if let Some(next) = self.graph.nodes.get(head as usize).map(|node| node.next)
            && let Next::Two(yes, no) = next
            // The false branch first, since that is how loop macros leave.
            && let Some(out) = [no, yes].into_iter().find(|flow| match flow {
                Flow::Node(node) => !self.order.is_in_loop(*node, head),
                Flow::Exit => true,
            })
        {
            return match out {
                Flow::Node(node) => Some(node).filter(|node| is_out(node)),
                Flow::Exit => None,
            };
        }
        let first = at(&self.order.number, head, 0) as usize;
        let inside = self.order.nodes.get(first..).unwrap_or_default().iter();
        let inside = inside.filter(|node| self.order.is_in_loop(**node, head));
        let mut ways: Vec<u32> =
            inside.flat_map(|node| successors(self.graph, *node)).filter(is_out).collect();
        // Sorted, so that equal nodes are adjacent and the result does not depend on the order.
        ways.sort_unstable();
        let mut best: Option<(usize, u32)> = None;
        for same in ways.chunk_by(|a, b| a == b) {
            if let [node, ..] = same
                && best.is_none_or(|(count, _)| same.len() > count)
            {
                best = Some((same.len(), *node));
            }
        }
        best.map(|(_, node)| node)
    }

    fn label(&self, node: u32) -> Label {
        let node = self.graph.nodes.get(node as usize);
        node.map_or(Label(0, 0), |node| Label(self.lower.frame.place(node.statement), node.copy))
    }

    /// Continues the flow, with the node itself or with a jump to it.
    fn flow(&mut self, flow: Flow, place: &Spot, out: &mut Block) {
        if let Some(jump) = self.jump(flow, place) {
            return out.extend(jump);
        }
        let Flow::Node(node) = flow else { return out.push(CodeLine::Return(None)) };
        // A node with one predecessor is written right here.
        if !at(&self.merges, node, false) && !at(&self.written, node, true) {
            if place.depth < MAX_NESTING {
                return self.node(node, place, out);
            }
            self.deferred.push(node);
            // It must not be written elsewhere before its turn.
            set(&mut self.merges, node, true);
        } else if let Some(copy) = self.copy(node, place) {
            return out.extend(copy);
        }
        out.push(CodeLine::Goto(self.label(node)));
    }

    /// Returns the jump to a target if none needs a label of its own: an empty block if the target follows
    /// anyway.
    fn jump(&self, flow: Flow, place: &Spot) -> Option<Block> {
        if flow == place.follow {
            return Some(Block::new());
        }
        // Only loops further out need their label.
        let mut is_innermost = true;
        for around in place.loops.iter().rev() {
            let label = (!is_innermost).then(|| self.label(around.head));
            if flow == Flow::Node(around.head) {
                return Some(vec![CodeLine::Continue(label)]);
            }
            if flow == around.after {
                return Some(vec![CodeLine::Break(label)]);
            }
            is_innermost = false;
        }
        (flow == Flow::Exit).then(|| vec![CodeLine::Return(None)])
    }

    /// Returns a few statements that end in a jump without a label: repeated, they read better than a `goto`.
    fn copy(&self, node: u32, place: &Spot) -> Option<Block> {
        let mut block = Block::new();
        let mut flow = Flow::Node(node);
        for _ in 0..MAX_COPIED {
            let Flow::Node(node) = flow else { break };
            // A repeated loop would be another loop.
            if at(&self.order.is_head, node, true) {
                return None;
            }
            let found = self.graph.nodes.get(node as usize)?;
            let Next::One(next) = found.next else { return None };
            if self.lower.frame.prepared.span(found.statement) > MAX_COPIED_LEN {
                return None;
            }
            block.extend(self.lower.statement(found.statement));
            if let Some(jump) = self.jump(next, place) {
                block.extend(jump);
                return Some(block);
            }
            flow = next;
        }
        None
    }

    /// Writes a node, and the nodes that only it leads to.
    fn node(&mut self, node: u32, place: &Spot, out: &mut Block) {
        let mut node = node;
        let mut place = place.clone();
        // Iterates over nodes in a row, so that long functions do not nest calls.
        loop {
            set(&mut self.written, node, true);
            out.push(CodeLine::Label(self.label(node)));
            let children = self.children.get_mut(node as usize).map(std::mem::take).unwrap_or_default();
            if at(&self.order.is_head, node, false) {
                let mut body = Block::new();
                let (inside, mut outside): (Vec<u32>, Vec<u32>) =
                    children.into_iter().partition(|child| self.order.is_in_loop(*child, node));
                let after = at(&self.after, node, NONE);
                // The node after the loop comes first, as `break` leads to it.
                outside.sort_by_key(|child| *child != after);
                let follow = outside.first().map_or(place.follow, |first| Flow::Node(*first));
                let mut inner = place.before(Flow::Node(node));
                inner.loops.push(Around { head: node, after: follow });
                let rest = self.statement(node, &inside, &inner, &mut body);
                if let Some((rest, inner)) = rest {
                    self.node(rest, &inner, &mut body);
                }
                out.push(CodeLine::Loop { head: self.label(node), body });
                match self.chain(&outside, &place, out) {
                    Some(last) => node = last,
                    None => return,
                }
                continue;
            }
            match self.statement(node, &children, &place, out) {
                Some((rest, then)) => (node, place) = (rest, then),
                None => return,
            }
        }
    }

    /// Writes the statement of a node and the following nodes except the last one, which is returned.
    fn statement(&mut self, node: u32, merges: &[u32], place: &Spot, out: &mut Block) -> Option<(u32, Spot)> {
        let found = *self.graph.nodes.get(node as usize)?;
        let follow = merges.first().map_or(place.follow, |first| Flow::Node(*first));
        let inner = place.before(follow);
        match found.next {
            Next::One(next) => {
                out.extend(self.lower.statement(found.statement));
                if let Flow::Node(to) = next
                    && merges.is_empty()
                    && self.jump(next, place).is_none()
                    && !at(&self.merges, to, true)
                    && !at(&self.written, to, true)
                {
                    return Some((to, place.clone()));
                }
                self.flow(next, &inner, out);
            }
            Next::Two(yes, no) => {
                let condition = self.lower.condition(found.statement);
                let (mut then, mut otherwise) = (Block::new(), Block::new());
                self.flow(yes, &inner, &mut then);
                self.flow(no, &inner, &mut otherwise);
                out.push(CodeLine::If { condition, then, otherwise });
            }
            Next::Fork(resume, then) => {
                let mut body: Block = self.lower.statement(found.statement).into_iter().collect();
                // A latent call resumes with an empty stack, outside of all loops.
                let later = Spot { follow: Flow::Exit, loops: Vec::new(), depth: place.depth + 1 };
                self.flow(resume, &later, &mut body);
                out.push(CodeLine::Async(body));
                self.flow(then, &inner, out);
            }
        }
        self.chain(merges, place, out).map(|last| (last, place.clone()))
    }

    /// Writes consecutive nodes except the last one, which is returned.
    fn chain(&mut self, nodes: &[u32], place: &Spot, out: &mut Block) -> Option<u32> {
        let (last, others) = nodes.split_last()?;
        for (node, next) in others.iter().zip(nodes.iter().skip(1)) {
            let place = place.before(Flow::Node(*next));
            self.node(*node, &place, out);
        }
        Some(*last)
    }
}
