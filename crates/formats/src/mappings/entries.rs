//! Enums and structs as they are asked for.

use super::file::Mappings;
use super::names::Names;
use super::rows::{
    EnumValue, Layout, Property, SchemaRow, StructRow, enum_row, enum_value, property, struct_row,
};
use crate::wire::Reader;
use std::borrow::Cow;

/// An enum, and its values.
#[derive(Debug, Clone, Copy)]
pub struct Enum<'a> {
    mappings: &'a Mappings,
    row: SchemaRow,
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

    /// Number of properties that are recorded.
    #[must_use]
    pub const fn property_count(self) -> u32 {
        self.row.row.parts
    }

    /// The properties that are recorded, in file order.
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
        (
            Layout::new(self.header.version),
            Names { data: Some(self.data.as_slice()), ..self.tables.unread_names() },
        )
    }

    /// A reader at the parts of an entry.
    fn reader(&self, row: &SchemaRow) -> Reader<'_> {
        Reader::new(self.data.get(row.at as usize..).unwrap_or_default())
    }
}
