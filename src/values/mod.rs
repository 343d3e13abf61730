//! Values of objects in packages, from any source.
//!
//! ```text
//! zen package of a container ──► to legacy, in memory ─┐                              ┌► JSON
//! .uasset and .uexp of a pak ──────────────────────────┼──► Scope ──► Object ──► walk ─┼► what is searched for
//! .uasset, or with .uexp; loose zen package ───────────┘      │                       └► what changed
//!                                                             └ asks World: mappings, other packages
//! ```
//!
//! Each package is its own task on a worker, started once its memory is paid for. An error in one object never affects
//! the others.

mod bulk;
mod bulk_files;
mod changed_since;
mod class_filter;
mod cooked;
mod differences;
mod each;
pub mod edit;
mod engine_choice;
mod engine_schemas;
mod find;
mod history;
mod input_names;
mod inputs;
mod json;
pub(crate) mod levels;
mod levels_json;
mod library;
mod listed_imports;
mod load;
mod loaded;
mod mappings;
mod needle;
mod objects;
mod old_build;
mod options;
mod pairs;
mod query;
mod raw_package;
mod rows;
mod shown_value;
mod string_tables;
mod unread;
mod unread_exports;
mod world;

pub(crate) use each::PackageJob;
pub(crate) use json::{put_document, sink_error, write_document};
pub(crate) use loaded::Loaded;
pub(crate) use old_build::{OldBuild, each_version};
pub(crate) use query::{NamePattern, regex};
pub(crate) use unread_exports::UnreadOf;

pub use class_filter::ClassFilter;
pub use differences::{DATA, IgnoredValues, PackageDifference, ValueChange, ValueDifference, differences};
pub use find::{Hit, Hits, MAX_HITS, find_values};
pub use history::{HistoryRow, history};
pub use inputs::{PackageInput, PackageInputs};
pub use json::{JsonForm, json_lines, json_of, to_json};
pub use levels::{Level, LevelComponent};
pub(crate) use mappings::read_mappings_in;
pub use mappings::{find_mappings, is_mappings, mapping_folders, read_mappings};
pub use objects::{AssetFacts, ObjectRef, Objects, read_assets, read_objects};
pub use options::{ValueOptions, ValuesRead};
pub use query::{Query, QuerySpec};
pub use rows::{ValueRow, value_rows};
pub use shown_value::ShownValue;
pub use string_tables::{StringTable, TableEntry, string_tables};
pub use unread::{UnreadCause, UnreadValues};
