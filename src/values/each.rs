//! Work on packages, one by one, on all workers.

use super::inputs::{PackageInput, PackageInputs};
use super::library::Library;
use super::load::Loaded;
use super::options::{ValueOptions, ValueOutcome};
use super::unread_exports::{AllUnread, UnreadOf};
use crate::error::{Error, Result};
use crate::extract::{Failure, Outcome, Subject};
use crate::job::{self, Context};
use crate::property::Scope;
use crate::report::Event;
use crate::store::packages::Packages;
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory that a package takes for each of its bytes, with its values and what is made of them.
const PRICE: u64 = 8;

/// What was made of a package, and what is wrong with its content although it could be read.
pub(crate) type Made<T> = Result<(T, Option<Error>)>;

/// The packages of a job, on any thread.
pub(crate) struct Job {
    pub library: Library,
    pub inputs: Arc<PackageInputs>,
    pub options: ValueOptions,
    pub without_mappings: AtomicU64,
    pub(super) unread: AllUnread,
    /// Memory for each byte of bulk data beside a package, in jobs that read it.
    pub bulk_price: Option<u64>,
}

impl Job {
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
    pub(crate) async fn each<T: Send + 'static>(
        self: &Arc<Self>,
        context: &Context,
        work: impl Fn(&Self, usize, &PackageInput) -> Made<T> + Send + Sync + 'static,
        done: impl FnMut(&PackageInput, T) -> Result<()>,
    ) -> Result<Outcome> {
        let inputs = Arc::clone(&self.inputs);
        self.each_of(inputs.items(), context, work, done).await
    }

    /// Does something with packages, those of the job or others.
    pub(crate) async fn each_of<T: Send + 'static>(
        self: &Arc<Self>,
        items: &[PackageInput],
        context: &Context,
        work: impl Fn(&Self, usize, &PackageInput) -> Made<T> + Send + Sync + 'static,
        mut done: impl FnMut(&PackageInput, T) -> Result<()>,
    ) -> Result<Outcome> {
        let mut outcome = Outcome { clashes: self.inputs.clashes.clone(), ..Outcome::default() };
        let raw_bytes = items.iter().map(|item| item.len).sum();
        context.observer().on(&Event::Planned { chunks: items.len() as u64, raw_bytes });
        let work = Arc::new(work);
        let start = |(at, item): (usize, &PackageInput), lease| {
            let (job, work, own, context) =
                (Arc::clone(self), Arc::clone(&work), item.clone(), context.clone());
            async move {
                let name = own.name.clone();
                (job::on_worker(&context, name, move || work(&job, at, &own)).await, lease)
            }
        };
        let price = |(_, item): &(usize, &PackageInput)| self.price(item);
        let in_flight = context.cpu().threads() + 1;
        let mut results =
            std::pin::pin!(job::start(items.iter().enumerate(), context, in_flight, price, start));
        let mut started = items.iter();
        while let Some((result, _lease)) = results.next().await {
            let Some(item) = started.next() else { break };
            context.observer().on(&Event::Advanced { chunks: 1, raw_bytes: item.len });
            let failure = |error: Error| {
                context.observer().on(&Event::Chunk { path: &item.name, error: &error });
                Failure { subject: Subject::Package, path: item.name.clone(), error }
            };
            match result {
                Ok((made, mismatch)) => {
                    outcome.chunks += 1;
                    outcome.raw_bytes += item.len;
                    outcome.mismatches.extend(mismatch.map(failure));
                    done(item, made)?;
                }
                Err(error) => outcome.failures.push(failure(error)),
            }
            if self.options.fail_fast && outcome.problems().next().is_some() {
                context.cancel();
            }
        }
        outcome.cancelled = context.is_cancelled();
        Ok(outcome)
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

    /// What became of the job.
    pub(crate) fn outcome(&self, packages: Outcome) -> ValueOutcome {
        let unread = self.unread.take();
        let unread_exports = unread.iter().map(|unread| unread.exports).sum();
        ValueOutcome {
            packages: Outcome { unread_exports, ..packages },
            unread,
            without_mappings: self.without_mappings.load(Ordering::Relaxed),
            engine: self.library.was_cooked_by().cloned(),
            problems: self.library.packages().take_problems(),
        }
    }
}
