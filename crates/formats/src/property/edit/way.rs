//! The rest of an address during a walk.

use super::error::EditError;
use super::path::Step;
use crate::property::kind::{Kind, StructName};

/// The steps left, and the new value.
#[derive(Clone, Copy)]
pub(super) struct Way<'w> {
    pub steps: &'w [Step],
    pub given: &'w str,
    /// True if the element, row or key at the end is removed, instead of getting a value.
    pub removes: bool,
}

/// The old value as JSON; `None` if its class decided it.
pub(super) type Was = Option<String>;

impl<'w> Way<'w> {
    /// Splits off the next step.
    pub(super) fn next(self) -> Option<(&'w Step, Self)> {
        let (step, steps) = self.steps.split_first()?;
        Some((step, Self { steps, ..self }))
    }

    /// The next step as a number.
    pub(super) fn number<N: std::str::FromStr>(self) -> Option<N> {
        let (Step::Name(part) | Step::Key(part)) = self.steps.first()?;
        part.parse().ok()
    }

    /// The way without its next step.
    pub(super) fn rest(self) -> Self {
        Self { steps: self.steps.get(1..).unwrap_or_default(), ..self }
    }
}

/// The type of a reference and its target, if known.
#[derive(Clone, Copy, Default)]
pub(super) struct SlotOf<'k> {
    pub kind: Option<&'k Kind>,
    pub leads_to: Option<&'k StructName>,
}

pub(super) fn no_parts(part: &str, at: &str, found: &str) -> EditError {
    EditError::NoParts { part: part.to_owned(), at: at.to_owned(), found: found.to_owned() }
}
