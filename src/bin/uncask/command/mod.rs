//! One file a command, with one `run` each.

pub(crate) mod bench;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod deps;
pub(crate) mod diff;
mod diff_properties;
mod dry_run;
pub(crate) mod du;
pub(crate) mod find;
pub(crate) mod get;
pub(crate) mod info;
pub(crate) mod inspect;
pub(crate) mod json;
pub(crate) mod list;
mod original;
mod output_size;
pub(crate) mod pack;
pub(crate) mod report;
pub(crate) mod scripts;
mod summary;
pub(crate) mod thumbnails;
pub(crate) mod to_legacy;
pub(crate) mod to_zen;
pub(crate) mod unpack;
mod values;
pub(crate) mod verify;
