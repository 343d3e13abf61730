use crate::property::Problem;
use std::sync::Arc;

/// Why a value cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The address has another form.
    #[error("{address}: expected {expected} at column {column}")]
    Address {
        /// The address.
        address: String,
        /// What should be there.
        expected: &'static str,
        /// Where, from 1 on.
        column: usize,
    },
    /// There is no such export.
    #[error("no export is called {name}; the package has {there}")]
    NoExport {
        /// The name.
        name: String,
        /// Those that are there.
        there: String,
    },
    /// Several exports have that name.
    #[error("{count} exports are called {name}; name one by its place: {places}")]
    Ambiguous {
        /// The name.
        name: String,
        /// How many.
        count: usize,
        /// Addresses of each.
        places: String,
    },
    /// The export is not understood.
    #[error(
        "the properties of {export} cannot be read: {}",
        problem.as_ref().map_or_else(|| "its class writes none".to_owned(), ToString::to_string)
    )]
    Unread {
        /// The export.
        export: String,
        /// Where the reader stopped; `None` if there are none to read.
        problem: Option<Box<Problem>>,
    },
    /// A part of the address is not there.
    #[error("{at} has no {part}; it has {there}")]
    NotFound {
        /// The part.
        part: String,
        /// What comes before it.
        at: String,
        /// What is there instead.
        there: String,
    },
    /// A property is left out, as it has the default of its class, and what its tag has to say is not known.
    #[error("{at} does not record {part}; cannot add it: {missing}; {at} records {there}")]
    NotAdded {
        /// The property.
        part: String,
        /// What comes before it.
        at: String,
        /// The fact that is not known.
        missing: MissingFact,
        /// What is there instead.
        there: String,
    },
    /// A part of the address is in something that has no parts.
    #[error("{at} has no parts such as {part}: it is {found}")]
    NoParts {
        /// The part.
        part: String,
        /// What comes before it.
        at: String,
        /// What that is.
        found: String,
    },
    /// A part of the address is computed for display, and not recorded.
    #[error("{at}.{part} is computed from {from}: change those")]
    Computed {
        /// The part.
        part: String,
        /// What comes before it.
        at: String,
        /// The fields that it is computed from.
        from: &'static str,
    },
    /// The new value does not fit.
    #[error("{at}: found {found}, expected {expected}")]
    Value {
        /// The address.
        at: String,
        /// The new value.
        found: String,
        /// What fits.
        expected: String,
    },
}

/// Fact without which a property cannot get a tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MissingFact {
    /// The class or struct that has the property.
    #[error("what it is a property of is not known")]
    Owner,
    /// The properties that a class inherits.
    #[error("unknown type: {class} extends {base}, which neither mappings nor the package describe")]
    Parent {
        /// The class.
        class: Arc<str>,
        /// The class that it extends.
        base: Arc<str>,
    },
    /// The properties of a class.
    #[error(
        "unknown type: neither mappings nor a blueprint describe {0}, and no other object of it in the package records the \
         property"
    )]
    Class(Arc<str>),
    /// The name of its type, or of a type in it.
    #[error("unknown type here")]
    Type,
    /// The enum of its values.
    #[error("its enum is not known")]
    Enum,
    /// The zero of its type.
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
    /// True if types of properties would have helped, as mappings have them.
    #[must_use]
    pub const fn lacks_types(&self) -> bool {
        use MissingFact::{Class, Parent, Type};
        matches!(self, Self::Unread { .. } | Self::NotAdded { missing: Parent { .. } | Class(_) | Type, .. })
    }

    pub(super) fn computed(part: &str, at: &str, from: &'static str) -> Self {
        Self::Computed { part: part.to_owned(), at: at.to_owned(), from }
    }
}
