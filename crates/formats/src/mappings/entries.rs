//! Enums and structs, decoded on demand.

use super::file::Mappings;
use super::names::Names;
use super::rows::{
    EnumValue, Layout, Property, SchemaRow, StructRow, enum_row, enum_value, property, struct_row,
};
use crate::wire::Reader;
use std::borrow::Cow;

/// An enum and its values.
#[derive(Debug, Clone, Copy)]
pub struct Enum<'a> {
    mappings: &'a Mappings,
    row: SchemaRow,
}

/// A struct or class and its properties.
#[derive(Debug, Clone, Copy)]
pub struct Struct<'a> {
    mappings: &'a Mappings,
    row: StructRow,
}

/// Class or struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum StructKind {
    /// A class (`UClass`).
    Class,
    /// A struct (`UScriptStruct`).
    Struct,
}

impl<'a> Enum<'a> {
    /// Returns the name.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        self.mappings.name_at(self.row.name as usize)
    }

    /// Returns the package (since version 6).
    #[must_use]
    pub fn package(self) -> Option<Cow<'a, str>> {
        self.row.package.map(|index| self.mappings.name_at(index as usize))
    }

    /// Returns the number of values.
    #[must_use]
    pub const fn value_count(self) -> u32 {
        self.row.parts
    }

    /// Iterates over the values, in file order.
    pub fn values(self) -> impl Iterator<Item = EnumValue<'a>> {
        let (layout, names) = self.mappings.reading();
        let mut r = self.mappings.reader(&self.row);
        (0..self.row.parts).map_while(move |place| enum_value(&mut r, layout, names, place).ok())
    }
}

impl<'a> Struct<'a> {
    /// Returns the name.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        self.mappings.name_at(self.row.row.name as usize)
    }

    /// Returns the name of the parent struct.
    #[must_use]
    pub fn super_name(self) -> Option<Cow<'a, str>> {
        self.row.base.map(|index| self.mappings.name_at(index as usize))
    }

    /// Returns the package (since version 6).
    #[must_use]
    pub fn package(self) -> Option<Cow<'a, str>> {
        self.row.row.package.map(|index| self.mappings.name_at(index as usize))
    }

    /// Returns the kind (since version 6).
    #[must_use]
    pub fn kind(self) -> Option<StructKind> {
        // The top byte of the element count: 1 for a struct, 0 for a class.
        let [.., top] = self.row.elements.to_le_bytes();
        let kind = if top == 0 { StructKind::Class } else { StructKind::Struct };
        self.is_extended().then_some(kind)
    }

    /// Returns the flags, `EClassFlags` or `EStructFlags` (since version 6).
    #[must_use]
    pub fn flags(self) -> Option<u32> {
        self.is_extended().then_some(self.row.flags)
    }

    /// Returns the number of elements, counting each element of a fixed array.
    #[must_use]
    pub const fn element_count(self) -> u32 {
        // Before version 6 the count has 16 bits, and the mask changes nothing.
        self.row.elements & 0xFF_FFFF
    }

    /// Returns the number of recorded properties.
    #[must_use]
    pub const fn property_count(self) -> u32 {
        self.row.row.parts
    }

    /// Iterates over the recorded properties, in file order.
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
    /// Iterates over the enums, in file order.
    #[must_use]
    pub fn enums(&self) -> impl ExactSizeIterator<Item = Enum<'_>> {
        let (layout, names) = (Layout::new(self.header.version), self.tables.unread_names());
        let mut r = self.tables.enums.reader(&self.data);
        let rows = (0..self.tables.enums.count).map(move |_| enum_row(&mut r, layout, names));
        // All of them were read once before.
        rows.map(|row| Enum { mappings: self, row: row.unwrap_or_default() })
    }

    /// Iterates over the structs and classes, in file order.
    #[must_use]
    pub fn structs(&self) -> impl ExactSizeIterator<Item = Struct<'_>> {
        let (layout, names) = (Layout::new(self.header.version), self.tables.unread_names());
        let mut r = self.tables.structs.reader(&self.data);
        let rows = (0..self.tables.structs.count).map(move |_| struct_row(&mut r, layout, names));
        rows.map(|row| Struct { mappings: self, row: row.unwrap_or_default() })
    }

    /// Returns the layout and names to decode entries with.
    const fn reading(&self) -> (Layout, Names<'_>) {
        (
            Layout::new(self.header.version),
            Names { data: Some(self.data.as_slice()), ..self.tables.unread_names() },
        )
    }

    /// Returns a reader at the parts of an entry.
    fn reader(&self, row: &SchemaRow) -> Reader<'_> {
        Reader::new(self.data.get(row.at as usize..).unwrap_or_default())
    }
}
