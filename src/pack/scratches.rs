//! What codecs reuse between blocks, kept from one batch of blocks to the next: making it costs more than a small block.

use crate::codec::Scratch;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Scratches that no thread uses at the moment; never more than there were threads at work.
#[derive(Default)]
pub(super) struct Scratches(Mutex<Vec<Scratch>>);

/// A scratch that goes back when it is dropped.
pub(super) struct Lent<'a> {
    from: &'a Scratches,
    scratch: Scratch,
}

impl Scratches {
    pub(super) fn take(&self) -> Lent<'_> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Lent { from: self, scratch: kept.unwrap_or_default() }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let scratch = std::mem::take(&mut self.scratch);
        self.from.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
}

impl Deref for Lent<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.scratch
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}
