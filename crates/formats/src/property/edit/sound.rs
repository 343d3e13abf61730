//! Checks that a written object can be read again.

use crate::property::value::{List, Value};
use crate::property::{Object, Problem};

/// A loss found by rereading a changed object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadBackError {
    /// The object cannot be read to its end.
    #[error("{0}")]
    Unread(Box<Problem>),
    /// The object has lost its properties.
    #[error("its properties are not found any more")]
    NoProperties,
    /// The number of trailing bytes changed.
    #[error("{found} bytes are left after it, expected {expected}")]
    Left {
        /// Trailing bytes.
        found: usize,
        /// Trailing bytes before the change.
        expected: usize,
    },
    /// More values are raw.
    #[error("{found} values are not understood, expected {expected}")]
    NotUnderstood {
        /// Raw values.
        found: usize,
        /// Raw values before the change.
        expected: usize,
    },
}

/// Compares an object with its reread version after a change: everything understood before must still be
/// understood.
pub fn check_again(before: &Object, after: &Object) -> Result<(), ReadBackError> {
    // A problem that existed before is not due to the change.
    if let (None, Some(problem)) = (&before.problem, &after.problem) {
        return Err(ReadBackError::Unread(Box::new(problem.clone())));
    }
    if before.properties.is_some() && after.properties.is_none() {
        return Err(ReadBackError::NoProperties);
    }
    if before.rest.len() != after.rest.len() {
        let (found, expected) = (after.rest.len(), before.rest.len());
        return Err(ReadBackError::Left { found, expected });
    }
    let (found, expected) = (raw_of(after), raw_of(before));
    if found > expected {
        return Err(ReadBackError::NotUnderstood { found, expected });
    }
    Ok(())
}

/// Number of raw values in an object.
fn raw_of(object: &Object) -> usize {
    let values = object.properties.iter().flat_map(List::values);
    let fields = object.head.fields.iter().chain(&object.tail.fields).map(|(_, value)| value);
    values.chain(fields).map(raw_in).sum()
}

fn raw_in(value: &Value) -> usize {
    // Fewer is fine: an edit may replace a raw value.
    let mut count = usize::from(matches!(value, Value::Raw(_)));
    value.children(&mut |inner| count += raw_in(inner));
    count
}
