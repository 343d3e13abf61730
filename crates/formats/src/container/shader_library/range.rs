use std::ops::Range;

/// A range of a table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct IndexRange {
    /// First entry.
    pub first: u32,
    /// Number of entries.
    pub count: u32,
}

impl IndexRange {
    /// Returns the range of indices, unless it overflows.
    #[must_use]
    pub fn bounds(self) -> Option<Range<usize>> {
        let start = usize::try_from(self.first).ok()?;
        Some(start..start.checked_add(usize::try_from(self.count).ok()?)?)
    }
}
