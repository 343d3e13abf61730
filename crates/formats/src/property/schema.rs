//! Schemas: which properties a struct or class has, in the order in which unversioned lists count them.
//!
//! Native ones come from mappings, those of blueprints from the packages that hold them.

use super::kind::{Kind, StructName};
use std::sync::Arc;

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
    /// The target of its references: the class of objects, the base of classes, or the interface. Known for blueprints only, as
    /// mappings do not have it.
    pub leads_to: Option<StructName>,
}

/// An enum and the names of its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// Numbers and names, without that of the enum; by number, and as recorded where several have one.
    pub values: Vec<(i64, Arc<str>)>,
}

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
    pub(super) fn slot(&self, place: usize) -> Option<(&Slot, u32)> {
        let place = u32::try_from(place).ok().filter(|_| place < self.len)?;
        let before = self.slots.partition_point(|slot| slot.first <= place).checked_sub(1)?;
        let slot = self.slots.get(before)?;
        let element = place - slot.first;
        (element < slot.elements.into()).then_some((slot, element))
    }
}
