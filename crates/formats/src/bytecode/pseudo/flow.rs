//! Flow of a function as a graph without a flow stack.
//!
//! A state is a statement with the content of the stack of saved offsets at that point. This removes jumps,
//! pushes and pops: sequences become straight lines, and loop macros natural loops.

use super::prepared::Prepared;
use crate::bytecode::token::Token;
use crate::bytecode::tree::Expression;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::cell::Cell;

/// Limit on the states of one entry; above it, only a listing is made.
const MAX_STATES: usize = 20_000;

/// Target of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Flow {
    /// A node.
    Node(u32),
    /// The end of the function.
    Exit,
}

/// Successors of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    One(Flow),
    /// Targets if a condition is true, and if it is false.
    Two(Flow, Flow),
    /// Target after a latent call is done, and of the statements that run at once.
    Fork(Flow, Flow),
}

impl Next {
    /// Iterates over the targets.
    pub(super) fn flows(self) -> impl Iterator<Item = Flow> {
        let (a, b) = match self {
            Self::One(a) => (a, None),
            Self::Two(a, b) | Self::Fork(a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }
}

/// A state with an effect.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowNode {
    /// Index of the statement.
    pub(super) statement: usize,
    pub(super) next: Next,
    /// Number of earlier states with the same statement.
    pub(super) copy: u32,
}

/// Flow from one entry.
pub(super) struct FlowGraph {
    pub(super) nodes: Vec<FlowNode>,
    pub(super) entry: Flow,
}

/// Error: too many states.
pub(super) struct TooMany;

impl FlowGraph {
    /// Builds the flow of a function from its start; `entry` is the target of a computed jump. Steps, and
    /// statements by their sizes, are paid from a budget, so that many entries of one event graph take time
    /// in proportion to its size.
    pub(super) fn new(
        prepared: &Prepared<'_>,
        entry: Option<u32>,
        budget: &Cell<usize>,
    ) -> Result<Self, TooMany> {
        let mut e = Explorer {
            prepared,
            statements: &prepared.function.script.statements,
            jump: entry,
            budget,
            stacks: vec![(0, 0)],
            stack_ids: HashMap::new(),
            resolved: HashMap::new(),
            ids: HashMap::new(),
            copies: HashMap::new(),
            nodes: Vec::new(),
            states: Vec::new(),
        };
        // Every entry starts at offset 0 with an empty stack: there the event graph has its computed jump.
        let entry = e.resolve(0, 0)?;
        let mut done = 0;
        // States are both the result and the work list: `next` appends those it finds.
        while let Some((index, stack)) = e.states.get(done).copied() {
            let next = e.next(index, stack)?;
            if let Some(node) = e.nodes.get_mut(done) {
                node.next = next;
            }
            done += 1;
        }
        Ok(Self { nodes: e.nodes, entry })
    }
}

/// Returns the offset at which a latent call resumes.
pub(super) fn resume(statement: &Expression) -> Option<u32> {
    let mut found = None;
    statement.visit(&mut |e| {
        if e.token == Token::SkipOffsetConst {
            found = found.or(e.target());
        }
    });
    found
}

struct Explorer<'p> {
    prepared: &'p Prepared<'p>,
    statements: &'p [Expression],
    jump: Option<u32>,
    budget: &'p Cell<usize>,
    /// Stacks as linked lists: the offset on top, and the id of the stack below. The first one is empty.
    stacks: Vec<(u32, u32)>,
    stack_ids: HashMap<(u32, u32), u32>,
    resolved: HashMap<(usize, u32), Flow>,
    ids: HashMap<(usize, u32), u32>,
    copies: HashMap<usize, u32>,
    nodes: Vec<FlowNode>,
    states: Vec<(usize, u32)>,
}

impl Explorer<'_> {
    fn pay(&self, price: usize) -> Result<(), TooMany> {
        let left = self.budget.get().checked_sub(price).ok_or(TooMany)?;
        self.budget.set(left);
        Ok(())
    }

    /// Follows the flow to the next state with an effect.
    fn resolve(&mut self, index: usize, stack: u32) -> Result<Flow, TooMany> {
        let (mut index, mut stack) = (index, stack);
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let flow = loop {
            // Results are kept per state, so that long chains of jumps are followed once.
            if let Some(known) = self.resolved.get(&(index, stack)) {
                break *known;
            }
            // A cycle of jumps without effects never ends.
            if !seen.insert((index, stack)) {
                break Flow::Exit;
            }
            path.push((index, stack));
            self.pay(1)?;
            let Some(statement) = self.statements.get(index) else { break Flow::Exit };
            let target = |at: Option<u32>| at.and_then(|at| self.prepared.statement_at(at));
            let next = match statement.token {
                Token::Jump => target(statement.target()),
                Token::ComputedJump => target(self.jump),
                // The offset is saved and the flow goes on; a later pop jumps to it.
                Token::PushExecutionFlow => {
                    let Some(at) = statement.target() else { break Flow::Exit };
                    stack = self.push(at, stack);
                    Some(index + 1)
                }
                Token::PopExecutionFlow => {
                    // A pop from an empty stack leaves the function.
                    let Some((at, below)) = self.pop(stack) else { break Flow::Exit };
                    let next = self.prepared.statement_at(at);
                    stack = below;
                    next
                }
                Token::Return | Token::EndOfScript => None,
                // Without effect in pseudo-code.
                Token::Nothing | Token::NothingInt32 => Some(index + 1),
                token if token.is_instrumentation() => Some(index + 1),
                _ => break self.node(index, stack)?,
            };
            match next {
                Some(next) => index = next,
                None => break Flow::Exit,
            }
        };
        // All states on the way lead to the same target.
        for state in path {
            self.resolved.insert(state, flow);
        }
        Ok(flow)
    }

    fn node(&mut self, index: usize, stack: u32) -> Result<Flow, TooMany> {
        let new = u32::try_from(self.nodes.len()).map_err(|_| TooMany)?;
        // The same statement with another stack is another state, as its pops lead elsewhere.
        let id = *self.ids.entry((index, stack)).or_insert(new);
        if id == new {
            if self.nodes.len() == MAX_STATES {
                return Err(TooMany);
            }
            self.pay(self.prepared.span(index))?;
            let copy = self.copies.entry(index).or_default();
            self.nodes.push(FlowNode { statement: index, next: Next::One(Flow::Exit), copy: *copy });
            *copy += 1;
            self.states.push((index, stack));
        }
        Ok(Flow::Node(id))
    }

    fn next(&mut self, index: usize, stack: u32) -> Result<Next, TooMany> {
        let Some(statement) = self.statements.get(index) else { return Ok(Next::One(Flow::Exit)) };
        let otherwise = match statement.token {
            Token::JumpIfNot => {
                let target = statement.target().and_then(|at| self.prepared.statement_at(at));
                target.map(|target| (target, stack))
            }
            Token::PopExecutionFlowIfNot => {
                self.pop(stack).and_then(|(at, below)| Some((self.prepared.statement_at(at)?, below)))
            }
            _ => {
                let then = self.resolve(index + 1, stack)?;
                let resume = resume(statement).and_then(|at| self.prepared.statement_at(at));
                let Some(resume) = resume else { return Ok(Next::One(then)) };
                // The engine enters the event graph again, with an empty stack.
                let resume = self.resolve(resume, 0)?;
                // If nothing else runs at once, the flow just waits.
                return Ok(if then == Flow::Exit { Next::One(resume) } else { Next::Fork(resume, then) });
            }
        };
        let yes = self.resolve(index + 1, stack)?;
        let no = match otherwise {
            Some((index, stack)) => self.resolve(index, stack)?,
            None => Flow::Exit,
        };
        Ok(Next::Two(yes, no))
    }

    fn push(&mut self, at: u32, below: u32) -> u32 {
        let new = u32::try_from(self.stacks.len()).unwrap_or(u32::MAX);
        // Equal stacks share an id, so that equal states are recognised.
        let id = *self.stack_ids.entry((at, below)).or_insert(new);
        if id == new {
            self.stacks.push((at, below));
        }
        id
    }

    fn pop(&self, stack: u32) -> Option<(u32, u32)> {
        self.stacks.get(stack as usize).copied().filter(|_| stack != 0)
    }
}
