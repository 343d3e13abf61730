//! Facts about a function that all of its statements share.

use super::code::Key;
use super::words;
use crate::bytecode::function::Function;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Operand};
use crate::package::legacy::PackageIndex;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// A function, with what its variables are called and how often they are used.
pub(super) struct Prepared<'f> {
    pub(super) function: &'f Function,
    /// Statements by their places.
    places: HashMap<u32, usize>,
    variables: HashMap<Key, Usage>,
    /// Names of local variables: a member of the same name is written with its object.
    locals: HashSet<String>,
}

/// A variable.
struct Usage {
    shown: String,
    is_temporary: bool,
    assigned: u32,
    used: u32,
}

/// Prefixes of variables that the compiler makes up.
const TEMPORARY: [&str; 3] = ["CallFunc_", "K2Node_", "Temp_"];

impl<'f> Prepared<'f> {
    pub(super) fn new(function: &'f Function, symbols: &Symbols<'_>) -> Self {
        let statements = &function.script.statements;
        let places = statements.iter().enumerate().map(|(index, statement)| (statement.at, index)).collect();
        let mut this = Self { function, places, variables: HashMap::new(), locals: HashSet::new() };
        let mut order = Vec::new();
        for statement in statements {
            statement.visit(&mut |e| this.count(e, symbols, &mut order));
        }
        for statement in statements {
            if let Some(assigned) = assigned(statement, symbols)
                && let Some(usage) = key(assigned).and_then(|key| this.variables.get_mut(&key))
            {
                usage.assigned += 1;
                usage.used = usage.used.saturating_sub(1);
            }
        }
        this.shorten(&order);
        this
    }

    /// Counts a use of a variable; those that are only assigned to are taken back later.
    fn count(&mut self, e: &Expression, symbols: &Symbols<'_>, order: &mut Vec<Key>) {
        let is_local = matches!(e.token, Token::LocalVariable | Token::LocalOutVariable);
        let is_variable = is_local
            || matches!(
                e.token,
                Token::InstanceVariable | Token::DefaultVariable | Token::ClassSparseDataVariable
            );
        let Some(key) = key(e).filter(|_| is_variable) else { return };
        if let Some(usage) = self.variables.get_mut(&key) {
            usage.used += 1;
            return;
        }
        let name = raw_name(e, symbols);
        let is_temporary = is_local && TEMPORARY.iter().any(|prefix| name.starts_with(prefix));
        let shown = words::identifier(&name);
        if is_local && !is_temporary {
            self.locals.insert(shown.clone());
        }
        order.push(key);
        self.variables.insert(key, Usage { shown, is_temporary, assigned: 0, used: 1 });
    }

    /// Leaves out the prefixes of temporaries where no other variable has the name that is left.
    fn shorten(&mut self, order: &[Key]) {
        let others = self.variables.values().filter(|usage| !usage.is_temporary);
        let mut taken: HashSet<String> = others.map(|usage| usage.shown.clone()).collect();
        for key in order {
            let Some(usage) = self.variables.get_mut(key).filter(|usage| usage.is_temporary) else { continue };
            let short = TEMPORARY.iter().find_map(|prefix| usage.shown.strip_prefix(prefix));
            let short = short.filter(|short| !short.is_empty() && !short.starts_with(|c: char| c.is_ascii_digit()));
            if let Some(short) = short
                && !taken.contains(short)
            {
                usage.shown = short.to_owned();
            }
            taken.insert(usage.shown.clone());
        }
    }

    /// The statement at a place.
    pub(super) fn statement_at(&self, at: u32) -> Option<usize> {
        self.places.get(&at).copied()
    }

    /// Name of a variable as it is written.
    pub(super) fn shown(&self, key: Key) -> Option<&str> {
        self.variables.get(&key).map(|usage| usage.shown.as_str())
    }

    /// Whether a variable only carries one value to one use.
    pub(super) fn is_single(&self, key: Key) -> bool {
        let usage = self.variables.get(&key);
        usage.is_some_and(|usage| usage.is_temporary && usage.assigned == 1 && usage.used == 1)
    }

    /// Whether a variable is made up by the compiler.
    pub(super) fn is_temporary(&self, key: Key) -> bool {
        self.variables.get(&key).is_some_and(|usage| usage.is_temporary)
    }

    /// Whether a statement gives a value to the variable that an expression names.
    pub(super) fn is_assigned(&self, e: &Expression) -> bool {
        let usage = key(e).and_then(|key| self.variables.get(&key));
        usage.is_some_and(|usage| usage.assigned > 0)
    }

    /// Whether a local variable has this name.
    pub(super) fn is_local(&self, shown: &str) -> bool {
        self.locals.contains(shown)
    }
}

/// Which variable an expression names.
pub(super) fn key(e: &Expression) -> Option<Key> {
    match e.operands.first()? {
        Operand::Field(path) => {
            let name = path.path.last()?;
            let owner = path.owner.map_or(0, |owner| owner.0);
            Some(Key { name: (name.index, name.number), owner })
        }
        Operand::Object(index) if *index != PackageIndex::NONE => {
            Some(Key { name: (u32::MAX, 0), owner: index.0 })
        }
        _ => None,
    }
}

/// Name of the property that an expression names.
pub(super) fn raw_name(e: &Expression, symbols: &Symbols<'_>) -> String {
    match e.operands.first() {
        Some(Operand::Field(path)) => path.path.last().map(|name| symbols.text(*name)).unwrap_or_default(),
        Some(Operand::Object(index)) => symbols.own_name(*index).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The variable that a statement gives a value.
fn assigned<'e>(statement: &'e Expression, symbols: &Symbols<'_>) -> Option<&'e Expression> {
    match statement.token {
        Token::Let
        | Token::LetBool
        | Token::LetObj
        | Token::LetWeakObjPtr
        | Token::LetDelegate
        | Token::LetMulticastDelegate
        | Token::SetArray
        | Token::SetSet
        | Token::SetMap => statement.child(0),
        Token::BindDelegate => statement.child(0),
        _ => element(statement, symbols).map(|[_, _, to]| to),
    }
}

/// Array, place and destination of a call that gets an element.
pub(super) fn element<'e>(statement: &'e Expression, symbols: &Symbols<'_>) -> Option<[&'e Expression; 3]> {
    let call = match statement.token {
        Token::Context => statement.children().last()?,
        _ => statement,
    };
    let is_call = matches!(call.token, Token::CallMath | Token::FinalFunction);
    let [array, place, to] = call.items() else { return None };
    let name = call.object().filter(|_| is_call).and_then(|object| symbols.own_name(object))?;
    (name == "Array_Get").then_some([array, place, to])
}
