//! Work on all cores, for answers that all workers wait for.
//!
//! What packages say together is read once, on the first question, and questions come from workers of a pool. A worker that
//! waits for its helpers in the pool may be given another task there, which asks the same question and would wait for
//! itself. So this work gets threads of its own.

use std::thread;

/// Does the same with every item, in order, on so many threads. What the system starts no thread for, the caller does.
pub(super) fn map<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let do_share = &|share: &[T]| share.iter().map(&work).collect::<Vec<_>>();
    let share = items.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let start =
            |share| thread::Builder::new().spawn_scoped(scope, move || do_share(share)).map_err(|_| share);
        let started: Vec<_> = items.chunks(share).map(start).collect();
        let finish = |started: Result<thread::ScopedJoinHandle<'_, Vec<R>>, &[T]>| match started {
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
