//! Schemas: the properties of a struct or class, in the order of unversioned lists.
//!
//! Native ones come from mappings, those of blueprints from their packages.

use super::kind::{Kind, StructName};
use std::sync::Arc;

/// The properties that a struct or class adds to its base.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Its name.
    pub name: StructName,
    /// The base struct.
    pub base: Option<StructName>,
    /// Its own properties, by index; there may be gaps between them.
    pub slots: Vec<Slot>,
    /// Number of elements of all its own properties, including gaps.
    pub len: usize,
}

/// A property; a static array takes as many indices as it has elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Its name.
    pub name: Arc<str>,
    /// Index of its first element.
    pub first: u32,
    /// Number of elements; 1 for all but static arrays.
    pub elements: u16,
    /// Its type.
    pub kind: Arc<Kind>,
    /// The target of its references: the class of objects, the base of classes, or the interface. Known
    /// only for blueprints; mappings omit it.
    pub leads_to: Option<StructName>,
}

/// `UEnum`: an enum with the names of its values.
#[doc(alias = "UEnum")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// Numbers and short names, sorted by number; names of the same number in recorded order.
    pub values: Vec<(i64, Arc<str>)>,
}

impl Slot {
    /// True if `name` is that of this element: `Name`, or `Name[2]` in a static array.
    pub(super) fn is_called(&self, name: &str, element: u32) -> bool {
        let wanted = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let wanted = wanted.and_then(|(name, element)| Some((name, element.parse().ok()?)));
        let (name, wanted) = wanted.unwrap_or((name, 0));
        element == wanted && self.name.eq_ignore_ascii_case(name)
    }
}

impl Enumeration {
    /// An enum with these numbers and names, in any order.
    #[must_use]
    pub fn new(name: Arc<str>, mut values: Vec<(i64, Arc<str>)>) -> Self {
        // A stable sort: of several names with one number, the first one recorded stays first.
        values.sort_by_key(|(number, _)| *number);
        Self { name, values }
    }

    /// Numbers and names (without the enum's), by number.
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
    /// A schema with these properties, in any order. Those at or past `len` are ignored.
    #[must_use]
    pub fn new(name: StructName, base: Option<StructName>, mut slots: Vec<Slot>, len: usize) -> Self {
        slots.sort_by_key(|slot| slot.first);
        Self { name, base, slots, len }
    }

    /// The property at an index, and its element number.
    pub(super) fn slot(&self, place: usize) -> Option<(&Slot, u32)> {
        let place = u32::try_from(place).ok().filter(|_| place < self.len)?;
        let before = self.slots.partition_point(|slot| slot.first <= place).checked_sub(1)?;
        let slot = self.slots.get(before)?;
        let element = place - slot.first;
        (element < slot.elements.into()).then_some((slot, element))
    }
}
