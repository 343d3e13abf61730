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
    #[error("the properties of {export} cannot be read: {reason}")]
    Unread {
        /// The export.
        export: String,
        /// What the reader ran into.
        reason: String,
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
    #[error("{at} does not record {part}, and it cannot be added: {missing}; {at} records {there}")]
    NotAdded {
        /// The property.
        part: String,
        /// What comes before it.
        at: String,
        /// What would have to be known.
        missing: String,
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

impl EditError {
    pub(super) fn computed(part: &str, at: &str, from: &'static str) -> Self {
        Self::Computed { part: part.to_owned(), at: at.to_owned(), from }
    }
}
