//! Packages with edited values.
//!
//! ```text
//! package ──► objects ──► some values set, or all taken from a document ──► data of exports ──► package rebuilt ─┬─► .utoc
//!                                                                            └ read again, to be sure            ├─► .pak
//!                                                                                                                └─► files
//! ```

mod change;
mod code;
mod kept;
mod save;
mod texture;

pub use change::{Changed, Edited, Editing, Wanted};
pub use code::CodeEdit;
pub use save::{EditOutput, SaveOptions, Saved};
pub use texture::TextureWish;
