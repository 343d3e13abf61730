//! Enums, structs and properties, as they lie in the data.

use super::tables::{NameIndex, Names, Row, StructRow, place};
use super::{Mappings, PropertyType};
use crate::{
    version::UsmapVersion,
    wire::{Fault, FaultKind, Reader},
};
use std::borrow::Cow;

/// How wide the fields are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    version: UsmapVersion,
    /// Bytes of the shortest enum.
    pub(super) min_enum: usize,
    /// Bytes of the shortest struct.
    pub(super) min_struct: usize,
    /// Bytes of the shortest enum value.
    min_value: usize,
    /// Bytes of the shortest property.
    min_property: usize,
}

/// An enum, and its values.
#[derive(Debug, Clone, Copy)]
pub struct Enum<'a> {
    mappings: &'a Mappings,
    row: Row,
}

/// One value of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValue<'a> {
    /// The value; its place in the enum before version 4.
    pub value: i64,
    /// Such as `EColor::Red`.
    pub name: Cow<'a, str>,
}

/// A struct or class, and its properties.
#[derive(Debug, Clone, Copy)]
pub struct Struct<'a> {
    mappings: &'a Mappings,
    row: StructRow,
}

/// Which of the two it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum StructKind {
    /// `UClass`.
    Class,
    /// `UScriptStruct`.
    Struct,
}

/// What a struct holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property<'a> {
    /// Its place among the elements of the struct.
    pub index: u16,
    /// Number of elements: more than one for a fixed array.
    pub array_len: u16,
    /// Its name.
    pub name: Cow<'a, str>,
    /// What it holds.
    pub kind: PropertyType<'a>,
    /// `EPropertyFlags` (since version 6).
    pub flags: Option<u64>,
}

impl Layout {
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
pub(super) fn enum_row(r: &mut Reader<'_>, layout: Layout, names: Names<'_>) -> Result<Row, Fault> {
    let package = package(r, layout, names)?;
    let name = names.needed(r, "enum name")?;
    let at = r.clone();
    let parts = if layout.version.has_large_enums() {
        r.u16("value count")?.into()
    } else {
        r.u8("value count")?.into()
    };
    check_parts(&at, "value count", parts, r.remaining(), layout.min_value)?;
    let row = Row { package, name, at: place(r)?, parts };
    for place in 0..parts {
        enum_value(r, layout, names, place)?;
    }
    Ok(row)
}

fn enum_value<'a>(
    r: &mut Reader<'_>,
    layout: Layout,
    names: Names<'a>,
    place: u32,
) -> Result<EnumValue<'a>, Fault> {
    let value = r.when(layout.version.has_explicit_values(), |r| r.i64("enum value"))?;
    let name = names.needed(r, "name of an enum value")?;
    Ok(EnumValue { value: value.unwrap_or(place.into()), name: names.get(name) })
}

/// Reads a struct.
pub(super) fn struct_row(r: &mut Reader<'_>, layout: Layout, names: Names<'_>) -> Result<StructRow, Fault> {
    let extended = layout.version.has_extended_metadata();
    let package = package(r, layout, names)?;
    let name = names.needed(r, "struct name")?;
    let base = names.index(r, "super of a struct")?;
    let flags = r.when(extended, |r| r.u32("struct flags"))?.unwrap_or(0);
    let count = |r: &mut Reader<'_>, field| if extended { r.u32(field) } else { r.u16(field).map(u32::from) };
    let elements = count(r, "element count")?;
    let at = r.clone();
    let parts = count(r, "property count")?;
    check_parts(&at, "property count", parts, r.remaining(), layout.min_property)?;
    let row = Row { package, name, at: place(r)?, parts };
    for _ in 0..parts {
        property(r, layout, names)?;
    }
    Ok(StructRow { row, base, flags, elements })
}

fn property<'a>(r: &mut Reader<'_>, layout: Layout, names: Names<'a>) -> Result<Property<'a>, Fault> {
    let extended = layout.version.has_extended_metadata();
    let index = r.u16("property index")?;
    let array_len = if extended { r.u16("array size")? } else { r.u8("array size")?.into() };
    let name = names.needed(r, "property name")?;
    let kind = PropertyType::read(r, names)?;
    let flags = r.when(extended, |r| flags(r, names))?;
    Ok(Property { index, array_len, name: names.get(name), kind, flags })
}

fn flags(r: &mut Reader<'_>, names: Names<'_>) -> Result<u64, Fault> {
    let (at, table) = (r.clone(), &names.tables.flags);
    let index = r.u16("property flags index")?;
    let out_of_range = FaultKind::out_of_range(index, table.len());
    table.get(usize::from(index)).copied().ok_or_else(|| at.fault("property flags index", out_of_range))
}

fn package(r: &mut Reader<'_>, layout: Layout, names: Names<'_>) -> Result<NameIndex, Fault> {
    let package = r.when(layout.version.has_extended_metadata(), |r| names.index(r, "package name"))?;
    Ok(package.flatten())
}

/// Refuses a count of parts that cannot be there.
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

impl<'a> Enum<'a> {
    /// Its name.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        self.mappings.name_at(self.row.name as usize)
    }

    /// The package it is from (since version 6).
    #[must_use]
    pub fn package(self) -> Option<Cow<'a, str>> {
        self.row.package.map(|index| self.mappings.name_at(index as usize))
    }

    /// Number of values.
    #[must_use]
    pub const fn value_count(self) -> u32 {
        self.row.parts
    }

    /// Its values, in file order.
    pub fn values(self) -> impl Iterator<Item = EnumValue<'a>> {
        let (layout, names) = self.mappings.reading();
        let mut r = self.mappings.reader(&self.row);
        (0..self.row.parts).map_while(move |place| enum_value(&mut r, layout, names, place).ok())
    }
}

impl<'a> Struct<'a> {
    /// Its name.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        self.mappings.name_at(self.row.row.name as usize)
    }

    /// What it extends.
    #[must_use]
    pub fn super_name(self) -> Option<Cow<'a, str>> {
        self.row.base.map(|index| self.mappings.name_at(index as usize))
    }

    /// The package it is from (since version 6).
    #[must_use]
    pub fn package(self) -> Option<Cow<'a, str>> {
        self.row.row.package.map(|index| self.mappings.name_at(index as usize))
    }

    /// Which of the two it is (since version 6).
    #[must_use]
    pub fn kind(self) -> Option<StructKind> {
        let [.., top] = self.row.elements.to_le_bytes();
        let kind = if top == 0 { StructKind::Class } else { StructKind::Struct };
        self.is_extended().then_some(kind)
    }

    /// `EClassFlags` or `EStructFlags` (since version 6).
    #[must_use]
    pub fn flags(self) -> Option<u32> {
        self.is_extended().then_some(self.row.flags)
    }

    /// Number of elements: each element of a fixed array counts.
    #[must_use]
    pub const fn element_count(self) -> u32 {
        self.row.elements & 0xFF_FFFF
    }

    /// Number of properties that are told.
    #[must_use]
    pub const fn property_count(self) -> u32 {
        self.row.row.parts
    }

    /// The properties that are told, in file order.
    pub fn properties(self) -> impl Iterator<Item = Property<'a>> {
        let (layout, names) = self.mappings.reading();
        let mut r = self.mappings.reader(&self.row.row);
        (0..self.row.row.parts).map_while(move |_| property(&mut r, layout, names).ok())
    }

    const fn is_extended(self) -> bool {
        self.mappings.header.version.has_extended_metadata()
    }
}

impl Mappings {
    /// The enums, in file order.
    #[must_use]
    pub fn enums(&self) -> impl ExactSizeIterator<Item = Enum<'_>> {
        let (layout, names) = (Layout::new(self.header.version), self.tables.unread_names());
        let mut r = self.tables.enums.reader(&self.data);
        let rows = (0..self.tables.enums.count).map(move |_| enum_row(&mut r, layout, names));
        // They were read once before.
        rows.map(|row| Enum { mappings: self, row: row.unwrap_or_default() })
    }

    /// The structs and classes, in file order.
    #[must_use]
    pub fn structs(&self) -> impl ExactSizeIterator<Item = Struct<'_>> {
        let (layout, names) = (Layout::new(self.header.version), self.tables.unread_names());
        let mut r = self.tables.structs.reader(&self.data);
        let rows = (0..self.tables.structs.count).map(move |_| struct_row(&mut r, layout, names));
        rows.map(|row| Struct { mappings: self, row: row.unwrap_or_default() })
    }

    /// What parts are read with.
    const fn reading(&self) -> (Layout, Names<'_>) {
        (Layout::new(self.header.version), Names { tables: &self.tables, data: Some(self.data.as_slice()) })
    }

    /// A reader at the parts of an entry.
    fn reader(&self, row: &Row) -> Reader<'_> {
        Reader::new(self.data.get(row.at as usize..).unwrap_or_default())
    }
}
