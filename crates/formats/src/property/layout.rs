//! The flattened properties of a struct: its own first, then those of its super, and so on. Each element of
//! a static array counts as one.

use super::class::Class;
use super::key::name_key;
use super::kind::{Kind, StructName};
use super::schema::{Schema, Slot};

use foldhash::HashMap;
use std::sync::{Arc, OnceLock};

/// A schema with all its base schemas.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The schemas, the struct itself first.
    parts: Vec<Arc<Schema>>,
    /// The base that is missing, if the chain is incomplete.
    missing: Option<StructName>,
    len: usize,
    /// Types by a hash of the property name, filled on first use.
    kinds: OnceLock<HashMap<u128, Arc<Kind>>>,
    /// The class for reading objects, filled on first use.
    class: OnceLock<Arc<Class>>,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        (&self.parts, &self.missing) == (&other.parts, &other.missing)
    }
}

/// Finds properties with ascending indices, each close to the one before.
pub(super) struct Cursor<'l> {
    parts: std::slice::Iter<'l, Arc<Schema>>,
    /// The slots of the current part, from the last one found.
    slots: &'l [Slot],
    /// Index of the first property of that part.
    first: usize,
    /// Number of elements in that part.
    len: usize,
}

/// Longest chain of base structs that is followed. Real chains are far shorter.
const MAX_CHAIN: usize = 100;

impl Layout {
    /// Follows a struct through all its base structs.
    pub(super) fn new(first: Arc<Schema>, mut find: impl FnMut(&StructName) -> Option<Arc<Schema>>) -> Self {
        let mut this = Self::default();
        let mut next = Some(first);
        while let Some(schema) = next {
            // Some mappings name a struct as its own base, because two structs share a name.
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

    /// The layout of an unknown struct.
    pub(super) fn unknown(name: StructName) -> Self {
        Self { missing: Some(name), ..Self::default() }
    }

    /// True if this is the layout of `schema`.
    pub(super) fn is_of(&self, schema: &Arc<Schema>) -> bool {
        self.parts.first().is_some_and(|first| Arc::ptr_eq(first, schema))
    }

    /// Number of known properties, counting the elements of static arrays.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True if no property is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The property at an index, and its element number.
    #[must_use]
    pub fn slot(&self, index: usize) -> Option<(&Slot, u32)> {
        let mut left = index;
        for part in &self.parts {
            // Own members come first: subtract part by part until the index falls into one.
            match left.checked_sub(part.len) {
                Some(more) => left = more,
                None => return part.slot(left),
            }
        }
        None
    }

    /// All properties, each with its index and element number.
    pub(super) fn slots(&self) -> impl Iterator<Item = (usize, &Slot, u32)> {
        (0..self.len).filter_map(|index| self.slot(index).map(|(slot, element)| (index, slot, element)))
    }

    /// Finds an element of a property by name, in any letter case; returns its index, too.
    pub(super) fn find(&self, name: &str, element: u32) -> Option<(usize, &Slot)> {
        let is = |slot: &Slot, own: u32| own == element && slot.name.eq_ignore_ascii_case(name);
        self.slots().find(|(_, slot, own)| is(slot, *own)).map(|(index, slot, _)| (index, slot))
    }

    /// The type of a property by its name, in any letter case.
    #[must_use]
    pub fn kind_of(&self, name: &str) -> Option<&Arc<Kind>> {
        let kinds = self.kinds.get_or_init(|| {
            let mut kinds = HashMap::default();
            for slot in self.parts.iter().flat_map(|part| &part.slots) {
                // The first one wins: a struct hides properties of its bases.
                kinds.entry(name_key(&slot.name)).or_insert_with(|| Arc::clone(&slot.kind));
            }
            kinds
        });
        kinds.get(&name_key(name))
    }

    /// The name of the struct itself.
    pub(super) fn own_name(&self) -> Option<&StructName> {
        self.parts.first().map(|part| &part.name)
    }

    /// Names of the struct and of all its bases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let missing = self.missing.iter().map(|name| &*name.name);
        self.parts.iter().map(|part| &*part.name.name).chain(missing)
    }

    /// The class for reading objects of this layout.
    pub(super) fn class(&self) -> &Arc<Class> {
        self.class.get_or_init(|| {
            let missing = self.missing.iter().map(|name| &name.name);
            let names = self.parts.iter().map(|part| &part.name.name).chain(missing);
            Arc::new(Class::new(names.cloned().collect()))
        })
    }

    /// A cursor at the first property.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { parts: self.parts.iter(), slots: &[], first: 0, len: 0 }
    }

    /// The base that could not be found.
    #[must_use]
    pub const fn missing(&self) -> Option<&StructName> {
        self.missing.as_ref()
    }
}

impl<'l> Cursor<'l> {
    /// Returns the property at an index, and its element number. Indices must not decrease.
    pub(super) fn seek(&mut self, index: usize) -> Option<(&'l Slot, u32)> {
        // Skip the parts that end before the index.
        while index.checked_sub(self.first)? >= self.len {
            let part = self.parts.next()?;
            self.first += self.len;
            (self.slots, self.len) = (&part.slots, part.len);
        }
        let place = u32::try_from(index - self.first).ok()?;
        // In most lists the next member is the same slot or the one after; search only for others.
        let skipped = match self.slots {
            [slot, next, ..] if slot.first <= place && place < next.first => 0,
            [_, slot, next, ..] if slot.first <= place && place < next.first => 1,
            slots => slots.partition_point(|slot| slot.first <= place).checked_sub(1)?,
        };
        self.slots = self.slots.get(skipped..)?;
        let slot = self.slots.first()?;
        let element = place - slot.first;
        // A gap between slots, or the rest of a static array that is shorter than it should be.
        (element < slot.elements.into()).then_some((slot, element))
    }
}
