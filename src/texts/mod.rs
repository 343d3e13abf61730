//! Texts of a game in all its languages as one table, and back.
//!
//! ```text
//! Game/Content/Localization/Game/de/Game.locres ─┐
//! Game/Content/Localization/Game/en/Game.locres ─┼─► Sheet: a row for each text, a column for each culture
//! …                                              ┘     │ edited
//!                                                      ▼
//! the same files, and those of new cultures ◄── apply: texts that differ, texts that are new
//! ```
//!
//! A file with unchanged texts is written back byte for byte.

mod apply;
mod files;
mod ids;
mod place;
mod sheet;
mod texts_by_key;

pub use apply::{AppliedFile, SheetError, apply, is_same};
pub use files::{TextFile, TextFiles, find_texts};
pub use sheet::{Sheet, SheetRow};
pub use texts_by_key::{KeyedSheet, KeyedText};
