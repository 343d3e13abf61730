//! Adds properties that a tagged list omits because they have their class's default, with a tag as the
//! engine would write it.

use super::context::{Context, listed_near};
use super::default::has_bare_names;
use super::error::{EditError, MissingFact};
use super::members::{Wanted, not_found, numbered};
use crate::id::Guid;
use crate::package::legacy::Name;
use crate::property::Object;
use crate::property::decode::ReadPlace;
use crate::property::kind::{Kind, StructName};
use crate::property::structs;
use crate::property::tag::{
    BareKind, BareMore, CompleteType, HAS_ELEMENT, IS_BINARY, InnerTag, Tag, TagGuid, TagKind,
};
use crate::property::value::{List, Property, TaggedArray, TaggedList, Value};
use std::sync::Arc;

/// The facts needed to add a property.
struct Known {
    /// Its name, spelled as in its class.
    name: Arc<str>,
    kind: Kind,
    /// The type in the tag of another object of the class.
    of_tag: Option<TagKind>,
}

/// A part of a tag, or the fact missing for it.
type Missing<T> = Result<T, MissingFact>;

impl Context<'_, '_> {
    /// Adds a property to a list, with the zero of its type. Returns its index and type.
    pub(super) fn add_tagged(
        &mut self,
        list: &mut TaggedList,
        wanted: &Wanted<'_>,
    ) -> Result<(usize, Kind), EditError> {
        let part = numbered(wanted.name, wanted.element);
        let there: Vec<String> =
            list.properties.iter().map(|property| self.text(property.tag.name)).collect();
        let known = match self.known(wanted) {
            Ok(Some(known)) => Ok(known),
            Ok(None) => return Err(not_found(&part, wanted.at, there)),
            Err(missing) => Err(missing),
        };
        let made = known.and_then(|known| Ok((self.property(&known, wanted)?, known.kind)));
        let (property, kind) = made.map_err(|missing| EditError::NotAdded {
            there: listed_near(&part, there),
            part,
            at: wanted.at.to_owned(),
            missing,
        })?;
        let place = self.place_for(list, wanted);
        list.properties.insert(place, property);
        Ok((place, kind))
    }

    /// Collects the facts about a property; `None` if its class is completely known and lacks the property.
    fn known(&self, wanted: &Wanted<'_>) -> Missing<Option<Known>> {
        let owner = wanted.owner.ok_or(MissingFact::Owner)?;
        let layout = self.scope.layout(owner);
        // The schema is the best source, then another object that records the property.
        if let Some((_, slot)) = layout.as_ref().and_then(|layout| layout.find(wanted.name, wanted.element)) {
            let (name, kind) = (Arc::clone(&slot.name), self.as_tagged(&slot.kind));
            return Ok(Some(Known { name, kind, of_tag: None }));
        }
        if let Some(known) = self.of_others(owner, wanted) {
            return Ok(Some(known));
        }
        // Only a complete schema proves that there is no such property.
        match layout.as_deref().map(crate::property::Layout::missing) {
            Some(None) => Ok(None),
            Some(Some(base)) => {
                let (class, base) = (Arc::clone(&owner.name), Arc::clone(&base.name));
                Err(MissingFact::Parent { class, base })
            }
            None => Err(MissingFact::Class(Arc::clone(&owner.name))),
        }
    }

    /// Converts a type of a schema to the one in tags. Mappings do not tell an old-style enum in a byte
    /// from an enum class.
    fn as_tagged(&self, kind: &Kind) -> Kind {
        let inner = |kind: &Kind| Box::new(self.as_tagged(kind));
        match kind {
            Kind::Enum(Some(of), under)
                if **under == Kind::Byte(None) && has_bare_names(&self.scope.enumeration(Some(of))) =>
            {
                Kind::Byte(Some(Arc::clone(of)))
            }
            Kind::Array(of) => Kind::Array(inner(of)),
            Kind::Set(of) => Kind::Set(inner(of)),
            Kind::Optional(of) => Kind::Optional(inner(of)),
            Kind::Map(key, value) => Kind::Map(inner(key), inner(value)),
            kind => kind.clone(),
        }
    }

    /// Finds the property in another object of the same class in the package.
    fn of_others(&self, class: &StructName, wanted: &Wanted<'_>) -> Option<Known> {
        let scope = self.scope;
        let is_same = |name: StructName| name.name.eq_ignore_ascii_case(&class.name);
        let others = scope.package.exports.iter();
        let others = others.filter(|export| scope.struct_name(export.class).is_some_and(is_same));
        others.map(|export| Object::read(scope, export)).find_map(|object| {
            let Some(List::Tagged(list)) = &object.properties else { return None };
            let is_wanted =
                |property: &&Property| self.text(property.tag.name).eq_ignore_ascii_case(wanted.name);
            let found = list.properties.iter().find(is_wanted)?;
            let kind = match (found.tag.kind(scope), &found.value) {
                // The tag omits the struct; the inner tag has it.
                (Kind::Array(_), Value::TaggedArray(array)) => {
                    Kind::Array(Box::new(Kind::Struct(StructName {
                        name: scope.shared(array.tag.of),
                        package: None,
                    })))
                }
                (kind, _) => kind,
            };
            let (name, of_tag) = (scope.shared(found.tag.name), Some(found.tag.kind.clone()));
            Some(Known { name, kind, of_tag })
        })
    }

    fn property(&mut self, known: &Known, wanted: &Wanted<'_>) -> Missing<Property> {
        let objects = self.scope.versions.objects;
        let name = self.names.find_or_add(&known.name);
        let value = self.value_of(known, name)?;
        let kind = match &known.of_tag {
            Some(TagKind::Complete { of, flags }) => {
                // Only this flag belongs to the type; the others describe the other object's value.
                let flags = flags & IS_BINARY;
                TagKind::Complete { of: Arc::clone(of), flags }
            }
            // The tag of a bool is its value, which must not be copied.
            Some(TagKind::Bare(BareKind { name, more: BareMore::Bool(_) })) => {
                TagKind::Bare(BareKind { name: *name, more: BareMore::Bool(0) })
            }
            Some(kind) => kind.clone(),
            None if objects.has_complete_type_names() => self.complete(&known.kind)?,
            None => TagKind::Bare(self.bare(&known.kind)?),
        };
        let is_complete = matches!(kind, TagKind::Complete { .. });
        let kind = match kind {
            TagKind::Complete { of, flags } if wanted.element > 0 => {
                TagKind::Complete { of, flags: flags | HAS_ELEMENT }
            }
            kind => kind,
        };
        let guid = if is_complete { TagGuid::None } else { TagGuid::none(objects) };
        // Before 5.4 the extension byte is always present where the version has it; since 5.4 a flag
        // announces it.
        let extension = if !is_complete && objects.has_tag_extension() { [0].into() } else { Box::default() };
        let tag = Tag { name, kind, len: 0, element: wanted.element, guid, extension };
        Ok(Property { tag, value })
    }

    /// The zero of the type. In old packages an array of structs has an inner tag.
    fn value_of(&mut self, known: &Known, name: Name) -> Missing<Value> {
        let objects = self.scope.versions.objects;
        if let Kind::Array(inner) = &known.kind
            && let Kind::Struct(of) = &**inner
            && objects.has_array_inner_tags()
            && !objects.has_complete_type_names()
        {
            // The inner tag needs the GUID of the struct, which only native structs have as zero.
            self.native(of)?;
            let guid = TagGuid::none(objects);
            let kind = self.names.find_or_add("StructProperty");
            let of = self.names.find_or_add(&of.name);
            let tag = InnerTag { name, kind, len: 0, element: 0, of, of_guid: Guid::ZERO, guid };
            return Ok(Value::TaggedArray(Box::new(TaggedArray { tag, items: Vec::new() })));
        }
        let unknown = || MissingFact::Zero(known.kind.name().unwrap_or_default().into());
        self.default_of(&known.kind, ReadPlace::Member).ok_or_else(unknown)
    }

    /// The type in the form of tags since 5.4.
    fn complete(&mut self, kind: &Kind) -> Missing<TagKind> {
        let mut nodes = Vec::new();
        self.nodes(kind, &mut nodes)?;
        let flags = if is_binary(kind) { IS_BINARY } else { 0 };
        Ok(TagKind::Complete { of: Arc::new(CompleteType::new(&nodes, kind.clone())), flags })
    }

    fn nodes(&mut self, kind: &Kind, nodes: &mut Vec<(Name, i32)>) -> Missing<()> {
        let name = kind.name().ok_or(MissingFact::Type)?;
        let name = self.names.find_or_add(&name);
        match kind {
            Kind::Byte(Some(of)) => {
                nodes.push((name, 1));
                self.named(of, None, nodes)?;
            }
            Kind::Enum(of, under) => {
                let of = of.as_ref().ok_or(MissingFact::Enum)?;
                nodes.push((name, 2));
                self.named(of, None, nodes)?;
                self.nodes(under, nodes)?;
            }
            Kind::Struct(of) => {
                nodes.push((name, 1));
                self.named(&of.name, of.package.as_ref(), nodes)?;
            }
            // Containers and plain types: one parameter for each inner type.
            kind => {
                nodes.push((name, i32::try_from(kind.inner().count()).unwrap_or(0)));
                kind.inner().try_for_each(|inner| self.nodes(inner, nodes))?;
            }
        }
        Ok(())
    }

    /// Appends a struct or enum, with its package as parameter.
    fn named(
        &mut self,
        name: &Arc<str>,
        package: Option<&Arc<str>>,
        nodes: &mut Vec<(Name, i32)>,
    ) -> Missing<()> {
        let package = package.cloned().or_else(|| self.scope.package_of(name));
        let package = package.ok_or_else(|| MissingFact::Package(Arc::clone(name)))?;
        nodes.push((self.names.find_or_add(name), 1));
        nodes.push((self.names.find_or_add(&package), 0));
        Ok(())
    }

    /// The type in the form of tags before 5.4.
    fn bare(&mut self, kind: &Kind) -> Missing<BareKind> {
        let name = self.names.find_or_add(&kind.name().ok_or(MissingFact::Type)?);
        let mut of =
            |kind: &Kind| Missing::Ok(self.names.find_or_add(&kind.name().ok_or(MissingFact::Type)?));
        let more = match kind {
            Kind::Plain(crate::property::Plain::Bool) => BareMore::Bool(0),
            Kind::Plain(_) | Kind::Unknown(_) => BareMore::None,
            Kind::Byte(of) | Kind::Enum(of, _) => {
                BareMore::One(self.names.find_or_add(of.as_deref().unwrap_or("None")))
            }
            Kind::Struct(of) => {
                self.native(of)?;
                let guid = self.scope.versions.objects.has_struct_guids().then_some(Guid::ZERO);
                BareMore::Struct(self.names.find_or_add(&of.name), guid)
            }
            Kind::Array(inner) | Kind::Set(inner) | Kind::Optional(inner) => BareMore::One(of(inner)?),
            Kind::Map(key, value) => BareMore::Two(of(key)?, of(value)?),
        };
        Ok(BareKind { name, more })
    }

    /// Fails for non-native structs: tags before 5.4 contain their GUID, which is unknown.
    fn native(&self, of: &StructName) -> Missing<()> {
        let is_native = of.package.as_deref().is_none_or(|package| package.starts_with("/Script/"))
            && self.scope.own_schema(&of.name).is_none();
        if is_native { Ok(()) } else { Err(MissingFact::StructGuid(Arc::clone(&of.name))) }
    }

    /// The index for a new property: in schema order if the schema is known, else at the end.
    fn place_for(&self, list: &TaggedList, wanted: &Wanted<'_>) -> usize {
        let Some(layout) = wanted.owner.and_then(|owner| self.scope.layout(owner)) else {
            return list.properties.len();
        };
        let Some((own, _)) = layout.find(wanted.name, wanted.element) else { return list.properties.len() };
        let is_after = |property: &Property| {
            let found = layout.find(&self.text(property.tag.name), property.tag.element);
            found.is_some_and(|(index, _)| index > own)
        };
        // Any order can be read, but this is the one that the engine writes.
        list.properties.iter().position(is_after).unwrap_or(list.properties.len())
    }
}

/// True if a native struct serializer writes values of this type.
fn is_binary(kind: &Kind) -> bool {
    match kind {
        Kind::Struct(of) => structs::is_known(&of.name),
        kind => kind.inner().any(is_binary),
    }
}
