//! One file a command, with one `run` each.

pub(crate) mod get;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod pack;
mod summary;
pub(crate) mod unpack;
pub(crate) mod verify;
