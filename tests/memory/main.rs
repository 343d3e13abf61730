//! The cost and effect of damage: every small fixture, cut at every byte and changed in every way, through
//! every parser and every job. A separate binary, because it counts every allocation of its process.
//!
//! | module | asks |
//! |---|---|
//! | `tables` | everything there is to ask of a damaged table of contents |
//! | `parsers` | every parser about every fixture, of its kind or not |
//! | `jobs` | `verify`, `unpack` and `to-legacy` about damaged containers |
//! | `kernels` | decoders of pixels and samples about damaged ones |
//! | `clips` | decoders of ACL clips about damaged ones |
//! | `payloads` | readers of assets and the exporter about damaged ones |
//! | `bombs` | jobs about containers that claim to be large |
//! | `names` | packages with long names and many references, of one size and of twice that |
//! | `scaling` | parsers and jobs about two sizes of their worst case |
//! | `seeds` | the fuzz targets about their seeds |
//! | `regressions` | the fuzz targets about what fuzzers found |

#[cfg(test)]
mod bombs;
#[cfg(test)]
mod clips;
#[cfg(test)]
#[path = "../fuzz/src/lib.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a crate of its own, too")]
mod fuzz;
#[cfg(test)]
#[path = "../it/support/hostile.rs"]
mod hostile;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod kernels;
#[cfg(test)]
#[path = "../it/support/levels.rs"]
mod levels;
#[cfg(test)]
mod mutate;
#[cfg(test)]
mod names;
#[cfg(test)]
mod parsers;
#[cfg(test)]
mod payloads;
#[cfg(test)]
mod regressions;
#[cfg(test)]
mod scaling;
#[cfg(test)]
mod seeds;
#[cfg(test)]
mod tables;
#[cfg(all(test, feature = "cli", target_os = "linux"))]
#[path = "../it/support/usage.rs"]
mod usage;

#[cfg(test)]
use fuzz::counting::COUNTING;
#[cfg(test)]
use fuzz::seeds::{registry, texts, types};

/// Measures cases one at a time, and keeps the worst.
#[cfg(test)]
#[derive(Debug, Default)]
struct Meter {
    cases: u64,
    dearest: (usize, String),
    slowest: (std::time::Duration, String),
}

#[cfg(test)]
impl Meter {
    /// Memory that any input may cost, however small it is.
    const FLOOR: usize = 64 << 20;
    /// Additional memory per byte of input.
    const PER_BYTE: usize = 16;
    /// Time limit per input.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);

    /// The tests of this binary take turns: an allocation of one must not be counted in another.
    fn turn() -> std::sync::MutexGuard<'static, ()> {
        static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
        TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Runs a case of `len` input bytes. Fails the test if it panics, takes too long, or too much memory.
    fn run<T>(&mut self, name: impl Fn() -> String, len: usize, case: impl FnOnce() -> T) -> T {
        let (before, start) = (COUNTING.restart(), Clock::start());
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(case));
        let cost = COUNTING.peak().saturating_sub(before);
        let (took, allowed) = (start.elapsed(), Self::FLOOR + Self::PER_BYTE * len);
        let result = result.unwrap_or_else(|_| panic!("panic: {}", name()));
        assert!(cost <= allowed, "{}: {cost} bytes at a time, {allowed} allowed", name());
        assert!(took <= Self::PATIENCE, "{}: {took:?}", name());
        self.cases += 1;
        if cost > self.dearest.0 {
            self.dearest = (cost, name());
        }
        if took > self.slowest.0 {
            self.slowest = (took, name());
        }
        result
    }

    /// Prints how much was tried, past the harness's capture.
    fn say(&self, what: &str) {
        use std::io::Write;
        let (Self { cases, .. }, (cost, dearest), (took, slowest)) = (self, &self.dearest, &self.slowest);
        // Nobody may be listening.
        let _ = writeln!(
            std::io::stderr().lock(),
            "{cases} {what}; the dearest took {cost} bytes ({dearest}), the slowest {took:.0?} ({slowest})"
        );
    }
}

/// A stopwatch: the clock, or the processor time of this process if that is less. A busy machine then makes
/// nothing hang or fail.
#[cfg(test)]
struct Clock(std::time::Instant, std::time::Duration);

#[cfg(test)]
impl Clock {
    /// Age of a processor time that is as good as a new one: to ask for it takes longer than most cases do.
    const FRESH: std::time::Duration = std::time::Duration::from_millis(10);

    fn start() -> Self {
        static LAST: std::sync::Mutex<Option<Clock>> = std::sync::Mutex::new(None);
        let now = std::time::Instant::now();
        let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = last.as_ref().filter(|last| now.duration_since(last.0) < Self::FRESH).map(|last| last.1);
        let processors = known.unwrap_or_else(|| {
            let processors = Self::processors();
            *last = Some(Self(now, processors));
            processors
        });
        Self(now, processors)
    }

    fn elapsed(&self) -> std::time::Duration {
        let passed = self.0.elapsed();
        if passed < Self::FRESH { passed } else { passed.min(Self::processors().saturating_sub(self.1)) }
    }

    #[cfg(target_os = "linux")]
    fn processors() -> std::time::Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let part = |part: i64| u64::try_from(part).expect("time that has passed");
        std::time::Duration::from_secs(part(now.tv_sec)) + std::time::Duration::from_nanos(part(now.tv_nsec))
    }

    #[cfg(not(target_os = "linux"))]
    fn processors() -> std::time::Duration {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed()
    }
}

/// Runs a future to its end on this thread.
#[cfg(test)]
fn block_on<T>(job: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(job)
}

/// Two workers, shared by all tests.
#[cfg(test)]
fn cpu() -> &'static uncask::job::Cpu {
    static CPU: std::sync::OnceLock<uncask::job::Cpu> = std::sync::OnceLock::new();
    CPU.get_or_init(|| uncask::job::Cpu::new(2).expect("two threads"))
}

/// The corpus, if it has hostile files; `tests/corpus/fetch` cannot fetch these.
#[cfg(test)]
fn corpus() -> Option<std::path::PathBuf> {
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let root = std::env::var_os("UNCASK_CORPUS").map_or_else(beside, std::path::PathBuf::from);
    let found = root.join("hostile").is_dir();
    assert!(found || std::env::var("CI").is_err(), "no corpus at {}", root.display());
    found.then_some(root)
}
