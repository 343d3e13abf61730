//! Levels as scenes: components with all that they take from other packages, and worlds of levels.
//!
//! ```text
//! package ──► LevelContents ──► values of templates ──► Level      components in the space of the level
//!             (level)           (other packages)
//! Level ──► sublevels, cells, instances ──► World                  each level once, with the places where it stands
//! ```
//!
//! Each package is read once, however many components have their template in it, and however often its level stands in the
//! world.

mod level;
mod places;
mod read;
mod rows;
mod sockets;
mod templates;
mod world;

pub use level::{Level, LevelComponent};
pub(crate) use read::LevelReader;
pub use rows::SceneRow;
pub(crate) use world::read_world;
pub use world::{StandingLevel, World, WorldLevel, world};
