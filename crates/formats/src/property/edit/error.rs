use crate::property::Problem;
use std::sync::Arc;

/// An error from editing a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The address is malformed.
    #[error("{address}: expected {expected} at column {column}")]
    Address {
        /// The address.
        address: String,
        /// The expected token.
        expected: &'static str,
        /// The column of the error in characters, from 1.
        column: usize,
    },
    /// No export has this name or index.
    #[error("no export is called {name}; the package has {there}")]
    NoExport {
        /// The name that was not found.
        name: String,
        /// The existing exports.
        there: String,
    },
    /// Several exports share the name.
    #[error("{count} exports are called {name}; name one by its place: {places}")]
    Ambiguous {
        /// The name.
        name: String,
        /// Number of exports with that name.
        count: usize,
        /// The addresses by index.
        places: String,
    },
    /// The export could not be read.
    #[error(
        "the properties of {export} cannot be read: {}",
        problem.as_ref().map_or_else(|| "its class writes none".to_owned(), ToString::to_string)
    )]
    Unread {
        /// The export.
        export: String,
        /// The fault that stopped the reading; `None` if the class writes no properties.
        problem: Option<Box<Problem>>,
    },
    /// A part of the address was not found.
    #[error("{at} has no {part}; it has {there}")]
    NotFound {
        /// The missing part.
        part: String,
        /// The address before it.
        at: String,
        /// The existing parts.
        there: String,
    },
    /// A property is omitted because it has its class's default, and too little is known to write its tag.
    #[error("{at} does not record {part}; cannot add it: {missing}; {at} records {there}")]
    NotAdded {
        /// The omitted property.
        part: String,
        /// The address before it.
        at: String,
        /// The missing fact.
        missing: MissingFact,
        /// The properties that are recorded.
        there: String,
    },
    /// The address continues into a value without parts.
    #[error("{at} has no parts such as {part}: it is {found}")]
    NoParts {
        /// The step that leads nowhere.
        part: String,
        /// The address before it.
        at: String,
        /// The value at that address.
        found: String,
    },
    /// The part is computed for display and not stored.
    #[error("{at}.{part} is computed from {from}: change those")]
    Computed {
        /// The computed part.
        part: String,
        /// The address before it.
        at: String,
        /// The fields it is computed from.
        from: &'static str,
    },
    /// The new value was refused.
    #[error("{at}: found {found}, expected {expected}")]
    Value {
        /// The address.
        at: String,
        /// The new value.
        found: String,
        /// The accepted values.
        expected: String,
    },
}

/// A fact needed to write the tag of a property.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MissingFact {
    /// The class or struct of the property.
    #[error("what it is a property of is not known")]
    Owner,
    /// The properties inherited by a class.
    #[error("unknown type: {class} extends {base}, which neither mappings nor the package describe")]
    Parent {
        /// The class.
        class: Arc<str>,
        /// Its base class, which is unknown.
        base: Arc<str>,
    },
    /// The properties of a class.
    #[error(
        "unknown type: neither mappings nor a blueprint describe {0}, and no other object of it in the package records the \
         property"
    )]
    Class(Arc<str>),
    /// The name of the type, or of a type inside it.
    #[error("unknown type here")]
    Type,
    /// The enum of the property's values.
    #[error("its enum is not known")]
    Enum,
    /// The zero of the type.
    #[error("there is no zero of its type {0}")]
    Zero(Arc<str>),
    /// The package of a struct or an enum.
    #[error("the package of {0} is not known")]
    Package(Arc<str>),
    /// The GUID of a struct.
    #[error("the GUID of {0} is not known")]
    StructGuid(Arc<str>),
}

impl EditError {
    /// True if mappings would have helped: they have the types of properties.
    #[must_use]
    pub const fn lacks_types(&self) -> bool {
        use MissingFact::{Class, Parent, Type};
        matches!(self, Self::Unread { .. } | Self::NotAdded { missing: Parent { .. } | Class(_) | Type, .. })
    }

    pub(super) fn computed(part: &str, at: &str, from: &'static str) -> Self {
        Self::Computed { part: part.to_owned(), at: at.to_owned(), from }
    }
}
