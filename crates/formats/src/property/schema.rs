//! Schemas: which properties a struct or class has, in the order in which unversioned lists count them.
//!
//! Native ones come from mappings, those of blueprints from the packages that hold them. A struct's own properties come
//! first, then those of its super, and so on; each element of a static array counts.

use super::kind::{Kind, Plain, StructName};
use crate::mappings::{Mappings, PropertyType, Struct};
use foldhash::HashMap;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_128;

/// What a struct or class adds to its super.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Its name.
    pub name: StructName,
    /// What it extends.
    pub base: Option<StructName>,
    /// Its own properties, by their places; there may be gaps between them.
    pub slots: Vec<Slot>,
    /// Elements of all of its own properties, gaps included.
    pub len: usize,
}

/// A property; one that is a static array has as many places as elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Its name.
    pub name: Arc<str>,
    /// The place of its first element.
    pub first: u32,
    /// How many elements it has.
    pub elements: u16,
    /// Its type.
    pub kind: Arc<Kind>,
}

/// An enum and the names of its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// Numbers and names, without that of the enum; by number, and as recorded where several have one.
    pub values: Vec<(i64, Arc<str>)>,
}

/// A schema with all that it extends.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The struct itself first.
    parts: Vec<Arc<Schema>>,
    /// What the last part extends, if that is not known.
    missing: Option<StructName>,
    len: usize,
    /// Types of properties by a hash of their names, once one was looked for.
    kinds: OnceLock<HashMap<u128, Arc<Kind>>>,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        (&self.parts, &self.missing) == (&other.parts, &other.missing)
    }
}

/// Every schema of a `.usmap`, by name in any letter case.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    structs: HashMap<Box<str>, Arc<Schema>>,
    enums: HashMap<Box<str>, Arc<Enumeration>>,
}

/// Steps after which a chain of supers cannot be right.
const MAX_CHAIN: usize = 100;

impl Slot {
    /// Whether one of its elements goes by a name: `Name`, or `Name[2]` for an element of a static array.
    pub(super) fn is_called(&self, name: &str, element: u32) -> bool {
        let wanted = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let wanted = wanted.and_then(|(name, element)| Some((name, element.parse().ok()?)));
        let (name, wanted) = wanted.unwrap_or((name, 0));
        element == wanted && self.name.eq_ignore_ascii_case(name)
    }
}

impl Enumeration {
    /// An enum with these numbers and names.
    #[must_use]
    pub fn new(name: Arc<str>, mut values: Vec<(i64, Arc<str>)>) -> Self {
        values.sort_by_key(|(number, _)| *number);
        Self { name, values }
    }

    /// Numbers and names, without that of the enum, by number.
    pub fn values(&self) -> impl Iterator<Item = (i64, &str)> {
        self.values.iter().map(|(number, name)| (*number, &**name))
    }

    /// The name of a number: the first one recorded.
    #[must_use]
    pub fn name_of(&self, number: i64) -> Option<&str> {
        let at = self.values.partition_point(|(known, _)| *known < number);
        self.values.get(at).filter(|(known, _)| *known == number).map(|(_, name)| &**name)
    }
}

impl Schema {
    /// A schema of these properties, in any order. Those whose places lie past `len` do not count.
    #[must_use]
    pub fn new(name: StructName, base: Option<StructName>, mut slots: Vec<Slot>, len: usize) -> Self {
        slots.sort_by_key(|slot| slot.first);
        Self { name, base, slots, len }
    }

    /// The property at a place, and which of its elements.
    fn slot(&self, place: usize) -> Option<(&Slot, u32)> {
        let place = u32::try_from(place).ok().filter(|_| place < self.len)?;
        let before = self.slots.partition_point(|slot| slot.first <= place).checked_sub(1)?;
        let slot = self.slots.get(before)?;
        let element = place - slot.first;
        (element < slot.elements.into()).then_some((slot, element))
    }
}

impl Layout {
    /// Follows a struct through all that it extends.
    pub(super) fn new(first: Arc<Schema>, mut find: impl FnMut(&StructName) -> Option<Arc<Schema>>) -> Self {
        let mut this = Self::default();
        let mut next = Some(first);
        while let Some(schema) = next {
            let again = this.parts.iter().any(|part| Arc::ptr_eq(part, &schema));
            if again || this.parts.len() == MAX_CHAIN {
                break;
            }
            this.len += schema.len;
            next = schema.base.as_ref().and_then(&mut find);
            this.missing = schema.base.clone().filter(|_| next.is_none());
            this.parts.push(schema);
        }
        this
    }

    /// Properties that are known.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The property at an index, and which of its elements.
    #[must_use]
    pub fn slot(&self, index: usize) -> Option<(&Slot, u32)> {
        let mut left = index;
        for part in &self.parts {
            match left.checked_sub(part.len) {
                Some(more) => left = more,
                None => return part.slot(left),
            }
        }
        None
    }

    /// The type of a property by its name, in any letter case.
    #[must_use]
    pub fn kind_of(&self, name: &str) -> Option<&Arc<Kind>> {
        let kinds = self.kinds.get_or_init(|| {
            let mut kinds = HashMap::default();
            for slot in self.parts.iter().flat_map(|part| &part.slots) {
                kinds.entry(name_key(&slot.name)).or_insert_with(|| Arc::clone(&slot.kind));
            }
            kinds
        });
        kinds.get(&name_key(name))
    }

    /// Names of the struct and of all that it extends.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let missing = self.missing.iter().map(|name| &*name.name);
        self.parts.iter().map(|part| &*part.name.name).chain(missing)
    }

    /// What is extended but not known.
    #[must_use]
    pub const fn missing(&self) -> Option<&StructName> {
        self.missing.as_ref()
    }
}

impl Schemas {
    /// The schemas of a mappings file. Of several with one name, the last one counts.
    #[must_use]
    pub fn new(mappings: &Mappings) -> Self {
        let mut this = Self::default();
        let mut texts = Texts::default();
        for found in mappings.enums() {
            let name = texts.of(found.name());
            let value = |value: crate::mappings::EnumValue<'_>| (value.value, short(&value.name).into());
            let values = found.values().map(value).collect();
            this.enums.insert(key(&name), Arc::new(Enumeration::new(name, values)));
        }
        for found in mappings.structs() {
            let schema = schema(found, &mut texts);
            this.structs.insert(key(&schema.name.name), Arc::new(schema));
        }
        for (name, values) in mappings.explicit_values() {
            if let Some(found) = this.enums.get_mut(&*key(&name)) {
                let values = values.into_iter().map(|(value, name)| (value, short(&name).into())).collect();
                *found = Arc::new(Enumeration::new(Arc::clone(&found.name), values));
            }
        }
        this
    }

    /// A struct or class by its name.
    #[must_use]
    pub fn schema(&self, name: &str) -> Option<&Arc<Schema>> {
        with_key(&[name], |key| self.structs.get(key))
    }

    /// An enum by its name.
    #[must_use]
    pub fn enumeration(&self, name: &str) -> Option<&Arc<Enumeration>> {
        with_key(&[name], |key| self.enums.get(key))
    }

    /// Number of structs and classes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.structs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.structs.is_empty()
    }
}

/// What tells names apart: a hash, for many properties have long names. Letter case does not count.
pub(super) fn name_key(name: &str) -> u128 {
    xxh3_128(name.to_ascii_lowercase().as_bytes())
}

fn key(name: &str) -> Box<str> {
    name.to_lowercase().into_boxed_str()
}

/// Longest key that is made without allocating.
const MAX_KEY: usize = 192;

/// Calls `look_up` with the key of some parts: in lower case, with a space between them. Structs and enums are looked up for every
/// value, so this allocates only where a key is long or not ASCII.
pub(super) fn with_key<T>(parts: &[&str], look_up: impl FnOnce(&str) -> T) -> T {
    let mut buffer = [0; MAX_KEY];
    match ascii_key(parts, &mut buffer) {
        Some(key) => look_up(key),
        None => look_up(&parts.join(" ").to_lowercase()),
    }
}

fn ascii_key<'b>(parts: &[&str], buffer: &'b mut [u8; MAX_KEY]) -> Option<&'b str> {
    let mut len = 0;
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            *buffer.get_mut(len)? = b' ';
            len += 1;
        }
        buffer.get_mut(len..len + part.len())?.copy_from_slice(part.as_bytes());
        len += part.len();
    }
    let key = buffer.get_mut(..len)?;
    key.make_ascii_lowercase();
    std::str::from_utf8(key).ok().filter(|key| key.is_ascii())
}

/// The name of a value without that of its enum.
fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Texts that occur more than once are kept once.
#[derive(Default)]
struct Texts(HashMap<Box<str>, Arc<str>>);

impl Texts {
    fn of(&mut self, text: Cow<'_, str>) -> Arc<str> {
        if let Some(known) = self.0.get(&*text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = Arc::from(&*text);
        self.0.insert(text.into_owned().into_boxed_str(), Arc::clone(&shared));
        shared
    }
}

fn schema(found: Struct<'_>, texts: &mut Texts) -> Schema {
    let mut slots = Vec::new();
    for property in found.properties() {
        let name = texts.of(property.name);
        let kind = Arc::new(kind(property.kind, texts));
        slots.push(Slot { name, first: property.index.into(), elements: property.array_len.max(1), kind });
    }
    let mut name = |text: Cow<'_, str>| StructName { name: texts.of(text), package: None };
    let (own, base) = (name(found.name()), found.super_name().map(&mut name));
    Schema::new(own, base, slots, found.element_count() as usize)
}

fn kind(found: PropertyType<'_>, texts: &mut Texts) -> Kind {
    let mut inner = |found: Box<PropertyType<'_>>| Box::new(kind(*found, texts));
    match found {
        PropertyType::Array(of) => Kind::Array(inner(of)),
        PropertyType::Set(of) => Kind::Set(inner(of)),
        PropertyType::Optional(of) => Kind::Optional(inner(of)),
        PropertyType::Map(key, value) => Kind::Map(inner(key), inner(value)),
        PropertyType::Enum(name, under) => {
            let under = inner(under);
            Kind::Enum(name.map(|name| texts.of(name)), under)
        }
        PropertyType::Struct(name) => {
            Kind::Struct(StructName { name: texts.of(name.unwrap_or_default()), package: None })
        }
        PropertyType::Plain(found) => match found.name() {
            Some("Byte") => Kind::Byte(None),
            Some(name) => {
                Plain::from_name(name).map_or_else(|| Kind::Unknown(texts.of(name.into())), Kind::Plain)
            }
            None => Kind::Unknown(texts.of(found.to_string().into())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_however_they_are_made() {
        let long = "Long".repeat(60);
        for parts in [&["/Script/Engine", "Actor"][..], &["", "Größe"], &["A", &long], &[""]] {
            assert_eq!(with_key(parts, str::to_owned), parts.join(" ").to_lowercase());
        }
    }
}
