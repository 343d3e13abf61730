//! Assembler: listings to trees.

use super::operands::Operands;
use crate::bytecode::decode::MAX_DEPTH;
use crate::bytecode::dialect::{Dialect, LOCALISED};
use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::{OperandShape, Token};
use crate::bytecode::tree::{Case, Expression, Operand, Script};
use std::iter::Peekable;
use std::str::Lines;

/// A fault in a listing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}, line {line}")]
pub struct ListingError {
    /// Line number, counted from 1.
    pub line: usize,
    /// Message with the text found and expected.
    pub message: String,
}

/// Reads a listing. Offsets stay as written: they serve as labels, which [`Script::relocate`] turns into
/// offsets.
///
/// Empty lines, and lines that begin with `;`, are skipped.
pub fn assemble(text: &str, symbols: &Symbols<'_>, dialect: &Dialect) -> Result<Script, ListingError> {
    let mut a = Assembler { symbols, dialect, lines: text.lines().peekable(), line: 0, depth: 0 };
    let mut script = Script::default();
    a.skip();
    while a.lines.peek().is_some() {
        let statement = a.expression()?;
        script.statements.push(statement);
        a.skip();
    }
    // Sizes follow from the tokens, so the listing does not record them.
    script.memory_len = script.statements.iter().map(Expression::memory_len).fold(0, u32::saturating_add);
    Ok(script)
}

struct Assembler<'t, 's> {
    symbols: &'s Symbols<'s>,
    dialect: &'s Dialect,
    lines: Peekable<Lines<'t>>,
    line: usize,
    depth: usize,
}

impl<'t> Assembler<'t, '_> {
    fn skip(&mut self) {
        let is_empty = |line: &&str| line.trim().is_empty() || line.starts_with(';');
        while self.lines.next_if(is_empty).is_some() {
            self.line += 1;
        }
    }

    fn error(&self, message: impl Into<String>) -> ListingError {
        ListingError { line: self.line, message: message.into() }
    }

    /// Returns the next line, split after its offset, and checks its depth.
    fn next(&mut self, expected: &str) -> Result<(&'t str, &'t str), ListingError> {
        self.skip();
        self.line += 1;
        let line = self.lines.next();
        let line = line.ok_or_else(|| self.error(format!("the listing ends, expected {expected}")))?;
        let parts = line.split_once(' ');
        let (at, rest) = parts.ok_or_else(|| self.error("expected a place and a token"))?;
        let text = rest.trim_start_matches(' ');
        // Two spaces per level, as written by the listing.
        let (indent, wanted) = (rest.len() - text.len(), 2 * self.depth);
        if indent != wanted {
            return Err(self.error(format!("found {indent} spaces of indentation, expected {wanted}")));
        }
        Ok((at, text.trim_end()))
    }

    fn expression(&mut self) -> Result<Expression, ListingError> {
        let (at, text) = self.next("an expression")?;
        // The decoder's limit, so that every listing that is accepted can be read back from its bytes.
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("more than {MAX_DEPTH} expressions inside one another")));
        }
        let bad_place = |_| self.error(format!("{at} is not a place in hexadecimal digits"));
        let at = u32::from_str_radix(at, 16).map_err(bad_place)?;
        let (name, operands) = text.split_at(text.find(' ').unwrap_or(text.len()));
        let token = Token::from_name(name);
        let token = token.ok_or_else(|| self.error(format!("no token is called {name}")))?;
        // The form decides how properties are written: as paths or as objects.
        let mut line = Operands { rest: operands, symbols: self.symbols, fields: self.dialect.field_paths };
        let slots = self.slots(token, &mut line)?;
        // Leftover text would be lost without a word.
        if !line.rest.is_empty() {
            return Err(self.error(format!("found{} after the operands of {name}", line.rest)));
        }
        self.depth += 1;
        let expression = self.below(at, token, slots);
        self.depth -= 1;
        expression
    }

    /// Reads the operands of a line, with gaps for expressions on lines of their own.
    fn slots(&self, token: Token, line: &mut Operands<'_, '_>) -> Result<Vec<Gap>, ListingError> {
        let mut slots = Vec::new();
        for shape in token.operands() {
            if *shape == OperandShape::Text {
                let mut kind = LOCALISED;
                if self.dialect.text_kinds {
                    kind = line.number().map_err(|message| self.error(message))?;
                    slots.push(Gap::Filled(Operand::U8(kind)));
                }
                let shapes = self.dialect.text(kind);
                let shapes = shapes.ok_or_else(|| self.error(format!("no text has the kind {kind}")))?;
                shapes.iter().try_for_each(|shape| self.slot(*shape, line, &mut slots))?;
            } else {
                self.slot(*shape, line, &mut slots)?;
            }
        }
        Ok(slots)
    }

    fn slot(
        &self,
        shape: OperandShape,
        line: &mut Operands<'_, '_>,
        slots: &mut Vec<Gap>,
    ) -> Result<(), ListingError> {
        // An inline event is known by the byte before its name.
        let last = slots.last().and_then(|slot| match slot {
            Gap::Filled(operand) => Some(operand),
            Gap::Below(_) => None,
        });
        let (count, shape) = self.dialect.plain(shape, last);
        for _ in 0..count {
            slots.push(match shape {
                OperandShape::Expression | OperandShape::Until(_) | OperandShape::Cases => Gap::Below(shape),
                plain => Gap::Filled(line.operand(plain).map_err(|message| self.error(message))?),
            });
        }
        Ok(())
    }

    /// Fills the gaps from the following lines.
    fn below(&mut self, at: u32, token: Token, slots: Vec<Gap>) -> Result<Expression, ListingError> {
        let mut operands = Vec::with_capacity(slots.len());
        let mut count = 0;
        for slot in slots {
            operands.push(match slot {
                Gap::Filled(operand) => {
                    // The number of cases is on the line of the token, before the gap of the cases.
                    if let Operand::U16(cases) = operand {
                        count = cases;
                    }
                    operand
                }
                Gap::Below(OperandShape::Until(end)) => Operand::List(self.until(end)?),
                Gap::Below(OperandShape::Cases) => Operand::Cases(self.cases(count)?),
                Gap::Below(_) => Operand::Expression(self.expression()?),
            });
        }
        Ok(Expression { at, token, operands })
    }

    fn until(&mut self, end: Token) -> Result<Vec<Expression>, ListingError> {
        let mut list = Vec::new();
        loop {
            let item = self.expression()?;
            let is_end = item.token == end;
            list.push(item);
            // The end token has a line too, and is kept in the list.
            if is_end {
                return Ok(list);
            }
        }
    }

    fn cases(&mut self, count: u16) -> Result<Vec<Case>, ListingError> {
        let mut cases = Vec::new();
        for _ in 0..count {
            let value = self.expression()?;
            let (mark, text) = self.next("a case")?;
            let next = text.strip_prefix("case ->").and_then(|next| u32::from_str_radix(next, 16).ok());
            // `----` stands in place of an offset, as a case has none.
            let next = next.filter(|_| mark == "----");
            let next = next.ok_or_else(|| self.error("expected ---- case -> and a place"))?;
            cases.push(Case { value, next, result: self.expression()? });
        }
        Ok(cases)
    }
}

/// Operand, or a gap for expressions that follow.
enum Gap {
    Filled(Operand),
    Below(OperandShape),
}
