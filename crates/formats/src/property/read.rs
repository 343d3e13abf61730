//! Reading values by their types.
//!
//! A tag gives the length of a value, and the value must use exactly these bytes; otherwise it is kept raw.
//! An unversioned list has no lengths, so a value that is not understood ends the reading.

use super::decode::{Decoder, Owner, ReadPlace};
use super::kind::{Kind, StructName};
use super::structs;
use super::tag::{InnerTag, Tag};
use super::value::{Body, Enumerator, Map, Raw, Set, Struct, TaggedArray, Value};
use crate::wire::{Fault, FaultKind};
use std::sync::Arc;

/// The name of the struct in a value or its elements.
fn struct_name(kind: &Kind) -> Option<Arc<str>> {
    match kind {
        Kind::Struct(name) => Some(Arc::clone(&name.name)).filter(|name| !name.is_empty()),
        // The value of a map says more than its key.
        kind => kind.inner().rev().find_map(struct_name),
    }
}

/// Structs in maps whose tags omit them: property name, key and value. An empty name stands for a list.
const MAPS: [(&str, &str, &str); 11] = [
    ("BindingIdToReferences", "Guid", ""),
    ("UserParameterRedirects", "NiagaraVariable", "NiagaraVariable"),
    ("Tracks", "MovieSceneTrackIdentifier", ""),
    ("TrackReferenceCounts", "MovieSceneTrackIdentifier", ""),
    ("SubSequences", "MovieSceneSequenceID", ""),
    ("Hierarchy", "MovieSceneSequenceID", ""),
    ("TrackSignatureToTrackIdentifier", "Guid", "MovieSceneTrackIdentifier"),
    ("SubTemplateSerialNumbers", "MovieSceneSequenceID", ""),
    ("SoftwareCursors", "", "SoftClassPath"),
    ("HardwareCursors", "", ""),
    ("PropertyGuids", "", "Guid"),
];

impl Decoder<'_, '_> {
    /// Reads the value after a tag. Fails only if bytes are missing.
    pub(super) fn tag_value(&mut self, tag: &Tag, owner: Owner<'_>) -> Result<Value, Fault> {
        // A bool is in its tag and has no bytes.
        if let Some(value) = tag.bool() {
            return Ok(Value::Bool(value));
        }
        let at = self.r.clone();
        let kind = FaultKind::Negative { found: tag.len.into() };
        let len = usize::try_from(tag.len).map_err(|_| at.fault("size of a property", kind))?;
        let base = self.r.offset();
        let bytes = self.r.bytes("value of a property", len)?;
        self.subject = None;
        let scope = self.scope;
        let value =
            self.within(bytes, base, |d| d.enter(|d| tag.with_kind(scope, |kind| d.whole(kind, tag, owner))));
        // A value that does not fit its type is kept raw, as the tag says where it ends.
        Ok(value.unwrap_or_else(|reason| {
            let subject = self.subject.take().or_else(|| tag.with_kind(scope, struct_name));
            Value::Raw(Box::new(Raw { bytes: bytes.into(), reason, subject }))
        }))
    }

    /// Reads a value that takes up all remaining bytes.
    fn whole(&mut self, kind: &Kind, tag: &Tag, owner: Owner<'_>) -> Result<Value, Fault> {
        let property = || self.scope.package.text(tag.name).base.to_owned();
        match kind {
            // Size 0: not even the name that ends a list.
            Kind::Struct(name) if self.r.remaining() == 0 => {
                let name = Some(Arc::clone(&name.name)).filter(|name| !name.is_empty());
                Ok(Value::Struct(Box::new(Struct { name, body: Body::Empty })))
            }
            Kind::Struct(name) => {
                // Native serializer first. Some games ship structs of that name as plain lists, which the
                // length then reveals.
                self.first_of(&[&|d: &mut Self| d.structure(name), &|d: &mut Self| d.plain_struct(name)])
            }
            // One byte cannot be the name of a value, which has eight.
            Kind::Byte(Some(_)) if self.r.remaining() == 1 => self.byte(),
            // Since 5.4 the tag describes elements completely, so none of the guesses below is needed.
            Kind::Array(inner) if !self.scope.versions.objects.has_complete_type_names() => {
                let property = property();
                self.bare_array(inner, &property, owner)
            }
            Kind::Map(key, value) if key.is_struct() || value.is_struct() => {
                let property = property();
                self.bare_map(key, value, &property, owner)
            }
            Kind::Set(inner) if inner.is_struct() => {
                let property = property();
                self.bare_set(inner, &property, owner)
            }
            kind => self.value(kind, ReadPlace::Member),
        }
    }

    /// Reads a value by its type.
    pub(super) fn value(&mut self, kind: &Kind, place: ReadPlace) -> Result<Value, Fault> {
        // Unversioned lists store enums as numbers, but only as direct members: elements of containers are
        // names.
        let is_name = self.tagged || place == ReadPlace::Element;
        match kind {
            Kind::Plain(plain) => plain.read(self),
            Kind::Byte(None) => self.byte(),
            Kind::Byte(Some(_)) | Kind::Enum(..) if is_name => self.enum_name(),
            Kind::Byte(of) => self.enumerator(of.as_ref(), Some(1)),
            Kind::Enum(of, under) => self.enumerator(of.as_ref(), under.width()),
            Kind::Struct(name) => self.enter(|d| d.structure(name)),
            Kind::Array(inner) => self.enter(|d| d.array(inner)),
            Kind::Set(inner) => self.enter(|d| d.set(inner)),
            Kind::Map(key, value) => self.enter(|d| d.map(key, value)),
            Kind::Optional(inner) => {
                self.enter(|d| d.optional("flag of an optional", |d| d.value(inner, ReadPlace::Member)))
            }
            // Without a tag nothing says how long it is.
            Kind::Unknown(name) => {
                self.subject = Some(Arc::clone(name));
                Err(self.r.fault("type of a property", FaultKind::Unknown))
            }
        }
    }

    fn enumerator(&mut self, of: Option<&Arc<str>>, width: Option<u8>) -> Result<Value, Fault> {
        let field = "value of an enum";
        // The mapping says the underlying type; it is a byte mostly.
        let number = match width {
            Some(1) => self.r.u8(field)?.into(),
            Some(2) => self.r.u16(field)?.into(),
            Some(4) => self.r.i32(field)?.into(),
            Some(8) => self.r.i64(field)?,
            _ => return Err(self.r.fault("type of an enum", FaultKind::Unknown)),
        };
        let of = self.scope.enumeration(of);
        Ok(Value::Enumerator(Enumerator { of, number, width: width.unwrap_or(1) }))
    }

    /// Reads a struct: with its own serializer if it has one, else as a list.
    pub(super) fn structure(&mut self, name: &StructName) -> Result<Value, Fault> {
        match structs::read(self, name)? {
            Some(value) => Ok(value),
            None => self.plain_struct(name),
        }
    }

    /// Reads a struct as a list of properties.
    pub(super) fn plain_struct(&mut self, name: &StructName) -> Result<Value, Fault> {
        let list = self.nested(name)?;
        Ok(Value::list(Some(Arc::clone(&name.name)).filter(|name| !name.is_empty()), list))
    }

    fn array(&mut self, inner: &Kind) -> Result<Value, Fault> {
        match inner {
            // One block instead of a value per byte: such arrays are long.
            Kind::Byte(None) => self.bytes("bytes of an array"),
            inner => {
                self.list("elements of an array", min_len(inner), |d| d.value(inner, ReadPlace::Element))
            }
        }
    }

    /// Reads an array whose tag does not describe its elements completely.
    fn bare_array(&mut self, inner: &Kind, property: &str, owner: Owner<'_>) -> Result<Value, Fault> {
        match inner {
            // An inner tag names the struct.
            Kind::Struct(_) if self.scope.versions.objects.has_array_inner_tags() => self.tagged_array(),
            // Before inner tags, only the schema or the property's name tells the struct.
            Kind::Struct(_) => {
                let hint = self.scope.hint(owner, property);
                let hinted = match hint.as_deref() {
                    Some(Kind::Array(inner)) => (**inner).clone(),
                    _ if property == "Keys" => Kind::Struct(StructName::new("RichCurveKey")),
                    _ => Kind::Struct(StructName::new("")),
                };
                self.first_of(&[&|d: &mut Self| d.array(&hinted), &|d: &mut Self| d.array(inner)])
            }
            Kind::Byte(_) | Kind::Enum(..) => {
                let mut r = self.r.clone();
                let count = r.size("elements of an array")? as usize;
                // Nothing says whether the elements are bytes or names, but their total size does.
                let names = count > 0 && count.checked_mul(8) == Some(r.remaining());
                if names {
                    self.list("elements of an array", 8, Self::enum_name)
                } else {
                    self.bytes("bytes of an array")
                }
            }
            inner => self.array(inner),
        }
    }

    /// Reads an array of structs before 5.4: a count, one tag for all elements, then the elements.
    fn tagged_array(&mut self) -> Result<Value, Fault> {
        let count = self.r.size("elements of an array")?;
        let tag = InnerTag::read(&mut self.r, self.scope)?;
        let at = self.r.clone();
        let limit = self.r.remaining();
        // Each element takes a byte at least, which bounds the count.
        if count as usize > limit {
            let kind = FaultKind::TooLarge { found: count.into(), limit: limit as u64 };
            return Err(at.fault("elements of an array", kind));
        }
        let name = StructName { name: self.scope.shared(tag.of), package: None };
        let read = |d: &mut Self, plain: bool| {
            let mut items = Vec::new();
            for _ in 0..count {
                d.step()?;
                let item = d.enter(|d| if plain { d.plain_struct(&name) } else { d.structure(&name) });
                items.push(item?);
            }
            Ok(items)
        };
        // Native serializer first, then lists, as for a single struct.
        let items = self.first_of(&[&|d: &mut Self| read(d, false), &|d: &mut Self| read(d, true)])?;
        // The inner tag repeats the size of all elements. If it differs, the array is not what it seems.
        if u64::try_from(tag.len) == Ok(limit as u64) {
            return Ok(Value::TaggedArray(Box::new(TaggedArray { tag, items })));
        }
        let kind = FaultKind::Unexpected { found: u64::from(tag.len.unsigned_abs()), expected: limit as u64 };
        Err(at.fault("size of an array of structs", kind))
    }

    fn set(&mut self, inner: &Kind) -> Result<Value, Fault> {
        // Removed elements stand first; they are differences to the parent's set.
        let mut each = |field| self.values(field, min_len(inner), |d| d.value(inner, ReadPlace::Element));
        let removed = each("removed elements of a set")?;
        let items = each("elements of a set")?;
        Ok(Value::Set(Box::new(Set { removed, items })))
    }

    fn map(&mut self, key: &Kind, value: &Kind) -> Result<Value, Fault> {
        let removed =
            self.values("removed keys of a map", min_len(key), |d| d.value(key, ReadPlace::Element))?;
        let count = self.r.count("entries of a map", min_len(key) + min_len(value))?;
        // The count is bounded by the bytes left; the capacity additionally by entries of usual size.
        let mut entries = Vec::with_capacity(count.min(self.r.remaining() / 16 + 1));
        for _ in 0..count {
            self.step()?;
            entries.push((self.value(key, ReadPlace::Element)?, self.value(value, ReadPlace::Element)?));
        }
        Ok(Value::Map(Box::new(Map { removed, entries })))
    }

    /// Reads a map whose tag may not name its structs.
    fn bare_map(
        &mut self,
        key: &Kind,
        value: &Kind,
        property: &str,
        owner: Owner<'_>,
    ) -> Result<Value, Fault> {
        if self.scope.versions.objects.has_complete_type_names() {
            return self.map(key, value);
        }
        let named = |kind: &Kind, name: &str| match kind {
            Kind::Struct(_) => Kind::Struct(StructName::new(name)),
            kind => kind.clone(),
        };
        // From the most to the least certain: schema, known property name, plain lists, and a GUID as key.
        let mut attempts: Vec<(Kind, Kind)> = Vec::new();
        if let Some(Kind::Map(key, value)) = self.scope.hint(owner, property).as_deref() {
            attempts.push(((**key).clone(), (**value).clone()));
        }
        if let Some((_, of_key, of_value)) = MAPS.iter().find(|(name, ..)| *name == property) {
            attempts.push((named(key, of_key), named(value, of_value)));
        }
        attempts.push((key.clone(), value.clone()));
        attempts.push((named(key, "Guid"), value.clone()));
        let start = self.r.clone();
        let mut first = None;
        for (key, value) in &attempts {
            self.r = start.clone();
            match self.first_of(&[&|d: &mut Self| d.map(key, value)]) {
                Ok(map) => return Ok(map),
                Err(fault) => drop(first.get_or_insert(fault)),
            }
        }
        // The first attempt is the likeliest form, so its fault says most.
        Err(first.unwrap_or_else(|| start.fault("map", FaultKind::Unknown)))
    }

    /// Reads a set whose tag may not name its structs.
    fn bare_set(&mut self, inner: &Kind, property: &str, owner: Owner<'_>) -> Result<Value, Fault> {
        if self.scope.versions.objects.has_complete_type_names() {
            return self.set(inner);
        }
        let hinted = match self.scope.hint(owner, property).as_deref() {
            Some(Kind::Set(inner)) => (**inner).clone(),
            _ => inner.clone(),
        };
        let guid = Kind::Struct(StructName::new("Guid"));
        self.first_of(&[&|d: &mut Self| d.set(&hinted), &|d: &mut Self| d.set(inner), &|d: &mut Self| {
            d.set(&guid)
        }])
    }
}

/// Least bytes of a value as an element, key or value.
fn min_len(kind: &Kind) -> usize {
    match kind {
        Kind::Plain(plain) => plain.min_len(),
        // One byte, though structs may be empty: a list has its end, and unknown types are never read.
        Kind::Byte(None) | Kind::Struct(_) | Kind::Unknown(_) => 1,
        Kind::Byte(Some(_)) | Kind::Enum(..) | Kind::Set(_) | Kind::Map(..) => 8,
        Kind::Array(_) | Kind::Optional(_) => 4,
    }
}
