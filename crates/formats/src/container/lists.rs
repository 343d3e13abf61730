/// Many short lists in one allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        // Also for an empty list, so that indices count lists.
        self.ends.push(self.items.len());
    }

    /// Returns the number of lists.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no lists.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns one list; empty if the index is out of range.
    #[must_use]
    pub fn get(&self, index: usize) -> &[T] {
        // A list starts where the previous one ends.
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.items.get(start..*end)).unwrap_or_default()
    }

    /// Iterates over all lists, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the items of all lists, joined.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T: serde::Serialize> serde::Serialize for Lists<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
