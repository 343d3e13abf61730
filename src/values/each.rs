//! Parallel work on packages, one task each.

use super::inputs::{PackageInput, PackageInputs};
use super::library::Library;
use super::loaded::Loaded;
use super::options::{ValueOptions, ValuesRead};
use super::raw_package::RawPackage;
use super::unread::UnreadCause;
use super::unread_exports::{AllUnread, UnreadOf};
use crate::error::Result;
use crate::job::{self, Context, Outcome, Tally, Worked};
use crate::property::Scope;
use crate::store::packages::Packages;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of memory budget per byte of a package: its data, its values and the output made from them.
const PRICE: u64 = 8;

/// A job over packages, shared by all its threads.
pub(crate) struct PackageJob {
    pub library: Library,
    pub inputs: Arc<PackageInputs>,
    pub options: ValueOptions,
    /// Packages that needed schemas for which there were neither mappings nor built-in ones.
    without_mappings: AtomicU64,
    /// Packages with untagged properties.
    untagged: AtomicU64,
    /// Objects that were looked at.
    objects: AtomicU64,
    /// Packages with objects that were read by built-in schemas, for lack of mappings.
    by_engine_schemas: AtomicU64,
    pub(super) unread: AllUnread,
    /// Bytes of memory budget per byte of bulk data beside a package, for jobs that read it.
    pub bulk_price: Option<u64>,
}

impl PackageJob {
    pub(crate) fn new(
        packages: impl Into<Arc<Packages>>,
        inputs: PackageInputs,
        options: ValueOptions,
    ) -> Self {
        let inputs = Arc::new(inputs);
        let library = Library::new(packages, Arc::clone(&inputs), &options);
        Self {
            library,
            inputs,
            options,
            without_mappings: AtomicU64::new(0),
            untagged: AtomicU64::new(0),
            objects: AtomicU64::new(0),
            by_engine_schemas: AtomicU64::new(0),
            unread: AllUnread::default(),
            bulk_price: None,
        }
    }

    /// Runs `work` on every package and its position, once its memory is paid for; `done` gets the results in package
    /// order. An error of one package does not end the job, one of `done` does.
    pub(crate) async fn each<M: Send + 'static, T>(
        self: &Arc<Self>,
        context: &Context,
        outcome: &mut Outcome<T>,
        work: impl Fn(&Self, usize, &PackageInput) -> Worked<M> + Send + Sync + 'static,
        done: impl FnMut(&mut Tally<'_, T>, &PackageInput, M) -> Result<()>,
    ) -> Result<()> {
        outcome.clashes.extend_from_slice(&self.inputs.clashes);
        let inputs = Arc::clone(&self.inputs);
        self.each_of(inputs.items(), context, outcome, work, done).await
    }

    /// Runs `work` on packages of this job or others.
    pub(crate) async fn each_of<M: Send + 'static, T>(
        self: &Arc<Self>,
        items: &[PackageInput],
        context: &Context,
        outcome: &mut Outcome<T>,
        work: impl Fn(&Self, usize, &PackageInput) -> Worked<M> + Send + Sync + 'static,
        done: impl FnMut(&mut Tally<'_, T>, &PackageInput, M) -> Result<()>,
    ) -> Result<()> {
        let mut tally = Tally::new(context, self.options.fail_fast, outcome);
        let own = Arc::clone(self);
        let work = move |at: usize, item: &PackageInput| work(&own, at, item);
        job::run(items, &mut tally, |item| self.price(item), work, done).await
    }

    /// Reads a package.
    pub(crate) fn load(&self, item: &PackageInput) -> Result<Loaded> {
        let loaded = self.library.load(item)?;
        self.note_missing(&loaded);
        Ok(loaded)
    }

    /// Parses a package that was read.
    pub(super) fn open(&self, raw: RawPackage, item: &PackageInput) -> Result<Loaded> {
        let loaded = self.library.load_raw(raw, item)?;
        self.note_missing(&loaded);
        Ok(loaded)
    }

    /// Counts a package that needs mappings, if there is nothing to read it by.
    pub(super) fn note_missing(&self, loaded: &Loaded) {
        if !loaded.package.form.unversioned_properties {
            return;
        }
        self.untagged.fetch_add(1, Ordering::Relaxed);
        if self.options.mappings.is_none() && self.library.engine_schemas(loaded).is_none() {
            self.without_mappings.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An empty list of unread exports for a package.
    pub(crate) fn unread<'j>(&'j self, loaded: &'j Loaded) -> UnreadOf<'j> {
        UnreadOf::new(&self.library, loaded)
    }

    /// Adds the unread exports of a finished package, and counts it if others were read by built-in schemas.
    pub(crate) fn note_unread(&self, item: &PackageInput, unread: UnreadOf<'_>) {
        if unread.is_read_by_engine_schemas() {
            self.by_engine_schemas.fetch_add(1, Ordering::Relaxed);
        }
        self.objects.fetch_add(unread.seen(), Ordering::Relaxed);
        self.unread.add(item, unread);
    }

    /// A package in the scope of all it may refer to.
    pub(crate) fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        self.library.scope(loaded)
    }

    /// Bytes of memory budget for a package.
    fn price(&self, item: &PackageInput) -> u64 {
        let bulk = self.bulk_price.map_or(0, |price| self.library.bulk_len(item).saturating_mul(price));
        item.len.saturating_mul(PRICE).saturating_add(bulk)
    }

    /// Adds the unread exports to the outcome, and returns the other findings of the job.
    pub(crate) fn finish<T>(&self, outcome: &mut Outcome<T>) -> ValuesRead {
        let unread = self.unread.take();
        outcome.unread_exports += unread.iter().map(|unread| unread.exports).sum::<u64>();
        // Built-in schemas lack the game's own classes.
        let unread_for_lack = unread.iter().filter(|unread| unread.cause == UnreadCause::NoMappings);
        let lacking = unread_for_lack.map(|unread| unread.packages).sum();
        ValuesRead {
            without_mappings: self.without_mappings.load(Ordering::Relaxed).max(lacking),
            by_engine_schemas: self.by_engine_schemas.load(Ordering::Relaxed),
            untagged: self.untagged.load(Ordering::Relaxed),
            objects: self.objects.load(Ordering::Relaxed),
            engine_classes: self.library.engine_classes(),
            unread,
            engine: self.library.was_cooked_by().cloned(),
            problems: self.library.packages().take_problems(),
        }
    }
}
