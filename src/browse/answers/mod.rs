//! Requests about open games, answered for the server or inside the page.
//!
//! | address | answer |
//! |---|---|
//! | `POST /api/rows` | rows matching a search |
//! | `GET /api/tree` | folders in a folder |
//! | `GET /api/row` | the row of a path or a package name |
//! | `GET /api/chunk` | facts about a chunk, as shown by `inspect` |
//! | `GET /api/bytes` | some of its bytes |
//! | `GET /api/properties` | the values of its objects |
//! | `GET /api/texts` | the texts of a localization file |
//! | `GET /api/code` | the pseudo-code of its functions |
//! | `GET /api/references` | packages that it needs, or that need it |
//! | `GET /api/preview` | makes files that a browser can show |
//! | `GET /made/N/PATH` | one of these files |

mod answer;
mod asked;
mod bytes;
mod code;
pub(super) mod download;
mod facts;
mod preview;
mod properties;
mod questions;
mod references;
mod row;
mod rows;
mod texts;

pub use answer::Answer;
pub(super) use answer::parse;
pub(super) use asked::Asked;
pub(super) use preview::made;
pub(super) use questions::question;
