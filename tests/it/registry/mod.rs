//! Asset registries. There is none of a game at hand: a writer that shares nothing with the reader makes them.

mod damage;
mod model;
mod round_trip;
