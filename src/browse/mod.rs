//! A game as a page in a browser: served on this machine, to this machine.
//!
//! ```text
//! browser ──► server ──► guard ──► routes ──► session: the opened game
//!             hyper      token     JSON       index: paths, sorted once, searched while someone types
//!                        Host                 work: jobs of the library, in bounded memory
//!                        Origin
//! ```
//!
//! It only listens on `127.0.0.1`, and answers nobody whom it did not let in. It changes nothing but the folder that it was
//! given for saving, and the list of games that were opened. Work stops when the page no longer waits for it.
//!
//! The page is plain HTML, CSS and JavaScript in `page`, built into the program. It loads nothing from elsewhere.

mod comparison;
mod filter;
mod find;
mod forms;
mod guard;
mod index;
mod kept;
mod options;
mod page;
mod paths;
mod query;
mod remembered;
mod reply;
mod request;
mod routes;
mod row_id;
mod search;
mod server;
mod session;
mod stream;
mod tree;
mod work;

pub use options::BrowseOptions;
pub use server::Server;
