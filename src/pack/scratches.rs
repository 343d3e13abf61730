//! What threads use again from one file to the next: making it costs more than a small block.

use crate::codec::Scratch;
use crate::source::Buffer;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a thread works with.
#[derive(Default)]
pub(super) struct Work {
    /// What codecs need.
    pub codec: Scratch,
    /// Content that was read.
    pub content: Buffer,
    /// A block as it was compressed.
    pub packed: Vec<u8>,
}

/// What threads use again while they make something.
#[derive(Default)]
pub(super) struct Spares<M> {
    work: Spare<Work>,
    made: Spare<M>,
}

/// What can be made into something else.
pub(super) trait Clear {
    /// Makes it as good as new, but keeps its memory.
    fn clear(&mut self);
}

/// Things that nobody uses at the moment; never more than were used at a time.
#[derive(Default)]
struct Spare<T>(Mutex<Vec<T>>);

/// Something that goes back when it is dropped.
pub(super) struct Lent<'a, T: Default> {
    from: &'a Spare<T>,
    value: T,
}

impl<M: Clear + Default> Spares<M> {
    /// What a thread works with.
    pub(super) fn work(&self) -> Lent<'_, Work> {
        Lent { from: &self.work, value: self.work.take() }
    }

    /// Something that is to be made.
    pub(super) fn made(&self) -> M {
        let mut made = self.made.take();
        made.clear();
        made
    }

    /// Takes back what was made once it is written.
    pub(super) fn reuse(&self, made: M) {
        self.made.put(made);
    }
}

impl<T: Default> Spare<T> {
    /// One that was put back, or a new one.
    fn take(&self) -> T {
        let kept = self.lock().pop();
        kept.unwrap_or_default()
    }

    fn put(&self, value: T) {
        self.lock().push(value);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        self.from.put(std::mem::take(&mut self.value));
    }
}

impl<T: Default> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Default> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
