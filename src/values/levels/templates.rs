//! Templates of components, by package.

use crate::level::{Template, Values};
use crate::package::ObjectPath;
use crate::values::each::PackageJob;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The templates in a package.
type OfPackage = Option<Arc<HashMap<String, Template>>>;

/// Templates in packages read so far.
#[derive(Default)]
pub(super) struct Templates(Mutex<HashMap<String, OfPackage>>);

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
                values.inherit(&Values::of_native(&path));
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

    fn package(&self, job: &PackageJob, name: &str) -> OfPackage {
        let key = name.to_lowercase();
        if let Some(known) = lock(&self.0).get(&key) {
            return known.clone();
        }
        // Not read under the lock: two threads may read one package, and find the same.
        let found = job.library.other(name);
        let found = found.map(|loaded| Arc::new(Template::read_all(&job.scope(&loaded))));
        lock(&self.0).insert(key, found.clone());
        found
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
