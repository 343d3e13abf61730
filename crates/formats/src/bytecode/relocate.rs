//! Update of a script after a change: jump targets, lengths of expressions, counts.

use super::token::Token;
use super::tree::{Expression, Operand, Script};
use foldhash::{HashMap, HashMapExt};

/// New offsets of the statements of a script.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relocation {
    moved: HashMap<u32, u32>,
}

/// Errors from a relocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RelocateError {
    /// A jump leads to an offset at which no statement starts.
    #[error("no statement at {target:04X}, which {token} at {at:04X} leads to", token = token.name())]
    NoStatement {
        /// Target.
        target: u32,
        /// Token of the jump.
        token: Token,
        /// Offset of the jump.
        at: u32,
    },
    /// Two statements have the same offset.
    #[error("two statements at {0:04X}")]
    Twice(u32),
    /// A list has more elements than its count can hold.
    #[error("too many elements, expression {0:04X}")]
    TooMany(u32),
}

impl Relocation {
    /// Returns the new offset of a statement.
    #[must_use]
    pub fn place(&self, old: u32) -> Option<u32> {
        self.moved.get(&old).copied()
    }

    /// Returns true if nothing moved.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.moved.iter().all(|(old, new)| old == new)
    }
}

impl Script {
    /// Updates the script after a change. Statement offsets serve as labels, and new statements need unique
    /// ones. Jumps, lengths of expressions, counts and the size in memory follow; a correct script stays
    /// unchanged. Returns the new offset of each statement.
    ///
    /// Functions that enter the script from outside, as events enter an event graph, are updated by
    /// [`Script::follow`].
    pub fn relocate(&mut self) -> Result<Relocation, RelocateError> {
        // Kept before the layout overwrites them: jumps still name the old offsets.
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
        // Only now are all new offsets known.
        self.statements.iter_mut().try_for_each(|statement| repoint(statement, &relocation))?;
        self.memory_len = end;
        Ok(relocation)
    }

    /// Updates the offsets at which this function enters relocated ones; `relocation_of` recognises calls of
    /// these. Returns the number of updated calls.
    pub fn follow<'r>(
        &mut self,
        relocation_of: impl Fn(&Expression) -> Option<&'r Relocation>,
    ) -> Result<usize, RelocateError> {
        let mut count = 0;
        for statement in &mut self.statements {
            let Some(relocation) = relocation_of(statement) else { continue };
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

/// Returns the offset at which a call enters an event graph: its only argument.
pub(super) fn entry(call: &Expression) -> Option<i32> {
    match call.items() {
        [Expression { token: Token::IntConst, operands, .. }] => match operands.as_slice() {
            [Operand::I32(entry)] => Some(*entry),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the only argument of a call of an event graph.
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

/// Updates counts to the number of elements.
fn recount(e: &mut Expression) -> Result<(), RelocateError> {
    let too_many = RelocateError::TooMany(e.at);
    let items = e.items().len();
    let cases = e.operands.iter().find_map(|operand| match operand {
        Operand::Cases(cases) => Some(cases.len()),
        _ => None,
    });
    let counted = match e.token {
        Token::SetSet | Token::SetConst | Token::ArrayConst => Some(items),
        // A map counts pairs.
        Token::SetMap | Token::MapConst => Some(items / 2),
        _ => None,
    };
    for operand in &mut e.operands {
        match (operand, counted, cases) {
            (Operand::I32(count), Some(items), _) => *count = i32::try_from(items).map_err(|_| too_many)?,
            // The only 16-bit count is that of cases.
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

/// Updates targets and lengths to the new layout.
fn repoint(e: &mut Expression, relocation: &Relocation) -> Result<(), RelocateError> {
    let (token, at) = (e.token, e.at);
    let end = at.saturating_add(e.memory_len());
    // The targets of a choice are in the expression itself, not statements.
    if token == Token::SwitchValue {
        switch(e, end);
    }
    // The length in a context is that of the last expression in it.
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

/// Updates the targets in a choice: each case leads to the next one, the last case to the default.
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
