//! What damaged tables cost: a binary of its own, because it counts every allocation of its process.

#[cfg(test)]
#[path = "it/support/hostile.rs"]
mod hostile;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a count of the bytes in use and of the most there were.
struct Counting {
    live: AtomicUsize,
    peak: AtomicUsize,
}

#[global_allocator]
static COUNTING: Counting = Counting { live: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

impl Counting {
    fn add(&self, len: usize) {
        let live = self.live.fetch_add(len, Ordering::Relaxed) + len;
        self.peak.fetch_max(live, Ordering::Relaxed);
    }

    fn remove(&self, len: usize) {
        self.live.fetch_sub(len, Ordering::Relaxed);
    }

    /// Starts a new count; returns what is in use now.
    fn restart(&self) -> usize {
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

#[cfg(test)]
mod tests {
    use super::{COUNTING, hostile};
    use std::io::Write;
    use std::sync::atomic::Ordering;
    use uncask::pipeline::{Budget, Context, Cpu};

    /// What a damaged table may cost, however small it is.
    const FLOOR: usize = 64 << 20;
    /// What each of its bytes may cost on top.
    const PER_BYTE: usize = 16;
    const MUTATIONS: u64 = 1000;

    #[test]
    fn damaged_tables_cost_no_more_than_a_multiple_of_their_size() {
        let context = Context::new(Cpu::new(2).unwrap(), Budget::new(8 << 20), true);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (mut cases, mut worst) = (0, (0, String::new()));
        for fixture in hostile::fixtures(&context, None) {
            for (name, toc) in hostile::damaged(&fixture, MUTATIONS) {
                let allowed = FLOOR + PER_BYTE * toc.len();
                let before = COUNTING.restart();
                runtime.block_on(hostile::interrogate(toc, &fixture, &context));
                let cost = COUNTING.peak.load(Ordering::Relaxed).saturating_sub(before);
                assert!(cost <= allowed, "{name}: {cost} bytes at a time, {allowed} allowed");
                cases += 1;
                if cost > worst.0 {
                    worst = (cost, name);
                }
            }
        }
        let (cost, name) = worst;
        let _ = writeln!(
            std::io::stderr().lock(),
            "{cases} damaged tables; the dearest took {cost} bytes: {name}"
        );
        assert!(cases > 10 * MUTATIONS, "{cases} cases");
    }
}
