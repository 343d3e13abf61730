//! Functions of a package together: the bodies of events are in the event graph, but are written with their
//! stubs.

use super::code::Code;
use super::flow::{FlowGraph, TooMany};
use super::frame::{Frame, PackageFacts};
use super::header;
use super::lines::{Block, CodeLine, Label, Printer};
use super::lower::Lower;
use super::prepared::{Prepared, key, raw_name};
use super::structure::structure;
use super::tidy::tidy;
use super::words;
use crate::bytecode::dialect::Dialect;
use crate::bytecode::function::Function;
use crate::bytecode::listing::Listing;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Operand};
use crate::bytecode::variable::Variable;
use crate::package::legacy::{Name, PackageIndex, PackageRef};
use crate::property::Scope;
use foldhash::{HashMap, HashMapExt, HashSet};
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::rc::Rc;

/// Limit on the steps per byte of scripts in memory: real packages take fewer than two.
const STEPS: usize = 8;

/// Steps allowed even for a small package.
const LEAST_STEPS: usize = 200_000;

/// Flag of a delegate signature (`FUNC_Delegate`).
const DELEGATE: u32 = 0x0010_0000;

/// Decompiler of a package's functions to pseudo-code.
pub struct Decompiler<'s, 'a> {
    facts: PackageFacts<'s, 'a>,
    functions: &'s [Function],
    /// Functions by export index.
    places: HashMap<u32, usize>,
    prepared: RefCell<HashMap<usize, Rc<Prepared<'s>>>>,
    /// Events by function index.
    events: HashMap<usize, Event<'s>>,
    /// Offsets at which events enter each event graph.
    entries: HashMap<usize, Vec<u32>>,
    budget: Cell<usize>,
}

impl std::fmt::Debug for Decompiler<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decompiler").field("functions", &self.functions.len()).finish_non_exhaustive()
    }
}

/// Pseudo-code of a function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pseudocode {
    /// Code.
    pub text: String,
    /// Number of jumps that no structure replaces.
    pub gotos: usize,
    /// Number of loops.
    pub loops: usize,
    /// Number of latent calls.
    pub awaits: usize,
    /// True if there is no statement in it.
    pub is_empty: bool,
    /// True for pseudo-code; false for the listing of a function that is damaged, or has too complex a flow.
    pub is_structured: bool,
}

/// An event, whose body is part of an event graph.
struct Event<'f> {
    /// Function index of the event graph.
    graph: usize,
    entry: u32,
    /// Statements that pass the parameters on.
    parameters: Vec<&'f Expression>,
}

impl Function {
    /// Writes the function as pseudo-code. For several functions of a package, one [`Decompiler`] does the
    /// preparations only once.
    #[must_use]
    pub fn decompile(&self, scope: &Scope<'_>) -> Pseudocode {
        let (symbols, functions) = (Symbols::new(scope.package), Self::all(scope));
        Decompiler::new(scope, &symbols, &functions).decompile(self)
    }
}

impl<'s, 'a> Decompiler<'s, 'a> {
    /// Creates a decompiler for all functions of a package, as returned by [`Function::all`].
    #[must_use]
    pub fn new(scope: &'s Scope<'a>, symbols: &'s Symbols<'s>, functions: &'s [Function]) -> Self {
        let mut outputs = HashMap::new();
        // Only functions of this package record which of their parameters are outputs.
        for function in functions {
            let parameters = function.parameters().filter(|variable| !variable.is_return_value());
            if let Some(index) = PackageIndex::export(function.export) {
                outputs.insert(index.0, parameters.map(Variable::is_output).collect());
            }
        }
        let bytes = functions.iter().map(|function| function.script.memory_len as usize);
        let bytes = bytes.fold(0, usize::saturating_add);
        let mut this = Self {
            facts: PackageFacts {
                scope,
                symbols,
                dialect: Dialect::of(scope),
                outputs,
                overridden: functions.iter().map(|function| function.overrides.0).collect(),
                members: RefCell::default(),
            },
            functions,
            places: functions.iter().enumerate().map(|(place, function)| (function.export, place)).collect(),
            prepared: RefCell::default(),
            events: HashMap::new(),
            entries: HashMap::new(),
            budget: Cell::new(STEPS.saturating_mul(bytes).saturating_add(LEAST_STEPS)),
        };
        // In reverse, so that the first function of a name wins.
        let names =
            (0..functions.len()).rev().filter_map(|at| functions.get(at).map(|found| (found.name, at)));
        let names: HashMap<Name, usize> = names.collect();
        let events = functions.iter().enumerate();
        this.events = events.filter_map(|(at, function)| Some((at, this.event(function, &names)?))).collect();
        for event in this.events.values() {
            this.entries.entry(event.graph).or_default().push(event.entry);
        }
        // Events come from a hash map, in any order.
        this.entries.values_mut().for_each(|entries| entries.sort_unstable());
        this
    }

    fn prepared(&self, place: usize) -> Option<Rc<Prepared<'s>>> {
        if let Some(known) = self.prepared.borrow().get(&place) {
            return Some(Rc::clone(known));
        }
        let new = Rc::new(Prepared::new(self.functions.get(place)?, self.facts.symbols));
        self.prepared.borrow_mut().insert(place, Rc::clone(&new));
        Some(new)
    }

    /// Returns the event graph entered by a call.
    fn event_graph(&self, call: &Expression, names: &HashMap<Name, usize>) -> Option<usize> {
        let place = match (call.token, call.object(), call.name()) {
            (Token::FinalFunction | Token::LocalFinalFunction, Some(object), _) => match object.decode() {
                PackageRef::Export(at) => self.places.get(&at).copied(),
                _ => None,
            },
            // Up to 4.20 stubs call the graph by name, later by reference.
            (Token::VirtualFunction | Token::LocalVirtualFunction, _, Some(name)) => {
                names.get(&name).copied()
            }
            _ => None,
        };
        place.filter(|place| self.functions.get(*place).is_some_and(|found| self.is_event_graph(found)))
    }

    fn is_event_graph(&self, function: &Function) -> bool {
        function.is_event_graph(self.facts.symbols.package)
    }

    /// Recognises an event: a function that only passes its parameters on and calls the event graph.
    fn event<'f>(&self, function: &'f Function, names: &HashMap<Name, usize>) -> Option<Event<'f>> {
        let statements = function.script.statements.iter();
        let mut statements = statements.filter(|statement| !statement.token.is_instrumentation());
        let mut parameters = Vec::new();
        // A stub sets a variable of the graph for each parameter, then calls it.
        let call = loop {
            let statement = statements.next()?;
            if statement.token != Token::LetValueOnPersistentFrame {
                break statement;
            }
            parameters.push(statement);
        };
        let graph = self.event_graph(call, names)?;
        let [Expression { token: Token::IntConst, operands, .. }] = call.items() else { return None };
        let [Operand::I32(entry)] = operands.as_slice() else { return None };
        // Anything after the call is no stub, and is written as a function.
        let ends = statements.map(|statement| statement.token).eq([Token::Return, Token::EndOfScript]);
        ends.then_some(Event { graph, entry: u32::try_from(*entry).ok()?, parameters })
    }

    /// Decompiles a function.
    #[must_use]
    pub fn decompile(&self, function: &Function) -> Pseudocode {
        let place = self.places.get(&function.export).copied();
        let Some(place) = place.filter(|_| function.script.is_complete()) else {
            return self.listing(function, "damaged");
        };
        if let Some(event) = self.events.get(&place) {
            return self.write_event(function, event);
        }
        if self.is_event_graph(function) {
            return self.write_event_graph(function, place);
        }
        let Some(prepared) = self.prepared(place) else { return self.listing(function, "damaged") };
        let lower =
            Lower { frame: Frame { facts: &self.facts, prepared: &prepared, parameters: HashMap::new() } };
        let Some((mut block, labels)) = self.body(&prepared, None, &lower) else {
            return self.listing(function, "its flow is too complex");
        };
        add_return_value(function, &lower, &mut block);
        let is_delegate = function.flags.unwrap_or_default() & DELEGATE != 0;
        let word = if is_delegate { "delegate" } else { "function" };
        let mut text = header::signature(function, word, self.facts.symbols);
        // A signature without a body is only a type.
        if is_delegate && block.is_empty() {
            text.push('\n');
            return Pseudocode { text, is_structured: true, ..Pseudocode::default() };
        }
        let _ = writeln!(text, " {{{}", header::remarks(function, None));
        for variable in function.variables.iter().filter(|variable| !variable.is_parameter()) {
            let typed = header::typed(variable, self.facts.symbols);
            let name = words::identifier(&self.facts.symbols.text(variable.name));
            // Temporaries, and variables that the script never uses, are left out.
            if prepared.is_local(&name) {
                let _ = writeln!(text, "  var {typed}");
            }
        }
        finish(text, &block, &labels)
    }

    fn body(
        &self,
        prepared: &Prepared<'_>,
        entry: Option<u32>,
        lower: &Lower<'_>,
    ) -> Option<(Block, HashSet<Label>)> {
        let graph = match FlowGraph::new(prepared, entry, &self.budget) {
            Ok(graph) => graph,
            Err(TooMany) => return None,
        };
        let mut block = structure(&graph, lower)?;
        let labels = tidy(&mut block, prepared);
        Some((block, labels))
    }

    fn write_event(&self, function: &Function, event: &Event<'_>) -> Pseudocode {
        let Some(prepared) = self.prepared(event.graph) else { return self.listing(function, "damaged") };
        let mut parameters = HashMap::new();
        for statement in &event.parameters {
            let passed = statement.child(0).map(|value| raw_name(value, self.facts.symbols));
            // The variable of the graph is shown under the name of the parameter.
            if let (Some(key), Some(name)) = (key(statement), passed.filter(|name| !name.is_empty())) {
                parameters.insert(key, words::identifier(&name));
            }
        }
        let lower = Lower { frame: Frame { facts: &self.facts, prepared: &prepared, parameters } };
        let Some((block, labels)) = self.body(&prepared, Some(event.entry), &lower) else {
            return self.listing(function, "its flow is too complex");
        };
        let graph = self.facts.symbols.text(prepared.function.name);
        let mut text = header::signature(function, "event", self.facts.symbols);
        let remarks = header::remarks(function, Some((&words::identifier(&graph), event.entry)));
        let _ = writeln!(text, " {{{remarks}");
        finish(text, &block, &labels)
    }

    /// Writes an event graph: only the parts outside of all events, since events are written with their
    /// stubs.
    fn write_event_graph(&self, function: &Function, place: usize) -> Pseudocode {
        let Some(prepared) = self.prepared(place) else { return self.listing(function, "damaged") };
        let entries = self.entries.get(&place).map(Vec::as_slice).unwrap_or_default();
        let mut reached = vec![false; function.script.statements.len()];
        for entry in entries {
            // An entry that is too complex is a listing where its event is; its statements count as
            // unreached.
            let Ok(graph) = FlowGraph::new(&prepared, Some(*entry), &self.budget) else { continue };
            for node in &graph.nodes {
                if let Some(reached) = reached.get_mut(node.statement) {
                    *reached = true;
                }
            }
        }
        let mut text = header::signature(function, "function", self.facts.symbols);
        let events = crate::wire::counted(entries.len() as u64, "event", "events");
        let _ = writeln!(text, " {{  // bodies of {events}, which stand with these");
        let lower =
            Lower { frame: Frame { facts: &self.facts, prepared: &prepared, parameters: HashMap::new() } };
        let mut block = Block::new();
        for (index, statement) in function.script.statements.iter().enumerate() {
            let is_flow = statement.token.is_instrumentation()
                || matches!(
                    statement.token,
                    Token::Jump
                        | Token::ComputedJump
                        | Token::PushExecutionFlow
                        | Token::PopExecutionFlow
                        | Token::Return
                        | Token::EndOfScript
                        | Token::Nothing
                );
            // Jumps that nothing reaches say nothing.
            if is_flow || reached.get(index).copied().unwrap_or(true) {
                continue;
            }
            if block.is_empty() {
                block.push(CodeLine::Comment("unreachable:".to_owned()));
            }
            match statement.token {
                Token::JumpIfNot | Token::PopExecutionFlowIfNot => {
                    let condition = lower.condition(index);
                    block.push(CodeLine::If { condition, then: Block::new(), otherwise: Block::new() });
                }
                _ => block.extend(lower.statement(index)),
            }
        }
        finish(text, &block, &HashSet::default())
    }

    fn listing(&self, function: &Function, why: &str) -> Pseudocode {
        let mut text = header::signature(function, "function", self.facts.symbols);
        let why = match &function.script.damage {
            Some(damage) => damage.to_string(),
            None => why.to_owned(),
        };
        let _ = writeln!(text, " {{  // a listing, since {why}");
        let _ = write!(text, "{}", Listing { script: &function.script, symbols: self.facts.symbols });
        text.push_str("}\n");
        Pseudocode { text, ..Pseudocode::default() }
    }
}

/// Adds the return value at the ends of a function.
fn add_return_value(function: &Function, lower: &Lower<'_>, block: &mut Block) {
    let value = function.script.statements.iter().find_map(|statement| {
        let value = statement.child(0).filter(|_| statement.token == Token::Return)?;
        (value.token != Token::Nothing).then(|| lower.code(value))
    });
    let Some(value) = value else { return };
    give_back(block, &value);
    if !block.last().is_some_and(CodeLine::is_end) {
        block.push(CodeLine::Return(Some(value.clone())));
    }
    // `x = value; return x` becomes `return value`.
    if let [.., CodeLine::Assign(to, _), CodeLine::Return(Some(_))] = block.as_slice()
        && *to == value
    {
        block.pop();
        if let Some(CodeLine::Assign(_, found)) = block.pop() {
            block.push(CodeLine::Return(Some(found)));
        }
    }
}

/// Gives every `return` the value.
fn give_back(block: &mut Block, value: &Code) {
    for line in block {
        if let CodeLine::Return(found @ None) = line {
            *found = Some(value.clone());
        }
        line.blocks_mut().into_iter().for_each(|block| give_back(block, value));
    }
}

fn finish(text: String, block: &Block, labels: &HashSet<Label>) -> Pseudocode {
    let mut this = Pseudocode { is_structured: true, is_empty: block.is_empty(), ..Pseudocode::default() };
    for line in block {
        line.visit(&mut |line| match line {
            CodeLine::Goto(_) => this.gotos += 1,
            CodeLine::Loop { .. }
            | CodeLine::While { .. }
            | CodeLine::For { .. }
            | CodeLine::ForEach { .. } => this.loops += 1,
            _ => {}
        });
    }
    let mut printer = Printer { text, labels };
    printer.block(block, 1);
    this.text = printer.text;
    this.text.push_str("}\n");
    // Counted in the text, so that copies of a call count as well.
    this.awaits = this.text.matches("await ").count();
    this
}
