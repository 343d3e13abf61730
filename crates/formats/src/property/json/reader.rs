//! What reading the form that keeps everything needs: the package, and its names.

use super::source::{JsonError, SourcePart};
use crate::id::Guid;
use crate::package::legacy::Name;
use crate::property::Scope;
use crate::property::edit::Names;
use crate::property::kind::StructName;
use crate::property::layout::Layout;
use crate::property::tag::TagGuid;
use std::sync::Arc;

/// Reads values of one package.
pub(super) struct Reader<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub names: Names,
}

impl Reader<'_, '_> {
    /// What stands for no GUID in this version.
    pub(super) const fn no_guid(&self) -> TagGuid {
        let objects = self.scope.versions.objects;
        if objects.has_property_guids() { TagGuid::None } else { TagGuid::Absent }
    }

    /// The layout of a struct of a name, where it is known.
    pub(super) fn layout(&self, name: Option<&str>) -> Option<Arc<Layout>> {
        self.scope.layout(&StructName::new(name?))
    }

    /// A name: its text, or its place where the text alone would lead to another one.
    pub(super) fn name(&mut self, part: &SourcePart<'_>) -> Result<Name, JsonError> {
        if let Some(text) = part.json.as_str() {
            return Ok(self.names.find_or_add(text));
        }
        let name = Name {
            index: part.member("index", |index| index.number())?,
            number: part.member("number", |number| number.number())?,
        };
        let wanted = part.member("text", |text| text.text().map(str::to_owned))?;
        let is_there = self.scope.package.names.get(name.index as usize).is_some();
        if is_there && self.scope.package.text(name).to_string() == wanted {
            return Ok(self.names.keep(name));
        }
        Ok(self.names.find_or_add(&wanted))
    }
}

/// The text of a name.
pub(super) fn text<'j>(part: &SourcePart<'j>) -> &'j str {
    part.json.as_str().or_else(|| part.json.get("text")?.as_str()).unwrap_or_default()
}

pub(super) fn guid(part: &SourcePart<'_>) -> Result<Guid, JsonError> {
    part.text()?.parse().map_err(|_| part.expected("a GUID: 32 hex digits"))
}
