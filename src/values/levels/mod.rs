//! Levels: actors and components with the values of their templates, and with their places.
//!
//! ```text
//! package ──► LevelContents ──► values of templates ──► Level      components in the space of the level
//!             (level)           (other packages)
//! ```
//!
//! Each package with templates is read once, however many components have their template in it.

mod level;
mod places;
mod read;
mod sockets;
mod templates;

pub use level::{Level, LevelComponent};
pub(crate) use read::LevelReader;
