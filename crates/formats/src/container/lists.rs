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
        self.ends.push(self.items.len());
    }

    /// Number of lists.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One list; empty if there is none at this index.
    #[must_use]
    pub fn get(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.items.get(start..*end)).unwrap_or_default()
    }

    /// All lists, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Everything in every list.
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
