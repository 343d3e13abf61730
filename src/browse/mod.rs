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
//!
//! With the feature `page` alone there is no server, only a [`Desk`] that answers: for a page that has the library in itself.

mod answers;
mod block_on;
#[cfg(feature = "browse")]
mod comparison;
mod desk;
mod filter;
mod find;
mod forms;
#[cfg(feature = "browse")]
mod guard;
mod index;
mod kept;
#[cfg(feature = "browse")]
mod options;
#[cfg(feature = "browse")]
mod page;
mod parameters;
mod paths;
mod query;
mod refusal;
#[cfg(feature = "browse")]
mod remembered;
#[cfg(feature = "browse")]
mod reply;
#[cfg(feature = "browse")]
mod request;
#[cfg(feature = "browse")]
mod routes;
#[cfg(feature = "browse")]
mod row_id;
mod search;
#[cfg(feature = "browse")]
mod server;
mod session;
#[cfg(feature = "browse")]
mod stream;
mod tree;
#[cfg(feature = "browse")]
mod work;
mod zip;

pub use answers::Answer;
pub use desk::Desk;
#[cfg(feature = "browse")]
pub use options::BrowseOptions;
#[cfg(feature = "browse")]
pub use server::Server;
