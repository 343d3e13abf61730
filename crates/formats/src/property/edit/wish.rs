//! What a value is to become, and where it is.

use super::error::EditError;
use super::given::{self, Given};
use crate::property::kind::Kind;

/// What a value is to become.
#[derive(Clone, Copy)]
pub(super) struct Wish<'w> {
    /// The type of the value, as far as that is known.
    pub kind: Option<&'w Kind>,
    pub given: &'w Given<'w>,
    /// The address of the value.
    pub at: &'w str,
    /// How many values it is in, counted from the one that was named.
    pub depth: usize,
}

impl<'w> Wish<'w> {
    /// What a value inside, at the same address, is to become.
    pub(super) const fn inner(self, kind: Option<&'w Kind>) -> Self {
        Self { kind, depth: self.depth + 1, ..self }
    }

    /// What a part of the value is to become.
    pub(super) const fn part(self, kind: Option<&'w Kind>, given: &'w Given<'w>, at: &'w str) -> Self {
        Self { kind, given, at, depth: self.depth + 1 }
    }

    pub(super) fn refused(&self, expected: &str) -> EditError {
        given::refused(self.at, self.given, expected)
    }
}
