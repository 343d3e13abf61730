//! Expressions of pseudo-code, and their text.

use std::fmt::{self, Display, Formatter};

/// Key of a variable: its name, and the object that owns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct VariableKey {
    pub(super) name: (u32, u32),
    pub(super) owner: i32,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Code {
    /// Literal, or a name that stands for itself.
    Word(String),
    /// Variable with its shown name.
    Variable(VariableKey, String),
    /// Member of an object: `a.b`.
    Member(Box<Self>, String),
    /// Call; a pure one only computes a value.
    Call { callee: Box<Self>, arguments: Vec<Self>, is_pure: bool },
    /// Values in brackets, with optional labels.
    Group(String, Vec<(Option<String>, Self)>, &'static str),
    /// Prefix operator.
    Prefix(&'static str, Box<Self>),
    /// Binary operator.
    Binary(&'static str, Box<Self>, Box<Self>),
    /// Choice of two values.
    Choice(Box<Self>, Box<Self>, Box<Self>),
    /// Choice of several values.
    Select { index: Box<Self>, cases: Vec<(Self, Self)>, default: Box<Self> },
    /// Element of an array.
    Index(Box<Self>, Box<Self>),
    /// Object that may be missing: `a?`.
    Maybe(Box<Self>),
    /// Test for an object.
    Truth(Box<Self>),
}

/// Precedence of an expression that never needs brackets.
const TIGHT: u8 = 15;
const PREFIX: u8 = 14;
const CHOICE: u8 = 1;

impl Code {
    pub(super) fn word(text: impl Into<String>) -> Self {
        Self::Word(text.into())
    }

    pub(super) fn call(callee: Self, arguments: Vec<Self>, is_pure: bool) -> Self {
        Self::Call { callee: Box::new(callee), arguments, is_pure }
    }

    /// Creates values in brackets without labels.
    pub(super) fn group(open: impl Into<String>, items: Vec<Self>, close: &'static str) -> Self {
        Self::Group(open.into(), items.into_iter().map(|item| (None, item)).collect(), close)
    }

    pub(super) fn member(self, name: impl Into<String>) -> Self {
        Self::Member(Box::new(self), name.into())
    }

    /// Returns the opposite of a condition.
    pub(super) fn negated(self) -> Self {
        match self {
            // Double negations cancel out.
            Self::Prefix("!", inner) => *inner,
            Self::Binary("==", a, b) => Self::Binary("!=", a, b),
            Self::Binary("!=", a, b) => Self::Binary("==", a, b),
            Self::Word(word) if word == "true" => Self::word("false"),
            Self::Word(word) if word == "false" => Self::word("true"),
            other => Self::Prefix("!", Box::new(other)),
        }
    }

    /// Turns the expression into a condition: a test for an object becomes the object itself.
    pub(super) fn into_condition(self) -> Self {
        match self {
            Self::Truth(inner) => *inner,
            // Inside of these operators the parts are conditions as well.
            Self::Prefix("!", inner) => Self::Prefix("!", Box::new(inner.into_condition())),
            Self::Binary(op @ ("&&" | "||"), a, b) => {
                Self::Binary(op, Box::new(a.into_condition()), Box::new(b.into_condition()))
            }
            other => other,
        }
    }

    /// Returns the direct parts in order of evaluation, with true for those that are always evaluated.
    pub(super) fn parts(&self) -> Vec<(&Self, bool)> {
        match self {
            Self::Word(_) | Self::Variable(..) => Vec::new(),
            Self::Member(inner, _) | Self::Prefix(_, inner) | Self::Maybe(inner) | Self::Truth(inner) => {
                vec![(inner, true)]
            }
            Self::Call { callee, arguments, .. } => {
                std::iter::once(&**callee).chain(arguments).map(|part| (part, true)).collect()
            }
            Self::Group(_, items, _) => items.iter().map(|(_, item)| (item, true)).collect(),
            Self::Binary(_, a, b) | Self::Index(a, b) => vec![(a, true), (b, true)],
            // Only one of the two results is evaluated.
            Self::Choice(c, a, b) => vec![(c, true), (a, false), (b, false)],
            Self::Select { index, cases, default } => {
                // Values of cases are evaluated up to the match; results at most once.
                let cases = cases.iter().flat_map(|(value, result)| [(value, true), (result, false)]);
                std::iter::once((&**index, true)).chain(cases).chain([(&**default, false)]).collect()
            }
        }
    }

    /// Returns the direct parts in the same order, to be changed.
    fn parts_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Word(_) | Self::Variable(..) => Vec::new(),
            Self::Member(inner, _) | Self::Prefix(_, inner) | Self::Maybe(inner) | Self::Truth(inner) => {
                vec![inner]
            }
            Self::Call { callee, arguments, .. } => std::iter::once(&mut **callee).chain(arguments).collect(),
            Self::Group(_, items, _) => items.iter_mut().map(|(_, item)| item).collect(),
            Self::Binary(_, a, b) | Self::Index(a, b) => vec![a, b],
            Self::Choice(c, a, b) => vec![c, a, b],
            Self::Select { index, cases, default } => {
                let cases = cases.iter_mut().flat_map(|(value, result)| [value, result]);
                std::iter::once(&mut **index).chain(cases).chain([&mut **default]).collect()
            }
        }
    }

    /// Returns true if it only computes a value.
    pub(super) fn is_pure(&self) -> bool {
        let is_pure = match self {
            Self::Call { is_pure, .. } => *is_pure,
            // Waiting lets other code run.
            Self::Prefix(op, _) => !op.starts_with("await"),
            _ => true,
        };
        is_pure && self.parts().iter().all(|(part, _)| part.is_pure())
    }

    /// Finds the first use of a variable in order of evaluation.
    pub(super) fn seek(&self, key: VariableKey) -> Sought {
        if let Self::Variable(found, _) = self {
            return if *found == key {
                Sought::Found { always: true }
            } else {
                Sought::Missing { is_pure: true }
            };
        }
        let mut pure = true;
        for (part, part_always) in self.parts() {
            match part.seek(key) {
                // Only as long as nothing before it has an effect may the value move here.
                Sought::Found { always } if pure => return Sought::Found { always: always && part_always },
                Sought::Found { .. } | Sought::Late => return Sought::Late,
                Sought::Missing { is_pure } => pure &= is_pure,
            }
        }
        let own = match self {
            Self::Call { is_pure, .. } => *is_pure,
            Self::Prefix(op, _) => !op.starts_with("await"),
            _ => true,
        };
        Sought::Missing { is_pure: pure && own }
    }

    /// Counts nested expressions, itself included, up to `limit`.
    pub(super) fn weight(&self, limit: usize) -> usize {
        let mut weight = 1;
        for (part, _) in self.parts() {
            if weight >= limit {
                break;
            }
            weight += part.weight(limit - weight);
        }
        weight
    }

    /// Counts the uses of a variable.
    pub(super) fn uses(&self, key: VariableKey) -> usize {
        let own = usize::from(matches!(self, Self::Variable(found, _) if *found == key));
        self.parts().into_iter().map(|(part, _)| part.uses(key)).sum::<usize>() + own
    }

    /// Returns true if a call in it writes a variable.
    pub(super) fn fills(&self, key: VariableKey) -> bool {
        match self {
            Self::Prefix("out ", inner) => matches!(**inner, Self::Variable(found, _) if found == key),
            _ => self.parts().into_iter().any(|(part, _)| part.fills(key)),
        }
    }

    /// Replaces the first use of a variable by a value; returns the value if there is none.
    pub(super) fn replace(&mut self, key: VariableKey, value: Self) -> Option<Self> {
        if matches!(self, Self::Variable(found, _) if *found == key) {
            *self = value;
            return None;
        }
        let mut value = Some(value);
        for part in self.parts_mut() {
            // The value is returned by each part without a use, and taken by the first with one.
            value = part.replace(key, value?);
        }
        value
    }

    fn precedence(&self) -> u8 {
        match self {
            Self::Prefix(..) => PREFIX,
            Self::Binary(op, ..) => binding(op),
            Self::Choice(..) => CHOICE,
            _ => TIGHT,
        }
    }

    /// Returns true for a number, which would be misread before a dot.
    fn is_number(&self) -> bool {
        matches!(self, Self::Word(word) if word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    }
}

/// Result of a search for a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// Found, with no call before it; `always` is true if it is always evaluated.
    Found { always: bool },
    /// Found after a call.
    Late,
    /// Missing; `is_pure` is true if the expression only computes a value.
    Missing { is_pure: bool },
}

/// Returns the precedence of an operator, as in C.
fn binding(op: &str) -> u8 {
    match op {
        "*" | "/" | "%" => 12,
        "+" | "-" => 11,
        "<" | "<=" | ">" | ">=" => 9,
        "==" | "!=" => 8,
        "&" => 7,
        "^" => 6,
        "|" => 5,
        "&&" => 4,
        "||" => 3,
        _ => 2,
    }
}

/// Part of another expression, in brackets if it binds less tightly than the given precedence.
struct Bound<'c>(&'c Code, u8);

impl Display for Bound<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.precedence() < self.1 { write!(f, "({})", self.0) } else { self.0.fmt(f) }
    }
}

fn list<'c>(
    f: &mut Formatter<'_>,
    items: impl Iterator<Item = (Option<&'c String>, &'c Code)>,
) -> fmt::Result {
    for (place, (label, item)) in items.enumerate() {
        if place > 0 {
            f.write_str(", ")?;
        }
        if let Some(label) = label {
            write!(f, "{label}: ")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Variable(_, text) => f.write_str(text),
            Self::Member(inner, name) if inner.is_number() => write!(f, "({inner}).{name}"),
            Self::Member(inner, name) => write!(f, "{}.{name}", Bound(inner, TIGHT)),
            Self::Call { callee, arguments, .. } => {
                write!(f, "{}(", Bound(callee, TIGHT))?;
                list(f, arguments.iter().map(|argument| (None, argument)))?;
                f.write_str(")")
            }
            Self::Group(open, items, close) => {
                f.write_str(open)?;
                list(f, items.iter().map(|(label, item)| (label.as_ref(), item)))?;
                f.write_str(close)
            }
            Self::Prefix(op, inner) => write!(f, "{op}{}", Bound(inner, PREFIX)),
            Self::Binary(op, a, b) => {
                let least = binding(op);
                // Operators group from the left, so an equal precedence on the right needs brackets.
                write!(f, "{} {op} {}", Bound(a, least), Bound(b, least + 1))
            }
            Self::Choice(c, a, b) => {
                // The last value needs no brackets: `?:` groups from the right.
                write!(f, "{} ? {} : {}", Bound(c, CHOICE + 1), Bound(a, CHOICE + 1), Bound(b, CHOICE))
            }
            Self::Select { index, cases, default } => {
                write!(f, "select({index}; ")?;
                for (value, result) in cases {
                    write!(f, "{value}: {result}, ")?;
                }
                write!(f, "else {default})")
            }
            Self::Index(array, index) => write!(f, "{}[{index}]", Bound(array, TIGHT)),
            Self::Maybe(inner) => write!(f, "{}?", Bound(inner, TIGHT)),
            Self::Truth(inner) => write!(f, "bool({inner})"),
        }
    }
}
