//! Work on all cores for whoever asks first.
//!
//! What packages say together is read once, on the first question, and questions come from workers of a pool. A worker that
//! waits for its helpers in the pool may be given another task there, which asks the same question and would wait for
//! itself. So this work gets threads of its own.

/// Does the same with every item, in order.
pub(super) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let shares: Vec<_> = items
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().map(work).collect::<Vec<_>>()))
            .collect();
        let joined = shares
            .into_iter()
            .map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_kept() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(super::map(&items, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
        assert!(super::map(&[] as &[usize], |item| *item).is_empty());
    }
}
