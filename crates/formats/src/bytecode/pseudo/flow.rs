//! The flow of a function as a graph without a flow stack.
//!
//! A state is a statement together with what the stack of remembered places holds there. Jumps, and what pushes and pops,
//! are gone then: sequences become straight lines, and loop macros natural loops.

use super::prepared::Prepared;
use crate::bytecode::token::Token;
use crate::bytecode::tree::Expression;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::cell::Cell;

/// States of one entry above which a listing has to do.
const MAX_STATES: usize = 20_000;

/// Where the flow goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Flow {
    /// To a node.
    Node(u32),
    /// Out of the function.
    Exit,
}

/// Successor of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    One(Flow),
    /// If a condition is true, and if it is false.
    Two(Flow, Flow),
    /// Statements after a latent call is done, and those that run at once.
    Fork(Flow, Flow),
}

impl Next {
    /// Where the flow goes.
    pub(super) fn flows(self) -> impl Iterator<Item = Flow> {
        let (a, b) = match self {
            Self::One(a) => (a, None),
            Self::Two(a, b) | Self::Fork(a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }
}

/// A state that does something.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowNode {
    /// The statement.
    pub(super) statement: usize,
    pub(super) next: Next,
    /// Which of the states with this statement it is.
    pub(super) copy: u32,
}

/// The flow from one entry on.
pub(super) struct FlowGraph {
    pub(super) nodes: Vec<FlowNode>,
    pub(super) entry: Flow,
}

/// Too many states.
pub(super) struct TooMany;

impl FlowGraph {
    /// The flow of a function from its start; `entry` is where a computed jump leads to. Steps, and statements by their sizes, are taken
    /// from a budget, so that many entries of one event graph take no more time than its size allows.
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
        let entry = e.resolve(0, 0)?;
        let mut done = 0;
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

/// The place where something that takes time goes on.
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
    /// Stacks as links: the place on top, and the stack below. The first one is empty.
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

    /// Goes on until something is done.
    fn resolve(&mut self, index: usize, stack: u32) -> Result<Flow, TooMany> {
        let (mut index, mut stack) = (index, stack);
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let flow = loop {
            if let Some(known) = self.resolved.get(&(index, stack)) {
                break *known;
            }
            // What jumps in a circle and does nothing never ends.
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
                Token::PushExecutionFlow => {
                    let Some(at) = statement.target() else { break Flow::Exit };
                    stack = self.push(at, stack);
                    Some(index + 1)
                }
                Token::PopExecutionFlow => {
                    let Some((at, below)) = self.pop(stack) else { break Flow::Exit };
                    let next = self.prepared.statement_at(at);
                    stack = below;
                    next
                }
                Token::Return | Token::EndOfScript => None,
                Token::Nothing | Token::NothingInt32 => Some(index + 1),
                token if token.is_instrumentation() => Some(index + 1),
                _ => break self.node(index, stack)?,
            };
            match next {
                Some(next) => index = next,
                None => break Flow::Exit,
            }
        };
        for state in path {
            self.resolved.insert(state, flow);
        }
        Ok(flow)
    }

    fn node(&mut self, index: usize, stack: u32) -> Result<Flow, TooMany> {
        let new = u32::try_from(self.nodes.len()).map_err(|_| TooMany)?;
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
                // The engine enters the event graph anew, with nothing remembered.
                let resume = self.resolve(resume, 0)?;
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
