//! Names used by values, including names that a package lacks.

use crate::names::split_number;
use crate::package::legacy::Name;
use foldhash::{HashMap, HashMapExt};

/// The name table of a package, with names added at the end.
#[derive(Debug, Default)]
pub struct Names {
    /// The first index of each text.
    places: HashMap<String, u32>,
    /// The first index of each text in lower case: letter case does not distinguish names.
    folded: HashMap<String, u32>,
    count: u32,
    added: Vec<String>,
    used: u32,
}

impl Names {
    /// The names of a table, in order. The first `known` are for values. Zen packages have more names, for
    /// the header only; converters assume that values do not use them.
    #[must_use]
    pub fn new<'a>(table: impl IntoIterator<Item = &'a str>, known: usize) -> Self {
        let mut this = Self { places: HashMap::new(), folded: HashMap::new(), ..Self::default() };
        for (place, text) in table.into_iter().enumerate() {
            if place < known {
                this.push(text);
            } else {
                this.count = this.count.saturating_add(1);
            }
        }
        this
    }

    /// Finds the name for a text: a whole entry, an entry with a number, or a new entry at the end.
    pub fn find_or_add(&mut self, text: &str) -> Name {
        // Exact spelling first, so that an unchanged text keeps its entry.
        let (base, number) = split_number(text);
        let folded = || self.folded.get(&base.to_ascii_lowercase()).map(|index| (*index, number));
        let found = self.find(text).or_else(folded);
        self.found_or_added(found, text)
    }

    /// Finds the name for a text as [`Self::find_or_add`] does, with its letter case: the editor keeps that.
    pub fn find_or_add_exact(&mut self, text: &str) -> Name {
        let found = self.find(text);
        self.found_or_added(found, text)
    }

    fn find(&self, text: &str) -> Option<(u32, u32)> {
        let (base, number) = split_number(text);
        let whole = self.places.get(text).map(|index| (*index, 0));
        // The engine splits `Rock_4` into the entry `Rock` and the number 5.
        whole.or_else(|| self.places.get(base).map(|index| (*index, number)))
    }

    fn found_or_added(&mut self, found: Option<(u32, u32)>, text: &str) -> Name {
        let (index, number) = found.unwrap_or_else(|| {
            let (base, number) = split_number(text);
            self.added.push(base.to_owned());
            (self.push(base), number)
        });
        self.used = self.used.max(index + 1);
        Name { index, number }
    }

    /// Returns a name of the table unchanged, and counts it as used.
    pub fn keep(&mut self, name: Name) -> Name {
        self.used = self.used.max(name.index.saturating_add(1).min(self.count));
        name
    }

    /// The text of an added name; `None` for names of the original table.
    #[must_use]
    pub fn added_text(&self, name: Name) -> Option<&str> {
        let before = self.count as usize - self.added.len();
        let place = (name.index as usize).checked_sub(before)?;
        self.added.get(place).map(String::as_str)
    }

    /// The added names, in order.
    #[must_use]
    pub fn added(&self) -> &[String] {
        &self.added
    }

    /// Length of the shortest table start that holds all used names.
    #[must_use]
    pub const fn used(&self) -> u32 {
        self.used
    }

    fn push(&mut self, text: &str) -> u32 {
        let index = self.count;
        // Of equal texts the first entry counts.
        self.places.entry(text.to_owned()).or_insert(index);
        self.folded.entry(text.to_ascii_lowercase()).or_insert(index);
        self.count = self.count.saturating_add(1);
        index
    }
}
