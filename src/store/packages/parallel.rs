//! Parallel work that all workers of the pool wait for.
//!
//! Facts about all packages are read once, on the first question, and questions come from workers of the pool. A worker
//! waiting for helpers in the pool may be handed another task, which asks the same question and waits for itself: a
//! deadlock. So this work gets its own threads.

use std::thread;

/// Maps items in order on `threads` threads. If a thread cannot be started, the caller does its share.
pub(super) fn map<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let do_share = &|share: &[T]| share.iter().map(&work).collect::<Vec<_>>();
    let share = items.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let start =
            |share| thread::Builder::new().spawn_scoped(scope, move || do_share(share)).map_err(|_| share);
        // Collected first: all threads have to run before the first join, or they would run one by one.
        let started: Vec<_> = items.chunks(share).map(start).collect();
        let finish = |started: Result<thread::ScopedJoinHandle<'_, Vec<R>>, &[T]>| match started {
            // A panic in a worker is the caller's panic, with its original message.
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(share) => do_share(share),
        };
        started.into_iter().flat_map(finish).collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_kept() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [0, 1, 3, 2000] {
            let doubled = super::map(threads, &items, |item| item * 2);
            assert_eq!(doubled, (0..2000).step_by(2).collect::<Vec<_>>());
        }
        assert!(super::map(2, &[] as &[usize], |item| *item).is_empty());
    }
}
