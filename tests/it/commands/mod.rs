//! The commands about packages, and the packages of a store.

mod addresses;
#[cfg(feature = "catalog")]
mod catalog;
mod check;
mod check_mappings;
mod code;
mod compare;
mod conflicts;
mod deps;
mod edit;
mod engine_schemas;
mod engines;
mod fmodel;
mod gallery;
mod inspect;
mod install;
mod join;
mod json;
mod lent;
mod list;
pub(crate) mod made;
mod mods;
mod packages;
mod placeholders;
mod releases;
mod report;
mod run;
mod scripts;
mod shared_ids;
mod tables;
mod texts;
mod thumbnails;
mod to_legacy;
mod to_zen;
mod to_zen_like;
mod unread;
mod values;
