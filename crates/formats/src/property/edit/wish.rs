//! A wished value and its address.

use super::error::EditError;
use super::given::{self, Given};
use crate::property::kind::{Kind, StructName};

/// The new value for a place, with its type and address.
#[derive(Clone, Copy)]
pub(in crate::property) struct Wish<'w> {
    /// The type of the value, if known.
    pub kind: Option<&'w Kind>,
    /// The class or interface a reference must lead to, if known.
    pub leads_to: Option<&'w StructName>,
    pub given: &'w Given<'w>,
    /// The address of the value.
    pub at: &'w str,
    /// Nesting below the addressed value.
    pub depth: usize,
}

impl<'w> Wish<'w> {
    /// The wish for a value inside, at the same address.
    pub(in crate::property) const fn inner(self, kind: Option<&'w Kind>) -> Self {
        Self { kind, depth: self.depth + 1, ..self }
    }

    /// The wish for a part of the value.
    pub(in crate::property) const fn part(
        self,
        kind: Option<&'w Kind>,
        given: &'w Given<'w>,
        at: &'w str,
    ) -> Self {
        Self { kind, leads_to: None, given, at, depth: self.depth + 1 }
    }

    /// The wish for an element. References in it lead to the same class as the whole.
    pub(in crate::property) const fn element(
        self,
        kind: Option<&'w Kind>,
        given: &'w Given<'w>,
        at: &'w str,
    ) -> Self {
        Self { leads_to: self.leads_to, ..self.part(kind, given, at) }
    }

    /// A wish for a value of unknown type.
    pub(in crate::property) const fn of(given: &'w Given<'w>, at: &'w str) -> Self {
        Self { kind: None, leads_to: None, given, at, depth: 0 }
    }

    /// True if the new value is this text.
    pub(in crate::property) fn is(&self, text: &str) -> bool {
        self.given.text() == text
    }

    pub(in crate::property) fn refused(&self, expected: &str) -> EditError {
        given::refused(self.at, self.given, expected)
    }
}
