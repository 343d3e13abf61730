//! The thread pool. No other file uses it directly.

use rayon::slice::ParallelSliceMut as _;
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;
use tokio::sync::oneshot;

/// The most worker threads that can be requested; machines with more cores may have one per core.
pub const MAX_THREADS: usize = 256;

/// Worker threads for computation, apart from threads that wait for I/O.
///
/// The default has none: the caller does the work. That is slow, but always possible.
#[derive(Debug, Clone, Default)]
pub struct Cpu {
    pool: Option<Arc<rayon::ThreadPool>>,
}

impl Cpu {
    /// Starts a pool of this many threads, at most [`MAX_THREADS`]; 0 for one per core. If the system cannot start all
    /// of them, there are fewer, and [`threads`](Self::threads) is their number. Fails if none can be started.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        // Respects limits of containers and affinity masks, unlike the number of cores.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut threads = if threads == 0 { cores } else { threads.min(MAX_THREADS.max(cores)) };
        loop {
            let built = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|index| format!("uncask-{index}"))
                .build();
            match built {
                Ok(pool) => return Ok(Self { pool: Some(Arc::new(pool)) }),
                Err(error) if threads == 1 => return Err(std::io::Error::other(error)),
                // A system with a limit on threads may refuse many, but allow some.
                Err(_) => threads /= 2,
            }
        }
    }

    /// Number of worker threads: without a pool one, the caller.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Runs `work` on a thread of the pool. `Err` holds the message of a panic.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        // A panic must not take down the thread of the pool, nor the process.
        let work = move || caught(work);
        let done = match &self.pool {
            None => Ok(work()),
            Some(pool) => {
                let (send, receive) = oneshot::channel();
                // The receiver may be gone after a cancel; then the result is not needed.
                pool.spawn(move || drop(send.send(work())));
                receive.await
            }
        };
        done.unwrap_or_else(|_| Err("the worker went away".to_owned()))
    }

    /// Maps items on all threads, and waits. Results are in the order of the items.
    pub fn map<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Send + Sync,
    ) -> Vec<R> {
        self.map_init(items, || (), |(), item| work(item))
    }

    /// Maps items as [`map`](Self::map) does, with a value from `init` that each thread reuses for many items.
    pub fn map_init<T: Send, S, R: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        init: impl Fn() -> S + Send + Sync,
        work: impl Fn(&mut S, T) -> R + Send + Sync,
    ) -> Vec<R> {
        let Some(pool) = &self.pool else {
            let mut state = init();
            return items.into_iter().map(|item| work(&mut state, item)).collect();
        };
        let shares = Shares::new(items.into_iter().collect(), pool.current_num_threads());
        on_threads(pool, &|| {
            // Made late: a thread that comes when all is done needs none.
            let mut state = None;
            while let Some((first, share)) = shares.take() {
                let state = state.get_or_insert_with(&init);
                shares.put(first, share.into_iter().map(|item| work(state, item)).collect());
            }
        });
        shares.results()
    }

    /// Runs `work` on the pool and `here` on the calling thread at the same time, and waits for both.
    pub fn beside<W: Send, H>(&self, work: impl FnOnce() -> W + Send, here: impl FnOnce() -> H) -> (W, H) {
        let Some(pool) = &self.pool else { return (work(), here()) };
        let mut done = None;
        let here = pool.in_place_scope(|scope| {
            scope.spawn(|_| done = Some(work()));
            here()
        });
        match done {
            Some(done) => (done, here),
            // The scope passes on a panic of `work`, so it has a result here.
            None => std::panic::resume_unwind(Box::new("the worker went away")),
        }
    }

    /// Runs `work` on every thread of the pool and `here` on the calling thread, and waits for all. Without a pool only
    /// `here` runs; on a thread of the pool `work` may start late. So `here` must not depend on it.
    pub fn on_all<H>(&self, work: impl Fn() + Send + Sync, here: impl FnOnce() -> H) -> H {
        let Some(pool) = &self.pool else { return here() };
        pool.in_place_scope(|scope| {
            // A thread never starts a second broadcast task while it waits inside the first, which could deadlock.
            scope.spawn_broadcast(|_, _| work());
            here()
        })
    }

    /// Sorts on all threads in place, and waits. The sort is not stable.
    pub fn sort_by<T: Send>(&self, items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Send + Sync) {
        match &self.pool {
            None => items.sort_unstable_by(compare),
            Some(pool) => pool.install(|| items.par_sort_unstable_by(compare)),
        }
    }
}

/// Runs `work` on as many threads as the pool has for it, and waits. Not generic, so that all that the pool needs for it
/// is compiled once, not for every kind of items.
fn on_threads(pool: &rayon::ThreadPool, work: &(dyn Fn() + Sync)) {
    pool.scope(|scope| {
        for _ in 1..pool.current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// Items that threads take in shares, and what became of them.
struct Shares<T, R> {
    /// Index of the next item, and the items from there on.
    left: Mutex<(usize, vec::IntoIter<T>)>,
    /// Results of shares, each with the index of its first item.
    done: Mutex<Vec<(usize, Vec<R>)>>,
    /// Part of what is left that is a share.
    part: usize,
}

impl<T, R> Shares<T, R> {
    fn new(items: Vec<T>, threads: usize) -> Self {
        /// Shares of each thread, if all were as large as the first one.
        const SHARES: usize = 16;
        let left = Mutex::new((0, items.into_iter()));
        Self { left, done: Mutex::default(), part: SHARES * threads }
    }

    /// Takes the next share and the index of its first item. Shares get smaller, so that all threads end together.
    fn take(&self) -> Option<(usize, Vec<T>)> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, items) = &mut *left;
        let len = items.len().div_ceil(self.part);
        let first = *next;
        *next += len;
        (len > 0).then(|| (first, items.take(len).collect()))
    }

    fn put(&self, first: usize, results: Vec<R>) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push((first, results));
    }

    /// Returns the results in the order of their items.
    fn results(self) -> Vec<R> {
        let mut done = self.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(first, _)| *first);
        let mut all = Vec::with_capacity(done.iter().map(|(_, results)| results.len()).sum());
        for (_, results) in done {
            all.extend(results);
        }
        all
    }
}

/// Runs `work` here. `Err` holds the message of a panic.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_result() {
        for cpu in [Cpu::new(1).unwrap(), Cpu::default()] {
            assert_eq!(cpu.run(|| 6 * 7).await, Ok(42));
            assert_eq!(cpu.run(|| panic!("boom {}", 1)).await, Err::<(), _>("boom 1".to_owned()));
            assert_eq!(cpu.run(|| 1).await, Ok(1), "the pool lives on");
        }
    }

    #[test]
    fn results_are_in_order() {
        for cpu in [Cpu::new(3).unwrap(), Cpu::default()] {
            assert_eq!(cpu.map(0..1000, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
            let counted = cpu.map_init(0..9, || 10, |base, item| *base + item);
            assert_eq!(counted, (10..19).collect::<Vec<_>>());
            assert!(cpu.map(0..0, |item: i32| item).is_empty());
            let nested = cpu.map(0..50, |item| cpu.map(0..item, |inner| inner * item));
            assert!(
                nested
                    .into_iter()
                    .enumerate()
                    .all(|(at, inner)| inner.into_iter().eq((0..at).map(|n| n * at)))
            );
        }
    }

    #[test]
    fn a_panic_of_one_item_reaches_the_caller() {
        let cpu = Cpu::new(2).unwrap();
        let work = || cpu.map(0..100, |item| assert_ne!(item, 50));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert_eq!(cpu.map(0..3, |item| item), [0, 1, 2], "the pool lives on");
    }

    #[test]
    fn every_item_is_in_one_share() {
        for len in [0, 1, 31, 32, 33, 1000, 12_345] {
            let shares = Shares::<usize, usize>::new((0..len).collect(), 2);
            let mut lens = Vec::new();
            while let Some((first, share)) = shares.take() {
                assert_eq!(share.first(), Some(&first));
                lens.push(share.len());
                shares.put(first, share);
            }
            assert!(lens.is_sorted_by(|before, after| before >= after), "{lens:?}");
            assert!(lens.len() <= 400 && lens.last().is_none_or(|last| *last == 1), "{lens:?}");
            assert!(shares.results().into_iter().eq(0..len));
        }
    }

    #[test]
    fn two_things_at_a_time() {
        for cpu in [Cpu::new(1).unwrap(), Cpu::default()] {
            let (mut log, (send, receive)) = (Vec::new(), std::sync::mpsc::channel());
            let work = || {
                send.send(1).unwrap();
                cpu.map([1, 2, 3], |n| n * 2)
            };
            let (done, sum) = cpu.beside(work, || {
                log.push(receive.recv().unwrap());
                log.iter().sum::<i32>()
            });
            assert_eq!((done, sum), (vec![2, 4, 6], 1));
        }
    }

    #[test]
    fn all_threads_work_while_one_waits() {
        for (cpu, threads) in [(Cpu::new(3).unwrap(), 3), (Cpu::default(), 0)] {
            let met = std::sync::Barrier::new(threads + 1);
            let here = cpu.on_all(
                || {
                    met.wait();
                },
                || met.wait().is_leader(),
            );
            assert!(here || threads > 0);
        }
    }

    #[test]
    fn there_are_not_more_threads_than_make_sense() {
        let most = Cpu::new(100_000).unwrap().threads();
        assert!(most == MAX_THREADS || Cpu::new(0).unwrap().threads() > MAX_THREADS, "{most}");
        assert_eq!((Cpu::new(3).unwrap().threads(), Cpu::default().threads()), (3, 1));
        assert!(Cpu::new(0).unwrap().threads() >= 1);
    }
}
