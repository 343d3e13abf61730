//! Templates of components, by package.

use crate::level::{Template, Values};
use crate::package::ObjectPath;
use crate::values::each::PackageJob;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The templates in a package.
type OfPackage = Option<Arc<HashMap<String, Template>>>;

/// Templates in packages read so far, and native ones.
#[derive(Default)]
pub(super) struct Templates {
    packages: Mutex<HashMap<String, OfPackage>>,
    natives: Mutex<HashMap<ObjectPath, Arc<Values>>>,
}

/// The most templates of a template that are followed: a crafted one may be its own.
const MAX_DEPTH: usize = 16;

impl Templates {
    /// Adds the values of templates to those of an object. Packages that are not there are noted.
    pub(super) fn complete(
        &self,
        job: &PackageJob,
        (values, template): (&mut Values, Option<&ObjectPath>),
        missing: &mut BTreeSet<String>,
    ) {
        let mut next = template.cloned();
        for _ in 0..MAX_DEPTH {
            let Some(path) = next.take() else { break };
            if path.package().starts_with("/Script/") {
                values.inherit(&self.native(job, &path));
                break;
            }
            let Some(package) = self.package(job, path.package()) else {
                missing.insert(path.package().to_owned());
                break;
            };
            if let Some(template) = package.get(&Template::key(&path)) {
                values.inherit(&template.values);
                next.clone_from(&template.template);
            }
        }
    }

    /// The values of a native object: those in the game's mappings, if they are a dump.
    fn native(&self, job: &PackageJob, path: &ObjectPath) -> Arc<Values> {
        if let Some(known) = lock(&self.natives).get(path) {
            return Arc::clone(known);
        }
        let dumped = job.options.mappings.as_ref().and_then(|mappings| mappings.native_values(path));
        let mut values = dumped.as_ref().map(Values::of_dump).unwrap_or_default();
        values.inherit(&Values::of_native(path));
        let values = Arc::new(values);
        lock(&self.natives).insert(path.clone(), Arc::clone(&values));
        values
    }

    fn package(&self, job: &PackageJob, name: &str) -> OfPackage {
        let key = name.to_lowercase();
        if let Some(known) = lock(&self.packages).get(&key) {
            return known.clone();
        }
        // Not read under the lock: two threads may read one package, and find the same.
        let found = job.library.other(name);
        let found = found.map(|loaded| Arc::new(Template::read_all(&job.scope(&loaded))));
        lock(&self.packages).insert(key, found.clone());
        found
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
