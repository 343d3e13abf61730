//! Classes, as far as reading their objects needs them.

use super::native;
use std::sync::{Arc, OnceLock};

/// A class with all its base classes.
#[derive(Debug)]
pub(super) struct Class {
    /// Names, the class itself first.
    pub names: Vec<Arc<str>>,
    /// The classes among `names` that write something after the properties, with the reader of each; base
    /// class first. Empty until an object of the class was read.
    pub tails: OnceLock<Box<[Tail]>>,
}

/// A class's data after the properties.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tail {
    /// Read by the entry at this index of all tail tables.
    Known(usize),
    /// A property that is an object itself (before 4.25), by the index of its name in [`Class::names`].
    Field(usize),
}

impl Class {
    /// A class with its base classes, as far as they are known.
    pub(super) fn new(mut names: Vec<Arc<str>>) -> Self {
        // Without mappings the chain may be the class alone; the native part is then filled in from a
        // table.
        native::complete(&mut names);
        Self { names, tails: OnceLock::new() }
    }
}
