//! Scripts as trees, without loss.

use super::token::Token;
use crate::package::legacy::{Name, PackageIndex};
use crate::property::FieldPath;
use crate::wire::Fault;

/// The script of a function.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// Its statements.
    pub statements: Vec<Expression>,
    /// Bytes that are not understood: from the statement on that is damaged.
    pub rest: Box<[u8]>,
    /// What is wrong with it.
    pub damage: Option<Damage>,
    /// Bytes in memory that the package records.
    pub memory_len: u32,
}

/// A fault in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// The reader's fault; its offset counts from the start of the script in the file.
    pub fault: Fault,
    /// Where the statement starts, in memory.
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
    /// Where it is in memory, counted from the start of the script: what jumps refer to.
    pub at: u32,
    /// Its token.
    pub token: Token,
    /// Its operands, in the order of the file.
    pub operands: Vec<Operand>,
}

/// An operand: it knows how it lies in the file.
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
    /// `float`, by its bits.
    F32(u32),
    /// `double`, by its bits.
    F64(u64),
    /// Bytes, without their NUL.
    Ansi(Box<[u8]>),
    /// UTF-16 units, without their zero.
    Wide(Box<[u16]>),
    /// A name.
    Name(Name),
    /// An object, or a property before 4.25.
    Object(PackageIndex),
    /// A property since 4.25.
    Field(Box<FieldPath>),
    /// A place in the script, in memory.
    Target(u32),
    /// A length of script, in memory.
    Length(u32),
    /// An expression.
    Expression(Expression),
    /// Expressions, the last of them the token that ends them.
    List(Vec<Expression>),
    /// Cases of a choice.
    Cases(Vec<Case>),
}

/// A case of [`Token::SwitchValue`].
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The value of the index that chooses it.
    pub value: Expression,
    /// Where the next case is, in memory.
    pub next: u32,
    /// The result.
    pub result: Expression,
}

impl Operand {
    /// Bytes that it has in memory, without expressions in it.
    #[must_use]
    pub fn memory_len(&self) -> u32 {
        let units = |len: usize, unit: u32| u32::try_from(len).unwrap_or(u32::MAX).saturating_mul(unit);
        match self {
            Self::U8(_) => 1,
            Self::U16(_) => 2,
            Self::I32(_) | Self::F32(_) | Self::Target(_) | Self::Length(_) => 4,
            Self::I64(_) | Self::U64(_) | Self::F64(_) | Self::Object(_) | Self::Field(_) => 8,
            Self::Name(_) => 12,
            Self::Ansi(bytes) => units(bytes.len(), 1).saturating_add(1),
            Self::Wide(wide) => units(wide.len(), 2).saturating_add(2),
            Self::Cases(cases) => units(cases.len(), 4),
            Self::Expression(_) | Self::List(_) => 0,
        }
    }

    /// The expressions directly in it, in the order of the file.
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

impl Expression {
    /// An expression without operands.
    #[must_use]
    pub const fn bare(token: Token) -> Self {
        Self { at: 0, token, operands: Vec::new() }
    }

    /// The expressions directly in it, in the order of the file.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        self.operands.iter().flat_map(Operand::expressions)
    }

    /// The expression in a place among those directly in it.
    #[must_use]
    pub fn child(&self, place: usize) -> Option<&Self> {
        self.children().nth(place)
    }

    /// Calls a function for it and everything in it, the outer ones first.
    pub fn visit<'e>(&'e self, see: &mut impl FnMut(&'e Self)) {
        see(self);
        for child in self.children() {
            child.visit(see);
        }
    }

    /// The arguments of a call, or the elements of a literal, without the token that ends them.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        let list = self.operands.iter().find_map(|operand| match operand {
            Operand::List(list) => Some(list),
            _ => None,
        });
        list.and_then(|list| list.split_last()).map_or(&[], |(_, items)| items)
    }

    /// The first object among the operands.
    #[must_use]
    pub fn object(&self) -> Option<PackageIndex> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Object(index) => Some(*index),
            _ => None,
        })
    }

    /// The first name among the operands.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Name(name) => Some(*name),
            _ => None,
        })
    }

    /// The place in the script that it names.
    #[must_use]
    pub fn target(&self) -> Option<u32> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Target(target) => Some(*target),
            _ => None,
        })
    }

    /// Tokens in it, itself included.
    #[must_use]
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }
}

impl Script {
    /// True if all of it was understood: to its last byte, with the size in memory that the package records, and with an end.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.damage.is_none()
    }

    /// Tokens in all statements.
    #[must_use]
    pub fn token_count(&self) -> usize {
        self.statements.iter().map(Expression::count).sum()
    }
}
