//! What a container says about itself: the packages in it, and the native objects that all packages share.

pub mod container_header;
mod lists;
pub mod script_objects;

pub use lists::Lists;
