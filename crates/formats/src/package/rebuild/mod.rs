//! Rebuilds a package after the data of some exports has changed: the same file with every affected offset
//! moved.
//!
//! ```text
//! names added ──► name table longer ──┐
//! export data ──► longer or shorter ──┴─► Splice: where every offset of the file leads now
//!                                          ├─ legacy  summary, thumbnails, registry, export rows, bulk data start     legacy.rs
//!                                          ├─ zen     export map, bundles                                            zen.rs
//!                                          └─ bulk    offsets of payloads inside export data, and in the bulk map     bulk.rs
//! ```
//!
//! Everything that is not referred to by its position stays byte for byte; without changes the file is
//! restored as it was. Names and imports are added at the ends of their tables, so that the existing ones keep
//! their indices.
//!
//! Source: the package sheet, sections 1, 3 and 6; tested on every package of the corpus, legacy of 4.10 to
//! 5.8 and zen of 4.27 to 5.8.

mod bulk;
mod changes;
mod error;
mod imports;
mod legacy;
mod rows;
mod splice;
mod zen;

pub use changes::{
    Changes, ExportMoves, NewBulk, NewExport, NewHeader, NewImport, NewImportObject, TableRows,
};
pub use error::RebuildError;
pub use legacy::{LegacyFiles, rebuild as rebuild_legacy};
pub use zen::rebuild as rebuild_zen;
