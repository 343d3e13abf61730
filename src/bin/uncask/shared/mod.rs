//! Code shared by several commands, which do not import each other.

pub(crate) mod base_game;
pub(crate) mod chunk_row;
pub(crate) mod classes;
pub(crate) mod dependencies;
pub(crate) mod description;
pub(crate) mod document;
pub(crate) mod dry_run;
pub(crate) mod edit;
pub(crate) mod manifest;
pub(crate) mod one_package;
pub(crate) mod original;
pub(crate) mod output_size;
pub(crate) mod packed;
pub(crate) mod repository;
pub(crate) mod review;
pub(crate) mod summary;
#[cfg(feature = "catalog")]
pub(crate) mod table;
pub(crate) mod values;
