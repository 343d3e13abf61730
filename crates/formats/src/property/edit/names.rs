//! Names that values refer to, and those that a package does not have yet.

use crate::names::split_number;
use crate::package::legacy::Name;
use foldhash::{HashMap, HashMapExt};

/// The name table of a package, which may grow.
#[derive(Debug, Default)]
pub struct Names {
    /// The first place of each text.
    places: HashMap<String, u32>,
    /// A name in lower case: letter case does not distinguish names.
    folded: HashMap<String, u32>,
    count: u32,
    added: Vec<String>,
    used: u32,
}

impl Names {
    /// The names of a table, in its order. Of these, the first `known` are for values; names of zen packages after those are for
    /// what the header says, and who converts the package back takes it that values do not use them.
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

    /// The name of a text: one that the table has, as a whole or with a number after it, or a new one at its end.
    pub fn find_or_add(&mut self, text: &str) -> Name {
        let (base, number) = split_number(text);
        let whole = self.places.get(text).map(|index| (*index, 0));
        let split = || self.places.get(base).map(|index| (*index, number));
        let folded = || self.folded.get(&base.to_ascii_lowercase()).map(|index| (*index, number));
        let found = whole.or_else(split).or_else(folded);
        let (index, number) = found.unwrap_or_else(|| {
            self.added.push(base.to_owned());
            (self.push(base), number)
        });
        self.used = self.used.max(index + 1);
        Name { index, number }
    }

    /// A name of the table by its place, which is asked for as it is.
    pub fn keep(&mut self, name: Name) -> Name {
        self.used = self.used.max(name.index.saturating_add(1).min(self.count));
        name
    }

    /// The text of a name that was added; `None` for those that the table had.
    #[must_use]
    pub fn added_text(&self, name: Name) -> Option<&str> {
        let before = self.count as usize - self.added.len();
        let place = (name.index as usize).checked_sub(before)?;
        self.added.get(place).map(String::as_str)
    }

    /// Names that have to be added, in this order.
    #[must_use]
    pub fn added(&self) -> &[String] {
        &self.added
    }

    /// How many names at the start of the table hold all that were asked for.
    #[must_use]
    pub const fn used(&self) -> u32 {
        self.used
    }

    fn push(&mut self, text: &str) -> u32 {
        let index = self.count;
        self.places.entry(text.to_owned()).or_insert(index);
        self.folded.entry(text.to_ascii_lowercase()).or_insert(index);
        self.count = self.count.saturating_add(1);
        index
    }
}
