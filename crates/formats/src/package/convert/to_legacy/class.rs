//! A class, and how sure it is.

use crate::package::zen::Resolved;
use std::sync::{Arc, LazyLock};

/// Package of the classes of classes.
pub(super) const CORE: &str = "/Script/CoreUObject";

/// Starts the names of class default objects.
pub(super) const DEFAULT: &str = "Default__";

/// A class: its package and its name.
pub(super) type Class = (Arc<str>, Arc<str>);

/// A class of the core. Nearly every import has one of a few, which are shared.
pub(super) fn core(name: &str) -> Class {
    static NAMES: LazyLock<[Arc<str>; 9]> = LazyLock::new(|| CORE_CLASSES.map(Arc::from));
    let shared =
        |name: &str| NAMES.iter().find(|known| ***known == *name).map_or_else(|| name.into(), Arc::clone);
    (shared(CORE), shared(name))
}

/// Classes that imports mostly have, and their package.
const CORE_CLASSES: [&str; 9] = [
    CORE,
    "Package",
    "Class",
    "Object",
    "Function",
    "ScriptStruct",
    "Enum",
    "DelegateFunction",
    "SparseDelegateFunction",
];

/// The class at a path.
pub(super) fn class_in(found: Resolved) -> Option<Class> {
    match found {
        Resolved::Object { path, .. } => path.ends(),
        _ => None,
    }
}

/// The classes that an import may be of.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    /// Its place in the table.
    pub at: usize,
    /// Its classes, the likeliest first; never empty.
    pub classes: Vec<Class>,
    /// There is no other.
    pub certain: bool,
}

impl Guess {
    pub(super) fn certain(at: usize, class: Class) -> Self {
        Self { at, classes: vec![class], certain: true }
    }

    /// The likeliest.
    pub(super) fn best(&self) -> Option<&Class> {
        self.classes.first()
    }
}
