//! Lists of properties, with tags or without.

use super::header::Header;
use super::kind::Kind;
use super::schema::Layout;
use super::tag::Tag;
use super::value::Value;
use crate::package::legacy::{Name, Package};
use std::borrow::Cow;
use std::sync::Arc;

/// A list of properties.
#[derive(Debug, Clone, PartialEq)]
pub enum List {
    /// Each property says what it is.
    Tagged(TaggedList),
    /// A schema says it.
    Unversioned(UnversionedList),
}

/// Properties that say what they are, and a name that ends the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaggedList {
    /// Bytes in front: those of an object since object version 1011.
    pub control: Box<[u8]>,
    /// The properties.
    pub properties: Vec<Property>,
    /// The name `None`, wherever it stands in the table; not there if the list is cut off.
    pub end: Option<Name>,
}

/// A property with its tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// What it is.
    pub tag: Tag,
    /// Its value.
    pub value: Value,
}

/// Values in the order of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct UnversionedList {
    /// What the values are.
    pub layout: Arc<Layout>,
    /// Which of them are there.
    pub header: Header,
    /// Those that are not zero; fewer than the header says if the list is cut off.
    pub values: Vec<Value>,
}

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

impl List {
    /// The properties, with names from the package that the list is in.
    #[must_use]
    pub fn members<'a>(&'a self, package: &'a Package) -> Box<dyn Iterator<Item = Member<'a>> + 'a> {
        match self {
            Self::Tagged(list) => Box::new(list.properties.iter().map(|property| Member {
                name: text(package, property.tag.name),
                element: property.tag.element,
                value: Some(&property.value),
                kind: None,
            })),
            Self::Unversioned(list) => Box::new(list.members()),
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
        members.map(|(index, value)| {
            let slot = self.layout.slot(index);
            Member {
                name: slot.map_or(Cow::Borrowed(""), |slot| Cow::Borrowed(&*slot.name)),
                element: slot.map_or(0, |slot| slot.element.into()),
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
