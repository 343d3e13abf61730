//! Uses of imports in a package, indexed once: a package may have as many imports as exports and names.

use crate::id::PackageObjectIndex;
use crate::package::zen::{Export, Header};
use foldhash::{HashMap, HashSet};

/// Classes, templates and parent structs of exports, and the names of the package.
#[derive(Debug)]
pub(super) struct Uses<'a> {
    classes: HashSet<PackageObjectIndex>,
    /// First export of each template.
    templates: HashMap<PackageObjectIndex, &'a Export>,
    /// First export extending each struct.
    supers: HashMap<PackageObjectIndex, &'a Export>,
    /// UE4: all names, in lower case.
    names: Option<HashSet<String>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(header: &'a Header) -> Self {
        let (mut templates, mut supers) = (HashMap::default(), HashMap::default());
        for export in &header.exports {
            templates.entry(export.template).or_insert(export);
            supers.entry(export.super_index).or_insert(export);
        }
        // Null means that there is none, so it must not match a null import.
        templates.remove(&PackageObjectIndex::NULL);
        supers.remove(&PackageObjectIndex::NULL);
        let mut classes: HashSet<_> = header.exports.iter().map(|export| export.class).collect();
        classes.remove(&PackageObjectIndex::NULL);
        let names = || header.names.iter().map(str::to_ascii_lowercase).collect();
        Self { classes, templates, supers, names: header.generation.is_ue4().then(names) }
    }

    /// Returns true if an export has it as its class.
    pub(super) fn is_class(&self, index: PackageObjectIndex) -> bool {
        self.classes.contains(&index)
    }

    /// Returns the first export that has it as its template.
    pub(super) fn of_template(&self, index: PackageObjectIndex) -> Option<&'a Export> {
        self.templates.get(&index).copied()
    }

    /// Returns the first export extending it.
    pub(super) fn of_super(&self, index: PackageObjectIndex) -> Option<&'a Export> {
        self.supers.get(&index).copied()
    }

    /// Returns false if an import cannot be of a class: UE4 packages contain the class names of their
    /// imports.
    pub(super) fn may_be(&self, class: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(&class.to_ascii_lowercase()))
    }
}
