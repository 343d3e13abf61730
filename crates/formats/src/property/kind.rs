//! Property types.

use super::rows::value_types;
use std::fmt;
use std::sync::Arc;

/// The type of a property.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A type described completely by its name.
    Plain(Plain),
    /// A byte, or the value of an enum stored in one.
    Byte(Option<Arc<str>>),
    /// The value of an enum, and the integer type below it.
    Enum(Option<Arc<str>>, Box<Self>),
    /// A struct.
    Struct(StructName),
    /// Values in order, with repeats.
    Array(Box<Self>),
    /// Unordered values.
    Set(Box<Self>),
    /// Values by key.
    Map(Box<Self>, Box<Self>),
    /// A value, or none.
    Optional(Box<Self>),
    /// An unknown type, by its name.
    Unknown(Arc<str>),
}

/// The name of a struct or class, with its package if known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructName {
    /// Without its C++ prefix: `Vector`.
    pub name: Arc<str>,
    /// For example `/Script/CoreUObject`.
    pub package: Option<Arc<str>>,
}

macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $variant:ident($of:ty) $($tag:literal)* = $file:ident::$form:ident [$($plain:ident $first:literal $($name:literal)*),*];
    )*) => {
        /// A type described completely by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Plain {
            $($(#[doc = concat!("`", $first, "Property`.")] $plain,)*)*
        }

        /// Types by name, without the suffix `Property`.
        const PLAIN: &[(&str, Plain)] = &[$($(($first, Plain::$plain), $(($name, Plain::$plain),)*)*)*];
    };
}

value_types!(define);

/// The part of a type that its name alone describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// The complete type.
    Plain(Plain),
    /// A byte, perhaps the value of an enum.
    Byte,
    /// An enum named elsewhere.
    Enum,
    /// A struct named elsewhere.
    Struct,
    /// An array, whose element type follows elsewhere.
    Array,
    /// A set, whose element type follows elsewhere.
    Set,
    /// A map, whose key and value types follow elsewhere.
    Map,
    /// An optional, whose value type follows elsewhere.
    Optional,
    /// An unknown type.
    Unknown,
}

impl Word {
    /// The type with this name, with or without the suffix `Property`.
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
    /// The type with this name, in any letter case, with or without the suffix `Property`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = bare(name);
        // The file spells a name as its first use in the process did, so letter case varies.
        PLAIN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, plain)| *plain)
    }

    /// Its name: `IntProperty`.
    #[must_use]
    pub fn name(self) -> String {
        let name = PLAIN.iter().find(|(_, plain)| *plain == self).map_or("", |(name, _)| name);
        format!("{name}Property")
    }
}

/// The name of a type without the suffix `Property`.
pub(super) fn bare(name: &str) -> &str {
    let cut = name.len().saturating_sub("Property".len());
    match (name.get(..cut), name.get(cut..)) {
        (Some(bare), Some(end)) if end.eq_ignore_ascii_case("Property") => bare,
        _ => name,
    }
}

impl Kind {
    /// The name of the type without its parameters; `None` for an unknown type.
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

    /// The type parameters: of elements, of keys and values, of an optional value.
    pub(super) fn inner(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let (one, two) = match self {
            Self::Array(of) | Self::Set(of) | Self::Optional(of) => (Some(&**of), None),
            Self::Map(key, value) => (Some(&**key), Some(&**value)),
            _ => (None, None),
        };
        one.into_iter().chain(two)
    }

    /// A complete type by its name, or an unknown one.
    pub(super) fn of_name(name: &Arc<str>) -> Self {
        Plain::from_name(name).map_or_else(|| Self::Unknown(Arc::clone(name)), Self::Plain)
    }

    /// True for a struct, whose values need more than the name of their type.
    pub(super) const fn is_struct(&self) -> bool {
        matches!(self, Self::Struct(_))
    }

    /// Width in bytes of an enum value whose underlying type is `self`.
    pub(super) fn width(&self) -> Option<u8> {
        match self {
            Self::Byte(_) => Some(1),
            // Only integers have a whole-number zero; floats and strings cannot carry an enum.
            Self::Plain(plain) if plain.zero().whole().is_some() => u8::try_from(plain.min_len()).ok(),
            _ => None,
        }
    }
}

/// As people write types: `Int`, `Array<Vector>`, `Map<Name, ESlot>`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => f.write_str(bare(&plain.name())),
            Self::Byte(Some(name)) | Self::Enum(Some(name), _) | Self::Unknown(name) => f.write_str(name),
            Self::Byte(None) => f.write_str("Byte"),
            Self::Enum(None, of) => of.fmt(f),
            Self::Struct(of) => f.write_str(&of.name),
            Self::Array(of) => write!(f, "Array<{of}>"),
            Self::Set(of) => write!(f, "Set<{of}>"),
            Self::Map(key, value) => write!(f, "Map<{key}, {value}>"),
            Self::Optional(of) => write!(f, "Optional<{of}>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn types_are_written_as_people_do() {
        let int = || Box::new(Kind::of_name(&"IntProperty".into()));
        let slot = Box::new(Kind::Enum(Some("ESlot".into()), int()));
        let map = Kind::Map(slot, Box::new(Kind::Array(Box::new(Kind::Struct(StructName::new("Vector"))))));
        assert_eq!(map.to_string(), "Map<ESlot, Array<Vector>>");
        assert_eq!(int().to_string(), "Int");
    }

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
