use std::collections::BTreeMap;

/// What changes in a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Names to be added to the table, in this order; the first one comes after the last one that is there.
    pub names: Vec<String>,
    /// How many names at the start of the table the new data uses at most; packages of 5.0 and later count them.
    pub names_used: u32,
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
