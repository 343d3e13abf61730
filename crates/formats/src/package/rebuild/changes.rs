use std::collections::BTreeMap;

/// What changes in a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Names to be added to the table, in this order; the first one comes after the last one that is there.
    pub names: Vec<String>,
    /// New data of exports, by their indices.
    pub exports: BTreeMap<usize, Vec<u8>>,
}

impl Changes {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.exports.is_empty()
    }
}
