//! Worlds: levels that load other levels.
//!
//! ```text
//! Level ──► sublevels, cells, instances ──► World                  each level once, with the places where it stands
//! ```
//!
//! Each level is read once, however often it stands in the world.

mod rows;
mod world;

pub use crate::values::{Level, LevelComponent};
pub use rows::SceneRow;
pub(crate) use world::read_world;
pub use world::{StandingLevel, World, WorldLevel, world};
