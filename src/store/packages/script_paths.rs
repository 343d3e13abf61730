//! Paths of script objects. Packages refer to few of them, but to these again and again.

use crate::container::script_objects::ScriptObjects;
use crate::id::PackageObjectIndex;
use crate::package::ObjectPath;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes per cached path beyond its text: the fixed part, and per component.
const OF_PATH: u64 = 64;
const OF_PART: u64 = 40;

/// Cache of script object paths, up to a memory limit; further paths are computed on each request.
#[derive(Debug)]
pub(super) struct ScriptPaths {
    /// Indexed by position among the script objects.
    places: Box<[OnceLock<Option<ObjectPath>>]>,
    /// Approximate size of the cached paths, in bytes.
    len: AtomicU64,
    limit: u64,
}

impl ScriptPaths {
    /// An empty cache for `count` objects, with a limit in bytes.
    pub(super) fn new(count: usize, limit: u64) -> Self {
        let places = std::iter::repeat_with(OnceLock::new).take(count).collect();
        Self { places, len: AtomicU64::new(0), limit }
    }

    /// The path of an object; `None` if the object or its path does not exist.
    pub(super) fn get(&self, scripts: &ScriptObjects, index: PackageObjectIndex) -> Option<ObjectPath> {
        let place = self.places.get(scripts.position(index)? as usize)?;
        if let Some(path) = place.get() {
            return path.clone();
        }
        let path = scripts.path_of(index).map(|path| ObjectPath::from_text(&path));
        let price = path.as_ref().map_or(0, price);
        // Check and update are not atomic together, so each thread may exceed the limit by one path.
        if self.len.load(Ordering::Relaxed) < self.limit && place.set(path.clone()).is_ok() {
            self.len.fetch_add(price, Ordering::Relaxed);
        }
        path
    }
}

fn price(path: &ObjectPath) -> u64 {
    let part = |text: &str| text.len() as u64 + OF_PART;
    OF_PATH + part(path.package()) + path.names().iter().map(|name| part(name)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, StoreOptions};

    #[test]
    fn only_so_many_paths_are_kept() {
        let store = Store::open(&["testdata/demo".into()], &[], &StoreOptions::default()).unwrap();
        let scripts = store.script_objects(1 << 20).unwrap().unwrap();
        assert!(scripts.len() > 2);
        let kept = |limit| {
            let paths = ScriptPaths::new(scripts.len(), limit);
            for object in scripts.iter().chain(scripts.iter()) {
                let path = paths.get(&scripts, object.index).unwrap();
                assert_eq!(path.to_string(), scripts.path(object).unwrap());
            }
            paths.places.iter().filter(|place| place.get().is_some()).count()
        };
        assert_eq!([0, 1, 1 << 20].map(kept), [0, 1, scripts.len()]);
    }
}
