//! Lists of properties as one, whether they have tags or not.

use super::from_value::FromValue;
use super::kind::Kind;
use super::value::{List, UnversionedList, Value};
use crate::package::legacy::{Name, Package};
use std::borrow::Cow;

/// A property of a list, whatever kind of list it is.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Which element of a static array it is; 0 for all others.
    pub element: u32,
    /// Its value; `None` if it is zero.
    pub value: Option<&'a Value>,
    /// Its type, in a list without tags.
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
    /// The properties, with names from the package that the list is in.
    #[must_use]
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

    /// A property by its name, in any letter case: the first element of a static array.
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

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values that are not zero.
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
            let value = if member.is_zero { None } else { Some(values.next()?) };
            Some((member.index, value))
        });
        let mut slots = self.layout.cursor();
        members.map(move |(index, value)| {
            let (slot, element) = slots.seek(index).unzip();
            Member {
                name: slot.map_or(Cow::Borrowed(""), |slot| Cow::Borrowed(&*slot.name)),
                element: element.unwrap_or(0),
                value,
                kind: slot.map(|slot| &*slot.kind),
            }
        })
    }
}

/// The text of a name; borrowed unless it has a number.
pub(super) fn text(package: &Package, name: Name) -> Cow<'_, str> {
    let found = package.text(name);
    if found.number == 0 { Cow::Borrowed(found.base) } else { Cow::Owned(found.to_string()) }
}
