//! Enums, structs and properties in the data.

use super::PropertyType;
use super::names::{NameIndex, Names, place};
use crate::{
    version::UsmapVersion,
    wire::{Fault, FaultKind, Reader},
};
use std::borrow::Cow;

/// Widths of the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    version: UsmapVersion,
    /// Smallest length of an enum in bytes.
    pub(super) min_enum: usize,
    /// Smallest length of a struct in bytes.
    pub(super) min_struct: usize,
    /// Smallest length of an enum value in bytes.
    min_value: usize,
    /// Smallest length of a property in bytes.
    min_property: usize,
}

/// An entry: its name and package, and the place of its parts.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct SchemaRow {
    pub(super) package: NameIndex,
    pub(super) name: u32,
    pub(super) at: u32,
    pub(super) parts: u32,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct StructRow {
    pub(super) row: SchemaRow,
    pub(super) base: NameIndex,
    pub(super) flags: u32,
    /// Number of elements; the top byte is the kind.
    pub(super) elements: u32,
}

/// One value of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValue<'a> {
    /// Value; before version 4 the index in the enum.
    pub value: i64,
    /// Name, such as `EColor::Red`.
    pub name: Cow<'a, str>,
}

/// A property of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property<'a> {
    /// Index among the elements of the struct.
    pub index: u16,
    /// Number of elements; above 1 for a fixed array.
    pub array_len: u16,
    /// Property name.
    pub name: Cow<'a, str>,
    /// Property type.
    pub kind: PropertyType<'a>,
    /// Property flags (`EPropertyFlags`, since version 6).
    pub flags: Option<u64>,
}

impl Layout {
    // The least lengths bound the counts before any entry is read.
    pub(super) const fn new(version: UsmapVersion) -> Self {
        let extended = version.has_extended_metadata();
        Self {
            version,
            min_enum: if extended { 10 } else { 5 },
            min_struct: if extended { 24 } else { 12 },
            min_value: if version.has_explicit_values() { 12 } else { 4 },
            min_property: if extended { 11 } else { 8 },
        }
    }
}

/// Reads an enum.
pub(super) fn enum_row(r: &mut Reader<'_>, layout: Layout, names: Names<'_>) -> Result<SchemaRow, Fault> {
    let package = package(r, layout, names)?;
    let name = names.needed(r, "enum name")?;
    let at = r.clone();
    let parts = if layout.version.has_large_enums() {
        r.u16("value count")?.into()
    } else {
        r.u8("value count")?.into()
    };
    check_parts(&at, "value count", parts, r.remaining(), layout.min_value)?;
    // Only the place is kept; the values are decoded again on demand.
    let row = SchemaRow { package, name, at: place(r)?, parts };
    for place in 0..parts {
        enum_value(r, layout, names, place)?;
    }
    Ok(row)
}

/// Reads a value of an enum.
pub(super) fn enum_value<'a>(
    r: &mut Reader<'_>,
    layout: Layout,
    names: Names<'a>,
    place: u32,
) -> Result<EnumValue<'a>, Fault> {
    let value = r.when(layout.version.has_explicit_values(), |r| r.i64("enum value"))?;
    let name = names.needed(r, "name of an enum value")?;
    // Without recorded values the position is the value.
    Ok(EnumValue { value: value.unwrap_or(place.into()), name: names.get(name) })
}

/// Reads a struct.
pub(super) fn struct_row(r: &mut Reader<'_>, layout: Layout, names: Names<'_>) -> Result<StructRow, Fault> {
    let extended = layout.version.has_extended_metadata();
    let package = package(r, layout, names)?;
    let name = names.needed(r, "struct name")?;
    let base = names.index(r, "super of a struct")?;
    let flags = r.when(extended, |r| r.u32("struct flags"))?.unwrap_or(0);
    // Version 6 widened both counts.
    let count = |r: &mut Reader<'_>, field| if extended { r.u32(field) } else { r.u16(field).map(u32::from) };
    let elements = count(r, "element count")?;
    let at = r.clone();
    let parts = count(r, "property count")?;
    check_parts(&at, "property count", parts, r.remaining(), layout.min_property)?;
    let row = SchemaRow { package, name, at: place(r)?, parts };
    for _ in 0..parts {
        property(r, layout, names)?;
    }
    Ok(StructRow { row, base, flags, elements })
}

/// Reads a property of a struct.
pub(super) fn property<'a>(
    r: &mut Reader<'_>,
    layout: Layout,
    names: Names<'a>,
) -> Result<Property<'a>, Fault> {
    let extended = layout.version.has_extended_metadata();
    let index = r.u16("property index")?;
    let array_len = if extended { r.u16("array size")? } else { r.u8("array size")?.into() };
    let name = names.needed(r, "property name")?;
    let kind = PropertyType::read(r, names)?;
    let flags = r.when(extended, |r| flags(r, names))?;
    Ok(Property { index, array_len, name: names.get(name), kind, flags })
}

fn flags(r: &mut Reader<'_>, names: Names<'_>) -> Result<u64, Fault> {
    let (at, table) = (r.clone(), names.flags);
    let index = r.u16("property flags index")?;
    let out_of_range = FaultKind::out_of_range(index, table.len());
    // Properties of one class mostly share their flags, so the file stores each combination once.
    table.get(usize::from(index)).copied().ok_or_else(|| at.fault("property flags index", out_of_range))
}

fn package(r: &mut Reader<'_>, layout: Layout, names: Names<'_>) -> Result<NameIndex, Fault> {
    let package = r.when(layout.version.has_extended_metadata(), |r| names.index(r, "package name"))?;
    Ok(package.flatten())
}

/// Rejects a count of parts that cannot fit.
fn check_parts(
    at: &Reader<'_>,
    field: &'static str,
    count: u32,
    left: usize,
    min_len: usize,
) -> Result<(), Fault> {
    let (found, limit) = (u64::from(count), (left / min_len) as u64);
    if found > limit { Err(at.fault(field, FaultKind::TooLarge { found, limit })) } else { Ok(()) }
}
