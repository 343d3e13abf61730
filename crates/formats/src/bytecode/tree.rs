//! Scripts as trees, without loss.

use super::token::Token;
use crate::package::legacy::{Name, PackageIndex};
use crate::property::{FieldPath, TableIndices};
use crate::wire::Fault;

/// Script of a function.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// Statements.
    pub statements: Vec<Expression>,
    /// Undecoded bytes, from the damaged statement on.
    pub rest: Box<[u8]>,
    /// Damage, if there is any.
    pub damage: Option<Damage>,
    /// Size in memory as recorded by the package.
    pub memory_len: u32,
}

/// A fault in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Fault of the reader; its offset is relative to the start of the script in the file.
    pub fault: Fault,
    /// Offset of the statement in memory.
    pub at: u32,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, statement {:04X}", self.fault, self.at)
    }
}

/// A token with its operands.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// Offset in memory from the start of the script, as used by jumps.
    pub at: u32,
    /// Token.
    pub token: Token,
    /// Operands, in file order.
    pub operands: Vec<Operand>,
}

/// Operand; its variant determines its form in the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// `uint8`.
    U8(u8),
    /// `uint16`.
    U16(u16),
    /// `int32`.
    I32(i32),
    /// `int64`.
    I64(i64),
    /// `uint64`.
    U64(u64),
    /// `float` as bits.
    F32(u32),
    /// `double` as bits.
    F64(u64),
    /// Bytes without the NUL.
    Ansi(Box<[u8]>),
    /// UTF-16 units without the zero.
    Wide(Box<[u16]>),
    /// Name.
    Name(Name),
    /// Object, or property before 4.25.
    Object(PackageIndex),
    /// Property since 4.25.
    Field(Box<FieldPath>),
    /// Offset in the script, in memory.
    Target(u32),
    /// Length of an expression, in memory.
    Length(u32),
    /// Nested expression.
    Expression(Expression),
    /// Expressions, including the token that ends them.
    List(Vec<Expression>),
    /// Cases of a choice.
    Cases(Vec<Case>),
}

/// A case of [`Token::SwitchValue`].
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Value of the index that selects it.
    pub value: Expression,
    /// Offset of the next case in memory.
    pub next: u32,
    /// Result.
    pub result: Expression,
}

impl Operand {
    /// Returns the size in memory, without nested expressions.
    #[must_use]
    pub fn memory_len(&self) -> u32 {
        let units = |len: usize, unit: u32| u32::try_from(len).unwrap_or(u32::MAX).saturating_mul(unit);
        match self {
            Self::U8(_) => 1,
            Self::U16(_) => 2,
            Self::I32(_) | Self::F32(_) | Self::Target(_) | Self::Length(_) => 4,
            // Objects and fields are pointers in memory, whatever their size in the file.
            Self::I64(_) | Self::U64(_) | Self::F64(_) | Self::Object(_) | Self::Field(_) => 8,
            // A name of a script takes 12 bytes in memory, 8 in the file.
            Self::Name(_) => 12,
            Self::Ansi(bytes) => units(bytes.len(), 1).saturating_add(1),
            Self::Wide(wide) => units(wide.len(), 2).saturating_add(2),
            // Only the offsets of the next cases; values and results are nested expressions.
            Self::Cases(cases) => units(cases.len(), 4),
            Self::Expression(_) | Self::List(_) => 0,
        }
    }

    /// Returns the direct nested expressions, in file order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let (one, list, cases): (Option<&Expression>, &[Expression], &[Case]) = match self {
            Self::Expression(one) => (Some(one), &[], &[]),
            Self::List(list) => (None, list, &[]),
            Self::Cases(cases) => (None, &[], cases),
            _ => (None, &[], &[]),
        };
        one.into_iter().chain(list).chain(cases.iter().flat_map(|case| [&case.value, &case.result]))
    }
}

impl Script {
    /// Calls `visit` with every index by which the script refers to tables of its package.
    pub fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        self.statements.iter_mut().for_each(|statement| statement.visit_indices(visit));
    }
}

impl Expression {
    fn visit_indices(&mut self, visit: &mut dyn TableIndices) {
        for operand in &mut self.operands {
            match operand {
                Operand::Name(name) => visit.name(name),
                Operand::Object(index) => visit.object(index),
                Operand::Field(path) => path.visit_indices(visit),
                Operand::Expression(inner) => inner.visit_indices(visit),
                Operand::List(list) => list.iter_mut().for_each(|inner| inner.visit_indices(visit)),
                Operand::Cases(cases) => {
                    let inner = cases.iter_mut().flat_map(|case| [&mut case.value, &mut case.result]);
                    inner.for_each(|inner| inner.visit_indices(visit));
                }
                _ => {}
            }
        }
    }

    /// Creates an expression without operands.
    #[must_use]
    pub const fn bare(token: Token) -> Self {
        Self { at: 0, token, operands: Vec::new() }
    }

    /// Returns the direct nested expressions, in file order.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        self.operands.iter().flat_map(Operand::expressions)
    }

    /// Returns a direct nested expression by index.
    #[must_use]
    pub fn child(&self, place: usize) -> Option<&Self> {
        self.children().nth(place)
    }

    /// Calls a function for the expression and all nested ones, outer ones first.
    pub fn visit<'e>(&'e self, see: &mut impl FnMut(&'e Self)) {
        see(self);
        for child in self.children() {
            child.visit(see);
        }
    }

    /// Returns the arguments of a call, or the elements of a literal, without the end token.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        let list = self.operands.iter().find_map(|operand| match operand {
            Operand::List(list) => Some(list),
            _ => None,
        });
        list.and_then(|list| list.split_last()).map_or(&[], |(_, items)| items)
    }

    /// Returns the first object among the operands.
    #[must_use]
    pub fn object(&self) -> Option<PackageIndex> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Object(index) => Some(*index),
            _ => None,
        })
    }

    /// Returns the first name among the operands.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Name(name) => Some(*name),
            _ => None,
        })
    }

    /// Returns the first offset among the operands.
    #[must_use]
    pub fn target(&self) -> Option<u32> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Target(target) => Some(*target),
            _ => None,
        })
    }

    /// Counts the tokens, nested ones included.
    #[must_use]
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }
}

impl Script {
    /// Returns true if everything was decoded: to the last byte, with the recorded size in memory, and with
    /// an end.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.damage.is_none()
    }

    /// Counts the tokens of all statements.
    #[must_use]
    pub fn token_count(&self) -> usize {
        self.statements.iter().map(Expression::count).sum()
    }
}
