//! Facts that all expressions of a function need to be understood.

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

/// Names of the members of a struct, where they are known.
type Members = Option<Arc<[String]>>;

/// Context in which expressions of a package are read.
pub(super) struct PackageFacts<'s, 'a> {
    pub(super) scope: &'s Scope<'a>,
    pub(super) symbols: &'s Symbols<'s>,
    pub(super) dialect: Dialect,
    /// Which arguments of the functions of the package are outputs.
    pub(super) outputs: HashMap<i32, Box<[bool]>>,
    /// Functions that functions of the package override.
    pub(super) overridden: foldhash::HashSet<i32>,
    pub(super) members: RefCell<HashMap<i32, Members>>,
}

/// Statements of a function.
pub(super) struct Frame<'l> {
    pub(super) facts: &'l PackageFacts<'l, 'l>,
    pub(super) prepared: &'l Prepared<'l>,
    /// Variables of the event graph that carry parameters of an event.
    pub(super) parameters: HashMap<VariableKey, String>,
}

impl PackageFacts<'_, '_> {
    /// Names of the members of a struct, in the order in which its values stand.
    pub(super) fn members(&self, of: PackageIndex) -> Members {
        if let Some(known) = self.members.borrow().get(&of.0) {
            return known.clone();
        }
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
    /// Where a statement is.
    pub(super) fn place(&self, statement: usize) -> u32 {
        self.prepared.function.script.statements.get(statement).map_or(0, |statement| statement.at)
    }

    /// A variable, by its name.
    pub(super) fn variable(&self, e: &Expression) -> Code {
        let Some(key) = key(e) else { return Code::word("null") };
        if let Some(parameter) = self.parameters.get(&key) {
            return Code::Variable(key, parameter.clone());
        }
        let shown = self.prepared.shown(key).map(str::to_owned);
        let shown = shown.unwrap_or_else(|| words::identifier(&raw_name(e, self.facts.symbols)));
        let is_member = matches!(e.token, Token::InstanceVariable | Token::DefaultVariable);
        if is_member && self.prepared.is_local(&shown) {
            return Code::word("this").member(shown);
        }
        Code::Variable(key, shown)
    }
}
