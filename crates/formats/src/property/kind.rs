//! Types: what the values of a property look like.

use super::rows::value_types;
use std::sync::Arc;

/// The type of a property.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A type that says everything.
    Plain(Plain),
    /// A byte, or a value of an enum in one.
    Byte(Option<Arc<str>>),
    /// A value of an enum, and the type of its number.
    Enum(Option<Arc<str>>, Box<Self>),
    /// A struct.
    Struct(StructName),
    /// Values in order.
    Array(Box<Self>),
    /// Values without order.
    Set(Box<Self>),
    /// Values by key.
    Map(Box<Self>, Box<Self>),
    /// A value, or none.
    Optional(Box<Self>),
    /// A type that is not known here, by its name.
    Unknown(Arc<str>),
}

/// Name of a struct or class, with its package where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructName {
    /// Without prefix: `Vector`.
    pub name: Arc<str>,
    /// Such as `/Script/CoreUObject`.
    pub package: Option<Arc<str>>,
}

macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $variant:ident($of:ty) $($tag:literal)* = $file:ident::$form:ident [$($plain:ident $first:literal $($name:literal)*),*];
    )*) => {
        /// A type that says everything.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Plain {
            $($(#[doc = concat!("`", $first, "Property`.")] $plain,)*)*
        }

        /// Types by their names, without `Property` at the end.
        const PLAIN: &[(&str, Plain)] = &[$($(($first, Plain::$plain), $(($name, Plain::$plain),)*)*)*];
    };
}

value_types!(define);

/// What the name of a type says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// Everything.
    Plain(Plain),
    /// It may be a value of an enum.
    Byte,
    /// Which enum is said elsewhere.
    Enum,
    /// Which struct is said elsewhere.
    Struct,
    /// What is in it is said elsewhere.
    Array,
    /// Elements are said elsewhere, too.
    Set,
    /// Keys and values are.
    Map,
    /// The value is.
    Optional,
    /// It is not known here.
    Unknown,
}

impl Word {
    /// The type of this name, with or without `Property` at the end.
    pub(super) fn from_name(name: &str) -> Self {
        match bare(name) {
            "Byte" => Self::Byte,
            "Enum" => Self::Enum,
            "Struct" => Self::Struct,
            "Array" => Self::Array,
            "Set" => Self::Set,
            "Map" => Self::Map,
            "Optional" => Self::Optional,
            name => Plain::from_name(name).map_or(Self::Unknown, Self::Plain),
        }
    }
}

impl StructName {
    /// A name without package.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), package: None }
    }
}

impl Plain {
    /// The type of this name, with or without `Property` at the end, in any letter case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = bare(name);
        PLAIN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, plain)| *plain)
    }

    /// Its name: `IntProperty`.
    #[must_use]
    pub fn name(self) -> String {
        let name = PLAIN.iter().find(|(_, plain)| *plain == self).map_or("", |(name, _)| name);
        format!("{name}Property")
    }
}

/// The name of a type without `Property` at its end.
pub(super) fn bare(name: &str) -> &str {
    let cut = name.len().saturating_sub("Property".len());
    match (name.get(..cut), name.get(cut..)) {
        (Some(bare), Some(end)) if end.eq_ignore_ascii_case("Property") => bare,
        _ => name,
    }
}

impl Kind {
    /// Name of the type, without what is in it; `None` for one that is not known.
    pub(super) fn name(&self) -> Option<String> {
        let name = match self {
            Self::Plain(plain) => return Some(plain.name()),
            Self::Byte(_) => "ByteProperty",
            Self::Enum(..) => "EnumProperty",
            Self::Struct(_) => "StructProperty",
            Self::Array(_) => "ArrayProperty",
            Self::Set(_) => "SetProperty",
            Self::Map(..) => "MapProperty",
            Self::Optional(_) => "OptionalProperty",
            Self::Unknown(_) => return None,
        };
        Some(name.to_owned())
    }

    /// The types inside: of elements, of keys and values, of a value that need not be there.
    pub(super) fn inner(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let (one, two) = match self {
            Self::Array(of) | Self::Set(of) | Self::Optional(of) => (Some(&**of), None),
            Self::Map(key, value) => (Some(&**key), Some(&**value)),
            _ => (None, None),
        };
        one.into_iter().chain(two)
    }

    /// A type that its name says everything about, or one that is not known.
    pub(super) fn of_name(name: &Arc<str>) -> Self {
        Plain::from_name(name).map_or_else(|| Self::Unknown(Arc::clone(name)), Self::Plain)
    }

    /// Whether a list needs more than the type's own name to read values of it.
    pub(super) const fn is_struct(&self) -> bool {
        matches!(self, Self::Struct(_))
    }

    /// Bytes of a value of an enum whose numbers are of this type.
    pub(super) fn width(&self) -> Option<u8> {
        match self {
            Self::Byte(_) => Some(1),
            Self::Plain(plain) if plain.zero().whole().is_some() => u8::try_from(plain.min_len()).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_stands_in_two_rows() {
        let names: BTreeSet<String> = PLAIN.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        assert_eq!(names.len(), PLAIN.len(), "only the first row of a name would count");
        for (name, plain) in PLAIN {
            assert_eq!(Plain::from_name(&format!("{name}Property")), Some(*plain));
            assert_eq!(Plain::from_name(&plain.name()), Some(*plain), "the usual name of {name}");
        }
    }

    #[test]
    fn numbers_of_enums_are_as_wide_as_their_type() {
        let width = |plain| Kind::Plain(plain).width();
        let wide = [Plain::Int8, Plain::UInt16, Plain::Int, Plain::UInt64, Plain::Float, Plain::Name];
        assert_eq!(wide.map(width), [Some(1), Some(2), Some(4), Some(8), None, None]);
        assert_eq!(Kind::Byte(None).width(), Some(1));
    }
}
