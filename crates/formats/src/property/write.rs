//! Values to bytes: the mirror of everything that reads. Lengths are counted anew, everything else is as it was read.

use super::reference::{Delegate, SoftPath};
use super::tag;
use super::value::{Body, Enumerator, List, Property, Record, Text, Value};
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
        if let Value::Bool(value) = self.value
            && self.tag.len == 0
        {
            let mut tag = self.tag.clone();
            tag.set_bool(value);
            tag.write(w, 0);
            return Ok(());
        }
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

impl Value {
    /// Appends the value.
    pub fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        match self {
            Self::Bool(value) => drop(w.u8((*value).into())),
            Self::Bool32(value) => drop(w.u32((*value).into())),
            Self::Int8(value) => drop(w.bytes(&value.to_le_bytes())),
            Self::Int16(value) => drop(w.bytes(&value.to_le_bytes())),
            Self::Int(value) => drop(w.i32(*value)),
            Self::Int64(value) => drop(w.i64(*value)),
            Self::Byte(value) => drop(w.u8(*value)),
            Self::UInt16(value) => drop(w.u16(*value)),
            Self::UInt32(value) => drop(w.u32(*value)),
            Self::UInt64(value) => drop(w.u64(*value)),
            Self::Float(value) => drop(w.bytes(&value.to_le_bytes())),
            Self::Double(value) => drop(w.bytes(&value.to_le_bytes())),
            Self::Name(name) | Self::Enum(name) => tag::name(w, *name),
            Self::Enumerator(value) => value.write(w),
            Self::Str(text) => text.write(w),
            Self::Utf8(text) => counted(w, text.as_bytes())?,
            Self::Ansi(bytes) | Self::Bytes(bytes) => counted(w, bytes)?,
            Self::Text(text) => text.write(w)?,
            Self::Object(index) => drop(w.i32(index.0)),
            Self::Guid(guid) => drop(w.bytes(&guid.0)),
            Self::SoftPath(path) => path.write(w)?,
            Self::Delegate(delegate) => delegate.write(w),
            Self::Multicast(delegates) => {
                w.i32(length(w, delegates.len())?);
                for delegate in delegates {
                    delegate.write(w);
                }
            }
            Self::FieldPath(path) => {
                w.i32(length(w, path.path.len())?);
                path.path.iter().for_each(|name| tag::name(w, *name));
                if let Some(owner) = path.owner {
                    w.i32(owner.0);
                }
            }
            Self::Array(items) => values(w, items)?,
            Self::TaggedArray(array) => {
                let mut inner = Writer::new();
                array.items.iter().try_for_each(|item| item.write(&mut inner))?;
                w.i32(length(w, array.items.len())?);
                array.tag.write(w, length(w, inner.len())?);
                w.bytes(&inner.into_bytes());
            }
            Self::Set(set) => {
                values(w, &set.removed)?;
                values(w, &set.items)?;
            }
            Self::Map(map) => {
                values(w, &map.removed)?;
                w.i32(length(w, map.entries.len())?);
                for (key, value) in &map.entries {
                    key.write(w)?;
                    value.write(w)?;
                }
            }
            Self::Optional(value) => {
                w.u32(value.is_some().into());
                value.iter().try_for_each(|value| value.write(w))?;
            }
            Self::Struct(found) => match &found.body {
                Body::List(list) => list.write(w)?,
                Body::Native(record) => record.write(w)?,
                Body::Empty => {}
            },
            Self::Sized(value) => {
                let mut inner = Writer::new();
                value.write(&mut inner)?;
                counted(w, &inner.into_bytes())?;
            }
            Self::Fixed(bytes) => drop(w.bytes(bytes)),
            Self::Raw(raw) => drop(w.bytes(&raw.bytes)),
        }
        Ok(())
    }
}

impl Enumerator {
    fn write(&self, w: &mut Writer) {
        let bytes = self.number.to_le_bytes();
        w.bytes(bytes.get(..self.width.into()).unwrap_or(&bytes));
    }
}

impl Text {
    fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        w.u32(self.flags).bytes(&self.history.to_le_bytes());
        self.fields.write(w)
    }
}

impl SoftPath {
    fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        match self {
            Self::Text(text) => text.write(w),
            Self::Asset(asset, sub_path) => {
                tag::name(w, *asset);
                sub_path.write(w);
            }
            Self::TopLevel(package, asset, sub_path) => {
                tag::name(w, *package);
                tag::name(w, *asset);
                sub_path.write(w);
            }
            Self::Utf8(package, asset, sub_path) => {
                tag::name(w, *package);
                tag::name(w, *asset);
                counted(w, sub_path.as_bytes())?;
            }
            Self::Listed(index) => drop(w.i32(*index)),
        }
        Ok(())
    }
}

impl Delegate {
    fn write(&self, w: &mut Writer) {
        w.i32(self.object.0);
        tag::name(w, self.function);
    }
}

/// A count, then values.
fn values(w: &mut Writer, items: &[Value]) -> Result<(), Fault> {
    w.i32(length(w, items.len())?);
    items.iter().try_for_each(|item| item.write(w))
}

/// A count, then bytes.
fn counted(w: &mut Writer, bytes: &[u8]) -> Result<(), Fault> {
    w.i32(length(w, bytes.len())?).bytes(bytes);
    Ok(())
}

/// A length as the file has it.
fn length(w: &Writer, len: usize) -> Result<i32, Fault> {
    let kind = FaultKind::TooLarge { found: len as u64, limit: i32::MAX.unsigned_abs().into() };
    i32::try_from(len).map_err(|_| Fault { offset: w.len() as u64, field: "length of a value", kind })
}
