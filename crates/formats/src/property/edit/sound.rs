//! Whether what was written can be read again.

use crate::property::value::{Body, List, Record, Value};
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
    object.properties.iter().map(of_list).sum::<usize>() + of_record(&object.head) + of_record(&object.tail)
}

fn of_list(list: &List) -> usize {
    list.values().map(of_value).sum()
}

fn of_record(record: &Record) -> usize {
    record.fields.iter().map(|(_, value)| of_value(value)).sum()
}

fn of_value(value: &Value) -> usize {
    match value {
        Value::Raw(_) => 1,
        Value::Map(map) => map.entries.iter().map(|(key, value)| of_value(key) + of_value(value)).sum(),
        Value::Optional(Some(value)) | Value::Sized(value) => of_value(value),
        Value::Struct(found) => match &found.body {
            Body::List(list) => of_list(list),
            Body::Native(record) => of_record(record),
            Body::Empty => 0,
        },
        value => value.items().unwrap_or_default().iter().map(of_value).sum(),
    }
}
