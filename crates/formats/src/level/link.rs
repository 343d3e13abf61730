use crate::package::ObjectPath;

/// Reference to an object; `None` if it is null, which overrides the reference of a template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Link(
    /// Its path.
    pub Option<ObjectPath>,
);
