//! A game as a page in the browser.
//!
//! ```text
//! server: for a browser on this machine ─┬─► answers ──► games: the open ones, each with its
//! Desk:   for a page with the library  ──┘               index: paths, sorted once, searched with each typed letter
//! ```
//!
//! The page is plain HTML, CSS and JavaScript in `page`, built into the program. It loads nothing from other servers.
//!
//! With the feature `page` alone there is no server, only a [`Desk`] that answers a page which contains the library.

mod answers;
mod comparison;
mod desk;
#[cfg(feature = "browse")]
mod drafting;
mod filter;
mod find;
mod forms;
mod games;
mod index;
mod kept;
mod parameters;
mod paths;
mod query;
mod refusal;
mod row_id;
mod search;
mod selection;
#[cfg(feature = "browse")]
mod server;
mod session;
mod tree;
mod zip;

pub use answers::Answer;
pub use desk::Desk;
#[cfg(feature = "browse")]
pub use server::{BrowseOptions, Server};
