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

/// Things that nobody uses at the moment; never more than were used at a time.
#[derive(Default)]
pub(super) struct Spare<T>(Mutex<Vec<T>>);

/// Something that goes back when it is dropped.
pub(super) struct Lent<'a, T: Default> {
    from: &'a Spare<T>,
    value: T,
}

impl<T: Default> Spare<T> {
    /// One that was put back, or a new one.
    pub(super) fn take(&self) -> T {
        let kept = self.lock().pop();
        kept.unwrap_or_default()
    }

    pub(super) fn put(&self, value: T) {
        self.lock().push(value);
    }

    pub(super) fn lend(&self) -> Lent<'_, T> {
        Lent { from: self, value: self.take() }
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
