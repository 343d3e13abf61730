//! Edits of many packages, as a job.

use super::change::Editing;
use crate::error::Result;
use crate::job::{self, Context, Outcome, Tally};
use crate::values::inputs::PackageInput;
use std::sync::Arc;

/// Bytes of memory for each byte of a package that is edited: it is there before and after.
const PRICE: u64 = 16;

impl Editing {
    /// Edits some packages on all workers; `done` gets those that were edited, in order. An error of one package does not end the
    /// job.
    pub(crate) async fn each<M: Send + 'static, E>(
        self: &Arc<Self>,
        packages: &[usize],
        context: &Context,
        outcome: &mut Outcome,
        (further, work): (
            impl Fn(usize) -> u64 + Send + Sync,
            impl Fn(&Self, usize) -> Result<Option<M>> + Send + Sync + 'static,
        ),
        mut done: impl FnMut(M) -> Result<(), E>,
    ) -> Result<(), E> {
        let items: Vec<PickedPackage> = packages
            .iter()
            .filter_map(|at| Some(PickedPackage { at: *at, item: self.inputs().get(*at)?.clone() }))
            .collect();
        let own = Arc::clone(self);
        let work = move |_: usize, picked: &PickedPackage| Ok((work(&own, picked.at)?, None));
        let price =
            |picked: &PickedPackage| picked.item.len.saturating_mul(PRICE).saturating_add(further(picked.at));
        let mut tally = Tally::new(context, false, outcome);
        let done =
            |_: &mut Tally<'_, _>, _: &PickedPackage, edited: Option<M>| edited.map_or(Ok(()), &mut done);
        job::run(&items, &mut tally, price, work, done).await
    }
}

/// A package with its position among the inputs.
#[derive(Clone)]
struct PickedPackage {
    at: usize,
    item: PackageInput,
}

impl job::Item for PickedPackage {
    fn subject(&self) -> job::Subject {
        self.item.subject()
    }

    fn path(&self) -> std::borrow::Cow<'_, str> {
        self.item.path()
    }

    fn raw_len(&self) -> u64 {
        self.item.raw_len()
    }
}
