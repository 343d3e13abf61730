//! Writing values: the mirror of all readers. Lengths are counted, everything else is as it was read.

use super::tag;
use super::value::{List, Property, Record, Value};
use crate::wire::{Fault, FaultKind, Writer};

impl List {
    /// Appends the list.
    pub fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        match self {
            Self::Tagged(list) => {
                w.bytes(&list.control);
                for property in &list.properties {
                    property.write(w)?;
                }
                list.end.iter().for_each(|end| tag::name(w, *end));
            }
            Self::Unversioned(list) => {
                w.bytes(list.header.bytes());
                for value in &list.values {
                    value.write(w)?;
                }
            }
        }
        Ok(())
    }
}

impl Property {
    fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        // A bool is written into its tag, and has no bytes.
        if let Value::Bool(value) = self.value
            && self.tag.len == 0
        {
            let mut tag = self.tag.clone();
            tag.set_bool(value);
            tag.write(w, 0);
            return Ok(());
        }
        // The value first, since the tag in front holds its length.
        let mut inner = Writer::new();
        self.value.write(&mut inner)?;
        self.tag.write(w, length(w, inner.len())?);
        w.bytes(&inner.into_bytes());
        Ok(())
    }
}

impl Record {
    /// Appends the fields.
    pub fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        self.fields.iter().try_for_each(|(_, value)| value.write(w))
    }
}

/// Writes a count, then values.
pub(super) fn values(w: &mut Writer, items: &[Value]) -> Result<(), Fault> {
    w.i32(length(w, items.len())?);
    items.iter().try_for_each(|item| item.write(w))
}

/// Writes a count, then bytes.
pub(super) fn counted(w: &mut Writer, bytes: &[u8]) -> Result<(), Fault> {
    w.i32(length(w, bytes.len())?).bytes(bytes);
    Ok(())
}

/// A length as an `i32`, the type of all lengths in files.
pub(super) fn length(w: &Writer, len: usize) -> Result<i32, Fault> {
    let kind = FaultKind::TooLarge { found: len as u64, limit: i32::MAX.unsigned_abs().into() };
    i32::try_from(len).map_err(|_| Fault { offset: w.len() as u64, field: "length of a value", kind })
}
