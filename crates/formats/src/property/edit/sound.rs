//! Whether what was written can be read again.

use crate::property::value::{List, Value};
use crate::property::{Object, Problem};

/// Loss found when a changed object was read again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadBackError {
    /// It cannot be read to its end.
    #[error("{0}")]
    Unread(Box<Problem>),
    /// It has no properties any more.
    #[error("its properties are not found any more")]
    NoProperties,
    /// Other bytes are left over.
    #[error("{found} bytes are left after it, expected {expected}")]
    Left {
        /// Bytes that are left.
        found: usize,
        /// Bytes that were left before.
        expected: usize,
    },
    /// More values are kept as bytes.
    #[error("{found} values are not understood, expected {expected}")]
    NotUnderstood {
        /// Values that are not understood.
        found: usize,
        /// Parts that were not understood before.
        expected: usize,
    },
}

/// Compares an object as it was with what is read of it after a change: what was understood before has to be understood still.
pub fn check_again(before: &Object, after: &Object) -> Result<(), ReadBackError> {
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

/// Values that are kept as bytes.
fn raw_of(object: &Object) -> usize {
    let values = object.properties.iter().flat_map(List::values);
    let fields = object.head.fields.iter().chain(&object.tail.fields).map(|(_, value)| value);
    values.chain(fields).map(raw_in).sum()
}

fn raw_in(value: &Value) -> usize {
    // Fewer is fine: an edit may replace one by a value that is understood.
    let mut count = usize::from(matches!(value, Value::Raw(_)));
    value.children(&mut |inner| count += raw_in(inner));
    count
}
