//! Names and objects of a package as texts, and back.

use crate::names::split_number;
use crate::package::legacy::{Name, Package, PackageIndex, PackageRef};
use crate::wire::MAX_PATH_LEN;
use foldhash::{HashMap, HashMapExt};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// Limit on outer objects.
const MAX_DEPTH: usize = 256;

/// Lookup of the names and objects of a package by text, and of their texts.
pub struct Symbols<'a> {
    /// Package.
    pub package: &'a Package,
    /// First index of each text in the name table.
    places: HashMap<&'a str, u32>,
    /// First object of each path, exports before imports.
    objects: OnceCell<HashMap<u128, PackageIndex>>,
    /// Paths found so far.
    paths: RefCell<HashMap<i32, Option<Arc<str>>>>,
}

impl std::fmt::Debug for Symbols<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("names", &self.places.len()).finish_non_exhaustive()
    }
}

impl<'a> Symbols<'a> {
    /// Creates the lookup for a package.
    #[must_use]
    pub fn new(package: &'a Package) -> Self {
        let mut places = HashMap::with_capacity(package.names.len());
        for (place, entry) in (0..).zip(&package.names) {
            places.entry(entry.text.as_str()).or_insert(place);
        }
        Self { package, places, objects: OnceCell::new(), paths: RefCell::default() }
    }

    /// Returns the text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> String {
        self.package.text(name).to_string()
    }

    /// Finds a name by its text: the first entry equal to it, else an entry with a number after it.
    #[must_use]
    pub fn name(&self, text: &str) -> Option<Name> {
        let whole = self.places.get(text).map(|index| Name { index: *index, number: 0 });
        whole.or_else(|| {
            let (base, number) = split_number(text);
            let index = *self.places.get(base).filter(|_| number != 0)?;
            Some(Name { index, number })
        })
    }

    /// Returns the path of an object: its names from the outermost on, joined by dots. Exports begin with
    /// their outermost export, imports with their package.
    #[must_use]
    pub fn path(&self, index: PackageIndex) -> Option<Arc<str>> {
        if let Some(known) = self.paths.borrow().get(&index.0) {
            return known.clone();
        }
        let path = self.find_path(index);
        self.paths.borrow_mut().insert(index.0, path.clone());
        path
    }

    /// Finds an object by its path: the first export, else the first import.
    #[must_use]
    pub fn object(&self, path: &str) -> Option<PackageIndex> {
        let objects = self.objects.get_or_init(|| self.all_objects());
        let found = *objects.get(&hash(EMPTY, path))?;
        (self.path(found).as_deref() == Some(path)).then_some(found)
    }

    /// Returns name and outer of an object.
    pub(super) fn entry(&self, index: PackageIndex) -> Option<(Name, PackageIndex)> {
        entry(self.package, index)
    }

    /// Returns an object's own name.
    pub(super) fn own_name(&self, index: PackageIndex) -> Option<String> {
        name_of(self.package, index)
    }

    fn find_path(&self, index: PackageIndex) -> Option<Arc<str>> {
        let (mut names, mut len, mut next) = (Vec::new(), 0, index);
        while next != PackageIndex::NONE {
            let (name, outer) = self.entry(next)?;
            let text = self.text(name);
            len += text.len() + 1;
            // A cycle of outers would never end.
            if names.len() == MAX_DEPTH || len > MAX_PATH_LEN {
                return None;
            }
            names.push(text);
            next = outer;
        }
        names.reverse();
        (!names.is_empty()).then(|| names.join(".").into())
    }

    /// Returns every object by the hash of its path. The hash of a path continues that of its outer, so that
    /// each object costs no more than its own name.
    fn all_objects(&self) -> HashMap<u128, PackageIndex> {
        let exports = (0..).zip(&self.package.exports).filter_map(|(at, _)| PackageIndex::export(at));
        let imports = (0..).zip(&self.package.imports).filter_map(|(at, _)| PackageIndex::import(at));
        let mut known: HashMap<i32, u128> = HashMap::new();
        let mut objects = HashMap::new();
        // Exports come first, and the first object of a path wins.
        for index in exports.chain(imports) {
            if let Some(hash) = self.hash_of(index, &mut known) {
                objects.entry(hash).or_insert(index);
            }
        }
        objects
    }

    fn hash_of(&self, index: PackageIndex, known: &mut HashMap<i32, u128>) -> Option<u128> {
        let (mut chain, mut next) = (Vec::new(), index);
        let mut state = EMPTY;
        while next != PackageIndex::NONE {
            // An outer that was hashed before ends the walk.
            if let Some(found) = known.get(&next.0) {
                state = *found;
                break;
            }
            let (name, outer) = self.entry(next)?;
            if chain.len() == MAX_DEPTH {
                return None;
            }
            chain.push((next, name));
            next = outer;
        }
        for (index, name) in chain.into_iter().rev() {
            if state != EMPTY {
                state = hash(state, ".");
            }
            state = hash(state, &self.text(name));
            known.insert(index.0, state);
        }
        Some(state)
    }
}

/// Returns an object's own name.
pub(super) fn name_of(package: &Package, index: PackageIndex) -> Option<String> {
    entry(package, index).map(|(name, _)| package.text(name).to_string())
}

fn entry(package: &Package, index: PackageIndex) -> Option<(Name, PackageIndex)> {
    match index.decode() {
        PackageRef::None => None,
        PackageRef::Import(at) => package.imports.get(at as usize).map(|import| (import.name, import.outer)),
        PackageRef::Export(at) => package.exports.get(at as usize).map(|export| (export.name, export.outer)),
    }
}

/// FNV-1a offset basis, the hash of an empty text.
const EMPTY: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;

/// Continues an FNV-1a hash. A path found by its hash is compared in full as well.
fn hash(state: u128, text: &str) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;
    text.bytes().fold(state, |state, byte| (state ^ u128::from(byte)).wrapping_mul(PRIME))
}
