//! Asset registries. There is none of a game at hand: a writer that shares nothing with the reader makes them.

mod damage;
#[cfg(feature = "cli")]
mod inspect;
mod model;
#[cfg(feature = "cli")]
mod names;
mod round_trip;
