//! Asset registries: real ones of nine versions, and of every version what a writer that shares nothing with the reader makes.

mod damage;
#[cfg(feature = "cli")]
mod inspect;
mod model;
#[cfg(feature = "cli")]
mod names;
#[cfg(feature = "cli")]
mod real;
mod round_trip;
