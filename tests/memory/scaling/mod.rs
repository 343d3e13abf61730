//! Twice the input, no more than two and a half times the cost: for every parser, and for every job of the command.
//!
//! Mutations of small files cannot find what grows with the square of its input; shapes that are made to hurt can: the same id
//! or name a thousand times, names as long as they may be, chains of folders and of objects, lists that are looked up in
//! lists. Each is made in two sizes. Memory is counted by the allocator, for a job by the system; time is that of the
//! processor, and the better one of several runs counts.

mod draw;
mod jobs;
mod parsers;

use super::{COUNTING, Meter};
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How much more twice the input may cost.
const MOST: f64 = 2.5;

/// A run that takes this long is not repeated in the hope of a better one.
const HOPELESS: Duration = Duration::from_secs(2);

/// What a run cost.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Bytes of input.
    input: usize,
    /// The most memory at a time, in bytes.
    memory: usize,
    time: Duration,
}

impl Cost {
    /// The better of two runs.
    fn least(self, other: Self) -> Self {
        Self { memory: self.memory.min(other.memory), time: self.time.min(other.time), ..self }
    }
}

/// What is measured, and how exactly that can be.
struct Scale {
    table: String,
    failed: Vec<String>,
    /// Less than this is as good as nothing.
    floor: (usize, Duration),
    /// A run that takes this long says something about time.
    enough: Duration,
    /// Bytes of memory that are allowed, however small the input is.
    allowed: usize,
}

impl Scale {
    fn new(floor: (usize, Duration), enough: Duration) -> Self {
        Self { table: String::new(), failed: Vec::new(), floor, enough, allowed: Meter::FLOOR }
    }

    /// Measures a shape in sizes from `size` on, until a run takes long enough, and then in twice the size.
    fn measure(&mut self, name: &str, size: usize, mut run: impl FnMut(usize) -> Cost) {
        let mut size = size;
        let mut small = run(size);
        for _ in 0..4 {
            if small.time >= self.enough {
                break;
            }
            size *= 2;
            small = run(size);
        }
        let mut large = self.measure_twice(size, &mut small, &mut run);
        if !self.fits(small, large) && large.time <= HOPELESS {
            // What no longer fits a cache costs more once; what grows with the square costs more at every step.
            (size, small) = (2 * size, large);
            large = self.measure_twice(size, &mut small, &mut run);
        }
        let (time, memory) = (self.time_ratio(small, large), self.memory_ratio(small, large));
        let line = format!(
            "{name:<44} {size:>8} {:>9} {:>8} {:>8}   {:>9} {:>8} {:>8}   {time:>5.2} {memory:>5.2}",
            kib(small.input),
            kib(small.memory),
            small.time.as_millis(),
            kib(large.input),
            kib(large.memory),
            large.time.as_millis(),
        );
        let allowed = self.allowed + Meter::PER_BYTE * large.input;
        let why = match () {
            () if large.memory > allowed => format!("  more than {} KiB", kib(allowed)),
            () if time > MOST || memory > MOST => "  grows too fast".to_owned(),
            () => String::new(),
        };
        if !why.is_empty() {
            self.failed.push(format!("{line}{why}"));
        }
        writeln!(self.table, "{line}{why}").unwrap();
        if std::env::var_os("UNCASK_SCALING").is_some() {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr().lock(), "{line}{why}");
        }
    }

    /// What twice the size costs. As others use the machine, too, both are measured again while it seems to be too much.
    fn measure_twice(&self, size: usize, small: &mut Cost, run: &mut impl FnMut(usize) -> Cost) -> Cost {
        let mut large = run(2 * size);
        for _ in 0..8 {
            if self.fits(*small, large) || large.time > HOPELESS {
                break;
            }
            *small = small.least(run(size));
            large = large.least(run(2 * size));
        }
        large
    }

    fn fits(&self, small: Cost, large: Cost) -> bool {
        self.time_ratio(small, large) <= MOST && self.memory_ratio(small, large) <= MOST
    }

    fn time_ratio(&self, small: Cost, large: Cost) -> f64 {
        large.time.as_secs_f64() / small.time.max(self.floor.1).as_secs_f64()
    }

    #[expect(clippy::cast_precision_loss, reason = "a ratio of sizes")]
    fn memory_ratio(&self, small: Cost, large: Cost) -> f64 {
        large.memory as f64 / small.memory.max(self.floor.0) as f64
    }

    /// Prints the table past the harness's capture, and fails the test if anything grew too fast.
    fn finish(self) {
        use std::io::Write;
        let head = format!(
            "{:<44} {:>8} {:>9} {:>8} {:>8}   {:>9} {:>8} {:>8}   {:>5} {:>5}",
            "shape", "n", "KiB in", "KiB", "ms", "KiB in", "KiB", "ms", "time", "mem"
        );
        // Nobody may be listening.
        let _ = write!(std::io::stderr().lock(), "{head}\n{}", self.table);
        assert!(self.failed.is_empty(), "\n{head}\n{}", self.failed.join("\n"));
    }
}

const fn kib(bytes: usize) -> usize {
    bytes.div_ceil(1024)
}

/// Runs something in this process, on this thread.
fn in_process(input: usize, run: impl FnOnce()) -> Cost {
    let (before, start) = (COUNTING.restart(), processor_time());
    run();
    let time = processor_time().saturating_sub(start);
    let memory = COUNTING.peak.load(Ordering::Relaxed).saturating_sub(before);
    Cost { input, memory, time }
}

/// What this thread has had of the processor.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
