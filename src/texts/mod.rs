//! Texts of a game in all its languages, as one table, and back.
//!
//! ```text
//! Game/Content/Localization/Game/de/Game.locres ─┐
//! Game/Content/Localization/Game/en/Game.locres ─┼─► Sheet: a row for each text, a column for each culture
//! …                                              ┘     │ edited
//!                                                      ▼
//! the same files, and those of new cultures ◄── apply: texts that differ, texts that are new
//! ```
//!
//! A file whose texts are all as they were becomes the same bytes again.

mod apply;
mod files;
mod ids;
mod place;
mod sheet;

pub use apply::{AppliedFile, SheetError, apply, is_same};
pub use files::{TextFile, TextFiles, find_texts};
pub use sheet::{Sheet, SheetRow};
