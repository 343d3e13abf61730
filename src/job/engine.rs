//! Starts work on items in order, as memory and workers allow.

use super::cpu::caught;
use super::groups::{Group, Groups};
use super::{Context, Failure, Lease, Subject, Tally};
use crate::error::{Error, Result};
use futures_util::{Stream, StreamExt, stream};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::sync::Arc;

/// Starts work on items in order, each once its price is paid, at most `in_flight` at a time. Results come in item
/// order; those that hold their lease return it when dropped. After a cancel no more work is begun, but work already
/// begun still yields its results.
///
/// The price is paid before the future is created, so an item waiting for memory never holds up an earlier one.
pub(crate) fn start<I, T, P, W, F>(
    items: T,
    context: &Context,
    in_flight: usize,
    price: P,
    mut work: W,
) -> impl Stream<Item = F::Output> + Send + use<I, T, P, W, F>
where
    I: Send,
    T: Iterator<Item = I> + Send,
    P: Fn(&I) -> u64 + Send,
    W: FnMut(I, Lease) -> F + Send,
    F: Future<Output: Send> + Send,
{
    let context = context.clone();
    let paid = stream::unfold((items, price), move |(mut items, price)| {
        let context = context.clone();
        async move {
            if context.cancel_token().is_cancelled() {
                return None;
            }
            let item = items.next()?;
            let lease = context.budget().lease(price(&item)).await;
            Some(((item, lease), (items, price)))
        }
    });
    paid.map(move |(item, lease)| work(item, lease)).buffered(in_flight)
}

/// An item of a job.
pub(crate) trait Item: Clone + Send + Sync + 'static {
    /// Its kind, for failures.
    fn subject(&self) -> Subject;

    /// Its path in messages.
    fn path(&self) -> Cow<'_, str>;

    /// Its uncompressed length, in bytes.
    fn raw_len(&self) -> u64;
}

/// Result of the work on an item, with a hash mismatch of content that could be read anyway.
pub(crate) type Worked<M> = Result<(M, Option<Error>)>;

/// Processes items on all workers, each once its price is paid, and counts the results. `done` gets them in item order.
/// An error of an item does not end the job, one of `done` does. Small items share a task.
pub(crate) async fn run<I: Item, M: Send + 'static, T, E>(
    items: &[I],
    tally: &mut Tally<'_, T>,
    price: impl Fn(&I) -> u64 + Send + Sync,
    work: impl Fn(usize, &I) -> Worked<M> + Send + Sync + 'static,
    mut done: impl FnMut(&mut Tally<'_, T>, &I, M) -> Result<(), E>,
) -> Result<(), E> {
    tally.planned(items.len() as u64, items.iter().map(Item::raw_len).sum());
    let context = tally.context().clone();
    // Shared by all items that are in progress.
    let work = Arc::new(work);
    let begin = |group: Group, lease| {
        let (work, cpu, cancel) = (Arc::clone(&work), context.cpu().clone(), context.cancel_token().clone());
        let (start, own) = (group.items.start, items.get(group.items).unwrap_or_default().to_vec());
        async move {
            // An item that has begun yields its result; the rest of a group has not begun.
            let goes_on = move |_: &usize| !cancel.is_cancelled();
            let one =
                move |at: usize, item: &I| caught(|| work(at, item)).unwrap_or_else(panicked(&*item.path()));
            let all =
                move || (start..).take_while(goes_on).zip(&own).map(|(at, item)| one(at, item)).collect();
            let results = cpu.run(all).await;
            (start, results.unwrap_or_else(|message| vec![panicked("")(message)]), lease)
        }
    };
    // Results come in order: the more are begun, the longer a slow one keeps none of the workers waiting.
    let (threads, paid) = (context.cpu().threads(), |group: &Group| group.price);
    let groups = Groups::new(items, price, threads);
    let mut results = std::pin::pin!(start(groups, &context, threads * 4, paid, begin));
    // The lease lives to the end of the turn: the results are in memory until `done` has used them.
    while let Some((start, results, _lease)) = results.next().await {
        let group = items.get(start..).unwrap_or_default();
        for (item, result) in group.iter().zip::<Vec<Worked<M>>>(results) {
            tally.advanced(1, item.raw_len());
            let failure = |error| Failure { subject: item.subject(), path: item.path().into_owned(), error };
            match result {
                Ok((made, mismatch)) => {
                    tally.came_through(item.raw_len());
                    if let Some(error) = mismatch {
                        tally.mismatched(failure(error));
                    }
                    done(tally, item, made)?;
                }
                Err(error) => tally.failed(failure(error)),
            }
        }
    }
    Ok(())
}

/// Runs `work` on a worker. A panic becomes an error about `path`.
pub(crate) async fn on_worker<T: Send + 'static>(
    context: &Context,
    path: impl Into<PathBuf>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = context.cpu().run(work).await;
    done.unwrap_or_else(panicked(path))
}

/// The error of a panic about `path`.
fn panicked<T, P: Into<PathBuf>>(path: P) -> impl FnOnce(String) -> Result<T> {
    |message| Err(Error::Internal { message, path: path.into() })
}

/// Runs a job to completion on this thread, which must not belong to an async runtime.
pub fn block_on<T>(job: impl Future<Output = T>) -> Result<T> {
    // One thread suffices: it only waits for I/O, computation is on the pool.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::io("start", Path::new("the I/O runtime")))?;
    let mut done = None;
    {
        // Of one type for all jobs, so that the runtime is not compiled for each of them.
        let job: Pin<&mut dyn Future<Output = ()>> = pin!(async { done = Some(job.await) });
        runtime.block_on(job);
    }
    done.ok_or_else(|| Error::Internal { message: "the job went away".to_owned(), path: PathBuf::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Budget, Cpu, Kind, Outcome};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn context(threads: usize, budget: u64) -> Context {
        let cpu = if threads == 0 { Cpu::default() } else { Cpu::new(threads).unwrap() };
        Context::new(cpu, Budget::new(budget), true)
    }

    #[test]
    fn results_come_in_order_and_no_more_is_begun_than_is_paid_for() {
        for threads in [0, 1, 3] {
            let context = context(threads, 10 << 10);
            let begun = Arc::new(AtomicUsize::new(0));
            let work = |item: usize, lease: Lease| {
                begun.fetch_add(1, Ordering::SeqCst);
                let context = context.clone();
                async move { (on_worker(&context, "x", move || Ok(item)).await.unwrap(), lease) }
            };
            let results = block_on(async {
                let mut results = std::pin::pin!(start(0..100, &context, 50, |_| 3 << 10, work));
                let mut all = Vec::new();
                while let Some((item, lease)) = results.next().await {
                    assert!(begun.load(Ordering::SeqCst) <= item + 3, "three leases of 3 KiB fit into 10");
                    all.push(item);
                    drop(lease);
                }
                all
            });
            assert_eq!(results.unwrap(), (0..100).collect::<Vec<_>>());
            assert_eq!(context.budget().available(), 10 << 10);
        }
    }

    #[test]
    fn what_has_begun_comes_out_after_the_end() {
        let context = context(1, 10 << 10);
        let token = context.cancel_token().clone();
        let work = async |item: u32, lease| (item, lease);
        let came_out = block_on(async {
            let mut results = std::pin::pin!(start(0..100_u32, &context, 1, |_| 1, work));
            let mut count = 0;
            while let Some((item, _)) = results.next().await {
                count += 1;
                if item == 5 {
                    token.cancel();
                }
            }
            count
        });
        assert!((6..=8).contains(&came_out.unwrap()));
    }

    #[derive(Clone)]
    struct Numbered(usize);

    impl Item for Numbered {
        fn subject(&self) -> Subject {
            Subject::Package
        }

        fn path(&self) -> Cow<'_, str> {
            self.0.to_string().into()
        }

        fn raw_len(&self) -> u64 {
            1
        }
    }

    /// Runs `work` on a thousand items; returns those that came through, in the order in which they came, and the paths of the
    /// others.
    fn run_thousand(
        context: &Context,
        work: impl Fn(usize) + Send + Sync + 'static,
    ) -> (Vec<usize>, Vec<PathBuf>) {
        let items: Vec<Numbered> = (0..1000).map(Numbered).collect();
        let (mut outcome, mut came) = (Outcome::<()>::of(Kind::Package), Vec::new());
        let mut tally = Tally::new(context, false, &mut outcome);
        let work = move |at: usize, item: &Numbered| {
            work(at);
            Ok(((at, item.0), None))
        };
        let done = |_: &mut Tally<'_, ()>, item: &Numbered, made: (usize, usize)| {
            assert_eq!(made, (item.0, item.0));
            came.push(item.0);
            Ok::<(), Error>(())
        };
        block_on(run(&items, &mut tally, |_| 1, work, done)).unwrap().unwrap();
        drop(tally);
        assert_eq!(outcome.count, came.len() as u64);
        (came, outcome.failures.into_iter().map(|failure| failure.path.into()).collect())
    }

    #[test]
    fn an_item_of_a_group_fails_alone() {
        for threads in [0, 1, 3] {
            let is_bad = |at: &usize| at % 100 == 7;
            let (came, failed) = run_thousand(&context(threads, 1 << 10), move |at| {
                assert!(!is_bad(&at), "boom");
            });
            assert_eq!(came, (0..1000).filter(|at| !is_bad(at)).collect::<Vec<_>>());
            assert_eq!(
                failed,
                (0..1000).filter(is_bad).map(|at| at.to_string().into()).collect::<Vec<PathBuf>>()
            );
        }
    }

    #[test]
    fn after_a_cancel_the_rest_of_a_group_is_not_begun() {
        let context = context(1, 1 << 10);
        let token = context.cancel_token().clone();
        let (came, failed) = run_thousand(&context, move |at| {
            if at == 500 {
                token.cancel();
            }
        });
        assert_eq!((came, failed), ((0..=500).collect(), Vec::new()));
    }

    #[test]
    fn a_panic_is_an_error_about_the_item() {
        let context = context(1, 1 << 10);
        let broken = block_on(on_worker(&context, "a/b", || -> Result<()> { panic!("boom") })).unwrap();
        assert_eq!(broken.unwrap_err().to_string(), "internal error, please report it: boom: a/b");
    }
}
