//! Classes as objects of them are read.

use super::native;
use std::sync::{Arc, OnceLock};

/// A class with all that it extends.
#[derive(Debug)]
pub(super) struct Class {
    /// Names, the class itself first.
    pub names: Vec<Arc<str>>,
    /// Which of these write something after the properties, and what reads that, by its place in the table of all; base class
    /// first. `None` until an object of the class was read.
    pub tails: OnceLock<Box<[Tail]>>,
}

/// What one class writes after the properties.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tail {
    /// By the place of its reader.
    Known(usize),
    /// As a property that is an object of its own, by the place of its name.
    Field(usize),
}

impl Class {
    /// A class with what it extends, as far as that is known.
    pub(super) fn new(mut names: Vec<Arc<str>>) -> Self {
        native::complete(&mut names);
        Self { names, tails: OnceLock::new() }
    }
}
