//! What a value is to become, and where it is.

use super::error::EditError;
use super::given::{self, Given};
use crate::property::kind::{Kind, StructName};

/// What a value is to become.
#[derive(Clone, Copy)]
pub(in crate::property) struct Wish<'w> {
    /// The type of the value, as far as that is known.
    pub kind: Option<&'w Kind>,
    /// The class or interface that a reference must lead to, if known.
    pub leads_to: Option<&'w StructName>,
    pub given: &'w Given<'w>,
    /// The address of the value.
    pub at: &'w str,
    /// How many values it is in, counted from the one that was named.
    pub depth: usize,
}

impl<'w> Wish<'w> {
    /// What a value inside, at the same address, is to become.
    pub(in crate::property) const fn inner(self, kind: Option<&'w Kind>) -> Self {
        Self { kind, depth: self.depth + 1, ..self }
    }

    /// What a part of the value is to become.
    pub(in crate::property) const fn part(
        self,
        kind: Option<&'w Kind>,
        given: &'w Given<'w>,
        at: &'w str,
    ) -> Self {
        Self { kind, leads_to: None, given, at, depth: self.depth + 1 }
    }

    /// For an element of the value: what a reference of it leads to is what is said of the whole.
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

    /// Compares a text with what it is to become.
    pub(in crate::property) fn is(&self, text: &str) -> bool {
        self.given.text() == text
    }

    pub(in crate::property) fn refused(&self, expected: &str) -> EditError {
        given::refused(self.at, self.given, expected)
    }
}
