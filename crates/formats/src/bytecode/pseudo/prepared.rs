//! Facts about a function shared by all its statements.

use super::code::VariableKey;
use super::words;
use crate::bytecode::function::Function;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Operand};
use crate::package::legacy::PackageIndex;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// A function, with the names of its variables and the counts of their uses.
pub(super) struct Prepared<'f> {
    pub(super) function: &'f Function,
    /// Statements by offset.
    places: HashMap<u32, usize>,
    variables: HashMap<VariableKey, Usage>,
    /// Names of local variables: a member of the same name is written with its object.
    locals: HashSet<String>,
}

/// Uses of a variable.
struct Usage {
    shown: String,
    is_temporary: bool,
    assigned: u32,
    /// Number of assignments that only empty it, as before a call that fills it.
    emptied: u32,
    used: u32,
    /// Number of uses as an output of a call.
    given: u32,
    /// True if each use follows an assignment without a jump between them.
    is_fresh: bool,
}

/// Name prefixes of variables made by the compiler.
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
        // A second pass, since all variables must be known before assignments are told from uses.
        for statement in statements {
            if let Some(assigned) = assigned(statement, symbols)
                && let Some(usage) = key(assigned).and_then(|key| this.variables.get_mut(&key))
            {
                usage.assigned += 1;
                usage.emptied +=
                    u32::from(statement.token == Token::SetArray && statement.items().is_empty());
                usage.used = usage.used.saturating_sub(1);
            }
            statement.visit(&mut |e| this.count_outputs(e, symbols));
        }
        this.find_fresh(symbols);
        this.shorten(&order);
        this
    }

    /// Counts a use of a variable; plain assignments are subtracted later.
    fn count(&mut self, e: &Expression, symbols: &Symbols<'_>, order: &mut Vec<VariableKey>) {
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
        self.variables.insert(key, {
            let (assigned, emptied, used, given) = (0, 0, 1, 0);
            Usage { shown, is_temporary, assigned, emptied, used, given, is_fresh: true }
        });
    }

    /// Counts variables filled by a call.
    fn count_outputs(&mut self, e: &Expression, symbols: &Symbols<'_>) {
        let name = match (e.token, e.object(), e.name()) {
            (Token::CallMath | Token::FinalFunction | Token::LocalFinalFunction, Some(function), _) => {
                symbols.own_name(function)
            }
            (Token::VirtualFunction | Token::LocalVirtualFunction, _, Some(name)) => Some(symbols.text(name)),
            _ => None,
        };
        let Some(name) = name else { return };
        for item in e.items() {
            if item.token == Token::LocalVariable
                && is_pin(&raw_name(item, symbols), &name)
                && let Some(usage) = key(item).and_then(|key| self.variables.get_mut(&key))
            {
                usage.given += 1;
            }
        }
    }

    /// Finds variables that never carry a value across a jump.
    fn find_fresh(&mut self, symbols: &Symbols<'_>) {
        let statements = &self.function.script.statements;
        let mut starts = vec![false; statements.len()];
        for (index, statement) in statements.iter().enumerate() {
            let mut targets = Vec::new();
            // Targets inside of a choice never leave the statement.
            statement.visit(&mut |e| targets.extend(e.target().filter(|_| e.token != Token::SwitchValue)));
            let leads = !targets.is_empty()
                || matches!(
                    statement.token,
                    Token::PopExecutionFlow
                        | Token::PopExecutionFlowIfNot
                        | Token::Return
                        | Token::ComputedJump
                );
            // After a statement that jumps, the next one may be reached from elsewhere.
            let next = leads.then_some(index + 1);
            for start in targets.iter().filter_map(|at| self.statement_at(*at)).chain(next) {
                if let Some(start) = starts.get_mut(start) {
                    *start = true;
                }
            }
        }
        let mut set = HashSet::new();
        for (statement, starts) in statements.iter().zip(starts) {
            if starts {
                // At a target of jumps nothing is known about earlier assignments.
                set.clear();
            }
            let to = assigned(statement, symbols);
            let mut read = Vec::new();
            statement.visit(&mut |e| {
                // The destination of the assignment is no use of it.
                if !to.is_some_and(|to| std::ptr::eq(to, e)) {
                    read.extend(key(e).filter(|_| e.token == Token::LocalVariable));
                }
            });
            for key in read {
                if !set.contains(&key)
                    && let Some(usage) = self.variables.get_mut(&key)
                {
                    usage.is_fresh = false;
                }
            }
            // After the uses: `x = x + 1` reads the old value.
            set.extend(to.and_then(key));
        }
    }

    /// Removes the prefixes of temporaries, unless another variable has the remaining name.
    fn shorten(&mut self, order: &[VariableKey]) {
        let others = self.variables.values().filter(|usage| !usage.is_temporary);
        let mut taken: HashSet<String> = others.map(|usage| usage.shown.clone()).collect();
        // In order of first use, so that the names do not depend on the order of a hash map.
        for key in order {
            let Some(usage) = self.variables.get_mut(key).filter(|usage| usage.is_temporary) else {
                continue;
            };
            let short = TEMPORARY.iter().find_map(|prefix| usage.shown.strip_prefix(prefix));
            let short =
                // A name must not start with a digit.
                short.filter(|short| !short.is_empty() && !short.starts_with(|c: char| c.is_ascii_digit()));
            if let Some(short) = short
                && !taken.contains(short)
            {
                usage.shown = short.to_owned();
            }
            taken.insert(usage.shown.clone());
        }
    }

    /// Returns the statement at an offset.
    pub(super) fn statement_at(&self, at: u32) -> Option<usize> {
        self.places.get(&at).copied()
    }

    /// Returns the size of a statement in memory.
    pub(super) fn span(&self, statement: usize) -> usize {
        let at = |index: usize| self.function.script.statements.get(index).map(|statement| statement.at);
        let end = at(statement + 1).unwrap_or(self.function.script.memory_len);
        end.saturating_sub(at(statement).unwrap_or(end)) as usize
    }

    /// Returns the name of a variable as written.
    pub(super) fn shown(&self, key: VariableKey) -> Option<&str> {
        self.variables.get(&key).map(|usage| usage.shown.as_str())
    }

    /// Returns true if a variable only carries one value to one use.
    pub(super) fn is_single(&self, key: VariableKey) -> bool {
        let usage = self.variables.get(&key);
        usage.is_some_and(|usage| usage.is_temporary && usage.assigned == 1 && usage.used == 1)
    }

    /// Returns true if a variable never carries a value across a jump.
    pub(super) fn is_fresh(&self, key: VariableKey) -> bool {
        self.variables.get(&key).is_some_and(|usage| usage.is_temporary && usage.is_fresh)
    }

    /// Returns true for a variable that is assigned but never read.
    pub(super) fn is_unused(&self, key: VariableKey) -> bool {
        self.variables.get(&key).is_some_and(|usage| usage.is_temporary && usage.used == 0)
    }

    /// Returns true for a variable that is filled by calls but never read.
    pub(super) fn is_unread(&self, key: VariableKey) -> bool {
        let usage = self.variables.get(&key);
        usage.is_some_and(|usage| usage.is_temporary && usage.assigned == 0 && usage.used == usage.given)
    }

    /// Returns true if the compiler made the variable.
    pub(super) fn is_temporary(&self, key: VariableKey) -> bool {
        self.variables.get(&key).is_some_and(|usage| usage.is_temporary)
    }

    /// Returns true if a statement assigns a value to the variable of an expression.
    pub(super) fn is_assigned(&self, e: &Expression) -> bool {
        let usage = key(e).and_then(|key| self.variables.get(&key));
        usage.is_some_and(|usage| usage.assigned > usage.emptied)
    }

    /// Returns true if a local variable has this name.
    pub(super) fn is_local(&self, shown: &str) -> bool {
        self.locals.contains(shown)
    }
}

/// Returns the variable of an expression.
pub(super) fn key(e: &Expression) -> Option<VariableKey> {
    match e.operands.first()? {
        Operand::Field(path) => {
            // The outermost name comes last in the file.
            let name = path.path.last()?;
            let owner = path.owner.map_or(0, |owner| owner.0);
            Some(VariableKey { name: (name.index, name.number), owner })
        }
        Operand::Object(index) if *index != PackageIndex::NONE => {
            // Before 4.25 the property is an object, which suffices as a key.
            Some(VariableKey { name: (u32::MAX, 0), owner: index.0 })
        }
        _ => None,
    }
}

/// Returns the property name of an expression.
pub(super) fn raw_name(e: &Expression, symbols: &Symbols<'_>) -> String {
    match e.operands.first() {
        Some(Operand::Field(path)) => path.path.last().map(|name| symbols.text(*name)).unwrap_or_default(),
        Some(Operand::Object(index)) => symbols.own_name(*index).unwrap_or_default(),
        _ => String::new(),
    }
}

/// Returns the variable that a statement assigns to.
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
        | Token::SetMap
        | Token::BindDelegate => statement.child(0),
        _ => element(statement, symbols).map(|[_, _, to]| to),
    }
}

/// Returns true for a variable that the compiler made for an output of a function.
pub(super) fn is_pin(variable: &str, function: &str) -> bool {
    let pin = variable.strip_prefix("CallFunc_").and_then(|rest| rest.strip_prefix(function));
    // The return value is assigned like any variable, so it is no output here.
    pin.is_some_and(|pin| pin.starts_with('_') && !pin.starts_with("_ReturnValue"))
}

/// Returns array, index and destination of a call that gets an element.
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
