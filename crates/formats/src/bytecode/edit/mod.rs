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
mod graphs;
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
use foldhash::{HashMap, HashMapExt};
use graphs::EventGraphs;
use sound::Soundness;
use std::collections::BTreeMap;

/// Editor of the functions of a package.
pub struct CodeEditor<'s, 'a> {
    scope: &'s Scope<'a>,
    symbols: &'s Symbols<'s>,
    functions: &'s [Function],
    dialect: Dialect,
    graphs: EventGraphs,
    /// Positions of functions by lower-case name, and by lower-case path.
    names: HashMap<String, Vec<usize>>,
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
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, function) in functions.iter().enumerate() {
            for key in [name(symbols, function), path(symbols, function)] {
                let places = names.entry(key.to_lowercase()).or_default();
                // The path of a function without an outer is its name.
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        let (dialect, graphs) = (Dialect::of(scope), EventGraphs::new(functions, scope.package));
        Ok(Self { scope, symbols, functions, dialect, graphs, names, scripts: BTreeMap::new() })
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
        let before = self.graphs.entries(self.functions.iter().map(|function| &function.script));
        let moved = self.relocate()?;
        let offsets = self.follow(&moved)?;
        let after = self.graphs.entries(self.all_scripts());
        let mut changed = Vec::new();
        for (at, function) in self.functions.iter().enumerate() {
            let script = self.scripts.get(&at).unwrap_or(&function.script);
            let event_offset = offsets.get(&at).copied();
            let is_changed = *script != function.script || event_offset.is_some();
            let entries = [&before, &after].map(|entries| entries.get(&at).map_or(&[][..], Vec::as_slice));
            // A graph that stays is checked, too, if events enter it elsewhere.
            if is_changed || entries[0] != entries[1] {
                self.check(function, script, entries)?;
            }
            if is_changed {
                let (bytes, memory_len) = (script.to_bytes(), script.memory_len);
                changed.push(ChangedFunction { export: function.export, bytes, memory_len, event_offset });
            }
        }
        Ok(changed)
    }

    /// All scripts, as they are after the changes so far.
    fn all_scripts(&self) -> impl Iterator<Item = &Script> {
        let functions = self.functions.iter().enumerate();
        functions.map(|(at, function)| self.scripts.get(&at).unwrap_or(&function.script))
    }

    /// Lays out all scripts that change. Returns how event graphs moved, by their positions.
    fn relocate(&mut self) -> Result<HashMap<usize, Relocation>, CodeError> {
        let mut moved = HashMap::new();
        for (at, script) in &mut self.scripts {
            let Some(function) = self.functions.get(*at) else { continue };
            let error = |source| CodeError::Relocate { function: name(self.symbols, function), source };
            let relocation = script.relocate().map_err(error)?;
            if function.is_event_graph(self.scope.package) && !relocation.is_identity() {
                moved.insert(*at, relocation);
            }
        }
        Ok(moved)
    }

    /// Moves the entries of events into graphs that moved. Returns new offsets that exports record, by the positions of stubs.
    fn follow(&mut self, moved: &HashMap<usize, Relocation>) -> Result<HashMap<usize, i32>, CodeError> {
        let mut offsets = HashMap::new();
        if moved.is_empty() {
            return Ok(offsets);
        }
        let relocation_of = |graphs: &EventGraphs, call: &Expression| moved.get(&graphs.of_call(call)?);
        for (at, stub) in self.functions.iter().enumerate() {
            let stub_name = || name(self.symbols, stub);
            if let Some((graph, old)) = stub.event
                && let Some(relocation) = self.graphs.of_object(graph).and_then(|graph| moved.get(&graph))
            {
                let new = u32::try_from(old).ok().and_then(|old| relocation.place(old));
                let new = new.and_then(|new| i32::try_from(new).ok());
                let lost = || CodeError::LostEntry { function: stub_name(), at: old };
                offsets.insert(at, new.ok_or_else(lost)?);
            }
            let script = self.scripts.get(&at).unwrap_or(&stub.script);
            if !script.statements.iter().any(|call| relocation_of(&self.graphs, call).is_some()) {
                continue;
            }
            let mut script = script.clone();
            let followed = script.follow(|call| relocation_of(&self.graphs, call));
            followed.map_err(|source| CodeError::Relocate { function: stub_name(), source })?;
            self.scripts.insert(at, script);
        }
        Ok(offsets)
    }

    /// Checks a script as a game would meet it, with the offsets at which events enter it before and after the change.
    fn check(&self, function: &Function, script: &Script, entries: [&[u32]; 2]) -> Result<(), CodeError> {
        let sizes = TableSizes::of(self.scope.package);
        let again = Script::parse(&script.to_bytes(), script.memory_len, &self.dialect, &sizes);
        let unsound = |what| CodeError::Unsound { function: name(self.symbols, function), what };
        if again.statements != script.statements || !again.is_complete() {
            return Err(unsound("it would not read back as it was written"));
        }
        let before = Soundness::of(&function.script, function, entries[0]);
        // Whatever the game's own script does is no fault of the change.
        match Soundness::of(script, function, entries[1]) {
            Err(what) if before.is_ok() => Err(unsound(what)),
            _ => Ok(()),
        }
    }

    /// Position of a function by its name or its path, in any letter case.
    fn function(&self, wanted: &str) -> Result<usize, CodeError> {
        let found = self.names.get(&wanted.to_lowercase()).map(Vec::as_slice).unwrap_or_default();
        match found {
            [at] => Ok(*at),
            [one, other, ..] => {
                let path = |at: &usize| self.functions.get(*at).map(|function| path(self.symbols, function));
                let there = [one, other].map(|at| path(at).unwrap_or_default());
                Err(CodeError::Ambiguous { wanted: wanted.to_owned(), there })
            }
            [] => {
                let names = self.functions.iter().map(|function| name(self.symbols, function)).collect();
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
