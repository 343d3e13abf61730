//! Tagged properties: a name, what kind of value it has, the value; the list ends with the name `None`.
//!
//! Properties of Unreal Engine 1 and 2 pack the kind into an info byte; for Unreal Engine 3 see `typed`.
//!
//! ```text
//! info  bits 0–3 type │ bits 4–6 size: 1, 2, 4, 12, 16, u8, u16, u32 │ bit 7 array element, or the value of a bool
//! tag   name │ info │ (struct) struct name │ (size codes 5–7) size │ (bit 7, no bool) array index │ value
//! index < 0x80: one byte │ 10xxxxxx: 14 bits │ 11xxxxxx: 30 bits, high byte first
//! ```
//!
//! The size counts the value only. Verified on the defaults of a class and on every object of version 69,
//! 128 and 868.

use super::{
    package::Package,
    tables::{Cursor, Export, HAS_STACK, Name, ObjectIndex},
};
use crate::{
    id::Guid,
    wire::{Fault, FaultKind, Reader},
};
use std::ops::Range;

/// Deepest nesting of structs.
const MAX_DEPTH: u32 = 16;

/// Limit on the properties of one object, structs included. A property takes as little as two bytes in the
/// file, and fifty times that in memory.
const MAX_PROPERTIES: u32 = 1 << 16;

/// Remaining depth and number of properties for one object.
pub(super) struct Limits {
    depth: u32,
    properties: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: MAX_DEPTH, properties: MAX_PROPERTIES }
    }
}

/// One property.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Property {
    /// Property name.
    pub name: Name,
    /// Type of the value.
    pub kind: PropertyKind,
    /// Size code: bits 4 to 6 of the info byte (before 223).
    pub size_code: Option<u8>,
    /// Type name (223); before that, the info byte holds the type.
    pub type_name: Option<Name>,
    /// Index in a static array; 0 for the first element and for properties that are not arrays.
    pub array_index: u32,
    /// Struct name, for struct properties.
    pub struct_name: Option<Name>,
    /// The value.
    pub value: Value,
    /// Byte range of the value, from the start of the file.
    pub bytes: Range<u64>,
}

/// Value type: bits 0 to 3 of the info byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[expect(missing_docs, reason = "the names are the engine's own")]
pub enum PropertyKind {
    /// Known by the name of its type only (UE3).
    Other = 0,
    Byte = 1,
    Int = 2,
    Bool = 3,
    Float = 4,
    Object = 5,
    Name = 6,
    /// UE1: a text of fixed length; UE2: a delegate.
    String = 7,
    Class = 8,
    Array = 9,
    Struct = 10,
    Vector = 11,
    Rotator = 12,
    Str = 13,
    Map = 14,
    FixedArray = 15,
}

/// Value of a property.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum Value {
    /// A byte.
    Byte(u8),
    /// A number.
    Int(i32),
    /// A flag.
    Bool(bool),
    /// A number.
    Float(f32),
    /// An object or class.
    Object(ObjectIndex),
    /// A name.
    Name(Name),
    /// A text.
    Text(String),
    /// Numbers of a native struct: vector, plane, coordinates.
    Floats(Vec<f32>),
    /// Pitch, yaw, roll.
    Rotator([i32; 3]),
    /// The four bytes of a color, in file order.
    Color([u8; 4]),
    /// A GUID.
    Guid(Guid),
    /// A struct stored as a list of properties.
    Struct(Vec<Property>),
    /// An array whose element type only the class knows.
    Array {
        /// Element count.
        count: u32,
    },
    /// Bytes that only the class can interpret.
    Raw,
}

impl Package {
    /// Reads the properties of an export; also returns the file offset of the data after them.
    ///
    /// Not for classes: their properties (the defaults) are at the end of their data or, in Unreal Engine 3,
    /// in a separate object.
    pub fn properties(&self, bytes: &[u8], export: &Export) -> Result<(Vec<Property>, u64), Fault> {
        let mut c = self.cursor(bytes, export)?;
        if export.class.0 == 0 {
            let kind = FaultKind::Unsupported { found: c.version.file.into() };
            return Err(c.r.fault("properties of a class", kind));
        }
        // Objects that run script store their interpreter state before everything else.
        if export.object_flags & HAS_STACK != 0 {
            state_frame(&mut c)?;
        }
        c.r.when(c.version.has_net_index(), |r| r.i32("object data: net index"))?;
        let properties = self.list(&mut c, &mut Limits::default())?;
        Ok((properties, c.r.offset()))
    }

    /// Reads the properties from `start` to at most `end` in the file, such as the defaults of a class.
    pub fn properties_at(&self, bytes: &[u8], start: u64, end: u64) -> Result<(Vec<Property>, u64), Fault> {
        let mut c = self.cursor_over(Reader::section(bytes, start, end, "properties")?);
        let properties = self.list(&mut c, &mut Limits::default())?;
        Ok((properties, c.r.offset()))
    }

    fn list(&self, c: &mut Cursor<'_>, limits: &mut Limits) -> Result<Vec<Property>, Fault> {
        let mut properties = Vec::new();
        loop {
            let at = c.r.clone();
            let name = c.name("property: name")?;
            if self.text(name).base.eq_ignore_ascii_case("None") {
                return Ok(properties);
            }
            // Counted over all structs of the object: depth alone would still allow an exponential number.
            limits.properties = limits.properties.checked_sub(1).ok_or_else(|| {
                let limit = u64::from(MAX_PROPERTIES);
                at.fault("properties of an object", FaultKind::TooLarge { found: limit + 1, limit })
            })?;
            let typed = c.version.has_typed_tags();
            properties.push(if typed {
                self.typed_property(c, name, limits)?
            } else {
                self.property(c, name, limits)?
            });
        }
    }

    fn property(&self, c: &mut Cursor<'_>, name: Name, limits: &mut Limits) -> Result<Property, Fault> {
        let at = c.r.clone();
        let info = c.r.u8("property: info")?;
        let kind = PropertyKind::from_wire(info & 0xF)
            .ok_or_else(|| at.fault("property: info", FaultKind::Unsupported { found: info.into() }))?;
        // The struct name comes before the size, even if the size code says that the size is explicit.
        let struct_name = match kind {
            PropertyKind::Struct => Some(c.name("property: struct name")?),
            _ => None,
        };
        let size_code = info >> 4 & 7;
        let len = size(c, size_code)?;
        let (size_code, type_name) = (Some(size_code), None);
        let flag = info & 0x80 != 0;
        // For a bool the flag is the value, and no index follows.
        let array_index = if flag && kind != PropertyKind::Bool { array_index(&mut c.r)? } else { 0 };
        let start = c.r.offset();
        if kind == PropertyKind::Bool {
            let value = Value::Bool(flag);
            let bytes = start..start;
            return Ok(Property { name, kind, size_code, type_name, array_index, struct_name, value, bytes });
        }
        let data = c.r.bytes("property: value", len as usize)?;
        // A cursor of its own, so that a damaged value cannot read past its recorded size.
        let mut inner = self.cursor_over(Reader::with_base(data, start));
        let value = match struct_name {
            Some(name) => self.structure(&inner, &self.text(name).to_string(), limits),
            None => value(&mut inner, kind)?,
        };
        let bytes = start..c.r.offset();
        Ok(Property { name, kind, size_code, type_name, array_index, struct_name, value, bytes })
    }

    /// Reads a struct: in fixed form if the engine knows the name and the size agrees, otherwise as a list of
    /// properties.
    pub(super) fn structure(&self, c: &Cursor<'_>, name: &str, limits: &mut Limits) -> Value {
        // Both attempts read a clone: neither form is announced in the file, so the first may fail.
        let mut native = c.clone();
        if let Some(value) = native_struct(&mut native.r, name) {
            return value;
        }
        if limits.depth == 0 {
            return Value::Raw;
        }
        limits.depth -= 1;
        let mut list = c.clone();
        let read = self.list(&mut list, limits);
        limits.depth += 1;
        // A list that leaves bytes over is a coincidence, not a list.
        match read {
            Ok(properties) if list.r.remaining() == 0 => Value::Struct(properties),
            _ => Value::Raw,
        }
    }
}

impl PropertyKind {
    const ALL: [Self; 15] = [
        Self::Byte,
        Self::Int,
        Self::Bool,
        Self::Float,
        Self::Object,
        Self::Name,
        Self::String,
        Self::Class,
        Self::Array,
        Self::Struct,
        Self::Vector,
        Self::Rotator,
        Self::Str,
        Self::Map,
        Self::FixedArray,
    ];

    fn from_wire(raw: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == raw)
    }
}

/// Skips the script state frame before the object data.
fn state_frame(c: &mut Cursor<'_>) -> Result<(), Fault> {
    let node = c.object("state frame: node")?;
    c.object("state frame: state node")?;
    c.r.u64("state frame: probe mask")?;
    c.r.u32("state frame: latent action")?;
    if node.0 != 0 {
        c.index("state frame: offset")?;
    }
    Ok(())
}

fn size(c: &mut Cursor<'_>, code: u8) -> Result<u32, Fault> {
    match code {
        0 => Ok(1),
        1 => Ok(2),
        2 => Ok(4),
        3 => Ok(12),
        4 => Ok(16),
        5 => c.r.u8("property: size").map(u32::from),
        6 => c.r.u16("property: size").map(u32::from),
        _ => c.r.u32("property: size"),
    }
}

/// Reads an array index of one, two or four bytes, high byte first.
fn array_index(r: &mut Reader<'_>) -> Result<u32, Fault> {
    // The top two bits give the length; in the longer forms they are not part of the number.
    let first = r.u8("property: array index")?;
    match first >> 6 {
        0 | 1 => Ok(first.into()),
        2 => Ok(u32::from(first & 0x3F) << 8 | u32::from(r.u8("property: array index")?)),
        _ => {
            let [b, c, d] = r.array("property: array index")?;
            Ok(u32::from_be_bytes([first & 0x3F, b, c, d]))
        }
    }
}

pub(super) fn value(c: &mut Cursor<'_>, kind: PropertyKind) -> Result<Value, Fault> {
    let value = match kind {
        PropertyKind::Byte => Value::Byte(c.r.u8("property: byte")?),
        PropertyKind::Int => Value::Int(c.r.i32("property: int")?),
        PropertyKind::Float => Value::Float(c.r.f32("property: float")?),
        PropertyKind::Object | PropertyKind::Class => Value::Object(c.object("property: object")?),
        PropertyKind::Name => Value::Name(c.name("property: name value")?),
        PropertyKind::Str => Value::Text(c.string("property: text")?),
        // No end check below: the elements follow, and only the class knows how long they are.
        PropertyKind::Array => return Ok(Value::Array { count: c.size("property: array count")? }),
        PropertyKind::Vector => Value::Floats(floats(&mut c.r, 3)?),
        PropertyKind::Rotator => Value::Rotator(rotator(&mut c.r)?),
        PropertyKind::String => return Ok(fixed_text(c.r.rest())),
        PropertyKind::Bool
        | PropertyKind::Struct
        | PropertyKind::Map
        | PropertyKind::FixedArray
        | PropertyKind::Other => return Ok(Value::Raw),
    };
    c.r.finish("property: value")?;
    Ok(value)
}

/// Reads a text of fixed length, padded with zeros.
fn fixed_text(bytes: &[u8]) -> Value {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    Value::Text(text.iter().map(|&byte| char::from(byte)).collect())
}

fn floats(r: &mut Reader<'_>, count: usize) -> Result<Vec<f32>, Fault> {
    (0..count).map(|_| r.f32("property: floats")).collect()
}

fn rotator(r: &mut Reader<'_>) -> Result<[i32; 3], Fault> {
    Ok([r.i32("property: pitch")?, r.i32("property: yaw")?, r.i32("property: roll")?])
}

fn native_struct(r: &mut Reader<'_>, name: &str) -> Option<Value> {
    // The size has to agree: a struct of another size is a list of properties.
    let is = |wanted: &str, len: usize| name.eq_ignore_ascii_case(wanted) && r.remaining() == len;
    if is("Vector", 12)
        || is("Plane", 16)
        || is("Coords", 48)
        || is("Quat", 16)
        || is("Vector2D", 8)
        || is("Vector4", 16)
        || is("Matrix", 64)
        || is("LinearColor", 16)
    {
        let count = r.remaining() / 4;
        return floats(r, count).ok().map(Value::Floats);
    }
    if is("Rotator", 12) {
        return rotator(r).ok().map(Value::Rotator);
    }
    if is("Guid", 16) {
        return r.array("property: GUID").ok().map(|bytes| Value::Guid(Guid(bytes)));
    }
    if is("Color", 4) {
        return r.array("property: color").ok().map(Value::Color);
    }
    None
}
