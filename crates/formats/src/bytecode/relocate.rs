//! Moving a script after a change: places that jumps name, lengths of expressions, counts.

use super::token::Token;
use super::tree::{Expression, Operand, Script};
use foldhash::{HashMap, HashMapExt};

/// Where the statements of a script went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relocation {
    moved: HashMap<u32, u32>,
}

/// A reason against a relocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RelocateError {
    /// A jump leads to a place where no statement starts.
    #[error("no statement at {target:04X}, which {token} at {at:04X} leads to", token = token.name())]
    NoStatement {
        /// The place.
        target: u32,
        /// What leads there.
        token: Token,
        /// Where that is.
        at: u32,
    },
    /// Two statements have the same place.
    #[error("two statements at {0:04X}")]
    Twice(u32),
    /// A list has more elements than its count can say.
    #[error("too many elements, expression {0:04X}")]
    TooMany(u32),
}

impl Relocation {
    /// Where the statement is that was at a place.
    #[must_use]
    pub fn place(&self, old: u32) -> Option<u32> {
        self.moved.get(&old).copied()
    }

    /// True if nothing moved.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.moved.iter().all(|(old, new)| old == new)
    }
}

impl Script {
    /// Puts the script right after a change: the places that statements have so far are labels, and new ones need labels that
    /// no other has. Jumps, lengths of expressions, counts and the size in memory follow; a script that needs nothing stays
    /// as it is. Says where each statement went.
    ///
    /// Other functions that enter the script, as events enter an event graph, are put right by [`Script::follow`].
    pub fn relocate(&mut self) -> Result<Relocation, RelocateError> {
        let old: Vec<u32> = self.statements.iter().map(|statement| statement.at).collect();
        self.statements.iter_mut().try_for_each(recount)?;
        let end = self.lay_out();
        let mut moved = HashMap::with_capacity(old.len());
        for (old, statement) in old.into_iter().zip(&self.statements) {
            if moved.insert(old, statement.at).is_some() {
                return Err(RelocateError::Twice(old));
            }
        }
        let relocation = Relocation { moved };
        self.statements.iter_mut().try_for_each(|statement| repoint(statement, &relocation))?;
        self.memory_len = end;
        Ok(relocation)
    }

    /// Puts the places right where this function enters another one that was relocated: `is_other` knows calls of it. Says how
    /// many there were.
    pub fn follow(
        &mut self,
        relocation: &Relocation,
        is_other: impl Fn(&Expression) -> bool,
    ) -> Result<usize, RelocateError> {
        let mut count = 0;
        for statement in &mut self.statements {
            if !is_other(statement) {
                continue;
            }
            let (token, at) = (statement.token, statement.at);
            let Some(entry) = entry_mut(statement) else { continue };
            let old = u32::try_from(*entry).unwrap_or(u32::MAX);
            let missing = RelocateError::NoStatement { target: old, token, at };
            let new = relocation.place(old).and_then(|new| i32::try_from(new).ok()).ok_or(missing)?;
            *entry = new;
            count += 1;
        }
        Ok(count)
    }
}

/// The number that a call of an event graph has for its only argument.
fn entry_mut(call: &mut Expression) -> Option<&mut i32> {
    let list = call.operands.iter_mut().find_map(|operand| match operand {
        Operand::List(list) => Some(list),
        _ => None,
    })?;
    match list.as_mut_slice() {
        [Expression { token: Token::IntConst, operands, .. }, _end] => match operands.as_mut_slice() {
            [Operand::I32(entry)] => Some(entry),
            _ => None,
        },
        _ => None,
    }
}

/// Makes counts those of the elements.
fn recount(e: &mut Expression) -> Result<(), RelocateError> {
    let too_many = RelocateError::TooMany(e.at);
    let items = e.items().len();
    let cases = e.operands.iter().find_map(|operand| match operand {
        Operand::Cases(cases) => Some(cases.len()),
        _ => None,
    });
    let counted = match e.token {
        Token::SetSet | Token::SetConst | Token::ArrayConst => Some(items),
        Token::SetMap | Token::MapConst => Some(items / 2),
        _ => None,
    };
    for operand in &mut e.operands {
        match (operand, counted, cases) {
            (Operand::I32(count), Some(items), _) => *count = i32::try_from(items).map_err(|_| too_many)?,
            (Operand::U16(count), _, Some(cases)) => *count = u16::try_from(cases).map_err(|_| too_many)?,
            (Operand::Expression(inner), ..) => recount(inner)?,
            (Operand::List(list), ..) => list.iter_mut().try_for_each(recount)?,
            (Operand::Cases(cases), ..) => {
                for case in cases {
                    recount(&mut case.value)?;
                    recount(&mut case.result)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes places and lengths those of the new layout; gives the size of the expression.
fn repoint(e: &mut Expression, relocation: &Relocation) -> Result<(), RelocateError> {
    let (token, at) = (e.token, e.at);
    let end = at.saturating_add(e.memory_len());
    if token == Token::SwitchValue {
        switch(e, end);
    }
    // A context says how long the expression in it is: the last one.
    let len = e.children().last().map(Expression::memory_len);
    for operand in &mut e.operands {
        match operand {
            Operand::Target(target) if token != Token::SwitchValue => {
                let missing = RelocateError::NoStatement { target: *target, token, at };
                *target = relocation.place(*target).ok_or(missing)?;
            }
            Operand::Length(old) => *old = len.unwrap_or(*old),
            Operand::Expression(inner) => repoint(inner, relocation)?,
            Operand::List(list) => list.iter_mut().try_for_each(|item| repoint(item, relocation))?,
            Operand::Cases(cases) => {
                for case in cases {
                    repoint(&mut case.value, relocation)?;
                    repoint(&mut case.result, relocation)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The places in a choice: each case says where the next one is, the last one where the default is.
fn switch(e: &mut Expression, end: u32) {
    let default = match e.operands.last() {
        Some(Operand::Expression(default)) => default.at,
        _ => end,
    };
    for operand in &mut e.operands {
        match operand {
            Operand::Target(after) => *after = end,
            Operand::Cases(cases) => {
                let mut next = default;
                for case in cases.iter_mut().rev() {
                    case.next = next;
                    next = case.value.at;
                }
            }
            _ => {}
        }
    }
}
