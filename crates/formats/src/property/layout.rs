//! The properties of a struct with those of all that it extends: its own come first, then those of its super, and so on; each element
//! of a static array counts.

use super::class::Class;
use super::key::name_key;
use super::kind::{Kind, StructName};
use super::schema::{Schema, Slot};

use foldhash::HashMap;
use std::sync::{Arc, OnceLock};

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
    /// As what objects of the class are read, once one was.
    class: OnceLock<Arc<Class>>,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        (&self.parts, &self.missing) == (&other.parts, &other.missing)
    }
}

/// Finds properties of ascending indices, each close to the one before.
pub(super) struct Cursor<'l> {
    parts: std::slice::Iter<'l, Arc<Schema>>,
    /// Those of the part that was reached, without what lies before the last one found.
    slots: &'l [Slot],
    /// Index of the first property of that part.
    first: usize,
    /// Elements of the properties of that part.
    len: usize,
}

/// Steps after which a chain of supers cannot be right.
const MAX_CHAIN: usize = 100;

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

    /// That of a struct of which nothing is known.
    pub(super) fn unknown(name: StructName) -> Self {
        Self { missing: Some(name), ..Self::default() }
    }

    /// Whether it is that of a schema.
    pub(super) fn is_of(&self, schema: &Arc<Schema>) -> bool {
        self.parts.first().is_some_and(|first| Arc::ptr_eq(first, schema))
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

    /// The properties, each with its index and which of its elements.
    pub(super) fn slots(&self) -> impl Iterator<Item = (usize, &Slot, u32)> {
        (0..self.len).filter_map(|index| self.slot(index).map(|(slot, element)| (index, slot, element)))
    }

    /// An element of a property by its name, in any letter case, and its index.
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

    /// Names of the struct and of all that it extends.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let missing = self.missing.iter().map(|name| &*name.name);
        self.parts.iter().map(|part| &*part.name.name).chain(missing)
    }

    /// As what objects of the class are read.
    pub(super) fn class(&self) -> &Arc<Class> {
        self.class.get_or_init(|| {
            let missing = self.missing.iter().map(|name| &name.name);
            let names = self.parts.iter().map(|part| &part.name.name).chain(missing);
            Arc::new(Class::new(names.cloned().collect()))
        })
    }

    /// Finds properties of ascending indices.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { parts: self.parts.iter(), slots: &[], first: 0, len: 0 }
    }

    /// What is extended but not known.
    #[must_use]
    pub const fn missing(&self) -> Option<&StructName> {
        self.missing.as_ref()
    }
}

impl<'l> Cursor<'l> {
    /// The property at an index, and which of its elements. The index must not be less than the one before.
    pub(super) fn seek(&mut self, index: usize) -> Option<(&'l Slot, u32)> {
        while index.checked_sub(self.first)? >= self.len {
            let part = self.parts.next()?;
            self.first += self.len;
            (self.slots, self.len) = (&part.slots, part.len);
        }
        let place = u32::try_from(index - self.first).ok()?;
        // Mostly it is the next one.
        let skipped = match self.slots {
            [slot, next, ..] if slot.first <= place && place < next.first => 0,
            [_, slot, next, ..] if slot.first <= place && place < next.first => 1,
            slots => slots.partition_point(|slot| slot.first <= place).checked_sub(1)?,
        };
        self.slots = self.slots.get(skipped..)?;
        let slot = self.slots.first()?;
        let element = place - slot.first;
        (element < slot.elements.into()).then_some((slot, element))
    }
}
