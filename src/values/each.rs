//! Work on packages, one by one, on all workers.

use super::inputs::{PackageInput, PackageInputs};
use super::library::Library;
use super::load::Loaded;
use super::options::{ValueOptions, ValuesRead};
use super::unread_exports::{AllUnread, UnreadOf};
use crate::error::Result;
use crate::job::{self, Context, Outcome, Tally, Worked};
use crate::property::Scope;
use crate::store::packages::Packages;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory that a package takes for each of its bytes, with its values and what is made of them.
const PRICE: u64 = 8;

/// The packages of a job, on any thread.
pub(crate) struct PackageJob {
    pub library: Library,
    pub inputs: Arc<PackageInputs>,
    pub options: ValueOptions,
    pub without_mappings: AtomicU64,
    pub(super) unread: AllUnread,
    /// Memory for each byte of bulk data beside a package, in jobs that read it.
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
            unread: AllUnread::default(),
            bulk_price: None,
        }
    }

    /// Does something with every package and its place, once its memory is paid for; `done` gets the results in the order of the packages. An
    /// error of one package does not end the job, one of `done` does.
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

    /// Does something with packages, those of the job or others.
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

    /// Counts a package that cannot be read without mappings.
    pub(super) fn note_missing(&self, loaded: &Loaded) {
        if loaded.package.form.unversioned_properties && self.options.mappings.is_none() {
            self.without_mappings.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The exports of a package whose values cannot be read: none so far.
    pub(crate) fn unread<'j>(&'j self, loaded: &'j Loaded) -> UnreadOf<'j> {
        UnreadOf::new(&self.library, loaded)
    }

    /// Adds those of a package that was gone through.
    pub(crate) fn note_unread(&self, item: &PackageInput, unread: UnreadOf<'_>) {
        self.unread.add(item, unread);
    }

    /// A package with all that it refers to.
    pub(crate) fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        loaded.scope().with_mappings(self.options.mappings.as_deref()).with_world(&self.library)
    }

    /// Memory that a package takes.
    fn price(&self, item: &PackageInput) -> u64 {
        let bulk = self.bulk_price.map_or(0, |price| self.library.bulk_len(item).saturating_mul(price));
        item.len.saturating_mul(PRICE).saturating_add(bulk)
    }

    /// Counts the exports whose values could not be read. The result is what else was found out while reading.
    pub(crate) fn finish<T>(&self, outcome: &mut Outcome<T>) -> ValuesRead {
        let unread = self.unread.take();
        outcome.unread_exports += unread.iter().map(|unread| unread.exports).sum::<u64>();
        ValuesRead {
            unread,
            without_mappings: self.without_mappings.load(Ordering::Relaxed),
            engine: self.library.was_cooked_by().cloned(),
            problems: self.library.packages().take_problems(),
        }
    }
}
