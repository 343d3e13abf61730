//! The form that keeps everything, back to values.

use super::reader::{Reader, guid};
use super::source::{JsonError, SourcePart};
use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::reference::{Delegate, FieldPath, SoftPath};
use crate::property::schema::Enumeration;
use crate::property::tag::InnerTag;
use crate::property::text::HISTORIES;
use crate::property::value::{Body, Enumerator, Map, Set, Struct, TaggedArray, Text, Value};
use crate::wire::{self, WireString};
use std::sync::Arc;

impl Reader<'_, '_> {
    /// A value: its type, and what it holds.
    pub(super) fn value(&mut self, part: &SourcePart<'_>) -> Result<Value, JsonError> {
        part.only(|kind, part| match kind {
            "Bool" => part.bool().map(Value::Bool),
            "Bool32" => part.bool().map(Value::Bool32),
            "Int8" => part.number().map(Value::Int8),
            "Int16" => part.number().map(Value::Int16),
            "Int" => part.number().map(Value::Int),
            "Int64" => part.number().map(Value::Int64),
            "Byte" => part.number().map(Value::Byte),
            "UInt16" => part.number().map(Value::UInt16),
            "UInt32" => part.number().map(Value::UInt32),
            "UInt64" => part.number().map(Value::UInt64),
            "Float" => float(&part).map(Value::Float),
            "Double" => double(&part).map(Value::Double),
            "Name" => self.name(&part).map(Value::Name),
            "Enum" => self.name(&part).map(Value::Enum),
            "Enumerator" => self.enumerator(&part).map(Value::Enumerator),
            "Str" => string(&part).map(|text| Value::Str(Box::new(text))),
            "Utf8" => part.text().map(|text| Value::Utf8(text.into())),
            "Ansi" => part.bytes().map(|bytes| Value::Ansi(bytes.into())),
            "Bytes" => part.bytes().map(|bytes| Value::Bytes(bytes.into())),
            "Fixed" => part.bytes().map(|bytes| Value::Fixed(bytes.into())),
            "Raw" => part.element(0, |bytes| bytes.bytes()).map(|bytes| Value::Fixed(bytes.into())),
            "Guid" => guid(&part).map(Value::Guid),
            "Object" => self.object(&part).map(Value::Object),
            _ => self.larger(kind, &part),
        })
    }

    /// A value that holds others.
    fn larger(&mut self, kind: &str, part: &SourcePart<'_>) -> Result<Value, JsonError> {
        match kind {
            "Text" => self.text(part).map(|text| Value::Text(Box::new(text))),
            "SoftPath" => self.soft_path(part).map(|path| Value::SoftPath(Box::new(path))),
            "Delegate" => self.delegate(part).map(Value::Delegate),
            "Multicast" => part.each(|delegate| self.delegate(&delegate)).map(Value::Multicast),
            "FieldPath" => self.field_path(part).map(|path| Value::FieldPath(Box::new(path))),
            "Array" => self.values(part).map(Value::Array),
            "TaggedArray" => {
                let tag = part.element(0, |tag| self.inner_tag(&tag))?;
                let items = part.element(1, |items| self.values(&items))?;
                Ok(Value::TaggedArray(Box::new(TaggedArray { tag, items })))
            }
            "Set" => {
                let [removed, items] = self.two(part, Self::values)?;
                Ok(Value::Set(Box::new(Set { removed, items })))
            }
            "Map" => {
                let removed = part.element(0, |removed| self.values(&removed))?;
                let entries = part.element(1, |entries| {
                    entries.each(|entry| self.two(&entry, Self::value).map(|[key, value]| (key, value)))
                })?;
                Ok(Value::Map(Box::new(Map { removed, entries })))
            }
            "Optional" if part.json.is_null() => Ok(Value::Optional(None)),
            "Optional" => self.value(part).map(|value| Value::Optional(Some(Box::new(value)))),
            "Sized" => self.value(part).map(|value| Value::Sized(Box::new(value))),
            "Struct" | "Native" | "Empty" => self.structure(kind, part),
            _ => Err(part.error(&format!("{kind} is no type of values"))),
        }
    }

    fn structure(&mut self, kind: &str, part: &SourcePart<'_>) -> Result<Value, JsonError> {
        let name_of = |part: &SourcePart<'_>| match part.json {
            serde_json::Value::Null => Ok(None),
            _ => part.text().map(|name| Some(Arc::<str>::from(name))),
        };
        if kind == "Empty" {
            let name = name_of(part)?;
            return Ok(Value::Struct(Box::new(Struct { name, body: Body::Empty })));
        }
        let name = part.element(0, |name| name_of(&name))?;
        let body = part.element(1, |body| match kind {
            "Native" => self.record(&body).map(Body::Native),
            _ => {
                let layout = self.layout(name.as_deref());
                self.list(&body, layout).map(Body::List)
            }
        })?;
        Ok(Value::Struct(Box::new(Struct { name, body })))
    }

    fn values(&mut self, part: &SourcePart<'_>) -> Result<Vec<Value>, JsonError> {
        part.each(|value| self.value(&value))
    }

    /// Two things of a kind.
    fn two<T>(
        &mut self,
        part: &SourcePart<'_>,
        mut read: impl FnMut(&mut Self, &SourcePart<'_>) -> Result<T, JsonError>,
    ) -> Result<[T; 2], JsonError> {
        let first = part.element(0, |first| read(self, &first))?;
        Ok([first, part.element(1, |second| read(self, &second))?])
    }

    /// The value of an enum: its number, or its name if that was changed.
    fn enumerator(&mut self, part: &SourcePart<'_>) -> Result<Enumerator, JsonError> {
        let of = part.element(0, |of| Ok(Arc::<str>::from(of.text()?)))?;
        let number = part.element(2, |number| number.number::<i64>())?;
        let width: u8 = part.element(3, |width| width.number())?;
        if ![1, 2, 4, 8].contains(&width) {
            return Err(
                part.error(&format!("found {width} bytes for the value of an enum, expected 1, 2, 4 or 8"))
            );
        }
        let of: Arc<Enumeration> = self.scope.enumeration(Some(&of));
        let number = part.element(1, |name| match name.json.as_str() {
            Some(text) if of.name_of(number) != Some(text) => {
                let named = of.values().find(|(_, known)| known.eq_ignore_ascii_case(text));
                named
                    .map(|(number, _)| number)
                    .ok_or_else(|| name.expected(&format!("a value of {}", of.name)))
            }
            _ => Ok(number),
        })?;
        Ok(Enumerator { of, number, width })
    }

    fn text(&mut self, part: &SourcePart<'_>) -> Result<Text, JsonError> {
        let history = part.member("history", |history| {
            let name = history.text()?;
            let place = HISTORIES.iter().position(|known| *known == name);
            let number = place.and_then(|place| i8::try_from(place).ok()).map(|place| place - 1);
            number.ok_or_else(|| history.expected("a kind of texts, such as Base"))
        })?;
        let flags = part.member("flags", |flags| flags.number())?;
        Ok(Text { flags, history, fields: part.member("fields", |fields| self.record(&fields))? })
    }

    fn object(&mut self, part: &SourcePart<'_>) -> Result<PackageIndex, JsonError> {
        let index = part.member("index", |index| index.number().map(PackageIndex))?;
        let package = self.scope.package;
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

    fn delegate(&mut self, part: &SourcePart<'_>) -> Result<Delegate, JsonError> {
        let object = part.element(0, |object| self.object(&object))?;
        Ok(Delegate { object, function: part.element(1, |function| self.name(&function))? })
    }

    fn field_path(&mut self, part: &SourcePart<'_>) -> Result<FieldPath, JsonError> {
        let path = part.element(0, |path| path.each(|name| self.name(&name)))?;
        let owner = part.element(1, |owner| match owner.json {
            serde_json::Value::Null => Ok(None),
            _ => self.object(&owner).map(Some),
        })?;
        Ok(FieldPath { path, owner })
    }

    fn soft_path(&mut self, part: &SourcePart<'_>) -> Result<SoftPath, JsonError> {
        let form = part.element(0, |form| Ok(form.text()?.to_owned()))?;
        match form.as_str() {
            "Text" => part.element(1, |path| string(&path)).map(SoftPath::Text),
            "Asset" => {
                let asset = part.element(1, |asset| self.name(&asset))?;
                Ok(SoftPath::Asset(asset, part.element(2, |sub| string(&sub))?))
            }
            "TopLevel" => {
                let package = part.element(1, |package| self.name(&package))?;
                let asset = part.element(2, |asset| self.name(&asset))?;
                Ok(SoftPath::TopLevel(package, asset, part.element(3, |sub| string(&sub))?))
            }
            "Utf8" => {
                let package = part.element(1, |package| self.name(&package))?;
                let asset = part.element(2, |asset| self.name(&asset))?;
                Ok(SoftPath::Utf8(package, asset, part.element(3, |sub| Ok(sub.text()?.into()))?))
            }
            "Listed" => part.element(1, |index| index.number()).map(SoftPath::Listed),
            _ => Err(part.error(&format!("{form} is no form of soft paths"))),
        }
    }

    fn inner_tag(&mut self, part: &SourcePart<'_>) -> Result<InnerTag, JsonError> {
        let [kind, of] = part.member("type", |kinds| self.two(&kinds, Self::name))?;
        let found = part.optional("guid", |found| guid(&found))?;
        Ok(InnerTag {
            name: part.member("name", |name| self.name(&name))?,
            kind,
            len: 0,
            element: part.member("element", |element| element.number())?,
            of,
            of_guid: part.member("struct_guid", |found| guid(&found))?,
            guid: found.map_or_else(|| self.no_guid(), crate::property::tag::TagGuid::Some),
        })
    }
}

/// A number, or its bits as hex digits.
fn float(part: &SourcePart<'_>) -> Result<f32, JsonError> {
    if let Some(bits) = part.json.as_str() {
        let bits = u32::from_str_radix(bits, 16);
        return bits
            .map(f32::from_bits)
            .map_err(|_| part.expected("a number, or the bits of one as eight hex digits"));
    }
    let number = part.json.as_f64().ok_or_else(|| part.expected("a number"))?;
    #[expect(clippy::cast_possible_truncation, reason = "the float whose digits these are")]
    let float = number as f32;
    if float.is_finite() { Ok(float) } else { Err(part.expected("a number that fits a float")) }
}

fn double(part: &SourcePart<'_>) -> Result<f64, JsonError> {
    if let Some(bits) = part.json.as_str() {
        let bits = u64::from_str_radix(bits, 16);
        return bits
            .map(f64::from_bits)
            .map_err(|_| part.expected("a number, or the bits of one as 16 hex digits"));
    }
    part.json.as_f64().ok_or_else(|| part.expected("a number"))
}

/// A string as the engine writes it, or in the bytes that it had, if they still are those of its text.
fn string(part: &SourcePart<'_>) -> Result<WireString, JsonError> {
    if let Some(text) = part.json.as_str() {
        return Ok(text.into());
    }
    let text = part.member("text", |text| Ok(text.text()?.to_owned()))?;
    let bytes = part.member("bytes", |bytes| bytes.bytes())?;
    let found = WireString::read(&mut wire::Reader::new(&bytes), "string");
    Ok(found.ok().filter(|found| found.as_str() == text).unwrap_or_else(|| text.into()))
}
