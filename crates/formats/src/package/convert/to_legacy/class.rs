//! A class and the confidence in it.

use crate::package::zen::Resolved;
use std::sync::{Arc, LazyLock};

/// Package of metaclasses.
pub(super) const CORE: &str = "/Script/CoreUObject";

/// Prefix of class default objects.
pub(super) const DEFAULT: &str = "Default__";

/// Package and name of a class.
pub(super) type Class = (Arc<str>, Arc<str>);

/// Returns a class of the core package. Nearly every import has one of a few, so their texts are shared.
pub(super) fn core(name: &str) -> Class {
    static NAMES: LazyLock<[Arc<str>; 9]> = LazyLock::new(|| CORE_CLASSES.map(Arc::from));
    let shared =
        |name: &str| NAMES.iter().find(|known| ***known == *name).map_or_else(|| name.into(), Arc::clone);
    (shared(CORE), shared(name))
}

/// Texts of the usual classes and their package.
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

/// Extracts the class from a resolved path.
pub(super) fn class_in(found: Resolved) -> Option<Class> {
    match found {
        Resolved::Object { path, .. } => path.ends(),
        _ => None,
    }
}

/// Possible classes of an import.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    /// Index in the import table.
    pub at: usize,
    /// Classes, likeliest first; never empty.
    pub classes: Vec<Class>,
    /// True if no other class is possible.
    pub certain: bool,
}

impl Guess {
    pub(super) fn certain(at: usize, class: Class) -> Self {
        Self { at, classes: vec![class], certain: true }
    }

    /// Returns the likeliest class.
    pub(super) fn best(&self) -> Option<&Class> {
        self.classes.first()
    }
}
