//! Collects exports with unreadable values while packages are processed.

use super::inputs::PackageInput;
use super::library::Library;
use super::loaded::Loaded;
use super::unread::{UnreadCause, UnreadValues};
use crate::package::legacy::Export;
use crate::property::{List, Object, Problem, ReadCause, StructName};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The most causes kept apart; rarer ones are counted together, to bound memory.
const MAX_CAUSES: usize = 1000;

/// Exports with unreadable values in all packages of a job.
#[derive(Debug, Default)]
pub(super) struct AllUnread(Mutex<BTreeMap<UnreadCause, UnreadValues>>);

impl AllUnread {
    /// Takes the exports, grouped by cause.
    pub(super) fn take(&self) -> Vec<UnreadValues> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_values().collect()
    }

    /// Adds the exports of a finished package.
    pub(super) fn add(&self, item: &PackageInput, unread: UnreadOf<'_>) {
        let UnreadOf { loaded, found, .. } = unread;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (cause, (exports, object)) in found.into_inner() {
            let cause = if all.len() < MAX_CAUSES || all.contains_key(&cause) {
                cause
            } else {
                UnreadCause::Other { problem: "many other problems".to_owned() }
            };
            let of_cause = all.entry(cause.clone()).or_insert_with(|| UnreadValues {
                cause,
                exports: 0,
                packages: 0,
                path: item.name.clone(),
                object: object.clone(),
                file: loaded.path.clone(),
            });
            of_cause.exports += exports;
            of_cause.packages += 1;
            // Packages finish in any order; the smallest path makes the example the same in every run.
            if item.name < of_cause.path {
                of_cause.path.clone_from(&item.name);
                of_cause.file.clone_from(&loaded.path);
                of_cause.object = object;
            }
        }
    }
}

/// Exports with unreadable values in one package.
pub(crate) struct UnreadOf<'l> {
    library: &'l Library,
    loaded: &'l Loaded,
    /// Number of exports that were looked at.
    seen: Cell<u64>,
    /// True if the properties of any export could be read.
    has_read: Cell<bool>,
    found: RefCell<BTreeMap<UnreadCause, (u64, String)>>,
}

impl<'l> UnreadOf<'l> {
    /// An empty collection.
    pub(super) fn new(library: &'l Library, loaded: &'l Loaded) -> Self {
        Self { library, loaded, seen: Cell::default(), has_read: Cell::default(), found: RefCell::default() }
    }

    /// Records an export, if its values could not be read.
    pub(crate) fn see(&self, export: &Export, object: &Object) {
        // A list that reaches its end was read in full, whatever is wrong after it.
        let has_end = matches!(&object.properties, Some(List::Tagged(list)) if list.end.is_some());
        let is_read = has_end || object.has_all_properties();
        self.seen.set(self.seen.get() + 1);
        self.has_read.set(self.has_read.get() || (is_read && object.properties.is_some()));
        let Some(problem) = object.problem.as_ref().filter(|_| !is_read) else { return };
        let name = || self.loaded.package.text(export.name).to_string();
        let mut found = self.found.borrow_mut();
        found.entry(self.cause(problem)).or_insert_with(|| (0, name())).0 += 1;
    }

    /// Number of exports that were looked at.
    pub(super) const fn seen(&self) -> u64 {
        self.seen.get()
    }

    /// True if any export was read by built-in schemas.
    pub(super) fn is_read_by_engine_schemas(&self) -> bool {
        self.has_read.get() && self.library.engine_schemas(self.loaded).is_some()
    }

    fn cause(&self, problem: &Problem) -> UnreadCause {
        let needs_mappings =
            self.library.mappings.is_none() && self.loaded.package.form.unversioned_properties;
        match &problem.cause {
            // The problem in the data is only a symptom of the missing file.
            ReadCause::NoData if self.loaded.has_no_exports() => UnreadCause::NoExports,
            // Without mappings every class fails this way: one cause, not one per class.
            ReadCause::NoSchema(_) | ReadCause::WrongSchema(_) if needs_mappings => UnreadCause::NoMappings,
            ReadCause::NoSchema(of) => self.missing(of),
            ReadCause::WrongSchema(of) => UnreadCause::WrongSchema { schema: of.name.to_string() },
            ReadCause::OwnForm(of) => UnreadCause::OwnForm { schema: of.name.to_string() },
            ReadCause::NoData | ReadCause::Other => {
                // Without the offset, which differs between exports and would make each its own cause.
                let fault = &problem.fault;
                let problem =
                    format!("{}: {}", problem.subject.as_deref().unwrap_or(fault.field), fault.kind);
                UnreadCause::Other { problem }
            }
        }
    }

    fn missing(&self, of: &StructName) -> UnreadCause {
        let elsewhere = of.package.as_deref().filter(|package| {
            // Native classes live in the executable and those of this package are present, so only others can be
            // missing.
            !package.starts_with("/Script/") && !package.eq_ignore_ascii_case(&self.loaded.name())
        });
        match elsewhere.filter(|package| self.library.input(package).is_none()) {
            Some(package) => {
                UnreadCause::NoPackage { package: package.to_owned(), class: of.name.to_string() }
            }
            None => UnreadCause::NoSchema { schema: of.name.to_string() },
        }
    }
}
