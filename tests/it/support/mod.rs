//! Shared test support.

#[cfg(feature = "cli")]
pub(crate) mod cli;
pub(crate) mod containers;
pub(crate) mod corpus;
pub(crate) mod drain;
pub(crate) mod hostile;
pub(crate) mod levels;
#[cfg(unix)]
pub(crate) mod mounted;
pub(crate) mod packing;
pub(crate) mod registry;
#[cfg(feature = "remote")]
pub(crate) mod server;
pub(crate) mod sketch;
pub(crate) mod sources;
pub(crate) mod texts;
pub(crate) mod types;
#[cfg(target_os = "linux")]
pub(crate) mod usage;
#[expect(dead_code, reason = "a benchmark uses what no test does")]
pub(crate) mod zen;

use std::io::Write;
use std::sync::OnceLock;
use uncask::job::{Budget, Context, Cpu};

/// Prints past the harness's capture: what was skipped, how much was tried.
pub(crate) fn say(message: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr().lock(), "{message}");
}

/// Two workers, shared by all tests.
pub(crate) fn cpu() -> &'static Cpu {
    static CPU: OnceLock<Cpu> = OnceLock::new();
    CPU.get_or_init(|| Cpu::new(2).expect("two threads"))
}

/// Two workers, hash checks, and more memory than any test needs.
pub(crate) fn context() -> Context {
    Context::new(cpu().clone(), Budget::new(64 << 20), true)
}

/// Runs a future to its end on this thread.
pub(crate) fn block_on<T>(job: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(job)
}
