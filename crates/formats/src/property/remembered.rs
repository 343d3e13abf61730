//! A cache of the texts of object references: packages refer to the same few objects repeatedly.

use foldhash::HashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Upper bound on the cached text, in bytes: names may be long, and references many.
const MAX_BYTES: usize = 4 << 20;

/// The texts of each reference, by its index; `None` for null references.
#[derive(Default)]
pub(super) struct Remembered {
    texts: RefCell<HashMap<i32, Texts>>,
    bytes: RefCell<usize>,
}

/// The name of a reference and two forms of its path; `None` for a null reference.
pub(super) type Texts = Option<Arc<[String; 3]>>;

impl Remembered {
    /// Returns the texts of an index; calls `make` on first use.
    pub(super) fn get(&self, index: i32, make: impl FnOnce() -> Option<[String; 3]>) -> Texts {
        if let Some(known) = self.texts.borrow().get(&index) {
            return known.clone();
        }
        let new = make().map(Arc::new);
        let mut bytes = self.bytes.borrow_mut();
        *bytes +=
            size_of::<Texts>() + new.iter().flat_map(|texts| texts.iter()).map(String::len).sum::<usize>();
        // When the cache is full, texts are made again each time.
        if *bytes <= MAX_BYTES {
            self.texts.borrow_mut().insert(index, new.clone());
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_made_again() {
        let known = Remembered::default();
        let first = known.get(1, || Some(["Object", "Game/Content/A.0", "/Game/A.0"].map(str::to_owned)));
        assert_eq!(known.get(1, || unreachable!()), first);
        assert_eq!(known.get(-1, || None), None);
        assert_eq!(known.get(-1, || unreachable!()), None);
    }

    #[test]
    fn long_texts_are_made_again() {
        let known = Remembered::default();
        let long = || Some(["x".repeat(MAX_BYTES), String::new(), String::new()]);
        known.get(1, long);
        assert!(known.texts.borrow().is_empty());
    }
}
