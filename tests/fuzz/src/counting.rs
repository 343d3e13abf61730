//! Counts allocated memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a count of the bytes in use and of the most there were.
#[derive(Debug)]
pub struct Counting {
    live: AtomicUsize,
    peak: AtomicUsize,
}

/// The allocator of the process.
#[global_allocator]
pub static COUNTING: Counting = Counting { live: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

impl Counting {
    fn add(&self, len: usize) {
        let live = self.live.fetch_add(len, Ordering::Relaxed) + len;
        self.peak.fetch_max(live, Ordering::Relaxed);
    }

    fn remove(&self, len: usize) {
        self.live.fetch_sub(len, Ordering::Relaxed);
    }

    /// The most bytes in use since the count was started.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Starts a new count; returns what is in use now.
    pub fn restart(&self) -> usize {
        let live = self.live.load(Ordering::Relaxed);
        self.peak.store(live, Ordering::Relaxed);
        live
    }
}

#[expect(unsafe_code, reason = "an allocator is unsafe to implement; this one only counts")]
// SAFETY: every call goes to the system's allocator unchanged, so its guarantees are ours.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.remove(layout.size());
        // SAFETY: the memory came from `System.alloc` with this layout, as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}
