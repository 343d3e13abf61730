//! Makes things ahead of their use: on all threads, while those before them are used.

use crate::error::Result;
use crate::job::Context;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of content that are ahead of what was taken, at most, or as many as each thread needs.
const AHEAD: u64 = 16 << 20;
/// Bytes of content ahead for each thread.
const AHEAD_OF_THREAD: u64 = 2 << 20;

/// Gives what `make` makes of each item to `take`, in order. While it takes one, all threads make those after it, up to some
/// number of bytes; `len` says how many an item has. `scratch` is for a thread, to be used again.
pub(super) fn ahead<I: Sync, S, M: Send>(
    context: &Context,
    items: &[I],
    len: impl Fn(&I) -> u64 + Sync,
    scratch: impl Fn() -> S + Sync,
    make: impl Fn(&mut S, &I) -> M + Sync,
    mut take: impl FnMut(&I, M) -> Result<()>,
) -> Result<()> {
    let most = AHEAD.max(AHEAD_OF_THREAD.saturating_mul(context.cpu().threads() as u64));
    let queue = Queue::new(items, len, most);
    let work = || {
        let _end = End { queue: &queue, only_if_panicking: true };
        let mut scratch = scratch();
        while let Some((at, item)) = queue.claim() {
            let product = make(&mut scratch, item);
            queue.put(at, product);
        }
    };
    let take_all = || {
        // Workers do not wait for room once nothing is taken any more.
        let _end = End { queue: &queue, only_if_panicking: false };
        let mut own = None;
        for (at, item) in items.iter().enumerate() {
            let product = match queue.next(at) {
                Next::Made(product) => product,
                Next::Claimed => make(own.get_or_insert_with(&scratch), item),
                Next::Over => return Ok(()),
            };
            take(item, product)?;
        }
        Ok(())
    };
    context.cpu().on_all(work, take_all)
}

/// Items that are made in any order and taken in theirs.
struct Queue<'a, I, M, L> {
    items: &'a [I],
    len: L,
    most: u64,
    state: Mutex<State<M>>,
    /// Something was made, or nothing will be.
    made: Condvar,
    /// Something was taken, or nothing will be.
    taken: Condvar,
}

struct State<M> {
    /// The next item that nobody makes yet.
    next: usize,
    /// The next item that is to be taken; what is made is kept from there on.
    first: usize,
    ready: VecDeque<Option<M>>,
    /// Bytes of the items in between.
    bytes: u64,
    is_over: bool,
}

enum Next<M> {
    Made(M),
    /// Nobody makes it; whoever asked does so.
    Claimed,
    Over,
}

impl<'a, I, M, L: Fn(&I) -> u64> Queue<'a, I, M, L> {
    fn new(items: &'a [I], len: L, most: u64) -> Self {
        let state = State { next: 0, first: 0, ready: VecDeque::new(), bytes: 0, is_over: false };
        let (made, taken) = (Condvar::new(), Condvar::new());
        Self { items, len, most, state: Mutex::new(state), made, taken }
    }

    /// The next item that is to be made, as soon as there is room for it; `None` at the end.
    fn claim(&self) -> Option<(usize, &'a I)> {
        let is_full = |state: &mut State<M>| !state.is_over && state.bytes >= self.most;
        let mut state = self.taken.wait_while(self.lock(), is_full).unwrap_or_else(PoisonError::into_inner);
        let at = state.next;
        let item = self.items.get(at).filter(|_| !state.is_over)?;
        state.next += 1;
        state.bytes += (self.len)(item);
        state.ready.push_back(None);
        Some((at, item))
    }

    fn put(&self, at: usize, made: M) {
        let mut state = self.lock();
        let place = at - state.first;
        if let Some(slot) = state.ready.get_mut(place) {
            *slot = Some(made);
        }
        drop(state);
        if place == 0 {
            self.made.notify_one();
        }
    }

    /// What was made of an item. All before it were taken.
    fn next(&self, at: usize) -> Next<M> {
        let mut state = self.lock();
        if state.next == at {
            (state.next, state.first) = (at + 1, at + 1);
            return Next::Claimed;
        }
        let is_missing =
            |state: &mut State<M>| !state.is_over && state.ready.front().is_none_or(Option::is_none);
        state = self.made.wait_while(state, is_missing).unwrap_or_else(PoisonError::into_inner);
        let Some(made) = state.ready.pop_front().flatten() else { return Next::Over };
        state.first = at + 1;
        state.bytes = state.bytes.saturating_sub(self.items.get(at).map_or(0, &self.len));
        drop(state);
        self.taken.notify_all();
        Next::Made(made)
    }

    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets nobody wait for a thread that is gone.
struct End<'q, 'a, I, M, L> {
    queue: &'q Queue<'a, I, M, L>,
    only_if_panicking: bool,
}

impl<I, M, L> Drop for End<'_, '_, I, M, L> {
    fn drop(&mut self) {
        if self.only_if_panicking && !std::thread::panicking() {
            return;
        }
        self.queue.state.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.queue.made.notify_all();
        self.queue.taken.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::job::{Budget, Cpu};

    fn context(cpu: Cpu) -> Context {
        Context::new(cpu, Budget::new(1 << 20), false)
    }
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn all_is_taken_in_order_up_to_an_error() {
        let items: Vec<u32> = (0..100).collect();
        for cpu in [Cpu::default(), Cpu::new(1).unwrap(), Cpu::new(3).unwrap()] {
            for last in [0, 50, 99, 1000] {
                let mut taken = Vec::new();
                let result = ahead(
                    &context(cpu.clone()),
                    &items,
                    |_| AHEAD / 4,
                    || 1,
                    |one, item| item + *one,
                    |item, made| {
                        assert_eq!(made, item + 1);
                        taken.push(*item);
                        if *item == last { Err(Error::Cancelled) } else { Ok(()) }
                    },
                );
                assert_eq!(result.is_err(), last < 100);
                assert_eq!(taken, (0..(last + 1).min(100)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn no_more_is_ahead_than_may_be() {
        let items = [1_u64 << 20; 200];
        let (cpu, begun) = (Cpu::new(2).unwrap(), AtomicU64::new(0));
        let mut taken = 0;
        let make = |(): &mut (), _: &u64| _ = begun.fetch_add(1, Ordering::SeqCst);
        let take = |_: &u64, ()| {
            std::thread::sleep(std::time::Duration::from_micros(300));
            taken += 1;
            // One more than fit is begun by each thread, and this one may help.
            let ahead = begun.load(Ordering::SeqCst) - taken;
            assert!(ahead <= (AHEAD >> 20) + 3, "{ahead}");
            Ok(())
        };
        ahead(&context(cpu), &items, |len| *len, || (), make, take).unwrap();
        assert_eq!(taken, 200);
    }

    #[test]
    fn a_panic_comes_through() {
        let items: Vec<u32> = (0..100).collect();
        let run = || {
            let make = |(): &mut (), item: &u32| assert!(*item != 60, "boom");
            ahead(&context(Cpu::new(2).unwrap()), &items, |_| 1 << 20, || (), make, |_, ()| Ok(()))
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
