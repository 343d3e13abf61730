//! The engine of all jobs, whatever they read, make or write.
//!
//! ```text
//! items ──► price ──► lease ──► work on workers ──► results, in the order of the items
//!           pure      budget    a limited number    each holds its lease until it is dropped
//! ```
//!
//! A [`Context`] has the resources of a job: worker threads ([`Cpu`]), memory for data in flight ([`Budget`]), and the
//! [`CancelToken`] that ends it. No work starts before its memory is paid for. Items pay in order, and keep their
//! memory until the receiver of their results drops them; so nothing can deadlock, and a slow consumer holds up the
//! producers.

mod budget;
mod cancel;
mod context;
mod cpu;
mod engine;
mod groups;
mod outcome;

pub use budget::{Budget, Lease};
pub use cancel::CancelToken;
pub use context::Context;
pub use cpu::{Cpu, MAX_THREADS};
pub use engine::block_on;
pub(crate) use engine::{Item, Worked, on_worker, run, start};
pub(crate) use outcome::Tally;
pub use outcome::{Failure, Kind, Outcome, Subject};
