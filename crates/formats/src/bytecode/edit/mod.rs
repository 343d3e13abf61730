//! Changes of functions: constants, branches, statements without effect, whole listings.
//!
//! ```text
//! functions ─► scripts that change ─► relocated ─► stubs follow their event graph ─► checked ─► bytes of exports
//! ```
//!
//! A change may make a script longer or shorter: targets, lengths, counts, and the entries of events in all their stubs are
//! computed anew. Nothing is returned unless the result reads back equal, every target is a statement, no path pops an empty
//! flow stack, and every local variable belongs to its function.

mod constant;
mod error;
mod place;
mod sound;

pub use error::CodeError;
pub use place::{CodePlace, CodePlaceError};

use super::decode::TableSizes;
use super::dialect::Dialect;
use super::function::Function;
use super::listing::{Listing, assemble};
use super::relocate::Relocation;
use super::symbols::Symbols;
use super::token::Token;
use super::tree::{Expression, Operand, Script};
use crate::package::legacy::PackageIndex;
use crate::property::{Object, Scope, Value};
use sound::Soundness;
use std::collections::BTreeMap;

/// Editor of the functions of a package.
pub struct CodeEditor<'s, 'a> {
    scope: &'s Scope<'a>,
    symbols: &'s Symbols<'s>,
    functions: &'s [Function],
    dialect: Dialect,
    /// Scripts that change, by position of their function; offsets of statements are labels until the end.
    scripts: BTreeMap<usize, Script>,
}

impl std::fmt::Debug for CodeEditor<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CodeEditor").field("changed", &self.scripts.len()).finish_non_exhaustive()
    }
}

/// A value before and after a change, as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeValueChange {
    /// Old value.
    pub from: String,
    /// New value.
    pub to: String,
}

/// A function with a new script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFunction {
    /// Index among the exports.
    pub export: u32,
    /// Bytes of the script.
    pub bytes: Vec<u8>,
    /// Size in memory.
    pub memory_len: u32,
    /// New offset in the event graph, where the export records one (to 4.11).
    pub event_offset: Option<i32>,
}

impl ChangedFunction {
    /// Puts the script into the function's object.
    pub fn put_into(&self, object: &mut Object) {
        for (name, value) in &mut object.tail.fields {
            match (*name, self.event_offset) {
                ("ScriptBytecode", _) => *value = Value::Bytes(self.bytes.clone().into()),
                // Larger sizes were refused when the script was read again.
                ("BytecodeSize", _) => {
                    *value = Value::Int(i32::try_from(self.memory_len).unwrap_or(i32::MAX));
                }
                ("EventGraphCallOffset", Some(at)) => *value = Value::Int(at),
                _ => {}
            }
        }
    }
}

impl<'s, 'a> CodeEditor<'s, 'a> {
    /// Creates an editor for all functions of a package, as returned by [`Function::all`]. Editors compile uncooked packages
    /// anew from their graphs, so changes of these would be lost: an error.
    pub fn new(
        scope: &'s Scope<'a>,
        symbols: &'s Symbols<'s>,
        functions: &'s [Function],
    ) -> Result<Self, CodeError> {
        if !scope.package.summary.is_cooked() {
            return Err(CodeError::Uncooked);
        }
        Ok(Self { scope, symbols, functions, dialect: Dialect::of(scope), scripts: BTreeMap::new() })
    }

    /// Sets a constant; of a conditional jump, its condition. `was` is the value that is expected there.
    pub fn set(
        &mut self,
        place: &CodePlace,
        text: &str,
        was: Option<&str>,
    ) -> Result<CodeValueChange, CodeError> {
        let symbols = self.symbols;
        let found = self.expression(place)?;
        let target = match found.token {
            Token::JumpIfNot | Token::PopExecutionFlowIfNot => constant::condition(found, place)?,
            _ => found,
        };
        let from = constant::shown(target, symbols);
        if let Some(was) = was.filter(|was| *was != from) {
            return Err(CodeError::AnotherValue {
                place: place.clone(),
                found: from,
                expected: was.to_owned(),
            });
        }
        constant::set(target, text, symbols, place)?;
        Ok(CodeValueChange { from, to: constant::shown(target, symbols) })
    }

    /// Replaces a statement by one without effect, as long in memory.
    pub fn remove(&mut self, place: &CodePlace) -> Result<CodeValueChange, CodeError> {
        let at = self.function(&place.function)?;
        let script = self.script(at)?;
        let missing = || CodeError::NoStatement { place: place.clone() };
        let index =
            script.statements.iter().position(|statement| statement.at == place.at).ok_or_else(missing)?;
        let statement = script.statements.get(index).ok_or_else(missing)?;
        let token = statement.token;
        // Without these, the flow would go on elsewhere, or never end.
        if matches!(
            token,
            Token::EndOfScript
                | Token::Return
                | Token::PushExecutionFlow
                | Token::PopExecutionFlow
                | Token::PopExecutionFlowIfNot
                | Token::ComputedJump
        ) {
            return Err(CodeError::NotRemovable { place: place.clone(), token });
        }
        let (start, end) = (statement.at, statement.at.saturating_add(statement.memory_len()));
        // The first one keeps the offset, so that jumps to the statement stay as they are.
        let nothing = (start..end).map(|at| Expression { at, ..Expression::bare(Token::Nothing) });
        script.statements.splice(index..=index, nothing);
        Ok(CodeValueChange { from: token.name().to_owned(), to: Token::Nothing.name().to_owned() })
    }

    /// Replaces a script by a listing, whose offsets are labels: new statements take any that are not in use.
    pub fn assemble(&mut self, function: &str, listing: &str) -> Result<CodeValueChange, CodeError> {
        let at = self.function(function)?;
        if self.is_listing_of(at, listing) {
            return Ok(CodeValueChange { from: String::new(), to: String::new() });
        }
        let new = assemble(listing, self.symbols, &self.dialect);
        let new = new.map_err(|source| CodeError::Listing { function: function.to_owned(), source })?;
        let script = self.script(at)?;
        let statements = |script: &Script| format!("{} statements", script.statements.len());
        let change = CodeValueChange { from: statements(script), to: statements(&new) };
        script.statements = new.statements;
        Ok(change)
    }

    /// Returns all functions that changed: those that were edited, and stubs of events that moved.
    pub fn finish(mut self) -> Result<Vec<ChangedFunction>, CodeError> {
        let mut offsets = BTreeMap::new();
        for at in self.scripts.keys().copied().collect::<Vec<_>>() {
            let Some(function) = self.functions.get(at) else { continue };
            let Some(script) = self.scripts.get_mut(&at) else { continue };
            let relocation = script
                .relocate()
                .map_err(|source| CodeError::Relocate { function: name(self.symbols, function), source })?;
            if !relocation.is_identity() {
                self.follow(function, &relocation, &mut offsets)?;
            }
        }
        let mut changed = Vec::new();
        for (at, function) in self.functions.iter().enumerate() {
            let event_offset = offsets.get(&function.export).copied();
            let script = match self.scripts.get(&at) {
                Some(script) if *script != function.script => script,
                _ if event_offset.is_some() => &function.script,
                // It stays, but those that enter it may have changed.
                _ if self.is_entered(function) => {
                    self.check(function, &function.script)?;
                    continue;
                }
                _ => continue,
            };
            self.check(function, script)?;
            let (bytes, memory_len) = (script.to_bytes(), script.memory_len);
            changed.push(ChangedFunction { export: function.export, bytes, memory_len, event_offset });
        }
        Ok(changed)
    }

    /// Moves the entries of events into a graph that moved.
    fn follow(
        &mut self,
        graph: &Function,
        relocation: &Relocation,
        offsets: &mut BTreeMap<u32, i32>,
    ) -> Result<(), CodeError> {
        let own = PackageIndex::export(graph.export);
        let enters = |call: &Expression| match (call.token, call.object(), call.name()) {
            (Token::FinalFunction | Token::LocalFinalFunction, Some(object), _) => Some(object) == own,
            // Up to 4.20 stubs call the graph by name.
            (Token::VirtualFunction | Token::LocalVirtualFunction, _, Some(name)) => name == graph.name,
            _ => false,
        };
        for (at, stub) in self.functions.iter().enumerate().filter(|(_, stub)| stub.export != graph.export) {
            let error = |source| CodeError::Relocate { function: name(self.symbols, stub), source };
            if let Some((_, old)) = stub.event.filter(|(graph, _)| Some(*graph) == own) {
                let new = u32::try_from(old).ok().and_then(|old| relocation.place(old));
                let new = new.and_then(|new| i32::try_from(new).ok());
                offsets.insert(
                    stub.export,
                    new.ok_or_else(|| CodeError::LostEntry { function: name(self.symbols, stub), at: old })?,
                );
            }
            let mut script = self.scripts.get(&at).unwrap_or(&stub.script).clone();
            if script.follow(relocation, enters).map_err(error)? > 0 {
                self.scripts.insert(at, script);
            }
        }
        Ok(())
    }

    /// True if a script that changes enters a function, as stubs of events do.
    fn is_entered(&self, function: &Function) -> bool {
        let own = PackageIndex::export(function.export);
        let mut calls = self.scripts.values().flat_map(|script| &script.statements);
        calls.any(|call| call.token.is_call() && (call.object() == own || call.name() == Some(function.name)))
    }

    /// Checks a script as a game would meet it.
    fn check(&self, function: &Function, script: &Script) -> Result<(), CodeError> {
        let sizes = TableSizes::of(self.scope.package);
        let again = Script::parse(&script.to_bytes(), script.memory_len, &self.dialect, &sizes);
        let unsound = |what| CodeError::Unsound { function: name(self.symbols, function), what };
        if again.statements != script.statements || !again.is_complete() {
            return Err(unsound("it would not read back as it was written"));
        }
        let before = Soundness::of(&function.script, function, &self.entries(function, false));
        let after = Soundness::of(script, function, &self.entries(function, true));
        // Whatever the game's own script does is no fault of the change.
        match after {
            Err(what) if before.is_ok() => Err(unsound(what)),
            _ => Ok(()),
        }
    }

    /// Offsets at which the stubs of events enter a graph, before or after the change.
    fn entries(&self, graph: &Function, after: bool) -> Vec<u32> {
        let own = PackageIndex::export(graph.export);
        let scripts = self.functions.iter().enumerate();
        let scripts = scripts.map(|(at, function)| {
            let changed = self.scripts.get(&at).filter(|_| after);
            changed.unwrap_or(&function.script)
        });
        let calls = scripts.flat_map(|script| &script.statements);
        let into = calls.filter(|call| call.object() == own || call.name() == Some(graph.name));
        into.filter_map(|call| match call.items() {
            [Expression { token: Token::IntConst, operands, .. }] => match operands.as_slice() {
                [Operand::I32(entry)] => u32::try_from(*entry).ok(),
                _ => None,
            },
            _ => None,
        })
        .collect()
    }

    /// Position of a function by its name or its path, in any letter case.
    fn function(&self, wanted: &str) -> Result<usize, CodeError> {
        let is_it = |function: &Function| {
            name(self.symbols, function).eq_ignore_ascii_case(wanted)
                || path(self.symbols, function).eq_ignore_ascii_case(wanted)
        };
        let mut found = self.functions.iter().enumerate().filter(|(_, function)| is_it(function));
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(at),
            (Some((_, one)), Some((_, other))) => Err(CodeError::Ambiguous {
                wanted: wanted.to_owned(),
                there: [one, other].map(|function| path(self.symbols, function)),
            }),
            (None, _) => {
                let names: Vec<String> = self.functions.iter().map(|of| name(self.symbols, of)).collect();
                Err(CodeError::NoFunction { wanted: wanted.to_owned(), names })
            }
        }
    }

    /// True if a listing is that of a function as it is, comments aside.
    fn is_listing_of(&self, at: usize, listing: &str) -> bool {
        let Some(function) = self.functions.get(at) else { return false };
        let own = Listing { script: &function.script, symbols: self.symbols }.to_string();
        let is_code = |line: &&str| !line.starts_with(';') && !line.trim().is_empty();
        own.lines().eq(listing.lines().filter(is_code))
    }

    /// The script of a function, to be changed.
    fn script(&mut self, at: usize) -> Result<&mut Script, CodeError> {
        let missing = || CodeError::NoFunction { wanted: at.to_string(), names: Vec::new() };
        let function = self.functions.get(at).ok_or_else(missing)?;
        if let Some(damage) = function.script.damage {
            return Err(CodeError::Damaged { function: name(self.symbols, function), damage });
        }
        Ok(self.scripts.entry(at).or_insert_with(|| function.script.clone()))
    }

    fn expression(&mut self, place: &CodePlace) -> Result<&mut Expression, CodeError> {
        let at = self.function(&place.function)?;
        let missing = CodeError::NoToken { place: place.clone() };
        let statements = self.script(at)?.statements.iter_mut();
        statements.into_iter().find_map(|statement| find(statement, place.at)).ok_or(missing)
    }
}

/// Finds the expression at an offset.
fn find(e: &mut Expression, at: u32) -> Option<&mut Expression> {
    if e.at == at {
        return Some(e);
    }
    // Offsets grow through a script, so only one part can have it.
    if at < e.at || at >= e.at.saturating_add(e.memory_len()) {
        return None;
    }
    e.operands.iter_mut().find_map(|operand| match operand {
        Operand::Expression(inner) => find(inner, at),
        Operand::List(list) => list.iter_mut().find_map(|item| find(item, at)),
        Operand::Cases(cases) => {
            cases.iter_mut().find_map(|case| find(&mut case.value, at).or_else(|| find(&mut case.result, at)))
        }
        _ => None,
    })
}

fn name(symbols: &Symbols<'_>, function: &Function) -> String {
    symbols.text(function.name)
}

fn path(symbols: &Symbols<'_>, function: &Function) -> String {
    let path = PackageIndex::export(function.export).and_then(|index| symbols.path(index));
    path.as_deref().unwrap_or_default().to_owned()
}
