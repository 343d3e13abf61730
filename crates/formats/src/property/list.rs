//! One view of property lists with and without tags.

use super::from_value::FromValue;
use super::kind::Kind;
use super::value::{List, UnversionedList, Value};
use crate::package::legacy::{Name, Package};
use std::borrow::Cow;

/// A property of either kind of list.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Element number in a static array; 0 for anything else.
    pub element: u32,
    /// The value; `None` if it is recorded as zero.
    pub value: Option<&'a Value>,
    /// The type, known only in unversioned lists.
    pub kind: Option<&'a Kind>,
}

impl<'a> Member<'a> {
    /// The value as a Rust type; `None` if it is of another type.
    #[must_use]
    pub fn get<T: FromValue<'a>>(&self) -> Option<T> {
        match self.value {
            Some(value) => T::from_value(value),
            None => T::zero(self.kind?),
        }
    }
}

/// The properties of either kind of list.
enum Members<T, U> {
    Tagged(T),
    Unversioned(U),
}

impl<'a, T: Iterator<Item = Member<'a>>, U: Iterator<Item = Member<'a>>> Iterator for Members<T, U> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        match self {
            Self::Tagged(members) => members.next(),
            Self::Unversioned(members) => members.next(),
        }
    }
}

impl List {
    /// Iterates over the properties, with names from the package of the list.
    pub fn members<'a>(&'a self, package: &'a Package) -> impl Iterator<Item = Member<'a>> {
        match self {
            Self::Tagged(list) => Members::Tagged(list.properties.iter().map(|property| Member {
                name: text(package, property.tag.name),
                element: property.tag.element,
                value: Some(&property.value),
                kind: None,
            })),
            Self::Unversioned(list) => Members::Unversioned(list.members()),
        }
    }

    /// Finds a property by its name, in any letter case; of a static array, the first element.
    #[must_use]
    pub fn find<'a>(&'a self, package: &'a Package, name: &str) -> Option<Member<'a>> {
        self.members(package).find(|member| member.element == 0 && member.name.eq_ignore_ascii_case(name))
    }

    /// Number of properties.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Tagged(list) => list.properties.len(),
            Self::Unversioned(list) => list.header.members().count(),
        }
    }

    /// True if there are no properties.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nonzero values, in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let (tagged, unversioned) = match self {
            Self::Tagged(list) => (list.properties.as_slice(), [].as_slice()),
            Self::Unversioned(list) => ([].as_slice(), list.values.as_slice()),
        };
        tagged.iter().map(|property| &property.value).chain(unversioned)
    }
}

impl UnversionedList {
    pub(super) fn members(&self) -> impl Iterator<Item = Member<'_>> {
        let mut values = self.values.iter();
        let members = self.header.members().map_while(move |member| {
            // A list that was cut off has fewer values than its header says.
            let value = if member.is_zero { None } else { Some(values.next()?) };
            Some((member.index, value))
        });
        let mut slots = self.layout.cursor();
        members.map(move |(index, value)| {
            let (slot, element) = slots.seek(index).unzip();
            Member {
                // The header was read against this layout, so this happens only without one.
                name: slot.map_or(Cow::Borrowed(""), |slot| Cow::Borrowed(&*slot.name)),
                element: element.unwrap_or(0),
                value,
                kind: slot.map(|slot| &*slot.kind),
            }
        })
    }
}

/// The text of a name; borrowed unless the name has a number.
pub(super) fn text(package: &Package, name: Name) -> Cow<'_, str> {
    let found = package.text(name);
    if found.number == 0 { Cow::Borrowed(found.base) } else { Cow::Owned(found.to_string()) }
}
