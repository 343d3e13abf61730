//! The context for reading the lossless form: the package and its names.

use super::source::{JsonError, SourcePart};
use crate::id::Guid;
use crate::package::legacy::{Name, PackageIndex, PackageRef};
use crate::property::edit::Names;
use crate::property::kind::StructName;
use crate::property::layout::Layout;
use crate::property::tag::TagGuid;
use crate::property::{Scope, Value};
use crate::wire::{self, WireString};
use std::sync::Arc;

/// Reads the values of one package.
pub(in crate::property) struct Reader<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub names: Names,
}

impl Reader<'_, '_> {
    /// The field of a tag without GUID, in this version.
    pub(in crate::property) const fn no_guid(&self) -> TagGuid {
        TagGuid::none(self.scope.versions.objects)
    }

    /// Reads an array of values.
    pub(in crate::property) fn values(&mut self, part: &SourcePart<'_>) -> Result<Vec<Value>, JsonError> {
        part.each(|value| self.value(&value))
    }

    /// Reads an array of two.
    pub(in crate::property) fn two<T>(
        &mut self,
        part: &SourcePart<'_>,
        mut read: impl FnMut(&mut Self, &SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<[T; 2], JsonError> {
        let first = part.element(0, |first| read(self, &first))?;
        Ok([first, part.element(1, |second| read(self, &second))?])
    }

    /// Reads a reference to an object, which must exist.
    pub(in crate::property) fn object(&self, part: &SourcePart<'_>) -> Result<PackageIndex, JsonError> {
        let index = part.member("index", |index| index.number().map(PackageIndex))?;
        let package = self.scope.package;
        // Only the index counts; the texts beside it are for readers.
        let (place, count) = match index.decode() {
            PackageRef::None => return Ok(index),
            PackageRef::Import(place) => (place, package.imports.len()),
            PackageRef::Export(place) => (place, package.exports.len()),
        };
        if (place as usize) < count {
            return Ok(index);
        }
        let (exports, imports) = (package.exports.len(), package.imports.len());
        Err(part.error(&format!(
            "found object {}, expected one of {}, as 1, 2, …, or of {}, as -1, -2, …",
            index.0,
            wire::counted(exports as u64, "export", "exports"),
            wire::counted(imports as u64, "import", "imports"),
        )))
    }

    /// The layout of a struct, if known.
    pub(in crate::property) fn layout(&self, name: Option<&str>) -> Option<Arc<Layout>> {
        self.scope.layout(&StructName::new(name?))
    }

    /// Reads a name: a text, or also an index where the text alone would give another entry.
    pub(in crate::property) fn name(&mut self, part: &SourcePart<'_>) -> Result<Name, JsonError> {
        if let Some(text) = part.json.as_str() {
            return Ok(self.names.find_or_add(text));
        }
        let name = Name {
            index: part.member("index", |index| index.number())?,
            number: part.member("number", |number| number.number())?,
        };
        let wanted = part.member("text", |text| text.text().map(str::to_owned))?;
        // The index holds only as long as the text was not edited.
        let is_there = self.scope.package.names.get(name.index as usize).is_some();
        if is_there && self.scope.package.text(name).to_string() == wanted {
            return Ok(self.names.keep(name));
        }
        Ok(self.names.find_or_add(&wanted))
    }
}

/// The text of a name in either form.
pub(in crate::property) fn text<'j>(part: &SourcePart<'j>) -> &'j str {
    part.json.as_str().or_else(|| part.json.get("text")?.as_str()).unwrap_or_default()
}

pub(in crate::property) fn guid(part: &SourcePart<'_>) -> Result<Guid, JsonError> {
    part.text()?.parse().map_err(|_| part.expected("a GUID: 32 hex digits"))
}

/// Reads a string: a plain text in the engine's encoding, or original bytes, if they still match the text.
pub(in crate::property) fn wire_string(part: &SourcePart<'_>) -> Result<WireString, JsonError> {
    if let Some(text) = part.json.as_str() {
        return Ok(text.into());
    }
    let text = part.member("text", |text| Ok(text.text()?.to_owned()))?;
    let bytes = part.member("bytes", |bytes| bytes.bytes())?;
    let found = WireString::read(&mut wire::Reader::new(&bytes), "string");
    // The text was edited: the bytes are out of date.
    Ok(found.ok().filter(|found| found.as_str() == text).unwrap_or_else(|| text.into()))
}
