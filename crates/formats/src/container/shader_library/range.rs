use std::ops::Range;

/// A stretch of a table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct IndexRange {
    /// Its first entry.
    pub first: u32,
    /// Number of entries.
    pub count: u32,
}

impl IndexRange {
    /// The range of indices, if it is one.
    #[must_use]
    pub fn bounds(self) -> Option<Range<usize>> {
        let start = usize::try_from(self.first).ok()?;
        Some(start..start.checked_add(usize::try_from(self.count).ok()?)?)
    }
}
