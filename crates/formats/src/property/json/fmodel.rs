//! A package in the form of FModel's "save properties": an array of exports, in order.

use super::class::Tail;
use super::flags::flags;
use super::reference::{Reference, class_text, shown_package};
use super::shown::{Note, Shown, read};
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{List, Object, Scope};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// All exports of a package in FModel's form. Exports are read one at a time, so only one is in memory.
///
/// ```no_run
/// use uncask_formats::package::legacy::Package;
/// use uncask_formats::property::{Scope, json::FModel};
///
/// let (header, data) = (std::fs::read("Sword.uasset")?, std::fs::read("Sword.uexp")?);
/// let package = Package::parse(&header)?;
/// let scope = Scope::new(&package, &data, package.header_len(), None);
/// println!("{}", serde_json::to_string_pretty(&FModel::new(&scope))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FModel<'s, 'a, A = NoAdditions> {
    scope: &'s Scope<'a>,
    /// Indices of the exports; all, if there are none.
    only: Option<&'s [u32]>,
    note: Option<Note<'s>>,
    additions: A,
}

/// Entries of exports that come from another room, such as the scripts of functions.
pub trait Additions {
    /// Writes the entries of an export, the last ones of its map.
    fn write<M: SerializeMap>(
        &self,
        place: u32,
        export: &Export,
        object: &Object,
        map: &mut M,
    ) -> Result<(), M::Error>;
}

/// No entries.
#[derive(Debug, Clone, Copy)]
pub struct NoAdditions;

impl Additions for NoAdditions {
    fn write<M: SerializeMap>(&self, _: u32, _: &Export, _: &Object, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<A: Additions, B: Additions> Additions for (A, B) {
    fn write<M: SerializeMap>(
        &self,
        place: u32,
        export: &Export,
        object: &Object,
        map: &mut M,
    ) -> Result<(), M::Error> {
        self.0.write(place, export, object, map)?;
        self.1.write(place, export, object, map)
    }
}

impl<'s, 'a> FModel<'s, 'a> {
    /// The exports of a package, in order.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>) -> Self {
        Self { scope, only: None, note: None, additions: NoAdditions }
    }
}

impl<'s, 'a, A: Additions> FModel<'s, 'a, A> {
    /// Adds entries to each export.
    #[must_use]
    pub fn adding<B: Additions>(self, additions: B) -> FModel<'s, 'a, B> {
        FModel { scope: self.scope, only: self.only, note: self.note, additions }
    }

    /// Keeps the exports at these indices, in their order.
    #[must_use]
    pub fn only(self, indices: &'s [u32]) -> Self {
        Self { only: Some(indices), ..self }
    }

    /// Calls `note` with each export after reading it.
    #[must_use]
    pub fn noting(self, note: &'s dyn Fn(&Export, &Object)) -> Self {
        Self { note: Some(Note(note)), ..self }
    }

    /// A list of properties in FModel's form.
    #[must_use]
    pub const fn properties<'l>(&self, list: &'l List) -> impl Serialize + use<'l, 's, 'a, A>
    where
        's: 'l,
    {
        Shown { scope: self.scope, value: list }
    }
}

impl<A: Additions> Serialize for FModel<'_, '_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exports = &self.scope.package.exports;
        let mut list = serializer.serialize_seq(None)?;
        let mut add = |(place, export)| {
            let object = read(self.scope, export, self.note);
            let one = One { scope: self.scope, place, export, object: &object, additions: &self.additions };
            list.serialize_element(&one)
        };
        match self.only {
            None => (0..).zip(exports).try_for_each(add)?,
            Some(indices) => indices
                .iter()
                .filter_map(|at| Some((*at, exports.get(*at as usize)?)))
                .try_for_each(&mut add)?,
        }
        list.end()
    }
}

/// One export.
struct One<'s, 'a, A> {
    scope: &'s Scope<'a>,
    place: u32,
    export: &'s Export,
    object: &'s Object,
    additions: &'s A,
}

impl<A: Additions> Serialize for One<'_, '_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (scope, export) = (self.scope, self.export);
        let reference = |index| Reference { scope, index };
        // An export without a class is a class itself.
        let class = scope.class_name(export).unwrap_or_else(|| "Class".into());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("Type", &*class)?;
        map.serialize_entry("Name", &scope.package.text(export.name).to_string())?;
        map.serialize_entry("Flags", &flags(export.object_flags))?;
        map.serialize_entry("Class", &class_text(scope, export.class))?;
        // FModel writes one of the two keys, never both.
        if export.outer == PackageIndex::NONE {
            map.serialize_entry("Package", &shown_package(scope, scope.name()))?;
        } else {
            map.serialize_entry("Outer", &reference(export.outer))?;
        }
        if export.super_index != PackageIndex::NONE {
            map.serialize_entry("Super", &reference(export.super_index))?;
        }
        if let Some(template) = export.template.filter(|template| *template != PackageIndex::NONE) {
            map.serialize_entry("Template", &reference(template))?;
        }
        if let Some(list) = self.object.properties.as_ref().filter(|list| !list.is_empty()) {
            map.serialize_entry("Properties", &Shown { scope, value: list })?;
        }
        Tail { scope, export, tail: &self.object.tail }.serialize(&mut map)?;
        // An addition to FModel's form, which silently omits what it cannot read.
        if let Some(problem) = self.object.problem.as_ref().filter(|_| self.object.tail.fields.is_empty()) {
            map.serialize_entry("Problem", &problem.to_string())?;
        }
        self.additions.write(self.place, export, self.object, &mut map)?;
        map.end()
    }
}
