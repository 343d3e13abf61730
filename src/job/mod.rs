//! The engine: what all jobs have in common, whatever they read, make or write.
//!
//! ```text
//! items ──► price ──► lease ──► work on workers ──► results, in the order of the items
//!           pure      budget    at most so many     each holds its lease until it is dropped
//! ```
//!
//! A [`Context`] is what a job runs with: worker threads ([`Cpu`]), memory for what is in flight ([`Budget`]), and the
//! [`CancelToken`] that ends it. Nothing is begun before its memory is paid for; as items pay in their order, and hold what they paid
//! for until whoever takes their results lets go of them, nothing can deadlock, and a slow consumer holds up the producers.

mod budget;
mod cancel;
mod context;
mod cpu;
mod engine;
mod outcome;

pub use budget::{Budget, Lease};
pub use cancel::CancelToken;
pub use context::Context;
pub use cpu::{Cpu, MAX_THREADS};
pub use engine::block_on;
pub(crate) use engine::{Item, Worked, on_worker, run, start};
pub(crate) use outcome::Tally;
pub use outcome::{Failure, Kind, Outcome, Subject};
