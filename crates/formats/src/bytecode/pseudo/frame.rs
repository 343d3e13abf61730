//! Facts needed to understand the expressions of a function.

use super::code::{Code, VariableKey};
use super::prepared::{Prepared, key, raw_name};
use super::words;
use crate::bytecode::dialect::Dialect;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::Token;
use crate::bytecode::tree::Expression;
use crate::package::legacy::PackageIndex;
use crate::property::Scope;
use foldhash::HashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Member names of a struct, if known.
type Members = Option<Arc<[String]>>;

/// Facts about a package.
pub(super) struct PackageFacts<'s, 'a> {
    pub(super) scope: &'s Scope<'a>,
    pub(super) symbols: &'s Symbols<'s>,
    pub(super) dialect: Dialect,
    /// Output arguments of the functions of the package.
    pub(super) outputs: HashMap<i32, Box<[bool]>>,
    /// Functions overridden by functions of the package.
    pub(super) overridden: foldhash::HashSet<i32>,
    pub(super) members: RefCell<HashMap<i32, Members>>,
}

/// A function with the facts about its package.
pub(super) struct Frame<'l> {
    pub(super) facts: &'l PackageFacts<'l, 'l>,
    pub(super) prepared: &'l Prepared<'l>,
    /// Event graph variables that carry parameters of an event.
    pub(super) parameters: HashMap<VariableKey, String>,
}

impl PackageFacts<'_, '_> {
    /// Returns the member names of a struct, in the order of its values.
    pub(super) fn members(&self, of: PackageIndex) -> Members {
        if let Some(known) = self.members.borrow().get(&of.0) {
            return known.clone();
        }
        // Looked up once per struct, including those without known names.
        let found = self.scope.member_names(of);
        let found: Members = found.map(|names| names.iter().map(|name| words::member(name)).collect());
        self.members.borrow_mut().insert(of.0, found.clone());
        found
    }

    pub(super) fn name(&self, index: PackageIndex) -> String {
        self.symbols.own_name(index).map_or_else(|| "?".to_owned(), |name| words::identifier(&name))
    }
}

impl Frame<'_> {
    /// Returns the offset of a statement.
    pub(super) fn place(&self, statement: usize) -> u32 {
        self.prepared.function.script.statements.get(statement).map_or(0, |statement| statement.at)
    }

    /// Translates a variable to its name.
    pub(super) fn variable(&self, e: &Expression) -> Code {
        let Some(key) = key(e) else { return Code::word("null") };
        // In an event, the variable of the graph is the parameter of the stub.
        if let Some(parameter) = self.parameters.get(&key) {
            return Code::Variable(key, parameter.clone());
        }
        let shown = self.prepared.shown(key).map(str::to_owned);
        let shown = shown.unwrap_or_else(|| words::identifier(&raw_name(e, self.facts.symbols)));
        let is_member = matches!(e.token, Token::InstanceVariable | Token::DefaultVariable);
        // A local variable of the same name hides the member.
        if is_member && self.prepared.is_local(&shown) {
            return Code::word("this").member(shown);
        }
        Code::Variable(key, shown)
    }
}
